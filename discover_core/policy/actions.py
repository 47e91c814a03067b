"""Shared actions: set a feature to a value, add to it, or multiply it; one or two features at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
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
from .versions import Versions

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]
Kind = Literal["set", "add", "multiply"]
SHARES = (0.25, 0.5, 0.75, 1.0)  # of the changes people needed, how large a shared one is tried
NEVER = 60  # pairs are made of so many single changes at the most


class Change(NamedTuple):
    """What becomes of one feature: a level's code or a number to set, a number to add, or a factor."""

    feature: int
    kind: Kind
    value: float


@dataclass(frozen=True)
class Action:
    """One change, or two at once."""

    changes: tuple[Change, ...]

    def versions(self, people: People, who: Indices) -> tuple[Cells, Mask]:
        """These people after it, inside their walls, and for whom it applies: each part changes something, in its own direction,
        and what the budget and the rules ask of one person holds."""
        before = people.cells[who]
        after, fine = before.copy(), np.ones(len(who), dtype=bool)
        for j, kind, value in self.changes:
            now = before[:, j]
            wished = np.full(len(who), value) if kind == "set" else now + value if kind == "add" else now * value
            if j in people.fence.levels and people.fence.nominal[j]:
                allowed = people.fence.levels[j][who, int(value)]
                after[:, j] = np.where(allowed, wished, now)
            else:
                after[:, j] = people.fence.nearest(j, who, wished)
            fine &= (after[:, j] != now) & ((after[:, j] > now) == (wished > now))
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
        if part["kind"] != "set" or part["value"] not in column.levels:
            raise InputError(f"A programme sets “{column.name}” to {part['value']!r}, which is none of its levels.")
        return Change(j, "set", float(column.levels.index(part["value"])))
    number("value", part["value"])
    return Change(j, part["kind"], float(part["value"]))


def _words(column: Column, change: Change) -> str:
    unit = f" {column.unit}" if column.unit else ""
    if column.categorical:
        return f"{column.name}: becomes {column.levels[int(change.value)]}"
    if change.kind == "set":
        return f"{column.name}: becomes {amount(change.value)}{unit}"
    if change.kind == "add":
        return f"{column.name}: {amount(abs(change.value))}{unit} {'more' if change.value > 0 else 'less'}"
    percents = round(100 * abs(change.value - 1))
    return f"{column.name}: {percents}% {'more' if change.value > 1 else 'less'}"


def useful_actions(people: People, versions: Versions, most: int) -> list[Action]:
    """Actions made of what the personal search found for people: common changes first, then pairs that occur together."""
    singles: Counter[Change] = Counter()
    pairs: Counter[tuple[int, int]] = Counter()
    before, after = people.cells, versions.cells
    changed = before != after
    for i in np.flatnonzero(changed.any(axis=1)):
        pairs.update(combinations(np.flatnonzero(changed[i]).tolist(), 2))
    for j in np.flatnonzero(changed.any(axis=0)).tolist():
        who = changed[:, j]
        for change, count in _shared(people, j, before[who, j], after[who, j]):
            singles[change] += count
    usual = [change for change, _ in singles.most_common()]
    by_feature: dict[int, list[Change]] = {}
    for change in usual:
        by_feature.setdefault(change.feature, []).append(change)
    actions = [Action((change,)) for change in usual]
    per_pair = max(2, round((NEVER / max(1, len(pairs))) ** 0.5) + 2)
    if people.ground.h > 1:
        for (a, b), _ in pairs.most_common():
            for one in by_feature.get(a, [])[:per_pair]:
                actions += [Action((one, other)) for other in by_feature.get(b, [])[:per_pair]]
    return actions[:most]


def _shared(people: People, j: int, before: Floats, after: Floats) -> Iterator[tuple[Change, int]]:
    """For one feature the levels people took, or values, differences and factors as large as a share of them needed."""
    if j in people.fence.levels:
        for value, count in zip(*np.unique(after, return_counts=True), strict=True):
            yield Change(j, "set", float(value)), int(count)
        return
    walls = people.fence.walls
    step = walls.step[j]
    for up in (False, True):
        side = (after > before) == up
        if not side.any():
            continue
        a, b, count = after[side], before[side], int(side.sum())
        values = np.quantile(a, SHARES if up else [1 - s for s in SHARES], method="nearest")
        for value in np.unique(values):
            yield Change(j, "set", float(value)), count
        far = np.quantile(np.abs(a - b), SHARES, method="nearest")
        for size in np.unique([_round(x, step) for x in far]):
            if size > 0:
                yield Change(j, "add", float(size if up else -size)), count
        if (b > 0).all() and (a > 0).all():
            factors = np.quantile(a / b, SHARES if up else [1 - s for s in SHARES])
            for factor in np.unique(np.round(factors * 20) / 20):  # in steps of 5%
                if 0 < factor != 1:
                    yield Change(j, "multiply", float(factor)), count


def _round(value: float, step: float) -> float:
    """Two digits, and on the grid if there is one: what one could say to somebody."""
    rounded = float(f"{value:.1e}")
    if np.isnan(step):
        return rounded
    return float(max(1.0, np.ceil(rounded / step - 1e-9)) * step)
