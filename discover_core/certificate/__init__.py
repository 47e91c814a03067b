"""Limits that hold with known confidence: quantile bands, the achieved confidence, the rule for eta, and the words for them.

It judges sorted samples against bounds; how they came about it does not know.
"""

from .eta import balance, narrow
from .limits import Limiter
from .means import mean_limit
from .outputs import output_limit
from .shares import share_limit
from .statement import Certificate, certify, impossible

__all__ = ["Certificate", "Limiter", "balance", "certify", "impossible", "mean_limit", "narrow", "output_limit", "share_limit"]
