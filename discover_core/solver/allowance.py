"""What a plan may spend and what holds between columns, as a search meets it: of one person, and of all together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..problem.budget import Budget
from ..problem.column_rules import ColumnRules
from ..problem.problem import Problem
from .cells import Cells
from .efforts import Efforts

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]
SLACK = 1e-9  # of an effort: what rounding may add to it


@dataclass(frozen=True, eq=False)
class Allowance:
    """`factual` is the group as it was; `rank[i]` is person i's place among those to be helped, 0 for everybody if nobody comes
    first."""

    budget: Budget
    rules: ColumnRules
    efforts: Efforts
    factual: Cells
    rank: Indices

    @classmethod
    def of(cls, problem: Problem, efforts: Efforts, factual: Cells) -> Self:
        return cls(problem.budget, problem.column_rules, efforts, factual, problem.places)

    @property
    def personal(self) -> bool:
        """Whether anything is asked of a single person's version."""
        return self.budget.features is not None or self.budget.effort is not None or len(self.rules) > 0

    def fine(self, people: Indices, cells: Cells) -> Mask:
        """Which versions `cells[..., person, feature]` of these people keep what is asked of one person."""
        before, budget = self.factual[people], self.budget
        out = np.ones(cells.shape[:-1], dtype=bool)
        if len(self.rules):
            out &= self.rules.allowed(np.broadcast_to(before, cells.shape), cells)
        if budget.features is not None:
            out &= (cells != before).sum(axis=-1) <= budget.features
        if budget.effort is not None:
            out &= self.efforts.squared(before, cells) <= (budget.effort * (1 + SLACK)) ** 2
        return out

    def fewer(self, people: Indices, now: Cells, block: Cells, rng: np.random.Generator) -> Cells:
        """Versions `block[candidate, person, feature]` with no more features changed than are allowed: what is new in them is
        kept first, the rest is as it was at first."""
        most = self.budget.features
        if most is None or most >= block.shape[-1]:
            return block
        before = self.factual[people]
        keys = rng.random(block.shape) + (block != now) - 2.0 * (block == before)
        out = np.argsort(-keys, axis=-1, kind="stable")[..., most:]
        kept = block.copy()
        np.put_along_axis(kept, out, np.take_along_axis(np.broadcast_to(before, block.shape), out, axis=-1), axis=-1)
        return kept

    def room(self, cells: Cells) -> int:
        """How many more people may change."""
        if self.budget.people is None:
            return len(cells)
        return max(0, self.budget.people - int(self.changed(cells).sum()))

    def changed(self, cells: Cells) -> Mask:
        return np.asarray((cells != self.factual).any(axis=1))

    def chosen(self, ranked: Indices, cells: Cells, k: int) -> Indices:
        """The first k of these people, without those whom the number of people that may change leaves no room for."""
        if self.budget.people is None:
            return ranked[:k]
        new = ~self.changed(cells)[ranked]
        return ranked[~new | (np.cumsum(new) <= self.room(cells))][:k]

    def left(self, cells: Cells) -> float:
        """What is left of the total effort."""
        total = self.budget.total_effort
        return np.inf if total is None else total * (1 + SLACK) - self.efforts.total(self.factual, cells)

    def affordable(self, cells: Cells, people: Indices, after: Cells) -> Mask:
        """Who of these people may change to `after`, so that all together stay within the total effort: whoever comes first, and
        then those who need least."""
        if self.budget.total_effort is None:
            return np.ones(len(people), dtype=bool)
        before, left = self.factual[people], self.left(cells)
        more = np.sqrt(self.efforts.squared(before, after)) - np.sqrt(self.efforts.squared(before, cells[people]))
        fine = more <= 0
        left -= float(more[fine].sum())
        order = np.lexsort((more, self.rank[people]))
        for i in order[~fine[order]]:
            if more[i] <= left:
                fine[i], left = True, left - more[i]
        return fine

    def sums(self, cells: Cells, people: Indices, block: Cells) -> Mask:
        """Which whole candidates `block[candidate, person, feature]` keep all together within the total effort."""
        before = self.factual[people]
        now = float(np.sqrt(self.efforts.squared(before, cells[people])).sum())
        return np.asarray(np.sqrt(self.efforts.squared(before, block)).sum(axis=1) - now <= self.left(cells))
