"""How far a counterfactual group is from the factual one and from the target, measured apart from any solver."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..problem.problem import Problem, whole_ranges
from ..problem.target import Target
from ..problem.walls import Walls
from ..table.encoding import Encoding
from .plan import sliced2
from .slices import random_slices
from .usual import Usual

Points = NDArray[np.float64]
REPORT_SEED = 7_919  # the slices of the report are nobody's to optimise
REPORT_SLICES, FEWEST_SLICES, REPORT_CELLS = 2_000, 100, 20_000_000
MMD_ROWS, WIDTH_ROWS = 4_000, 1_000  # more rows than this are sampled


@dataclass(frozen=True)
class Metrics:
    """OT(x) = SW^2 to the factual group, OT(y) = W^2 of the outputs to the target, squared MMD, AReS cost, and counts.

    `effort` is the total over people of the length of their change, `usual` the median, over those who change, of the share of
    real people who are less unusual than they are afterwards (NaN if nobody changes, or nobody is there to compare with),
    `broken` how many cells became what they may not. `share_before` and `share_after` are the shares of rows whose output is
    at least the decision threshold.
    """

    ot_x: float
    ot_y: float
    mmd: float
    ares_cost: float
    rows_changed: int
    cells_changed: int
    cells_per_person: float
    effort: float
    usual: float
    broken: int
    share_before: float
    share_after: float


@dataclass(frozen=True, eq=False)
class Start:
    """What a counterfactual is measured against: the group as it is, prepared, what is wished for its outputs and allowed.

    `usual` is who people are compared with, if anybody knows.
    """

    table: pd.DataFrame
    outputs: Points
    target: Target
    encoding: Encoding
    ranges: Mapping[str, tuple[float, float]]
    walls: Walls
    usual: Usual | None


def metrics(
    problem: Problem, counterfactual: pd.DataFrame, threshold: float = 0.5, kernel: Literal["paper", "median"] = "paper"
) -> Metrics:
    """Measure a table with the problem's rows in their order. `kernel="median"` takes the median distance as its width."""
    after = problem.schema.prepare(counterfactual)[problem.schema.feature_names].reset_index(drop=True)
    weights = {allowed.name: allowed.weight for allowed in problem.actions}
    encoding = Encoding.fit(problem.reference, problem.schema, weights)
    compared = (encoding, whole_ranges(problem.schema, problem.actions), problem.walls, Usual.of(problem))
    start = Start(problem.factual, problem.outputs, problem.target, *compared)
    return metrics_of(start, after, problem.score(after), threshold, kernel)


def metrics_of(
    start: Start,
    after: pd.DataFrame,
    outputs: Points,
    threshold: float = 0.5,
    kernel: Literal["paper", "median"] = "paper",
) -> Metrics:
    """The same for a prepared table whose outputs are known."""
    before, encoding = start.table, start.encoding
    x, z = encoding.encode(before), encoding.encode(after)
    changed = np.column_stack([_changed(before[block.column.name], after[block.column.name]) for block in encoding.blocks])
    movers = np.flatnonzero(changed.any(axis=1))
    rows, cells = len(movers), int(changed.sum())
    return Metrics(
        ot_x=sliced2(z, x, report_slices(encoding.width, len(x))),
        ot_y=output_distance(start.target, outputs),
        mmd=mmd2(x, z, _width(x, z, kernel)),
        ares_cost=ares_cost(start, after),
        rows_changed=rows,
        cells_changed=cells,
        cells_per_person=cells / max(rows, 1),
        effort=float(np.linalg.norm(z - x, axis=1).sum()),
        usual=_median_usual(start, after, movers),
        broken=len(start.walls.violations(after)),
        share_before=float(np.mean(start.outputs >= threshold)),
        share_after=float(np.mean(outputs >= threshold)),
    )


def _median_usual(start: Start, after: pd.DataFrame, movers: NDArray[np.int64]) -> float:
    if start.usual is None or not len(movers):
        return math.nan
    before, then = (start.usual.encoding.encode(table.iloc[movers]) for table in (start.table, after))
    return float(np.median(start.usual.percentile(then, before)))


def report_slices(width: int, rows: int) -> Points:
    """A few thousand fixed slices; fewer for very many rows."""
    count = int(np.clip(REPORT_CELLS // max(rows, 1), FEWEST_SLICES, REPORT_SLICES))
    return random_slices(width, count, np.random.default_rng(REPORT_SEED))


def output_distance(target: Target, outputs: Points) -> float:
    """W^2 between outputs and the target, exact for any target."""
    mean, spread = target.rank_moments(len(outputs))
    return float(np.mean((np.sort(outputs) - mean) ** 2 + spread))


def mmd2(x: Points, z: Points, width: float = 1.0) -> float:
    """The paper's biased estimator of the squared maximum mean discrepancy, Gaussian kernel."""
    if len(x) > MMD_ROWS:
        rows = np.random.default_rng(REPORT_SEED).choice(len(x), MMD_ROWS, replace=False)
        x, z = x[rows], z[rows]
    return float(_mean_kernel(x, x, width) + _mean_kernel(z, z, width) - 2 * _mean_kernel(x, z, width))


def _mean_kernel(a: Points, b: Points, width: float) -> float:
    return float(np.mean(np.exp(-_squared(a, b) / (2 * width**2))))


def _squared(a: Points, b: Points) -> Points:
    far = np.sum(a**2, axis=1)[:, None] + np.sum(b**2, axis=1) - 2 * a @ b.T
    return np.asarray(np.maximum(far, 0.0))


def _width(x: Points, z: Points, kernel: str) -> float:
    if kernel == "paper":
        return 1.0
    rows = np.random.default_rng(REPORT_SEED).permutation(len(x))[:WIDTH_ROWS]
    both = np.concatenate([x[rows], z[rows]])
    far = np.sqrt(_squared(both, both)[np.triu_indices(len(both), 1)])
    return float(np.median(far[far > 0])) if (far > 0).any() else 1.0


def ares_cost(start: Start, after: pd.DataFrame) -> float:
    """The norm of all changes: a number counts by the share of its range, a category by one half."""
    before, total = start.table, 0.0
    for column in (block.column for block in start.encoding.blocks):
        if column.role == "numeric":
            low, high = start.ranges[column.name]
            gap = after[column.name].to_numpy(dtype=np.float64) - before[column.name].to_numpy(dtype=np.float64)
            total += float(np.sum((gap / (high - low)) ** 2)) if high > low else 0.0
        else:
            total += 0.25 * int(_changed(before[column.name], after[column.name]).sum())
    return float(np.sqrt(total))


def _changed(before: pd.Series[Any], after: pd.Series[Any]) -> NDArray[np.bool_]:
    if isinstance(before.dtype, pd.CategoricalDtype):
        return np.asarray(before.cat.codes.to_numpy() != after.cat.codes.to_numpy())
    return np.asarray(before.to_numpy(dtype=np.float64) != after.to_numpy(dtype=np.float64))
