"""Distances between distributions: slices, rank matching, row decomposition, the exact cost of an edit; how usual a row is.

It measures arrays and tables; it knows no confidence and no search.
"""

from .lines import Lines
from .metrics import Metrics, metrics
from .plan import Plan, quantile_plan, sliced2, wasserstein2
from .slices import random_slices
from .usual import Usual

__all__ = ["Lines", "Metrics", "Plan", "Usual", "metrics", "quantile_plan", "random_slices", "sliced2", "wasserstein2"]
