"""Tries that no strategy makes: any admissible value of one feature, so that none is out of reach for good."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from .cells import Cells
from .fence import Fence
from .strategies.view import View

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
SHARE = 0.1  # of everybody's tries
HOME = 0.1  # of the numbers drawn: back to the factual value, which need not lie on the grid


@dataclass(frozen=True, eq=False)
class FreeTries:
    """`seen` are the reference table's values of each number, in ascending order."""

    fence: Fence
    seen: dict[int, Floats]

    @classmethod
    def of(cls, fence: Fence, reference: Cells) -> Self:
        return cls(fence, {int(j): np.sort(reference[:, j]) for j in fence.ordered if j not in fence.levels})

    def mix(self, view: View, block: Cells, rng: np.random.Generator) -> Cells:
        """Proposals `block[candidate, row, feature]`, some of them replaced by the present row with one feature set freely."""
        candidate, at = np.nonzero(rng.random(block.shape[:2]) < SHARE)
        rows = view.rows[at]
        now = view.current[rows]
        may = self.fence.walls.open[rows]
        feature = np.where(may, rng.random(may.shape), -1.0).argmax(axis=1)
        for j in np.unique(feature):
            hit = feature == j
            now[hit, j] = self._values(int(j), rows[hit], now[hit, j], rng)
        out = block.copy()
        out[candidate, at] = now
        return out

    def _values(self, j: int, rows: Indices, now: Floats, rng: np.random.Generator) -> Floats:
        """For each row an admissible value of feature j: another level or rank, or a number between the walls."""
        if j not in self.fence.levels:
            return self.fence.nearest(j, rows, self._numbers(j, rows, now, rng))
        levels = self.fence.levels[j][rows]
        other = levels & (np.arange(levels.shape[1]) != now[:, None])
        return np.asarray(np.where(other, rng.random(levels.shape), -1.0).argmax(axis=1), dtype=np.float64)

    def _numbers(self, j: int, rows: Indices, now: Floats, rng: np.random.Generator) -> Floats:
        """Half of them uniform on the grid between the walls, half as the reference table has them there; some go home."""
        walls, seen = self.fence.walls, self.seen[j]
        low, high, step = walls.low[rows, j], walls.high[rows, j], walls.step[j]
        share, of_seen, kind = rng.random((3, len(rows)))
        points = np.floor((high - low) / step + 1e-9) + 1
        drawn = low + share * (high - low) if np.isnan(step) else low + np.floor(share * points) * step
        first, last = np.searchsorted(seen, low), np.searchsorted(seen, high, side="right")
        known = seen[np.minimum(first + (of_seen * (last - first)).astype(np.int64), len(seen) - 1)]
        drawn = np.where((kind < 0.5) & (last > first), known, drawn)
        home = walls.factual[rows, j]
        return np.asarray(np.where((kind > 1 - HOME) & (home != now), home, drawn))
