"""A share of the group past a threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ...models.model import Scores
from ..checks import choice, finite_values, number
from ..target import SIDES, Past, Side, Target
from .score_scale import Interval, middle, score_step
from .specification import TargetContext, TargetSpecification


@dataclass(frozen=True)
class Threshold(TargetSpecification):
    """A score of at least tau ("below": at most tau) for a share of the group; those who move end `margin` past it."""

    kind: ClassVar[str] = "threshold"

    tau: float
    share: float
    side: Side = "above"
    margin: float = 0.0

    @classmethod
    def first(cls, scores: Scores, interval: Interval) -> Self:
        """A threshold to begin with: half of the group below the middle."""
        return cls(middle(scores, interval), 0.5, "below", 2 * score_step(scores, interval))

    @property
    def past(self) -> Past:
        return Past(float(self.tau), float(self.share), self.side, margin=float(self.margin))

    def target(self, given: TargetContext) -> Target:
        return threshold_target(given.scores, self.tau, self.share, self.side, self.margin)

    @property
    def words(self) -> str:
        side = "at least" if self.side == "above" else "at most"
        clear = f", those who move clearing it by {self.margin:.4g}" if self.margin else ""
        return f"{100 * self.share:.4g}% of the scores are {side} {self.tau:.4g}{clear}"


def threshold_target(scores: ArrayLike, tau: float, share: float, side: Side, margin: float) -> Target:
    """Of the scores on the wrong side the nearest move, as many as the share lacks: the least movement in W^2."""
    moved = np.sort(finite_values(scores, "The scores"))
    number("tau", tau)
    number("share", share, low=0, high=1)
    number("margin", margin, low=0)
    choice("side", side, SIDES)
    n = len(moved)
    count = int(np.ceil(share * n - 1e-9 * n))
    if side == "above":
        part = moved[n - count :]
        part[part < tau] = tau + margin
    else:
        part = moved[:count]
        part[part > tau] = tau - margin
    return Target.sample(Threshold.kind, moved, Threshold(tau, share, side, margin).past)
