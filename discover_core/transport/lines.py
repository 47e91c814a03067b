"""Rows projected on lines, kept in sorted order, and the exact cost of editing a few of them without sorting again.

One line per slice for the inputs, a single line for the outputs. On each line the i-th smallest value meets the i-th
quantile interval of a fixed goal, whose mean is `goal[line, i]`. A value v at rank i costs ((v - goal)^2 + spread)/n, where
the spread of the interval belongs to the rank, not to the row, so that it is the same for every arrangement.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]
CHUNK = 1_000_000  # numbers held at once while candidates are scored


@dataclass(frozen=True, eq=False)
class Lines:
    """`values[line, row]`, `order[line, rank]` = the row at that rank, `ranked[line, rank]` its value.

    `goal` and `spread` go by rank; no spread where the goal is a sample of n values.
    """

    values: Floats
    order: Indices
    ranked: Floats
    goal: Floats
    spread: Floats | None = None

    @classmethod
    def of(cls, values: Floats, goal: Floats, spread: Floats | None = None) -> Self:
        """Sort once. `goal` holds, per line, the means of the goal's n quantile intervals in ascending order."""
        order = np.argsort(values, axis=1, kind="stable")
        return cls(values, order, np.take_along_axis(values, order, axis=1), goal, spread)

    @property
    def size(self) -> int:
        return int(self.values.shape[1])

    @cached_property
    def impact(self) -> Floats:
        """Each row's share of the cost, averaged over lines: the q_i of Section 3.1. They sum to `cost()`."""
        total = np.zeros(self.size)
        for i, order in enumerate(self.order):
            total[order] += (self.ranked[i] - self.goal[i]) ** 2 + (0.0 if self.spread is None else self.spread[i])
        return total / (self.size * len(self.order))

    def cost(self) -> float:
        """W^2 to the goal, averaged over lines."""
        return float(self.impact.sum())

    def met(self, rows: Indices) -> Floats:
        """The goal that some rows meet, per line: `met[line, row]`."""
        place = np.full(self.size, -1)
        place[rows] = np.arange(len(rows))
        at = place[self.order]
        line, rank = np.nonzero(at >= 0)
        out = np.empty((len(at), len(rows)))
        out[line, at[line, rank]] = self.goal[line, rank]
        return out

    def pull(self, rows: Indices) -> Floats:
        """d cost / d value of some rows, per line: 2 (value - goal met)/(n lines)."""
        return np.asarray(2 * (self.values[:, rows] - self.met(rows)) / (self.size * len(self.order)))

    def edit_costs(self, rows: Indices, candidates: Floats, of: int | None = None) -> Floats:
        """The exact cost after giving `rows` each candidate's values `candidates[candidate, line, row]`.

        Lines are taken a few at a time, so that memory does not grow with their number. A batch `of` more candidates is summed up
        as all of them would be, to the same bits.
        """
        count, lines, k = candidates.shape
        of = count if of is None else of
        costs = np.zeros(count)
        step = max(1, CHUNK // (6 * self.size + 4 * of * k))
        for start in range(0, lines, step):
            part = slice(start, start + step)
            stay = self._stay(rows, part)
            rest = self.ranked[part][stay].reshape(len(stay), self.size - k)
            costs += _edit_costs(rest, self.goal[part], candidates[:, part], of)
        constant = 0.0 if self.spread is None else float(self.spread.mean())
        return np.asarray(costs / (self.size * lines) + constant)

    def edited(self, rows: Indices, values: Floats) -> Lines:
        """The lines after giving `rows` the values `values[line, row]`. The order is merged, not sorted anew."""
        stay = self._stay(rows, slice(None))
        rest = self.ranked[stay].reshape(len(stay), self.size - len(rows))
        new = np.argsort(values, axis=1, kind="stable")
        inserted = np.take_along_axis(values, new, axis=1)
        slots = np.zeros(stay.shape, dtype=bool)
        np.put_along_axis(slots, _below(rest, inserted) + np.arange(len(rows)), True, axis=1)
        others = ~slots
        order, ranked, fresh = np.empty_like(self.order), np.empty_like(self.ranked), self.values.copy()
        order[slots], order[others] = rows[new].ravel(), self.order[stay]
        ranked[slots], ranked[others] = inserted.ravel(), rest.ravel()
        fresh[:, rows] = values
        return replace(self, values=fresh, order=order, ranked=ranked)

    def _stay(self, rows: Indices, part: slice) -> Mask:
        """Which ranks of some lines hold rows other than these."""
        stays = np.ones(self.size, dtype=bool)
        stays[rows] = False
        return np.asarray(stays[self.order[part]])


def _below(rest: Floats, values: Floats) -> Indices:
    """How many of a line's sorted `rest` lie below each of its `values`."""
    return np.stack([np.searchsorted(r, v) for r, v in zip(rest, values, strict=True)])


def _edit_costs(rest: Floats, goal: Floats, candidates: Floats, of: int) -> Floats:
    """Summed over lines. Of the others r_0 <= r_1 <= ..., rank j + c holds r_j once c inserted values lie below it.

    If all k lay below, r_j would meet goal_{j+k}. Let b_t others lie below the t-th smallest inserted value: each of them
    meets a goal one rank lower on its account, so prefix sums of what that rank changes turn b_t into a cost.
    """
    lines, others = rest.shape
    count, _, k = candidates.shape
    if k > of:  # fewer candidates than prefix sums: merge each of them
        merged = (np.sort(np.concatenate([rest, candidate], axis=1), axis=1, kind="stable") for candidate in candidates)
        return np.array([np.sum((values - goal) ** 2) for values in merged])
    inserted = np.sort(candidates.transpose(1, 0, 2), axis=2)  # line, candidate, t
    below = _below(rest, inserted.reshape(lines, -1)).reshape(lines, count, k)
    cost = np.full(count, np.sum((rest - goal[:, k:]) ** 2))
    twice, rise, both = 2 * rest, np.diff(goal, axis=1), goal[:, 1:] + goal[:, :-1]
    prefix = np.zeros((lines, others + 1))
    at_prefix, at_goal = (np.arange(lines)[:, None] * width for width in (others + 1, others + k))
    for t in range(k):
        ranks = slice(t, t + others)
        np.cumsum(rise[:, ranks] * (twice - both[:, ranks]), axis=1, out=prefix[:, 1:])
        b = below[:, :, t]
        cost += np.sum(prefix.take(at_prefix + b) + (inserted[:, :, t] - goal.take(at_goal + b + t)) ** 2, axis=0)
    return np.asarray(cost)
