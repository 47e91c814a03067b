"""The score that somebody with today's score should have: the monotone map that carries the design scores to the target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..problem.target import Past, Target

Floats = NDArray[np.float64]
Interval = tuple[float, float] | None
MOST = 1_001  # points of a map that are kept


@dataclass(frozen=True, eq=False)
class ScoreMap:
    """Straight between `today` and `wished`, both rising; beyond the ends as far away as at the ends.

    With a threshold it is a map of the scores on its wrong side; whoever is past it stays, and beyond the ends the
    wish is that of the ends.
    """

    today: Floats
    wished: Floats
    past: Past | None
    interval: Interval

    @classmethod
    def of(cls, scores: Floats, target: Target, interval: Interval) -> Self:
        """Equal ranks of these scores and of the target meet; equal scores share the mean of what they are wished."""
        ordered, mean = np.sort(scores), target.rank_moments(len(scores))[0]
        today, group = np.unique(ordered, return_inverse=True)
        wished = np.bincount(group, weights=mean) / np.bincount(group)
        if target.past is not None:
            wrong = ~target.past.right(today)
            today, wished = (
                (today[wrong], wished[wrong]) if wrong.any() else (np.array([target.past.tau]), np.array([target.past.goal]))
            )
        if len(today) > MOST:
            kept = np.unique(np.linspace(0, len(today) - 1, MOST).round().astype(np.int64))
            today, wished = today[kept], wished[kept]
        return cls(today, wished, target.past, interval)

    def __call__(self, scores: Floats) -> Floats:
        wished = np.interp(scores, self.today, self.wished)
        if self.past is not None:
            return np.asarray(np.where(self.past.right(scores), scores, wished))
        wished += np.minimum(0.0, scores - self.today[0]) + np.maximum(0.0, scores - self.today[-1])
        return wished if self.interval is None else np.clip(wished, *self.interval)

    def short(self, before: Floats, after: Floats, beyond: bool) -> Floats:
        """How far each score is from the wished one; past a threshold's wish nothing is missing, if going `beyond` is as good."""
        gap = after - self(before)
        if beyond and self.past is not None:
            gap = np.maximum(0.0, gap if self.past.side == "below" else -gap)
        return np.abs(gap)

    def most_short(self, beyond: bool) -> float:
        """The largest gap there can be, whoever comes and whatever they are told; infinite if scores have no ends."""
        if self.interval is None:
            return np.inf
        low, high = self.interval
        if not beyond or self.past is None:
            return high - low
        return float(high - self.wished[0] if self.past.side == "below" else self.wished[-1] - low)
