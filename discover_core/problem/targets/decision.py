"""Everybody on the desired side of a classifier's decision threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InputError
from ..checks import choice, finite_values, number
from ..target import SIDES, Past, Side, Target
from .clip import clipped
from .specification import TargetContext, TargetSpecification


@dataclass(frozen=True)
class Decision(TargetSpecification):
    """Everybody at tau or above, or below tau: a score of tau counts as "yes". The paper's construction has a tau of .5."""

    kind: ClassVar[str] = "decision"

    tau: float = 0.5
    side: Side = "below"
    clip: tuple[float, float] | None = (0.0, 1.0)

    @property
    def past(self) -> Past:
        return Past(float(self.tau), 1.0, self.side, strict=self.side == "below")

    def target(self, given: TargetContext) -> Target:
        return decision_target(given.scores, self.tau, self.side, self.clip)

    @property
    def words(self) -> str:
        return f"everybody's score is {'at or above' if self.side == 'above' else 'below'} {self.tau:.4g}"


def decision_target(scores: ArrayLike, tau: float, side: Side, clip: tuple[float, float] | None) -> Target:
    """Scores on the desired side stay; each of the others is mirrored at tau, then kept inside `clip`."""
    moved = finite_values(scores, "The scores")
    number("tau", tau)
    choice("side", side, SIDES)
    if clip is not None and not (clip[0] < tau <= clip[1]):
        raise InputError(f"A tau of {tau:g} leaves one side empty: choose it above {clip[0]:g} and at most {clip[1]:g}.")
    if side == "above":
        mirrored = np.where(moved >= tau, moved, np.maximum(2 * tau - moved, tau))
    else:
        mirrored = np.where(moved < tau, moved, np.minimum(2 * tau - moved, np.nextafter(tau, -np.inf)))
    return Target.sample(Decision.kind, clipped(mirrored, clip), Decision(tau, side).past)
