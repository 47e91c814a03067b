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
from .outputs import sorted_limit

Floats = NDArray[np.float64]
DRAWS = 200  # bootstrap samples
MOST = 2_000  # ranks of a bootstrap sample that are looked at, however many rows it has
KEPT = 2_500_000  # rows whose cuts are kept, over all levels


@dataclass(frozen=True, eq=False)
class Limiter:
    """The limits of a counterfactual sample against fixed factual projections and a fixed target.

    `factual[slice, rank]` is sorted. Each side may fail with probability alpha/2; on the input side that is shared by the
    slices (union bound) and by the two samples, on the output side by the two samples unless the target is exact.
    `n` is the size of the group if `factual` has only some of it, for an estimate.
    """

    bounds: Bounds
    factual: Floats
    target: Target
    interval: tuple[float, float] | None
    seed: int = 0
    n: int | None = None
    _cuts: dict[tuple[int, int, float, float], Pieces] = field(default_factory=dict, repr=False)

    def limits(self, inputs: Floats, outputs: Floats, alpha: float | None = None) -> tuple[float, float]:
        """(UCL_x, UCL_y) of sorted projections `inputs[slice, rank]` and sorted `outputs`, at alpha or the bounds' own."""
        found = self.at([self.bounds.alpha if alpha is None else alpha], inputs, outputs)[0]
        return float(found[0]), float(found[1])

    def at(self, levels: Sequence[float], inputs: Floats, outputs: Floats) -> Floats:
        """Both limits at several levels: `[level, side]`."""
        return np.column_stack([self.inputs_at(levels, inputs), self.outputs_at(levels, outputs)])

    def inputs_at(self, levels: Sequence[float], inputs: Floats) -> Floats:
        """The input limit at several levels. The target does not matter for it."""
        if self.bounds.band == "bootstrap":
            return self._resampled_inputs(inputs, levels)
        return np.array([self.input_limit(inputs, level) for level in levels])

    def outputs_at(self, levels: Sequence[float], outputs: Floats) -> Floats:
        """The output limit at several levels. The inputs do not matter for it."""
        if self.bounds.band == "bootstrap":
            return self._resampled_outputs(outputs, levels)
        return np.array([self.output_limit(outputs, level) for level in levels])

    def input_limit(self, inputs: Floats, alpha: float) -> float:
        rows = self.factual.shape[1]
        eps = half_width(self.n or rows, alpha / (4 * len(self.factual)))
        return _mean(self._pieces(rows, rows, eps, eps).limit(inputs, self.factual))

    def factual_limit(self, inputs: Floats, alpha: float) -> float:
        """The limit on how far these very rows are, along the slices, from the population the factual rows were drawn from.

        Only the factual sample has a band, of level alpha/(2N) per slice. The band holds for all rows at once, so it does not
        matter how these were found.
        """
        n, m = inputs.shape[1], self.factual.shape[1]
        eps = half_width(m, alpha / (2 * len(self.factual)))
        return _mean(self._pieces(n, m, 0.0, eps).limit(inputs, self.factual))

    def output_limit(self, outputs: Floats, alpha: float) -> float:
        bounds = self.bounds
        return sorted_limit(outputs, self.target, alpha / 2, self.interval, bounds.delta, bounds.beyond, self._pieces)

    def _pieces(self, n: int, m: int, eps_x: float, eps_y: float) -> Pieces:
        """Cut once per level: an iteration asks at the same level again and again."""
        key = (n, m, eps_x, eps_y)
        if key not in self._cuts:
            if len(self._cuts) * (n + m) > KEPT:
                self._cuts.clear()
            self._cuts[key] = Pieces.cut(n, eps_x, m, eps_y, self.bounds.delta)
        return self._cuts[key]

    def _resampled_inputs(self, inputs: Floats, levels: Sequence[float]) -> Floats:
        """The 1 - alpha/2 quantiles of the trimmed distance over resampled rows. Asymptotic: no guarantee at any n."""
        x, x_factual = self._draws[:2]
        trimmed = self._pieces(x.shape[1], x.shape[1], 0.0, 0.0)
        far = np.zeros(len(x))
        for s in range(len(self.factual)):
            far += trimmed.limit(inputs[s][x], self.factual[s][x_factual])
        return np.quantile(far / len(self.factual), 1 - np.asarray(levels) / 2)

    def _resampled_outputs(self, outputs: Floats, levels: Sequence[float]) -> Floats:
        """The same of the outputs."""
        y, y_target = self._draws[2:]
        n, m, target, side = y.shape[1], y_target.shape[1], self.target, self.target.wanted(self.bounds.beyond)
        if target.size is None and len(target.left) <= MOST:
            gaps = exact_limit(outputs[y], 0.0, target.knots, target.left, target.right, self.bounds.delta, self.interval)
        elif target.exact:
            wish = target.left if target.size == m else target.quantile((np.arange(m) + 0.5) / m)
            gaps = self._pieces(n, m, 0.0, 0.0).limit(outputs[y], np.broadcast_to(wish, y_target.shape), None, side)
        else:
            gaps = self._pieces(n, m, 0.0, 0.0).limit(outputs[y], target.left[y_target], None, side)
        return np.quantile(gaps, 1 - np.asarray(levels) / 2)

    @cached_property
    def _draws(self) -> tuple[NDArray[np.int64], ...]:
        """Sorted positions drawn with replacement, the same at every evaluation: ranks of a sorted sample stay sorted."""
        rng = np.random.default_rng([self.seed, 0x0B007])
        rows, m = self.factual.shape[1], len(self.target.left)
        n = self.n or rows
        first, second, *outputs = (drawn_positions(size, rng) for size in (n, n, n, m))
        return first * rows // n, second * rows // n, *outputs


def drawn_positions(size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """DRAWS samples with replacement of so many rows, as sorted positions; of a large one only MOST evenly spaced ranks.

    The order statistics of n uniform numbers at ranks r_1 < r_2 < ... are, jointly, sums of independent Gamma(r_1),
    Gamma(r_2 - r_1), ... variables divided by such a sum over all n + 1 gaps: nothing in between has to be drawn.
    """
    if size <= MOST:
        return np.sort(rng.integers(0, size, (DRAWS, size)), axis=1)
    ranks = 1 + ((np.arange(MOST) + 0.5) * size / MOST).astype(np.int64)
    gaps = np.diff(ranks, prepend=0, append=size + 1)
    sums = np.cumsum(rng.standard_gamma(gaps, (DRAWS, MOST + 1)), axis=1)
    return np.minimum((size * (sums[:, :-1] / sums[:, -1:])).astype(np.int64), size - 1)


def _mean(limits: Floats) -> float:
    return float(limits.mean()) if np.isfinite(limits).all() else math.inf
