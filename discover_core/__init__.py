"""Distributional counterfactual explanations: `import discover_core as dc`."""

from typing import TYPE_CHECKING, Any

from .errors import InputError
from .lazy import lazily

if TYPE_CHECKING:
    from .models import Model, load_model, save_model, train_model
    from .problem import Actionability, Sample, load_sample, samples
    from .table import Cohort, Column, Dataset, Encoding, Rule, Schema, read_table

_HOMES = {
    **dict.fromkeys(("Model", "load_model", "save_model", "train_model"), "models"),
    **dict.fromkeys(("Actionability", "Sample", "load_sample", "samples"), "problem"),
    **dict.fromkeys(("Cohort", "Column", "Dataset", "Encoding", "Rule", "Schema", "read_table"), "table"),
}

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


def __getattr__(name: str) -> Any:
    return lazily(__name__, _HOMES, name)
