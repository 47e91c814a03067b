"""What the user asks for."""

from .actionability import Actionability, Allowed
from .samples import Sample, load_sample, samples

__all__ = ["Actionability", "Allowed", "Sample", "load_sample", "samples"]
