"""The score that each person should have, and what is missing: with goals fixed, people are independent of each other.

Where the target is a share past a threshold, any score beyond it is as good; where it is a shape, the score itself counts, and a
tolerance only tells who is still to be helped. In both cases the mean of the squares of what is missing is an optimal transport
cost: the square of a distance to a point, or to one side of it, is convex, so that equal ranks meet.
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
LEAST = 1e-12  # a squared gap that stands for none
TIGHT = 0.5  # of the gap that the wish allows on average is each person's tolerance: some will be further off


@dataclass(frozen=True, eq=False)
class Goals:
    """Person i should score from `low[i]` to `high[i]`. `missing[i]` is how far off they are by the plan of all.

    `asked` are those to be helped now: people whose score misses their goal, without those who could not be helped. For a
    threshold others step in for them, the nearest first. `past` is that threshold: a score past it by less than the
    margin is second best. For a shape `price` is what the square of a gap costs in squared effort: nobody goes a long way for
    the last bit.
    """

    low: Floats
    high: Floats
    missing: Floats
    asked: Mask
    past: Past | None
    price: float = 1.0

    @classmethod
    def of(cls, wish: Wish, outputs: Lines, resting: Mask, rank: Indices | None = None, stage: int = 0) -> Self:
        """The goals of a group with these outputs; `resting` are people for whom nothing was found, `rank` is who comes first."""
        scores = outputs.values[0]
        if wish.past is None:
            return cls._shape(wish, outputs, scores, resting, price_at(wish, stage))
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
    def _shape(cls, wish: Wish, outputs: Lines, scores: Floats, resting: Mask, price: float) -> Self:
        tolerance = TIGHT * math.sqrt(_left(wish))
        wished = np.empty(len(scores))
        wished[outputs.order[0]] = outputs.goal[0]
        gap = np.abs(scores - wished)
        return cls(wished - tolerance, wished + tolerance, gap, (gap > tolerance + DUST) & ~resting, None, price)

    def for_all(self, people: Indices) -> Self:
        """The threshold as a goal of these people, whoever is asked."""
        assert self.past is not None
        low, high = self.low.copy(), self.high.copy()
        (low if self.past.side == "above" else high)[people] = self.past.goal
        return replace(self, low=low, high=high)

    def off(self, people: Indices, scores: Floats) -> Floats:
        """How far these people would be from the middle of their goals."""
        return np.abs(scores - (self.low[people] + self.high[people]) / 2)

    def gap(self, people: Indices, scores: Floats) -> Floats:
        """How far these people would be from their goals with these scores."""
        return np.maximum(0.0, np.maximum(self.low[people] - scores, scores - self.high[people]))

    def tier(self, people: Indices, scores: Floats) -> Indices:
        """0: the goal holds. 1: not quite, but past the threshold. 2: neither."""
        there = self.gap(people, scores) <= 0
        enough = there if self.past is None else there | self.past.right(scores)
        return np.where(there, 0, np.where(enough, 1, 2))


def price_at(wish: Wish, stage: int) -> float:
    """What a squared gap costs in squared effort: at first effort 1 is worth twice the typical gap that the wish leaves, and half
    as much at each later stage, which begins when the wish is still missed."""
    return 4.0 ** (stage - 1) / max(_left(wish), LEAST)


def _left(wish: Wish) -> float:
    """The mean squared gap that the wish leaves beside what so many people cannot avoid."""
    return max(0.0, wish.asked**2 - wish.best**2)
