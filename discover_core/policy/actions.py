"""Shared actions: a feature becomes a level, at least or at most a value, is added to or multiplied; one or two at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Self, get_args

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..problem.amounts import amount
from ..problem.checks import choice, number
from ..scenario.json_schema import check_names
from ..solver.cells import Cells
from ..table.schema import Column, Schema
from .ground import People

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]
Kind = Literal["set", "at_least", "at_most", "add", "multiply"]
LEVEL_KINDS: dict[bool, tuple[Kind, ...]] = {False: ("set",), True: ("set", "at_least", "at_most")}  # of nominals, of ordinals


class Change(NamedTuple):
    """What becomes of one feature: a level's code or a number to set or to come up or down to, a number to add, or a factor."""

    feature: int
    kind: Kind
    value: float

    def after(self, people: People, who: Indices) -> tuple[Floats, Mask]:
        """This feature of these people after it, inside their walls, and with whom it agrees: it changes something in its own
        direction, or is fulfilled already."""
        j, kind, value = self
        now = people.cells[who, j]
        if kind in ("add", "multiply"):
            wished = now + value if kind == "add" else now * value
        elif kind == "set":
            wished = np.full(len(who), value)
        else:
            wished = np.maximum(now, value) if kind == "at_least" else np.minimum(now, value)
        if j in people.fence.levels and people.fence.nominal[j]:
            after = np.where(people.fence.levels[j][who, int(value)], wished, now)
        else:
            after = people.fence.nearest(j, who, wished)
        moved = (after != now) & ((after > now) == (wished > now))
        return after, moved | ((wished == now) & (after == now))


@dataclass(frozen=True)
class Action:
    """One change, or two at once."""

    changes: tuple[Change, ...]

    def versions(self, people: People, who: Indices) -> tuple[Cells, Mask]:
        """These people after it, and for whom it applies: every part agrees with them, some part changes something, and what the
        budget and the rules ask of one person holds. Who fulfils one part already needs the other alone."""
        before = people.cells[who]
        after, fine = before.copy(), np.ones(len(who), dtype=bool)
        for change in self.changes:
            after[:, change.feature], agrees = change.after(people, who)
            fine &= agrees
        fine &= (after != before).any(axis=1)
        squared = people.ground.efforts.squared(before, after)
        fine &= squared <= people.ground.cap**2
        fine &= people.allowance.fine(who, after)
        if people.likeness.wall:
            at = np.flatnonzero(fine)
            fine[at] = people.likeness.allowed(who[at], after[at])
        return after, fine

    def words(self, schema: Schema) -> str:
        """What a person is told: “Duration: a quarter less”."""
        return "; ".join(_words(schema.features[change.feature], change) for change in self.changes)

    def to_list(self, schema: Schema) -> list[dict[str, Any]]:
        columns = schema.features
        return [
            {
                "feature": columns[j].name,
                "kind": kind,
                "value": columns[j].levels[int(value)] if columns[j].categorical else value,
            }
            for j, kind, value in self.changes
        ]

    @classmethod
    def from_list(cls, data: Any, schema: Schema) -> Self:
        if not isinstance(data, list) or not 1 <= len(data) <= 2:
            raise InputError("A programme changes one feature or two.")
        changes = tuple(_change(part, schema) for part in data)
        if len({change.feature for change in changes}) < len(changes):
            raise InputError("A programme changes each feature once.")
        return cls(changes)


def _change(part: dict[str, Any], schema: Schema) -> Change:
    fields, names = list(Change._fields), schema.feature_names
    check_names(part, fields, "programme", fields)
    if part["feature"] not in names:
        raise InputError(f"A programme changes “{part['feature']}”, which is no feature of the policy's table.")
    j = names.index(part["feature"])
    column = schema.features[j]
    choice("kind", part["kind"], get_args(Kind))
    if column.categorical:
        if part["kind"] not in LEVEL_KINDS[column.role == "ordinal"] or part["value"] not in column.levels:
            raise InputError(f"A programme cannot change “{column.name}” by “{part['kind']}” {part['value']!r}.")
        return Change(j, part["kind"], float(column.levels.index(part["value"])))
    number("value", part["value"])
    return Change(j, part["kind"], float(part["value"]))


def _words(column: Column, change: Change) -> str:
    unit = f" {column.unit}" if column.unit else ""
    if change.kind in ("set", "at_least", "at_most"):
        highest, lowest = (len(column.levels) - 1, 0) if column.categorical else (column.high, column.low)
        there = change.kind == "set" or change.value == (highest if change.kind == "at_least" else lowest)
        value = column.levels[int(change.value)] if column.categorical else f"{amount(change.value)}{unit}"
        return f"{column.name}: {'becomes' if there else change.kind.replace('_', ' ')} {value}"
    if change.kind == "add":
        size, more = amount(abs(change.value)), "more" if change.value > 0 else "less"
        odd = " " in unit.strip() or size == "1"  # “1 less (months late)”, not “1 months late less”
        return f"{column.name}: {size} {more} ({unit.strip()})" if unit and odd else f"{column.name}: {size}{unit} {more}"
    percents = round(100 * abs(change.value - 1))
    return f"{column.name}: {percents}% {'more' if change.value > 1 else 'less'}"
