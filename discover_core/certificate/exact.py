"""The limit against a target that is known exactly: only the sample's own band counts."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .bands import order_statistic

Floats = NDArray[np.float64]


def exact_limit(
    x: Floats,
    eps: float,
    knots: Floats,
    left: Floats,
    right: Floats,
    delta: float,
    ends: tuple[float, float] | None = None,
) -> Floats:
    """Per line, the bound on the trimmed W^2 of a sorted sample `x[line, rank]` to a piecewise linear quantile function.

    On a piece the band edges a <= b are constant and the target runs linearly, so the worst gap max(b - q, q - a) is
    linear on each side of the middle of a and b, and its square integrates in closed form.
    """
    n = x.shape[1]
    jumps = np.concatenate([np.arange(n + 1) / n - eps, np.arange(n + 1) / n + eps, knots])
    points = np.concatenate([[delta], np.unique(jumps[(jumps > delta) & (jumps < 1 - delta)]), [1 - delta]])
    middles, lengths = (points[:-1] + points[1:]) / 2, np.diff(points)
    low_end, high_end = (-math.inf, math.inf) if ends is None else ends
    padded = np.pad(x, ((0, 0), (1, 1)), constant_values=((0, 0), (low_end, high_end)))
    low, high = (padded.take(order_statistic(middles + shift, n) + 1, axis=1) for shift in (-eps, eps))
    if not (np.isfinite(low).all() and np.isfinite(high).all()):
        return np.full(len(x), math.inf)
    piece = np.clip(np.searchsorted(knots, middles, side="right") - 1, 0, len(left) - 1)
    width = knots[piece + 1] - knots[piece]
    slope = (right[piece] - left[piece]) / width
    begin = left[piece] + slope * (points[:-1] - knots[piece])
    end = left[piece] + slope * (points[1:] - knots[piece])
    rise = end - begin
    turn = np.where(
        rise > 0, ((low + high) / 2 - begin) / np.where(rise > 0, rise, 1), np.where(begin < (low + high) / 2, 1.0, 0.0)
    )
    turn = np.clip(turn, 0, 1)
    between = begin + turn * rise
    total = turn * _square(high - begin, high - between) + (1 - turn) * _square(between - low, end - low)
    return np.asarray(total @ lengths / (1 - 2 * delta))


def _square(first: Floats, last: Floats) -> Floats:
    """The mean square of a value that runs linearly from first to last."""
    return np.asarray((first * first + first * last + last * last) / 3)
