"""What a change costs a person: the squared length of the way in the encoded space, feature by feature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..problem.walls import Walls
from .cells import Cells, Layout

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Efforts:
    """A standardised feature costs (`unit` times the difference)^2, a switched one-hot feature unit^2, whatever the levels."""

    unit: Floats
    switch: Mask
    width: int

    @classmethod
    def of(cls, layout: Layout) -> Self:
        blocks = layout.encoding.blocks
        unit = np.array([block.weight if block.one_hot else block.weight / block.scale for block in blocks])
        return cls(unit, np.array([block.one_hot for block in blocks]), layout.encoding.width)

    def parts(self, before: Cells, after: Cells) -> Floats:
        """By feature, for cells of any shape."""
        parts = np.asarray(after - before)
        parts[..., self.switch] = parts[..., self.switch] != 0
        parts *= self.unit
        return np.square(parts, out=parts)

    def squared(self, before: Cells, after: Cells) -> Floats:
        """Over all features: |x - x'|^2."""
        return np.asarray(self.parts(before, after).sum(axis=-1))

    def total(self, before: Cells, after: Cells) -> float:
        """The effort of all people together: the sum of the lengths |x - x'|."""
        lengths, changed = np.zeros(len(before)), np.flatnonzero((before != after).any(axis=1))
        lengths[changed] = np.sqrt(self.squared(before[changed], after[changed]))
        return float(lengths.sum())

    def one(self, feature: int | Indices, before: Floats, after: Floats) -> Floats:
        """Of a change in one feature alone: the same one for all, or one for each."""
        difference = np.where(self.switch[feature], after != before, after - before)
        return np.asarray((difference * self.unit[feature]) ** 2)

    def farthest(self, walls: Walls) -> float:
        """What the longest way within the walls costs, over all people."""
        squared = np.zeros(len(walls.factual))
        for j, column in enumerate(walls.columns):
            now = walls.factual[:, j][:, None]
            if column.categorical:
                ends = np.where(walls.levels[column.name], np.arange(len(column.levels)), now)
            else:
                ends = np.stack([walls.low[:, j], walls.high[:, j]], axis=1)
            squared += self.one(j, now, ends).max(axis=1)
        return float(np.sqrt(squared.max()))
