"""What an answer takes of its budget, and which limits may have kept people from the wish."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..problem.amounts import limit_words, people
from ..problem.budget import Budget
from ..problem.budget_words import falls_short
from ..problem.walls import Walls
from ..problem.wish import Wish
from .efforts import Efforts

Floats = NDArray[np.float64]
FURTHER = 2  # times the largest effort of those who change may be what one more person needs


@dataclass(frozen=True)
class Spending:
    """So many people are `changed` at so much `effort` in all; `further` is what one more could need, as far as anybody can
    tell. `short` is a sentence if fewer people may change than have to."""

    changed: int
    effort: float = 0.0
    further: float = math.inf
    short: str | None = None

    @classmethod
    def of(cls, budget: Budget, wish: Wish, before: Floats, effort: Floats, walls: Walls, efforts: Efforts) -> Self:
        """`before` are the scores of the group as it is, `effort` how far each person moves."""
        changed, further, short = int(np.count_nonzero(effort)), math.inf, None
        if budget.total_effort is not None:
            further = FURTHER * float(effort.max()) if changed else efforts.farthest(walls)
            further = min(further, math.inf if budget.effort is None else budget.effort)
        if budget.people is not None or budget.untouched:
            short = falls_short(budget, wish, before, np.asarray(~walls.open.any(axis=1)))
        return cls(changed, float(effort.sum()), further, short)

    def used_up(self, budget: Budget) -> bool:
        """Whether the people or the effort in all ran out, so that nobody can say what else would have been possible."""
        return (budget.people is not None and self.changed >= budget.people) or self._little_left(budget)

    def limits(self, budget: Budget, needed: int, rules: int) -> list[str]:
        """What would have to be more or fewer, the likeliest first, where at least `needed` people have to change and so many
        rules hold between columns."""
        few = self.short is not None and budget.people is not None and budget.people < needed
        said = "" if self.short is None else f"{self.short[0].lower()}{self.short[1:].rstrip('.')}"
        ways = []
        if budget.people is not None and (few or self.changed >= budget.people):
            ways.append(f"More people: {said if few else f'the budget of {people(budget.people)} is used up'}")
        if budget.total_effort is not None and self._little_left(budget):
            ways.append(f"More effort in all: the budget allows {limit_words(budget.total_effort, '')}")
        if budget.effort is not None:
            ways.append(f"More effort per person: the budget allows {limit_words(budget.effort, '')} each")
        if budget.features is not None:
            ways.append(f"More features per person: the budget allows {budget.features:,} each")
        if budget.untouched:
            stay = f"{people(len(budget.untouched))} stay as they are"
            ways.append(f"Fewer people who must not be touched: {said if said and not few else stay}")
        if rules:
            ways.append(f"Fewer rules between columns: there {'is one' if rules == 1 else f'are {rules:,}'}")
        return ways

    def _little_left(self, budget: Budget) -> bool:
        """Whether what is left of the effort in all may be less than one more person needs."""
        return budget.total_effort is not None and budget.total_effort - self.effort < self.further
