"""What the user asks for, in numbers: what may change, the target, the bounds, the search's budget, and the wish in words.

It says what is asked and what is allowed, but not how far anything is or how to get there.
"""

from .actionability import Actionability, Allowed
from .bounds import Bounds
from .budget import Budget
from .problem import Problem
from .samples import Sample, load_sample, samples
from .settings import Settings
from .target import Target
from .walls import Walls

__all__ = [
    "Actionability",
    "Allowed",
    "Bounds",
    "Budget",
    "Problem",
    "Sample",
    "Settings",
    "Target",
    "Walls",
    "load_sample",
    "samples",
]
