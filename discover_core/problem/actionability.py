"""What may change, in which direction and how far: the walls no proposal may cross."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Self, get_args

from ..errors import InputError
from ..table.schema import Action, Column, Level, Schema

DIRECTIONS: tuple[Action, ...] = ("increase", "decrease")


@dataclass(frozen=True)
class Allowed:
    """What may happen to one feature. None and () mean: what the column offers, a number's usual range or every category.

    `low` and `high` bound the new value and `step` is its grid (numeric columns); `levels` are the admissible
    categories; `weight` multiplies the cost of a change. "(missing)" is never a new value, whatever else is admitted.
    """

    name: str
    mode: Action = "free"
    low: float | None = None
    high: float | None = None
    step: float | None = None
    levels: tuple[Level, ...] = ()
    weight: float = 1.0

    def __post_init__(self) -> None:
        if self.mode not in get_args(Action):
            raise InputError(f"Column “{self.name}”: “{self.mode}” is no mode; use one of {', '.join(get_args(Action))}.")
        for limit in (self.low, self.high):
            if limit is not None and not math.isfinite(limit):
                raise InputError(f"Column “{self.name}”: its limits must be finite numbers; leave one out for no limit.")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise InputError(f"Column “{self.name}”: its lower limit {self.low:g} is above its upper limit {self.high:g}.")
        if self.step is not None and not (math.isfinite(self.step) and self.step > 0):
            raise InputError(f"Column “{self.name}”: its step must be a number above 0.")
        if not (math.isfinite(self.weight) and self.weight > 0):
            raise InputError(f"Column “{self.name}”: its weight must be a number above 0; lock the column to keep it as it is.")

    def check(self, column: Column) -> None:
        """Whether these rules make sense for that column."""
        if self.mode in DIRECTIONS and not column.directed:
            raise InputError(f"Column “{self.name}” has no order, so it cannot only {self.mode}: admit categories instead.")
        if column.categorical and (self.low is not None or self.high is not None or self.step is not None):
            raise InputError(f"Column “{self.name}” holds categories, not numbers: admit categories instead of limits or a step.")
        if self.levels and not column.categorical:
            raise InputError(f"Column “{self.name}” holds numbers, not categories: set limits instead.")
        unknown = [level for level in self.levels if level not in column.levels]
        if unknown:
            known = ", ".join(str(level) for level in column.levels[:10]) + (" …" if len(column.levels) > 10 else "")
            raise InputError(f"Column “{self.name}” has no category “{unknown[0]}”: use some of {known}.")
        if self.step is not None and column.integer and not float(self.step).is_integer():
            raise InputError(f"Column “{self.name}” holds whole numbers: its step must be a whole number.")


def reach(column: Column, low: float | None = None, high: float | None = None) -> tuple[float, float]:
    """How far new values of a numeric column go between these limits: where one is None, to the end of the usual range.

    A limit beyond the whole usual range is followed by the column's own end.
    """
    least, most = column.offered
    if low is not None:
        least, most = low, most if low <= most else float(column.high or 0)
    if high is not None:
        least, most = least if low is not None or least <= high else float(column.low or 0), high
    return least, most


def _suggested(column: Column) -> Allowed:
    """What a column says of its new values; limits beyond all that it has are left out."""
    mode: Action = "free" if column.action in DIRECTIONS and not column.directed else column.action
    if column.categorical:
        return Allowed(column.name, mode, levels=column.new_levels)
    low, high, step = column.new_low, column.new_high, column.new_step
    if (low is not None and low > float(column.high or 0)) or (high is not None and high < float(column.low or 0)):
        low, high, step = None, None, None
    if step is not None and column.integer and not float(step).is_integer():
        step = None
    return Allowed(column.name, mode, low, high, step)


@dataclass(frozen=True)
class Actionability:
    """One `Allowed` per feature of a schema. Every method returns a new object and leaves this one as it is."""

    schema: Schema
    allowed: tuple[Allowed, ...]

    def __post_init__(self) -> None:
        names = [rule.name for rule in self.allowed]
        for name in names:
            self._feature(name)
        if names != self.schema.feature_names:
            raise InputError("The actionability must have one entry per feature, in the order of the schema.")
        for rule in self.allowed:
            rule.check(self.schema[rule.name])

    @classmethod
    def free(cls, schema: Schema) -> Self:
        """Everything may change."""
        return cls(schema, tuple(Allowed(c.name) for c in schema.features))

    @classmethod
    def default(cls, schema: Schema) -> Self:
        """What the schema says of each column. A direction is ignored where the column has no order."""
        return cls(schema, tuple(_suggested(column) for column in schema.features))

    def carried(self, schema: Schema) -> Self:
        """The same for a schema that differs in some columns: there the defaults, elsewhere what was said before."""
        kept = {rule.name: rule for rule in self if rule.name in schema and schema[rule.name] == self.schema[rule.name]}
        fresh = type(self).default(schema)
        return type(self)(schema, tuple(kept.get(rule.name, rule) for rule in fresh))

    def __getitem__(self, name: str) -> Allowed:
        self._feature(name)
        return next(rule for rule in self.allowed if rule.name == name)

    def __iter__(self) -> Iterator[Allowed]:
        return iter(self.allowed)

    @property
    def editable(self) -> tuple[str, ...]:
        """The features that are not locked."""
        return tuple(rule.name for rule in self.allowed if rule.mode != "locked")

    def lock(self, *names: str) -> Self:
        return self._change(names, mode="locked")

    def allow(self, *names: str) -> Self:
        """May change in both directions."""
        return self._change(names, mode="free")

    def only_increase(self, *names: str) -> Self:
        return self._change(names, mode="increase")

    def only_decrease(self, *names: str) -> Self:
        return self._change(names, mode="decrease")

    def limit(self, name: str, low: float | None = None, high: float | None = None) -> Self:
        """New values stay between the two, however unusual they are; None leaves that side to the column's usual range."""
        return self._change((name,), low=low, high=high)

    def step(self, name: str, step: float | None) -> Self:
        """New values lie on a grid of this step."""
        return self._change((name,), step=step)

    def admit(self, name: str, levels: Sequence[Level]) -> Self:
        """Only these categories may be chosen."""
        if not levels or isinstance(levels, str):
            raise InputError(f"Column “{name}”: give a list of at least one category, or lock the column.")
        return self._change((name,), levels=tuple(dict.fromkeys(levels)))

    def weight(self, name: str, weight: float) -> Self:
        """A change of this feature costs so many times as much."""
        return self._change((name,), weight=weight)

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """By feature, only what differs from "free"."""
        out: dict[str, dict[str, Any]] = {}
        for rule in self.allowed:
            given = {f.name: getattr(rule, f.name) for f in fields(rule)[1:] if getattr(rule, f.name) != f.default}
            if given:
                out[rule.name] = {key: list(value) if isinstance(value, tuple) else value for key, value in given.items()}
        return out

    @classmethod
    def from_dict(cls, data: dict[str, dict[str, Any]], schema: Schema) -> Self:
        actions, known = cls.free(schema), {f.name for f in fields(Allowed)[1:]}
        for name, given in data.items():
            changes = {key: tuple(value) if isinstance(value, list) else value for key, value in given.items() if key in known}
            actions = actions._change((name,), **changes)
        return actions

    def _feature(self, name: str) -> None:
        """Only features can be acted upon."""
        if name not in self.schema:
            raise InputError(f"There is no column “{name}” in the table.")
        if name == self.schema.outcome:
            raise InputError(f"Column “{name}” is the outcome: it follows from the others and cannot be acted upon.")
        if self.schema[name].role == "excluded":
            raise InputError(f"Column “{name}” is excluded: give it a role before saying how it may change.")

    def _change(self, names: tuple[str, ...], **changes: Any) -> Self:
        for name in names:
            self._feature(name)
        return replace(self, allowed=tuple(replace(r, **changes) if r.name in names else r for r in self.allowed))
