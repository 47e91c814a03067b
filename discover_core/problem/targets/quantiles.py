"""An exact distribution given by some of its quantiles, in a file or drawn by hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InputError
from ..checks import finite_values
from ..target import Target
from .specification import TargetContext, TargetSpecification

LEVELS = (0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95)  # of a target that is drawn


@dataclass(frozen=True)
class Quantiles(TargetSpecification):
    """These quantiles, linear between them and flat beyond the first and the last."""

    kind: ClassVar[str] = "quantiles"

    probabilities: tuple[float, ...]
    values: tuple[float, ...]

    @classmethod
    def near(cls, target: Target) -> Self:
        """A start for drawing: the target as it is, in seven points of three digits or so."""
        values = target.quantile(LEVELS)
        digits = int(np.ceil(2 - np.log10(np.ptp(values) or abs(values[0]) or 1.0)))
        return cls(LEVELS, tuple(np.round(values, digits).tolist()))

    def with_point(self, at: int, value: float) -> Self:
        """One point moved; neighbours in its way are pushed along, so the order is kept."""
        before, after = self.values[:at], self.values[at + 1 :]
        return replace(self, values=(*(min(old, value) for old in before), value, *(max(old, value) for old in after)))

    def target(self, given: TargetContext) -> Target:
        return quantiles_target(self.probabilities, self.values)

    @property
    def words(self) -> str:
        return "the scores follow the distribution you drew"


def quantiles_target(probabilities: ArrayLike, values: ArrayLike) -> Target:
    """The same probability twice makes a jump."""
    p, q = finite_values(probabilities, "The probabilities"), finite_values(values, "The quantiles")
    if len(p) != len(q):
        raise InputError(f"There are {len(p):,} probabilities but {len(q):,} quantiles: give one quantile per probability.")
    if p.min() < 0 or p.max() > 1:
        raise InputError("The probabilities of the quantiles must lie between 0 and 1.")
    if (np.diff(p) < 0).any():
        raise InputError("The probabilities of the quantiles must be in ascending order.")
    if (np.diff(q) < 0).any():
        at = int(np.flatnonzero(np.diff(q) < 0)[0])
        raise InputError(f"The quantiles must not fall, but {q[at + 1]:g} comes after {q[at]:g}: put them in ascending order.")
    p, q = np.concatenate([[0.0], p, [1.0]]), np.concatenate([q[:1], q, q[-1:]])
    wide = np.diff(p) > 0
    return Target(Quantiles.kind, np.append(p[:-1][wide], 1.0), q[:-1][wide], q[1:][wide])
