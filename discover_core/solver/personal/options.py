"""Everything that a single feature of a person may become: all categories and ranks, and numbers that are seen in the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ...problem.walls import Walls
from ..fence import Fence

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]
MOST, FEWEST, TOTAL = 12, 4, 160  # values tried of a numeric feature, fewer where there are many such features


@dataclass(frozen=True, eq=False)
class Options:
    """`values[feature]` are tried of each feature that anybody may change; for a person, those inside the walls."""

    fence: Fence
    values: dict[int, Floats]

    @classmethod
    def of(cls, fence: Fence, reference: pd.DataFrame, ranges: dict[str, tuple[float, float]]) -> Self:
        walls = fence.walls
        changes = np.flatnonzero(walls.open.any(axis=0))
        numbers = [j for j in changes if not walls.columns[j].categorical]
        count = int(np.clip(TOTAL // max(1, len(numbers)), FEWEST, MOST))
        values = {}
        for j in changes.tolist():
            column = walls.columns[j]
            if column.categorical:
                values[j] = np.arange(len(column.levels), dtype=np.float64)
            else:
                values[j] = _seen(reference[column.name].to_numpy(dtype=np.float64), *ranges[column.name], count)
        return cls(fence, values)

    def of_people(self, people: Indices) -> tuple[Floats, Indices, Mask]:
        """`value[person, option]`, the `feature[option]` it belongs to, and which options are a change inside the walls."""
        walls = self.fence.walls
        value, feature, fine = [], [], []
        for j, tried in self.values.items():
            inside = self._inside(walls, j, people, tried)
            own = inside != walls.factual[people, j][:, None]
            own[:, 1:] &= inside[:, 1:] != inside[:, :-1]  # brought inside, two of them may be the same
            value.append(inside)
            fine.append(own)
            feature.append(np.full(len(tried), j))
        return np.concatenate(value, axis=1), np.concatenate(feature), np.concatenate(fine, axis=1)

    def _inside(self, walls: Walls, j: int, people: Indices, tried: Floats) -> Floats:
        if j in self.fence.levels:
            allowed = self.fence.levels[j][people]
            return np.where(allowed, tried, walls.factual[people, j][:, None])
        return walls.project(walls.columns[j].name, people[:, None], tried[None, :])


def _seen(values: Floats, low: float, high: float, count: int) -> Floats:
    """So many values of the reference within the range, its ends among them, evenly spread over those that occur."""
    seen = np.unique(values[(values >= low) & (values <= high)])
    if len(seen) > count:
        inside = values[(values >= low) & (values <= high)]
        by_people = np.quantile(inside, np.linspace(0, 1, count), method="nearest")
        seen = np.unique(by_people)
    return np.unique(np.concatenate([[low], seen, [high]]))
