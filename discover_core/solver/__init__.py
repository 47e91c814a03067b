"""Algorithm 1: propose, score exactly, select, certify."""

from .place import Edit, Place
from .result import Result, Story, run
from .solve import solve
from .step import Step
from .verdict import Verdict

__all__ = ["Edit", "Place", "Result", "Step", "Story", "Verdict", "run", "solve"]
