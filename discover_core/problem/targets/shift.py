"""The scores before, moved and drawn together or apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from numpy.typing import ArrayLike

from ...models.model import Scores
from ..amounts import amount
from ..checks import finite_values, number
from ..target import Target
from .clip import clipped
from .score_scale import PROBABILITY, Interval
from .specification import TargetContext, TargetSpecification


@dataclass(frozen=True)
class Shift(TargetSpecification):
    """The factual outputs, spread `scale` times as far about their mean, moved by `by`, kept inside `clip`."""

    kind: ClassVar[str] = "shift"

    by: float = 0.0
    scale: float = 1.0
    clip: tuple[float, float] | None = None

    @classmethod
    def first(cls, scores: Scores, interval: Interval) -> Self:
        """A shift to begin with: down by a tenth of where the scores lie."""
        spread = 1.0 if interval == PROBABILITY else float(scores.std()) or 1.0
        return cls(-float(f"{0.1 * spread:.1g}"), clip=interval)

    def target(self, given: TargetContext) -> Target:
        return shift_target(given.scores, self.by, self.scale, self.clip)

    @property
    def words(self) -> str:
        by = f"{'+' if self.by >= 0 else ''}{amount(self.by)}"
        moved = f"the scores move by {by}" if self.by or self.scale == 1 else "the scores keep their mean"
        return moved if self.scale == 1 else f"{moved} and spread {self.scale:.4g} times as far"


def shift_target(scores: ArrayLike, by: float, scale: float, clip: tuple[float, float] | None) -> Target:
    moved = finite_values(scores, "The scores")
    number("by", by)
    number("scale", scale, low=0)
    if scale != 1:
        mean = moved.mean()
        moved = mean + scale * (moved - mean)
    return Target.sample(Shift.kind, clipped(moved + by, clip))
