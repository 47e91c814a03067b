"""Distributional counterfactual explanations: `import discover_core as dc`."""

from .errors import InputError
from .models import Model, load_model, save_model, train_model
from .problem import Actionability, Sample, load_sample, samples
from .table import Cohort, Column, Dataset, Encoding, Rule, Schema, read_table

__all__ = [
    "Actionability",
    "Cohort",
    "Column",
    "Dataset",
    "Encoding",
    "InputError",
    "Model",
    "Rule",
    "Sample",
    "Schema",
    "load_model",
    "load_sample",
    "read_table",
    "samples",
    "save_model",
    "train_model",
]
