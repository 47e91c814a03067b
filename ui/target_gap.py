"""How far a group's scores are from a target, in numbers people can read."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discover_core.problem.target import Side, Target


def typical_gap(scores: NDArray[np.float64], target: Target) -> float:
    """The root mean square difference when both are lined up from lowest to highest: the square root of W^2."""
    mean, spread = target.rank_moments(len(scores))
    return float(np.sqrt(np.mean((np.sort(scores) - mean) ** 2 + spread)))


def share_reached(target: Target, tau: float, side: Side) -> float:
    """The share of the target at or above tau, or at or below it."""
    left, right, mass = target.left, target.right, np.diff(target.knots)
    rise = np.where(right > left, right - left, 1.0)
    partly = np.clip((tau - left) / rise, 0.0, 1.0)
    flat = left <= tau if side == "below" else left < tau
    below = np.where(right > left, partly, flat)
    share = float(mass @ below)
    return share if side == "below" else 1.0 - share
