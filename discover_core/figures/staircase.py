"""Cumulative shares: which part of a group has at most a value."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def share_at_most(values: Floats, at: Floats) -> Floats:
    """The share of the values that are at most each of these."""
    return np.searchsorted(np.sort(values), at, side="right") / max(len(values), 1)


def staircase(values: Floats, low: float, high: float, most: int, steps: int = 1) -> tuple[Floats, Floats]:
    """The empirical CDF from `low` to `high`, a point at each jump and one at least every 1/steps up.

    More than `most` jumps are thinned to as many evenly spread quantiles: every jump of 1/(most - 1) or more is among them.
    """
    n, ordered = len(values), np.sort(values)
    if not n:
        return np.array([np.nan]), np.array([np.nan])
    last = np.append(np.flatnonzero(np.diff(ordered)), n - 1)  # where each different value stands last
    if len(last) > most:
        ranks = np.linspace(0, n - 1, most).astype(np.int64)
        last = np.unique(last[np.searchsorted(last, ranks)])
    heads = (last + 1) / n
    rises = np.diff(heads, prepend=0.0)
    points = np.ceil(rises * steps - 1e-9).astype(np.int64).clip(1)  # along each jump
    left = np.cumsum(points).repeat(points) - np.arange(1, points.sum() + 1)  # points still to come up to its head
    y = heads.repeat(points) - left * (rises / points).repeat(points)
    return np.concatenate([[low], ordered[last].repeat(points), [high]]), np.concatenate([[0.0], y, [1.0]])
