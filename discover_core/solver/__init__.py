"""Algorithm 1: propose, score exactly, select, certify; the advice on bounds before it and the verdict after it.

It solves a problem in memory, step by step; it knows no file, no store and no page.
"""

from .place import Edit, Place, Round
from .result import Result, Story, run
from .solve import solve
from .step import Step
from .verdict import Verdict

__all__ = ["Edit", "Place", "Result", "Round", "Step", "Story", "Verdict", "run", "solve"]
