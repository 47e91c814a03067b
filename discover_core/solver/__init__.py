"""Algorithm 1: propose, score exactly, select, certify."""

from .result import Result, result_of, run
from .solve import solve
from .step import Step

__all__ = ["Result", "Step", "result_of", "run", "solve"]
