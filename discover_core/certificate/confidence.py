"""How surely the limits hold: the largest confidence at which they do, together and each alone."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .limits import Limiter

Floats = NDArray[np.float64]
FINEST = 1e-9  # no confidence beyond 1 - FINEST/2 is claimed


@dataclass(frozen=True)
class Confidence:
    """P = 1 - alpha/2 for the smallest alpha at which both limits hold, or one alone; None if there is none.

    `size_limited` says that P is only where a band leaves the sample: a hair more confidence makes a limit infinite, whatever the
    answer is. Then P tells how large the group is and not how good the answer.
    """

    both: float | None
    inputs: float | None
    outputs: float | None
    size_limited: bool


@dataclass
class _Side:
    """Which levels one side is known to hold and to fail at: limits fall as alpha grows, so the rest follows."""

    bound: float
    limit: Callable[[float], float]
    held: float = math.inf
    failed: float = 0.0

    def learn(self, alpha: float, limit: float) -> bool:
        if limit <= self.bound:
            self.held = min(self.held, alpha)
            return True
        self.failed = max(self.failed, alpha)
        return False

    def holds(self, alpha: float) -> bool:
        if alpha >= self.held or alpha <= self.failed:
            return alpha >= self.held
        return self.learn(alpha, self.limit(alpha))


def confidence(limiter: Limiter, inputs: Floats, outputs: Floats) -> Confidence:
    """Of sorted projections `inputs[slice, rank]` and sorted `outputs`, by bisection."""
    bounds, infinite = limiter.bounds, set()
    if bounds.band == "bootstrap":
        x = _Side(bounds.u_x, lambda alpha: limiter.limits(inputs, outputs, alpha)[0])
        y = _Side(bounds.u_y, lambda alpha: limiter.limits(inputs, outputs, alpha)[1])
    else:
        x = _Side(bounds.u_x, lambda alpha: limiter.input_limit(inputs, alpha))
        y = _Side(bounds.u_y, lambda alpha: limiter.output_limit(outputs, alpha))

    def holds(alpha: float) -> bool:
        limits = limiter.limits(inputs, outputs, alpha)
        if math.inf in limits:
            infinite.add(alpha)
        return all([x.learn(alpha, limits[0]), y.learn(alpha, limits[1])])

    low, high = least_level(holds, bounds.alpha)
    alone = [_share(least_level(side.holds, bounds.alpha)[1]) for side in (x, y)]
    return Confidence(_share(high), alone[0], alone[1], high is not None and low in infinite)


def least_level(holds: Callable[[float], bool], wished: float) -> tuple[float | None, float | None]:
    """(the largest alpha that was seen to fail, the smallest seen to hold), a millionth apart; None where there is none."""
    if not holds(1.0):
        return 1.0, None
    if holds(FINEST):
        return None, FINEST
    low, high = (FINEST, wished) if holds(wished) else (wished, 1.0)
    for _ in range(24):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if holds(middle) else (middle, high)
    return low, high


def _share(alpha: float | None) -> float | None:
    return None if alpha is None else 1 - alpha / 2
