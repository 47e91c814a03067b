"""Confidence bands of quantile functions, and the exact integral of the squared worst gap between two of them.

With probability 1 - beta the whole quantile function of a distribution lies between those of its sample of n rows taken
eps to the left and to the right, eps = sqrt(ln(2/beta)/(2n)) (Dvoretzky, Kiefer, Wolfowitz; Massart's constant).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..problem.target import Side
from ..transport.one_core import one_core

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
CHUNK = 1_000_000  # gaps held at once


def half_width(n: int, beta: float) -> float:
    """eps of the DKW band of a sample of n rows that may fail with probability beta."""
    return math.sqrt(math.log(2 / beta) / (2 * n))


def rows_needed(eps: float, beta: float) -> int:
    """The smallest sample whose band is strictly narrower than eps on each side."""
    n = max(1, math.ceil(math.log(2 / beta) / (2 * eps * eps)))
    return n if half_width(n, beta) < eps else n + 1


@dataclass(frozen=True)
class Pieces:
    """[delta, 1 - delta] cut where any of the four band edges jumps, and the order statistic that each edge has there.

    Index -1 stands for "below the smallest row", n for "above the largest".
    """

    lengths: Floats
    x_low: Indices
    x_high: Indices
    y_low: Indices
    y_high: Indices
    delta: float

    @classmethod
    def cut(cls, n: int, eps_x: float, m: int, eps_y: float, delta: float) -> Self:
        """Exact breakpoints for samples of n and m rows with bands of half-widths eps_x and eps_y."""
        jumps = [np.arange(size + 1) / size + sign * eps for size, eps in ((n, eps_x), (m, eps_y)) for sign in (-1, 1)]
        inner = np.concatenate(jumps)
        inner = inner[(inner > delta) & (inner < 1 - delta)]
        points = np.concatenate([[delta], np.unique(inner), [1 - delta]])
        middles = (points[:-1] + points[1:]) / 2
        x_low, y_low = order_statistic(middles - eps_x, n), order_statistic(middles - eps_y, m)
        x_high = order_statistic(middles + eps_x, n) if eps_x else x_low
        y_high = order_statistic(middles + eps_y, m) if eps_y else y_low
        return cls(np.diff(points), x_low, x_high, y_low, y_high, delta)

    def limit(self, x: Floats, y: Floats, ends: tuple[float, float] | None = None, side: Side | None = None) -> Floats:
        """Per line, the bound on the trimmed W^2 of two sorted samples `x[line, rank]`, `y[line, rank]`.

        `ends` is where values must lie; without it a band that leaves the sample makes the limit infinite. Where x is wanted
        on one `side` of y, "below" or "above", only what it falls short counts: max(0, x - y) or max(0, y - x), not |x - y|.
        """
        low, high = (-math.inf, math.inf) if ends is None else ends
        x, y = (np.pad(v, ((0, 0), (1, 1)), constant_values=((0, 0), (low, high))) for v in (x, y))
        out, step = np.empty(len(x)), max(1, CHUNK // len(self.lengths))
        with one_core():
            for part in (slice(at, at + step) for at in range(0, len(x), step)):
                if side is not None:
                    out[part] = self._short(x[part], y[part], side) ** 2 @ self.lengths
                    continue
                gap = x[part].take(self.x_high + 1, axis=1) - y[part].take(self.y_low + 1, axis=1)
                if self.x_high is not self.x_low or self.y_high is not self.y_low:  # without bands one is the other's negative
                    gap = np.maximum(gap, y[part].take(self.y_high + 1, axis=1) - x[part].take(self.x_low + 1, axis=1))
                out[part] = gap**2 @ self.lengths
        return out / (1 - 2 * self.delta)

    def _short(self, x: Floats, y: Floats, side: Side) -> Floats:
        """How far x may fall short of being on that side of y, by the bands."""
        if side == "below":
            return np.maximum(0.0, x.take(self.x_high + 1, axis=1) - y.take(self.y_low + 1, axis=1))
        return np.maximum(0.0, y.take(self.y_high + 1, axis=1) - x.take(self.x_low + 1, axis=1))


def order_statistic(u: Floats, n: int) -> Indices:
    """Which order statistic is the u-quantile of n rows: ceil(n u) - 1, -1 for u <= 0 and n for u > 1."""
    return np.clip(np.ceil(np.asarray(u) * n).astype(np.int64) - 1, -1, n)
