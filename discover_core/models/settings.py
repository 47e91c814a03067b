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
