"""What a person may set when training: one `Setting` per knob, together a `Family` of models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..errors import InputError

Value = int | float | str


@dataclass(frozen=True)
class Setting:
    """One knob of a family: a whole number, a number, or a choice."""

    name: str
    label: str
    help: str
    kind: Literal["int", "float", "choice"]
    default: Value
    low: float = 0.0
    high: float = 0.0
    options: tuple[str, ...] = ()

    def check(self, value: Any, family: str) -> Value:
        """The value as its kind, or an InputError that says what is allowed."""
        if self.kind == "choice":
            if value in self.options:
                return str(value)
            raise InputError(f"{family}: “{self.label}” cannot be “{value}”; choose one of {', '.join(self.options)}.")
        number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
        whole = self.kind == "float" or (number and float(value).is_integer())
        if not (number and whole and self.low <= float(value) <= self.high):
            noun = "a whole number" if self.kind == "int" else "a number"
            raise InputError(f"{family}: “{self.label}” cannot be “{value}”; give {noun} from {self.low:g} to {self.high:g}.")
        return int(value) if self.kind == "int" else float(value)


@dataclass(frozen=True)
class Family:
    """A kind of model: what it is called for classes and for numbers, and what may be set."""

    name: str
    title: str
    title_regression: str
    help: str
    settings: tuple[Setting, ...]
    max_rows: int = 200_000  # more training rows than this are sampled

    def resolve(self, given: Mapping[str, Any] | None) -> dict[str, Value]:
        """All settings with their values; what is not given has its default."""
        given = dict(given or {})
        unknown = [name for name in given if name not in {s.name for s in self.settings}]
        if unknown:
            known = ", ".join(s.name for s in self.settings)
            raise InputError(f"{self.title} has no setting “{unknown[0]}”; it has {known}.")
        return {s.name: s.check(given.get(s.name, s.default), self.title) for s in self.settings}


_C = Setting(
    "c", "Flexibility (C)", "Higher follows the training data more closely, lower keeps effects small.", "float", 1.0, 0.001, 1000
)
_TREES = Setting("trees", "Trees", "More trees fit more closely and take longer.", "int", 200, 1, 2000)
_RATE = Setting("learning_rate", "Learning rate", "How much each tree corrects the ones before it.", "float", 0.1, 0.001, 1)

FAMILIES: dict[str, Family] = {
    f.name: f
    for f in (
        Family(
            "logistic",
            "Logistic regression",
            "Ridge regression",
            "One weight per feature: the easiest to explain.",
            (_C, Setting("iterations", "Fitting rounds", "Rounds at most until the weights settle.", "int", 1000, 10, 10_000)),
        ),
        Family(
            "svm",
            "Support vector machine",
            "Support vector regression",
            "Smooth boundaries from the hardest cases; slow on large tables.",
            (_C, Setting("kernel", "Kernel", "rbf bends, linear does not.", "choice", "rbf", options=("rbf", "linear", "poly"))),
            max_rows=8_000,
        ),
        Family(
            "mlp",
            "Neural network",
            "Neural network",
            "A small multi-layer perceptron: smooth and flexible.",
            (
                Setting("units", "Units per layer", "More units can follow more detail.", "int", 32, 2, 512),
                Setting("layers", "Hidden layers", "How deep the network is.", "int", 1, 1, 4),
                Setting("penalty", "Weight penalty", "Higher keeps the network smoother.", "float", 1.0, 0.0, 1000),
            ),
            max_rows=50_000,
        ),
        Family(
            "random_forest",
            "Random forest",
            "Random forest",
            "The average of many trees: robust without tuning.",
            (
                _TREES,
                Setting("depth", "Depth", "Questions asked one after another in a tree, at most.", "int", 12, 1, 50),
                Setting("leaf", "Rows per leaf", "A leaf holds at least so many training rows.", "int", 3, 1, 1000),
            ),
        ),
        Family(
            "xgboost",
            "XGBoost",
            "XGBoost",
            "Boosted trees, each correcting the ones before: often the most accurate.",
            (_TREES, Setting("depth", "Depth", "Questions asked one after another in a tree, at most.", "int", 4, 1, 15), _RATE),
        ),
        Family(
            "lightgbm",
            "LightGBM",
            "LightGBM",
            "Boosted trees grown leaf by leaf: fast on large tables.",
            (_TREES, Setting("leaves", "Leaves", "Leaves of one tree, at most.", "int", 15, 2, 255), _RATE),
        ),
    )
}


def family_named(name: str) -> Family:
    if name not in FAMILIES:
        raise InputError(f"There is no model family “{name}”: choose one of {', '.join(FAMILIES)}.")
    return FAMILIES[name]
