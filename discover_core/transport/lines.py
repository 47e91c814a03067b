"""Rows projected on lines, kept in sorted order, and the exact cost of editing a few of them without sorting again.

One line per slice for the inputs, a single line for the outputs. On each line the i-th smallest value meets the i-th
quantile interval of a fixed goal, whose mean is `goal[line, i]`. A value v at rank i costs ((v - goal)^2 + spread)/n, where
the spread of the interval belongs to the rank, not to the row, so that it is the same for every arrangement.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
CHUNK = 4_000_000  # numbers held at once while candidates are scored


@dataclass(frozen=True, eq=False)
class Lines:
    """`values[line, row]`, `order[line, rank]` = the row at that rank, `goal` and `spread` by rank (spread or None)."""

    values: Floats
    order: Indices
    goal: Floats
    spread: Floats | None = None

    @classmethod
    def of(cls, values: Floats, goal: Floats, spread: Floats | None = None) -> Self:
        """Sort once. `goal` holds, per line, the means of the goal's n quantile intervals in ascending order."""
        return cls(values, np.argsort(values, axis=1, kind="stable"), goal, spread)

    @property
    def size(self) -> int:
        return int(self.values.shape[1])

    def met(self) -> Floats:
        """The goal that each row meets, per line: `met[line, row]`."""
        out = np.empty_like(self.values)
        np.put_along_axis(out, self.order, np.broadcast_to(self.goal, self.values.shape), axis=1)
        return out

    def impact(self) -> Floats:
        """Each row's share of the cost, averaged over lines: the q_i of Section 3.1. They sum to `cost()`."""
        gaps = (self.values - self.met()) ** 2
        if self.spread is not None:
            spread = np.empty_like(gaps)
            np.put_along_axis(spread, self.order, np.broadcast_to(self.spread, gaps.shape), axis=1)
            gaps = gaps + spread
        return np.asarray(gaps.mean(axis=0) / self.size)

    def cost(self) -> float:
        """W^2 to the goal, averaged over lines."""
        return float(self.impact().sum())

    def pull(self, rows: Indices) -> Floats:
        """d cost / d value of some rows, per line: 2 (value - goal met)/(n lines)."""
        gap = (self.values - self.met())[:, rows]
        return np.asarray(2 * gap / (self.size * len(self.values)))

    def edit_costs(self, rows: Indices, candidates: Floats) -> Floats:
        """The exact cost after giving `rows` each candidate's values `candidates[candidate, line, row]`.

        For the other rows r_0 <= r_1 <= ..., rank j + c holds r_j once c inserted values lie below it. Prefix sums of
        (r_j - goal_{j+c})^2 for every c turn a candidate into one binary search per inserted value.
        """
        count, lines, k = candidates.shape
        costs = np.zeros(count)
        per_line = (k + 1) * (self.size - k + 1) + 3 * count * (k + 1)
        step = max(1, CHUNK // per_line)
        for start in range(0, lines, step):
            part = slice(start, start + step)
            costs += _edit_costs(*self._others(rows, part)[1:], self.goal[part], candidates[:, part])
        constant = 0.0 if self.spread is None else float(self.spread.mean())
        return np.asarray(costs / (self.size * lines) + constant)

    def edited(self, rows: Indices, values: Floats) -> Lines:
        """The lines after giving `rows` the values `values[line, row]`. The order is merged, not sorted anew."""
        kept, rest = self._others(rows, slice(None))
        order = np.argsort(values, axis=1, kind="stable")
        inserted = np.take_along_axis(values, order, axis=1)
        places = _below(rest, inserted) + np.arange(len(rows))
        slots = np.zeros(self.values.shape, dtype=bool)
        np.put_along_axis(slots, places, True, axis=1)
        merged = np.empty_like(self.order)
        merged[slots] = rows[order].ravel()
        merged[~slots] = kept.ravel()
        fresh = self.values.copy()
        fresh[:, rows] = values
        return replace(self, values=fresh, order=merged)

    def _others(self, rows: Indices, part: slice) -> tuple[Indices, Floats]:
        """The rows that stay, in ascending order per line, and their values."""
        stays = np.ones(self.size, dtype=bool)
        stays[rows] = False
        order = self.order[part]
        kept = order[stays[order]].reshape(len(order), self.size - len(rows))
        return kept, np.take_along_axis(self.values[part], kept, axis=1)


def _below(rest: Floats, values: Floats) -> Indices:
    """How many of a line's sorted `rest` lie below each of its `values`."""
    return np.stack([np.searchsorted(r, v) for r, v in zip(rest, values, strict=True)])


def _edit_costs(rest: Floats, goal: Floats, candidates: Floats) -> Floats:
    lines, others = rest.shape
    count, _, k = candidates.shape
    prefix = np.zeros((lines, k + 1, others + 1))
    for c in range(k + 1):
        np.cumsum((rest - goal[:, c : c + others]) ** 2, axis=1, out=prefix[:, c, 1:])
    inserted = np.sort(candidates.transpose(1, 0, 2), axis=2)  # line, candidate, t
    below = _below(rest, inserted.reshape(lines, -1)).reshape(lines, count, k)
    line = np.arange(lines)[:, None, None]
    t = np.arange(k)
    cost = np.sum((inserted - goal[line, below + t]) ** 2, axis=(0, 2))
    # the piece of the others with c inserted values below runs from the c-th place to the next
    ends = np.concatenate([below, np.full((lines, count, 1), others)], axis=2)
    cost += np.sum(prefix[line, np.arange(k + 1), ends], axis=(0, 2))
    cost -= np.sum(prefix[line, t + 1, below], axis=(0, 2))
    return np.asarray(cost)
