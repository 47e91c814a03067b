"""What the columns of a table mean: one `Column` each, together a `Schema`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, Self, get_args

import pandas as pd

from ..errors import InputError

Role = Literal["numeric", "ordinal", "nominal", "excluded"]
Action = Literal["free", "locked", "increase", "decrease"]
Task = Literal["binary", "multiclass", "regression"]
Level = str | int | float | bool

ROLES: tuple[Role, ...] = get_args(Role)
MISSING = "(missing)"  # the level that missing values of a nominal column get
MAX_LEVELS = 1_000  # more categories than this are no categories


@dataclass(frozen=True)
class Column:
    """One column: its role, the values it may take, and why we think so.

    A numeric column has `low`, `high`, and a `step` (None: continuous). Ordinal and nominal columns have `levels`; the
    order of an ordinal's levels is its order. `fill` replaces missing values; `missing` counts them in the table that
    was looked at. `action` is the default answer to "may this change?". `usual` is the part of a numeric column's range
    in which new values lie unless somebody widens it (see `table.usual`); None is all of it.

    What a person can do about it: `lever` says in a sentence why they can or cannot act on it. `order` lists levels of a
    nominal column from least to most; levels that are not listed are outside the order. New values begin with the limits
    `new_low` and `new_high`, the grid `new_step`, or the categories `new_levels`.
    """

    name: str
    role: Role
    reason: str = ""
    low: float | None = None
    high: float | None = None
    step: float | None = None
    levels: tuple[Level, ...] = ()
    fill: Level | None = None
    missing: int = 0
    date: bool = False  # used as days since 1970-01-01
    dayfirst: bool = False  # a date in text has its day before its month
    text: bool = False  # its levels are numbers written as text, to stand beside "(missing)"
    missing_codes: tuple[Level, ...] = ()  # values that stand for "missing", such as -9
    action: Action = "free"
    unit: str = ""
    label: str = ""  # what the column means, in words
    # what is offered for new values, not what the column means: with or without it, it is the same column
    usual: tuple[float, float] | None = field(default=None, compare=False)
    order: tuple[Level, ...] = ()
    lever: str = field(default="", compare=False)
    new_low: float | None = field(default=None, compare=False)
    new_high: float | None = field(default=None, compare=False)
    new_step: float | None = field(default=None, compare=False)
    new_levels: tuple[Level, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if self.role not in ROLES:
            raise InputError(f"Column “{self.name}” has the unknown role “{self.role}”: use one of {', '.join(ROLES)}.")
        if self.action not in get_args(Action):
            raise InputError(
                f"Column “{self.name}” has the unknown action “{self.action}”: use one of {', '.join(get_args(Action))}."
            )
        if self.role == "numeric":
            if self.low is None or self.high is None or not (math.isfinite(self.low) and math.isfinite(self.high)):
                raise InputError(f"The numeric column “{self.name}” needs a finite lowest and highest value.")
            if self.low > self.high:
                raise InputError(f"Column “{self.name}”: its lowest value {self.low:g} is above its highest value {self.high:g}.")
            if self.step is not None and not (math.isfinite(self.step) and self.step > 0):
                raise InputError(f"Column “{self.name}”: its step must be a number above 0.")
            if self.usual is not None and not (all(map(math.isfinite, self.usual)) and self.usual[0] <= self.usual[1]):
                raise InputError(f"Column “{self.name}”: its usual range must be two finite numbers, the lower one first.")
        if self.role in ("ordinal", "nominal"):
            if not self.levels:
                raise InputError(f"The {self.role} column “{self.name}” needs at least one level.")
            if len(set(map(str, self.levels))) != len(self.levels):
                raise InputError(f"Column “{self.name}” lists a level twice: remove the repeated one.")
            if self.fill is not None and self.fill not in self.levels:
                raise InputError(
                    f"Column “{self.name}”: missing values cannot become “{self.fill}”, which is not one of its levels."
                )
            if len(self.levels) > MAX_LEVELS:
                raise InputError(
                    f"Column “{self.name}” has {len(self.levels):,} different values, too many for categories: leave it out."
                )
        self._check_new_values()

    def _check_new_values(self) -> None:
        """What is said of new values, as far as it fits the role."""
        if self.order and self.role in ("numeric", "ordinal"):
            raise InputError(f"Column “{self.name}”: only a nominal column takes an order of some of its levels.")
        if self.categorical:
            for what, levels in (("order", self.order), ("list of new values", self.new_levels)):
                unknown = next((level for level in levels if level not in self.levels), None)
                if unknown is not None:
                    raise InputError(f"Column “{self.name}”: its {what} names “{unknown}”, which is not one of its levels.")
                if len(set(map(str, levels))) != len(levels):
                    raise InputError(f"Column “{self.name}”: its {what} names a level twice: remove the repeated one.")
        if self.role == "numeric":
            numbers = [number for number in (self.new_low, self.new_high, self.new_step) if number is not None]
            if not all(map(math.isfinite, numbers)) or (self.new_step is not None and self.new_step <= 0):
                raise InputError(f"Column “{self.name}”: limits of new values must be finite numbers, and their step above 0.")
            if self.new_low is not None and self.new_high is not None and self.new_low > self.new_high:
                raise InputError(f"Column “{self.name}”: new values cannot go from {self.new_low:g} to {self.new_high:g}.")

    @property
    def integer(self) -> bool:
        """Whole numbers only."""
        return (
            self.role == "numeric"
            and self.step is not None
            and float(self.step).is_integer()
            and float(self.low or 0).is_integer()
        )

    @property
    def offered(self) -> tuple[float, float]:
        """Where new values of a numeric column lie unless somebody says otherwise: its usual range, as far as it goes."""
        low, high = float(self.low or 0), float(self.high or 0)
        if self.usual is None or max(low, self.usual[0]) > min(high, self.usual[1]):
            return low, high
        return max(low, self.usual[0]), min(high, self.usual[1])

    @property
    def categorical(self) -> bool:
        return self.role in ("ordinal", "nominal")

    @property
    def ranking(self) -> tuple[Level, ...]:
        """The levels from least to most: all of an ordinal column, those of a nominal column that have an order."""
        return self.levels if self.role == "ordinal" else self.order

    @property
    def directed(self) -> bool:
        """Whether it has an up and a down."""
        return self.role == "numeric" or bool(self.ranking)

    @property
    def choices(self) -> tuple[Level, ...]:
        """The levels that somebody could be asked to have: that a value is missing is nothing to strive for."""
        return tuple(level for level in self.levels if level != MISSING)

    def to_dict(self) -> dict[str, Any]:
        """Only what differs from the defaults, so that files stay readable."""
        out: dict[str, Any] = {"name": self.name, "role": self.role}
        for f in fields(self)[2:]:
            value = getattr(self, f.name)
            if value != f.default:
                out[f.name] = list(value) if isinstance(value, tuple) else value
        return out

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        known = {f.name for f in fields(cls)}
        given: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in data.items() if k in known}
        return cls(**given)


@dataclass(frozen=True)
class Schema:
    """The columns of a table in their order, and which of them is the outcome the model predicts.

    `positive` is the outcome's level whose probability is the score; None for a number to be predicted.
    """

    columns: tuple[Column, ...]
    outcome: str | None = None
    positive: Level | None = None
    _index: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        index = {column.name: i for i, column in enumerate(self.columns)}
        if len(index) != len(self.columns):
            raise InputError("A schema names one of its columns twice.")
        object.__setattr__(self, "_index", index)
        if self.outcome is not None and self.outcome not in index:
            raise InputError(f"The outcome column “{self.outcome}” is not in the table.")
        if self.positive is not None and self.outcome is not None:
            column = self[self.outcome]
            if column.categorical and self.positive not in column.levels:
                raise InputError(f"The outcome column “{self.outcome}” has no value “{self.positive}”.")

    @classmethod
    def infer(cls, table: pd.DataFrame, outcome: str | None = None) -> Schema:
        """Guess every column's role from its values; each guess says why."""
        from .infer import infer_schema

        return infer_schema(table, outcome)

    def __getitem__(self, name: str) -> Column:
        if name not in self._index:
            raise InputError(f"There is no column “{name}” in the table.")
        return self.columns[self._index[name]]

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def __iter__(self) -> Iterator[Column]:
        return iter(self.columns)

    @property
    def features(self) -> tuple[Column, ...]:
        """What a model may look at: everything that is neither excluded nor the outcome."""
        return tuple(c for c in self.columns if c.role != "excluded" and c.name != self.outcome)

    @property
    def feature_names(self) -> list[str]:
        return [c.name for c in self.features]

    @property
    def task(self) -> Task | None:
        """What predicting the outcome means; None without an outcome."""
        if self.outcome is None:
            return None
        column = self[self.outcome]
        if column.role == "numeric":
            return "regression"
        return "binary" if len(column.levels) <= 2 else "multiclass"

    def replace(self, name: str, **changes: Any) -> Schema:
        """The same schema with one column described differently."""
        return self.with_column(replace(self[name], **changes))

    def with_column(self, column: Column) -> Schema:
        """The same schema with this column in place of the one of the same name."""
        return replace(self, columns=tuple(column if c.name == column.name else c for c in self.columns))

    def with_outcome(self, outcome: str | None, positive: Level | None = None) -> Schema:
        return replace(self, outcome=outcome, positive=positive)

    def prepare(self, table: pd.DataFrame) -> pd.DataFrame:
        """The table with exactly this schema's columns and types; see `table.prepare`."""
        from .prepare import prepare

        return prepare(table, self).table

    def to_dict(self) -> dict[str, Any]:
        return {"outcome": self.outcome, "positive": self.positive, "columns": [c.to_dict() for c in self.columns]}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        return cls(tuple(Column.from_dict(c) for c in data["columns"]), data.get("outcome"), data.get("positive"))
