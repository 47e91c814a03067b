"""One-dimensional optimal transport in sparse form: the quantile coupling of two samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Indices = NDArray[np.int64]
CHUNK = 2_000_000  # projections held at once


@dataclass(frozen=True)
class Plan:
    """At most n + m - 1 pairs: `mass[t]` goes from row `source[t]` to row `goal[t]`. The masses sum to 1."""

    source: Indices
    goal: Indices
    mass: Values


def quantile_plan(x: Values, y: Values) -> Plan:
    """The optimal plan between two uniform samples of any sizes: equal quantiles meet.

    Cumulative masses are counted in units of 1/(n m), so that no rounding decides which rows meet.
    """
    n, m = len(x), len(y)
    ends = np.union1d(np.arange(1, n + 1) * m, np.arange(1, m + 1) * n)
    begins = np.concatenate([[0], ends[:-1]])
    source = np.argsort(x, kind="stable")[begins // m]
    goal = np.argsort(y, kind="stable")[begins // n]
    return Plan(source, goal, (ends - begins) / (n * m))


def wasserstein2(x: Values, y: Values) -> float:
    """W^2(x, y): the squared 2-Wasserstein distance of two uniform samples of any sizes."""
    if len(x) == len(y):
        return float(np.mean((np.sort(x) - np.sort(y)) ** 2))
    plan = quantile_plan(x, y)
    return float(np.sum((x[plan.source] - y[plan.goal]) ** 2 * plan.mass))


def sliced2(x: NDArray[np.float64], y: NDArray[np.float64], slices: NDArray[np.float64]) -> float:
    """SW^2(x, y) averaged over the given slices, in bounded memory."""
    total, chunk = 0.0, max(1, CHUNK // max(len(x), len(y)))
    for start in range(0, len(slices), chunk):
        part = slices[start : start + chunk]
        a, b = part @ x.T, part @ y.T
        if len(x) == len(y):
            total += float(np.sum(np.mean((np.sort(a, axis=1) - np.sort(b, axis=1)) ** 2, axis=1)))
        else:
            total += sum(wasserstein2(s, t) for s, t in zip(a, b, strict=True))
    return total / len(slices)
