"""How many people each rule between columns holds back from something that they could otherwise do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..problem.problem import Problem
from ..problem.rule_parts import Rule
from ..problem.walls import Walls

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]
MOST = 5_000  # people who are looked at
SEED = 0  # who they are, in a larger group
CELLS = 2_000_000  # held in memory at once


@dataclass(frozen=True)
class HeldBack:
    """`people[rule]`: for how many of those `looked_at` the rule forbids some value that a single feature may take."""

    people: tuple[int, ...]
    looked_at: int


def held_back(problem: Problem) -> HeldBack:
    """Of a group above 5,000 people, as many are drawn by a fixed seed."""
    walls, rules = problem.walls, problem.column_rules.rules
    n = len(walls.factual)
    people = np.arange(n) if n <= MOST else np.sort(np.random.default_rng(SEED).choice(n, MOST, replace=False))
    counts = [int(_held(rule, walls, people).sum()) for rule in rules]
    return HeldBack(tuple(counts), len(people))


def _held(rule: Rule, walls: Walls, people: Indices) -> Mask:
    """Whom a rule holds back."""
    held = np.zeros(len(people), dtype=bool)
    for j in rule.columns:
        open_ = np.flatnonzero(walls.open[people, j] & ~held)
        if not len(open_):
            continue
        width = walls.factual.shape[1] * _values(rule, walls, j, people[open_[:1]]).shape[1]
        for part in np.array_split(open_, -(-len(open_) * width // CELLS)):
            now = walls.factual[people[part]][:, None, :]
            values = _values(rule, walls, j, people[part])
            after = np.repeat(now, values.shape[1], axis=1)
            after[:, :, j] = values
            held[part] = rule.violated(now, after).any(axis=1)
    return held


def _values(rule: Rule, walls: Walls, j: int, people: Indices) -> Floats:
    """`[person, value]`: enough of what feature j may become to meet the rule's every answer.

    Of a category all levels. Of a number, whether the rule holds can only change where a comparison does: the ends of the range,
    these edges, and on either side of each the next points of the grid, or points between two of them.
    """
    column, now = walls.columns[j], walls.factual[people, j]
    if column.categorical:
        return np.where(walls.levels[column.name][people], np.arange(len(column.levels)), now[:, None])
    low, high = walls.low[people, j], walls.high[people, j]
    edges = [np.clip(edge, low, high) for edge in rule.edges(j, walls.factual[people])]
    ordered = np.sort(np.stack([low, *edges, high], axis=1), axis=1)
    if np.isnan(walls.step[j]):
        gaps = np.diff(ordered, axis=1)
        wished = np.concatenate([ordered, ordered[:, :-1] + gaps / 3, ordered[:, :-1] + gaps * 2 / 3], axis=1)
    else:
        beside = np.floor((ordered - walls.anchor[j]) / walls.step[j])
        grid = np.concatenate([beside + shift for shift in (-1, 0, 1, 2)], axis=1)
        wished = np.concatenate([ordered[:, [0, -1]], walls.anchor[j] + grid * walls.step[j]], axis=1)
    return walls.project(column.name, people[:, None], wished)
