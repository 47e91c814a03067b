"""How much of a target lies on one side of a threshold."""

from __future__ import annotations

import numpy as np

from discover_core.problem.target import Side, Target


def share_reached(target: Target, tau: float, side: Side) -> float:
    """The share of the target at or above tau, or at or below it."""
    left, right, mass = target.left, target.right, np.diff(target.knots)
    rise = np.where(right > left, right - left, 1.0)
    partly = np.clip((tau - left) / rise, 0.0, 1.0)
    flat = left <= tau if side == "below" else left < tau
    below = np.where(right > left, partly, flat)
    share = float(mass @ below)
    return share if side == "below" else 1.0 - share
