"""The score that each person should have, and what is missing: with goals fixed, people are independent of each other.

Where the target is a share past a threshold, any score beyond it is as good; where it is a shape, the score itself counts,
give or take a tolerance. In both cases a score misses its goal by its distance to an interval, and the mean of the squares
is an optimal transport cost: the square of a distance to an interval around 0 is convex, so that equal ranks meet.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ...problem.target import Past
from ...problem.wish import DUST, Wish
from ...transport.lines import Lines

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]
TIGHT = 0.5  # of the gap that the wish allows on average is each person's tolerance: some will be further off


@dataclass(frozen=True, eq=False)
class Goals:
    """Person i should score from `low[i]` to `high[i]`. `missing[i]` is how far off they are by the plan of all.

    `asked` are those to be helped now: people whose score misses their goal, without those who could not be helped. For a
    threshold others step in for them, the nearest first. `past` is that threshold: a score past it by less than the
    margin is second best.
    """

    low: Floats
    high: Floats
    missing: Floats
    asked: Mask
    past: Past | None

    @classmethod
    def of(cls, wish: Wish, outputs: Lines, resting: Mask, rank: Indices | None = None) -> Self:
        """The goals of a group with these outputs; `resting` are people for whom nothing was found, `rank` is who comes first."""
        scores = outputs.values[0]
        if wish.past is None:
            return cls._shape(wish, outputs, scores, resting)
        return cls._share(wish.past, scores, resting, np.zeros(len(scores), dtype=np.int64) if rank is None else rank)

    @classmethod
    def _share(cls, past: Past, scores: Floats, resting: Mask, rank: Indices) -> Self:
        n, wrong = len(scores), ~past.right(scores)
        goal = past.goal
        lack = max(0, math.ceil((past.share - DUST) * n) - int((~wrong).sum()))
        far = np.abs(scores - goal)
        nearest = np.argsort(np.where(wrong, far, np.inf), kind="stable")[: int(wrong.sum())]
        asked, missing = np.zeros(n, dtype=bool), np.zeros(n)
        missing[nearest[:lack]] = far[nearest[:lack]]
        first = nearest[np.argsort(rank[nearest], kind="stable")]
        asked[first[~resting[first]][:lack]] = True
        low = np.where(asked, goal, -np.inf) if past.side == "above" else np.full(n, -np.inf)
        high = np.where(asked, goal, np.inf) if past.side == "below" else np.full(n, np.inf)
        return cls(low, high, missing, asked, past)

    @classmethod
    def _shape(cls, wish: Wish, outputs: Lines, scores: Floats, resting: Mask) -> Self:
        tolerance = TIGHT * math.sqrt(max(0.0, wish.asked**2 - wish.best**2))
        wished = np.empty(len(scores))
        wished[outputs.order[0]] = outputs.goal[0]
        missing = np.maximum(0.0, np.abs(scores - wished) - tolerance)
        return cls(wished - tolerance, wished + tolerance, missing, (missing > DUST) & ~resting, None)

    def for_all(self, people: Indices) -> Self:
        """The threshold as a goal of these people, whoever is asked."""
        assert self.past is not None
        low, high = self.low.copy(), self.high.copy()
        (low if self.past.side == "above" else high)[people] = self.past.goal
        return replace(self, low=low, high=high)

    def gap(self, people: Indices, scores: Floats) -> Floats:
        """How far these people would be from their goals with these scores."""
        return np.maximum(0.0, np.maximum(self.low[people] - scores, scores - self.high[people]))

    def tier(self, people: Indices, scores: Floats) -> Indices:
        """0: the goal holds. 1: not quite, but past the threshold. 2: neither."""
        there = self.gap(people, scores) <= 0
        enough = there if self.past is None else there | self.past.right(scores)
        return np.where(there, 0, np.where(enough, 1, 2))
