"""OT-guided cone sampling (Algorithms 2 and 3): the primitive that all strategies share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..problem.settings import Settings
from .cells import Cells, Layout
from .fence import Fence

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]
EMBEDDING_SEED = 20_260_601  # the tables are fixed once and for all, whatever the run's seed


def embedding_width(levels: int) -> int:
    """The paper's rule: more levels, more dimensions."""
    return next((width for most, width in ((2, 4), (5, 6), (10, 8), (20, 12)) if levels <= most), 16)


@dataclass(frozen=True, eq=False)
class Cone:
    """Draws new values for chosen features of some rows, inside the fence of what may change."""

    layout: Layout
    fence: Fence
    settings: Settings
    tables: dict[int, Floats]  # feature -> embedding table, for nominal features

    @classmethod
    def of(cls, layout: Layout, fence: Fence, settings: Settings) -> Self:
        rng = np.random.default_rng(EMBEDDING_SEED)
        tables = {}
        for j, block in enumerate(layout.encoding.blocks):
            if block.column.role == "nominal":
                count = len(block.column.levels)
                tables[j] = rng.standard_normal((count, embedding_width(count)))
        return cls(layout, fence, settings, tables)

    def choose(self, rows: Indices, rng: np.random.Generator) -> Mask:
        """Exactly h features that may change, for each candidate and row; all of them where there are fewer."""
        free = self.fence.walls.open[rows]
        keys = np.where(free, rng.random((self.settings.candidates, *free.shape)), np.inf)
        h = min(self.settings.h, free.shape[1])
        last = np.partition(keys, h - 1, axis=2)[..., h - 1 : h]
        return np.asarray((keys <= last) & free)

    def move(
        self,
        rows: Indices,
        start: Cells,
        base: Cells,
        chosen: Mask,
        pull: Floats,
        rng: np.random.Generator,
        scale: float = 1.0,
    ) -> Cells:
        """`start[candidate, row, feature]` with the chosen features drawn anew around `base`, biased against `pull[row]`."""
        out = start.copy()
        at = self.fence.ordered
        if len(at):
            moved = self._numbers(base[..., at], chosen[..., at], pull, rng, scale)
            for i, j in enumerate(at):
                candidate, row = np.nonzero(chosen[..., j])
                out[candidate, row, j] = self.fence.nearest(int(j), rows[row], moved[candidate, row, i])
        for j, table in self.tables.items():
            candidate, row = np.nonzero(chosen[..., j])
            if len(row):
                out[candidate, row, j] = self._levels(j, table, rows[row], base[candidate, row, j], pull[row], rng, scale)
        return out

    def _numbers(self, base: Cells, chosen: Mask, pull: Floats, rng: np.random.Generator, scale: float) -> Cells:
        """Algorithm 2; an ordinal feature is a number on the grid of its ranks."""
        at = self.fence.ordered
        starts = [self.layout.encoding.blocks[j].start for j in at]
        guided = self.settings.guidance in ("both", "numeric")
        axis = np.where(chosen, -pull[:, starts] if guided else 0.0, 0.0)
        direction = in_cone(axis, np.radians(self.settings.angle), rng, chosen)
        length = rng.random(chosen.shape) * self.settings.numeric_step * scale
        return np.asarray(base + length * self.fence.span[at] * direction)

    def _levels(
        self, j: int, table: Floats, rows: Indices, base: Floats, pull: Floats, rng: np.random.Generator, scale: float
    ) -> Floats:
        """Algorithm 3: a step in the embedding, decoded by distance among the admissible levels."""
        block = self.layout.encoding.blocks[j]
        guided = self.settings.guidance in ("both", "categorical") and block.one_hot
        axis = -pull[:, block.start : block.stop] @ table if guided else np.zeros((len(rows), table.shape[1]))
        step = in_cone(axis, np.radians(self.settings.angle), rng)
        length = rng.random((len(rows), 1)) * self.settings.categorical_step * scale
        there = table[base.astype(np.int64)] + length * step
        far = np.sum(table**2, axis=1) - 2 * there @ table.T  # up to a constant of the row
        taste = -far / self.settings.temperature + rng.gumbel(size=far.shape)  # the largest is a draw from the softmax
        return np.asarray(np.where(self.fence.levels[j][rows], taste, -np.inf).argmax(axis=1), dtype=np.float64)


def in_cone(axis: Floats, angle: float, rng: np.random.Generator, mask: Mask | None = None) -> Floats:
    """Unit vectors at most `angle` from each axis, in the coordinates of the mask; any direction where the axis is zero."""
    free = rng.standard_normal(axis.shape)
    if mask is not None:
        free = np.where(mask, free, 0.0)
    length = np.linalg.norm(axis, axis=-1, keepdims=True)
    unit = np.divide(axis, length, out=np.zeros_like(axis), where=length > 0)
    side = free - np.sum(free * unit, axis=-1, keepdims=True) * unit
    side_length = np.linalg.norm(side, axis=-1, keepdims=True)
    # along a single coordinate nothing stands beside the axis but rounding
    side = np.divide(side, side_length, out=np.zeros_like(side), where=side_length > 1e-12)
    tilt = angle * rng.random((*axis.shape[:-1], 1))
    direction = np.where(length > 0, np.cos(tilt) * unit + np.sin(tilt) * side, side)
    norm = np.linalg.norm(direction, axis=-1, keepdims=True)
    return np.asarray(np.divide(direction, norm, out=np.zeros_like(direction), where=norm > 0))
