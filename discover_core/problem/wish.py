"""What a target asks for, in a unit people read: a share of the group past a threshold, or a typical gap to a shape."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from .amounts import amount, percent
from .target import Past, Target

Floats = NDArray[np.float64]
WAY = 0.9  # of the way to a shape has to be gone before the wish counts as met, and before a suggested bound certifies
DUST = 1e-9  # what rounding may cost a share


@dataclass(frozen=True)
class Wish:
    """A share past a threshold (`past`), or, for shapes, a typical gap to the target of at most `asked`.

    The typical gap is the root mean square difference when scores and target are lined up from lowest to highest: the
    square root of W^2, in the unit of the scores. `best` is the least that so many people can have.
    """

    target: Target
    asked: float
    before: float
    best: float

    @classmethod
    def of(cls, target: Target, outputs: Floats) -> Self:
        """The wish that a target means for a group with these outputs."""
        if target.past is not None:
            return cls(target, target.past.share, target.past.reached(outputs), target.past.share)
        before, best = typical_gap(outputs, target), float(np.sqrt(target.rank_moments(len(outputs))[1].mean()))
        return cls(target, best + (1 - WAY) * max(0.0, before - best), before, best)

    @property
    def past(self) -> Past | None:
        return self.target.past

    def reached(self, outputs: Floats) -> float:
        """The share, or the typical gap, of these outputs."""
        return typical_gap(outputs, self.target) if self.past is None else self.past.reached(outputs)

    def shortfall(self, reached: float) -> float:
        """What is missing, in the wish's own unit; 0 when it is met."""
        short = self.asked - reached if self.past is not None else reached - self.asked
        return short if short > DUST * (1.0 if self.past is not None else self.before) else 0.0

    def way(self, reached: float) -> float:
        """How much of the way was gone: 1 is all of it, for a shape a perfect match. Already there is 1, too."""
        whole = self.best - self.before
        there = whole <= DUST if self.past is not None else -whole <= DUST * self.before
        return 1.0 if there else (reached - self.before) / whole

    def needed(self, outputs: Floats) -> int:
        """How many people have to change at the least; for a shape a bound: with fewer it cannot be met, whoever they are.

        If m people change, each of the others moves by at most m ranks, and is at least as far off as from all targets so near.
        """
        if self.past is not None:
            return max(0, math.ceil((self.asked - self.before - DUST) * len(outputs)))
        n, ordered, (mean, spread) = len(outputs), np.sort(outputs), self.target.rank_moments(len(outputs))
        room = n * (self.asked + DUST * self.before) ** 2 - float(spread.sum())

        def enough(m: int) -> bool:
            low = np.concatenate([np.full(m, mean[0]), mean[: n - m]])
            high = np.concatenate([mean[m:], np.full(m, mean[-1])])
            off = np.maximum(0.0, np.maximum(low - ordered, ordered - high)) ** 2
            return float(np.sort(off)[: n - m].sum()) <= room

        return bisect_left(range(n), True, key=enough)

    def to_help(self, outputs: Floats) -> int:
        """How many people a search has to help that gives each the target for their rank: those who are off by more than the
        wish allows on average. Fewer may do, if they take the places of others."""
        if self.past is not None or not self.shortfall(self.before):
            return self.needed(outputs)
        mean = self.target.rank_moments(len(outputs))[0]
        return max(self.needed(outputs), int((np.abs(np.sort(outputs) - mean) > self.asked).sum()))

    def nearly(self, outputs: Floats) -> Floats:
        """Sorted outputs that have gone WAY of the way and no further: what a suggested bound must just let pass.

        For a share the last tenth of those who have to move is still where it was, those nearest to the threshold, whom a
        distance misses least; for a shape everybody has a tenth of their way left.
        """
        ordered, mean = np.sort(outputs), self.target.rank_moments(len(outputs))[0]
        if self.past is None:
            return ordered + WAY * (mean - ordered)
        crossing = np.flatnonzero(self.past.right(mean) & ~self.past.right(ordered))
        nearest = crossing if self.past.side == "below" else crossing[::-1]
        left = nearest[: math.ceil((1 - WAY) * len(crossing) - DUST)]
        nearly = mean.copy()
        nearly[left] = ordered[left]
        return np.sort(nearly)

    # in words

    @property
    def least(self) -> str:
        """To stand before the number of those who have to change."""
        return "at least" if self.past is None else "about"

    def sentence(self, reached: float, now_word: str = "reached") -> str:
        """Asked, reached, before; of a run at work, asked, so far, before."""
        if self.past is None:
            asked, now, before = amount(self.asked), amount(reached), amount(self.before)
            if self.shortfall(reached) and now == asked:
                now = f"just above {asked}"
            return f"Typical gap to the target: asked at most {asked}, {now_word} {now}, before {before}."
        digits = self._digits(reached)
        asked, now, before = (percent(share, digits) for share in (self.asked, reached, self.before))
        return f"Score {self.past.words}: asked {asked}, {now_word} {now}, before {before}."

    @property
    def today(self) -> str:
        """Asked and before, when nothing has been tried yet."""
        if self.past is None:
            return f"Typical gap to the target: asked at most {amount(self.asked)}, today {amount(self.before)}."
        return f"Score {self.past.words}: asked {percent(self.asked)}, today {percent(self.before)}."

    def part(self, reached: float) -> str:
        """How much of what was asked was reached, when that is not all."""
        if self.past is None:
            return f"{percent(max(0.0, self.way(reached)))} of the way, asked {percent(WAY)}"
        digits = self._digits(reached)
        points = [round(100 * share, digits) for share in (reached - self.before, self.asked - self.before)]
        return f"{points[0]:g} of the {points[1]:g} points asked"

    def missing(self, reached: float) -> str:
        """By how much it was missed."""
        if self.past is None:
            return f"the typical gap is {amount(self.shortfall(reached))} more than was asked"
        points = round(100 * self.shortfall(reached), self._digits(reached))
        return f"{points:g} {'point is' if points == 1 else 'points are'} missing"

    def found(self, outputs: Floats) -> str:
        """What these outputs amount to, as a wish that would have been met."""
        reached = self.reached(outputs)
        if self.past is None:
            return f"{percent(max(0.0, self.way(reached)))} of the way"
        if self.past.right(outputs).any():
            return f"{percent(reached, self._digits(reached))} {self.past.words}"
        nearest = outputs.min() if self.past.side == "below" else outputs.max()
        return f"no score nearer to {amount(self.past.tau)} than {amount(float(nearest))}"

    def _digits(self, reached: float) -> int:
        """As few as tell what is missing from nothing missing."""
        short = self.shortfall(reached)
        return next((d for d in range(3) if not short or percent(reached, d) != percent(self.asked, d)), 3)


def typical_gap(outputs: Floats, target: Target) -> float:
    """The root mean square difference when both are lined up from lowest to highest: the square root of W^2."""
    mean, spread = target.rank_moments(len(outputs))
    return float(np.sqrt(np.mean((np.sort(outputs) - mean) ** 2 + spread)))
