"""Versions of people that are better than what they have, of which the best is to be chosen."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..cells import Cells

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Offered:
    """Version i is one of person `who[i]`; `place` is where it stood among all offered: of equals the first is taken."""

    who: Indices
    cells: Cells
    scores: Floats
    squared: Floats
    tier: Indices
    cost: Floats
    place: Indices

    def some(self, at: Indices | Mask) -> Self:
        return type(self)(*(getattr(self, field.name)[at] for field in fields(self)))

    def joined(self, others: Self) -> Self:
        pairs = ((getattr(self, field.name), getattr(others, field.name)) for field in fields(self))
        return type(self)(*(np.concatenate(pair) for pair in pairs))

    def cheapest(self, count: int) -> Self:
        """So many of each person at the most, those of the best tier and then of the least cost."""
        order = np.lexsort((self.place, self.cost, self.tier, self.who))
        who = self.who[order]
        return self.some(order[np.arange(len(who)) - np.searchsorted(who, who) < count])
