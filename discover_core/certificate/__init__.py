"""Quantile bands, upper confidence limits, achieved confidence, and the rule for eta."""

from .eta import balance, narrow
from .limits import Limiter
from .statement import Certificate, certify, impossible

__all__ = ["Certificate", "Limiter", "balance", "certify", "impossible", "narrow"]
