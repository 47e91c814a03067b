"""The walls of a problem as the search meets them: by feature number, over whole blocks of candidates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..problem.problem import Problem
from ..problem.walls import Walls
from .cells import Cells

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Fence:
    """`ordered` are the numeric and ordinal features, `span` the width of their range, `levels` who may have which level."""

    walls: Walls
    ordered: Indices
    nominal: Mask
    span: Floats
    levels: dict[int, Mask]

    @classmethod
    def of(cls, problem: Problem) -> Self:
        return cls.around(problem.walls, problem.ranges())

    @classmethod
    def around(cls, walls: Walls, ranges: dict[str, tuple[float, float]]) -> Self:
        """Of any rows: `ranges` is how far new values of each numeric feature may go."""
        nominal = np.array([c.role == "nominal" for c in walls.columns])
        span = np.array([_span(ranges[c.name]) if c.role == "numeric" else len(c.levels) - 1.0 for c in walls.columns])
        levels = {j: walls.levels[c.name] for j, c in enumerate(walls.columns) if c.categorical}
        return cls(walls, np.flatnonzero(~nominal), nominal, span, levels)

    def nearest(self, j: int, rows: Indices, values: Floats) -> Floats:
        """The admissible value of feature j nearest to each wish; for ordinals, the nearest admissible rank."""
        if j not in self.levels:
            return self.walls.project(self.walls.columns[j].name, rows, values)
        ranks = np.arange(self.levels[j].shape[1])
        far = np.where(self.levels[j][rows], np.abs(values[:, None] - ranks), np.inf)
        return np.asarray(far.argmin(axis=1), dtype=np.float64)

    def inside(self, rows: Indices, wish: Cells, instead: Cells) -> Cells:
        """Whole blocks `wish[candidate, row, feature]` brought inside; a level one may not have becomes `instead`."""
        out = wish.copy()
        at = np.broadcast_to(rows, wish.shape[:2])
        for j in range(wish.shape[2]):
            if self.nominal[j]:
                fine = self.levels[j][at, wish[..., j].astype(np.int64)]
                out[..., j] = np.where(fine, wish[..., j], instead[..., j])
                continue
            hit = np.nonzero(wish[..., j] != instead[..., j])
            if len(hit[0]):
                out[hit[0], hit[1], j] = self.nearest(j, at[hit], wish[hit[0], hit[1], j])
        return out


def _span(ends: tuple[float, float]) -> float:
    return ends[1] - ends[0]
