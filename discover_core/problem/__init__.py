"""What the user asks for."""

from .actionability import Actionability, Allowed
from .bounds import Bounds
from .problem import Problem
from .samples import Sample, load_sample, samples
from .settings import Settings
from .target import Target
from .walls import Walls

__all__ = ["Actionability", "Allowed", "Bounds", "Problem", "Sample", "Settings", "Target", "Walls", "load_sample", "samples"]
