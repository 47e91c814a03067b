"""Upper confidence limits of both sides for one problem, at any level."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..problem.bounds import Bounds
from ..problem.target import Target
from .bands import Pieces, half_width
from .exact import exact_limit

Floats = NDArray[np.float64]
DRAWS = 200  # bootstrap samples
KEPT = 2_500_000  # rows whose cuts are kept, over all levels


@dataclass(frozen=True, eq=False)
class Limiter:
    """The limits of a counterfactual sample against fixed factual projections and a fixed target.

    `factual[slice, rank]` is sorted. Each side may fail with probability alpha/2; on the input side that is shared by the
    slices (union bound) and by the two samples, on the output side by the two samples unless the target is exact.
    """

    bounds: Bounds
    factual: Floats
    target: Target
    interval: tuple[float, float] | None
    seed: int = 0
    _cuts: dict[tuple[int, int, float, float], Pieces] = field(default_factory=dict, repr=False)

    def limits(self, inputs: Floats, outputs: Floats, alpha: float | None = None) -> tuple[float, float]:
        """(UCL_x, UCL_y) of sorted projections `inputs[slice, rank]` and sorted `outputs`, at alpha or the bounds' own."""
        found = self.at([self.bounds.alpha if alpha is None else alpha], inputs, outputs)[0]
        return float(found[0]), float(found[1])

    def at(self, levels: Sequence[float], inputs: Floats, outputs: Floats) -> Floats:
        """Both limits at several levels: `[level, side]`."""
        if self.bounds.band == "bootstrap":
            return self._bootstrap(inputs, outputs, levels)
        return np.array([(self.input_limit(inputs, level), self.output_limit(outputs, level)) for level in levels])

    def input_limit(self, inputs: Floats, alpha: float) -> float:
        n = self.factual.shape[1]
        eps = half_width(n, alpha / (4 * len(self.factual)))
        return _mean(self._pieces(n, n, eps, eps).limit(inputs, self.factual))

    def output_limit(self, outputs: Floats, alpha: float) -> float:
        n, target = len(outputs), self.target
        if target.exact:
            eps = half_width(n, alpha / 2)
            return float(self._exact(outputs[None], eps)[0])
        m = len(target.left)
        pieces = self._pieces(n, m, half_width(n, alpha / 4), half_width(m, alpha / 4))
        return _mean(pieces.limit(outputs[None], target.left[None], self.interval))

    def _exact(self, outputs: Floats, eps: float) -> Floats:
        target = self.target
        return exact_limit(outputs, eps, target.knots, target.left, target.right, self.bounds.delta, self.interval)

    def _pieces(self, n: int, m: int, eps_x: float, eps_y: float) -> Pieces:
        """Cut once per level: an iteration asks at the same level again and again."""
        key = (n, m, eps_x, eps_y)
        if key not in self._cuts:
            if len(self._cuts) * (n + m) > KEPT:
                self._cuts.clear()
            self._cuts[key] = Pieces.cut(n, eps_x, m, eps_y, self.bounds.delta)
        return self._cuts[key]

    def _bootstrap(self, inputs: Floats, outputs: Floats, levels: Sequence[float]) -> Floats:
        """The 1 - alpha/2 quantiles of both trimmed distances over resampled rows. Asymptotic: no guarantee at any n."""
        x, x_factual, y, y_target = self._draws
        n, slices, shares = self.factual.shape[1], len(self.factual), 1 - np.asarray(levels) / 2
        trimmed = self._pieces(n, n, 0.0, 0.0)
        far = np.zeros(len(x))
        for s in range(slices):
            far += trimmed.limit(inputs[s][x], self.factual[s][x_factual])
        if self.target.exact:
            gaps = self._exact(outputs[y], 0.0)
        else:
            gaps = self._pieces(n, len(self.target.left), 0.0, 0.0).limit(outputs[y], self.target.left[y_target])
        return np.column_stack([np.quantile(far / slices, shares), np.quantile(gaps, shares)])

    @cached_property
    def _draws(self) -> tuple[NDArray[np.int64], ...]:
        """Sorted positions drawn with replacement, the same at every evaluation: ranks of a sorted sample stay sorted."""
        rng = np.random.default_rng([self.seed, 0x0B007])
        n, m = self.factual.shape[1], len(self.target.left)
        return tuple(np.sort(rng.integers(0, size, (DRAWS, size)), axis=1) for size in (n, n, n, m))


def _mean(limits: Floats) -> float:
    return float(limits.mean()) if np.isfinite(limits).all() else math.inf
