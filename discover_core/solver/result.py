"""A finished run: the best iterate, its certificate, and the story of how it came about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..certificate.limits import Limiter
from ..certificate.statement import Certificate, certify
from ..errors import InputError
from ..problem.problem import Problem
from ..problem.settings import Settings
from ..transport.slices import random_slices
from .cells import Layout
from .solve import SLICES, layout_of, solve
from .step import Step

HISTORY = ("iteration", "q", "q_x", "q_y", "ucl_x", "ucl_y", "eta", "feasible", "model_rows")


@dataclass(frozen=True, eq=False)
class Result:
    """`best` is the best iterate as a table like the factual one; `counterfactual` puts it into the user's own rows.

    `returned` is None when nothing was certified (the paper's empty set). `error` is the sentence of a model that failed
    in the middle; every step before it is kept.
    """

    problem: Problem
    settings: Settings
    best_step: Step
    best: pd.DataFrame
    counterfactual: pd.DataFrame
    certificate: Certificate
    history: pd.DataFrame
    error: str | None = None

    @property
    def feasible(self) -> bool:
        return self.certificate.certified

    @property
    def returned(self) -> pd.DataFrame | None:
        return self.counterfactual if self.feasible else None


def run(problem: Problem, settings: Settings) -> Result:
    """Drain the generator. A model that fails ends the run with its sentence; what was reached stays."""
    steps: list[Step] = []
    error = None
    try:
        for step in solve(problem, settings):
            steps.append(step)
    except InputError as failure:
        if not steps:
            raise
        error = str(failure)
    return result_of(problem, settings, steps, error)


def result_of(problem: Problem, settings: Settings, steps: Iterable[Step], error: str | None = None) -> Result:
    """The result of the steps made so far."""
    steps = list(steps)
    layout = layout_of(problem, settings)
    best = min(steps, key=lambda step: _rank(step, problem))
    table = layout.table(best.cells)
    history = pd.DataFrame([{name: getattr(step, name) for name in HISTORY} for step in steps])
    history["eta_low"], history["eta_high"] = zip(*(step.interval for step in steps), strict=True)
    history["selected"] = [step.selected.tolist() for step in steps]
    certificate = _certificate(problem, settings, layout, best)
    return Result(problem, settings, best, table, _into_rows(problem, table), certificate, history, error)


def _rank(step: Step, problem: Problem) -> tuple[int, float]:
    """Feasible iterates first, then the smallest OT(x)/U_x + OT(y)/U_y: Q at different eta does not compare."""
    bounds = problem.bounds
    return (0 if step.feasible else 1, step.q_x / bounds.u_x + step.q_y / bounds.u_y)


def _certificate(problem: Problem, settings: Settings, layout: Layout, step: Step) -> Certificate:
    slices = random_slices(layout.encoding.width, problem.bounds.slices, np.random.default_rng([settings.seed, SLICES]))
    goal = np.sort(slices @ layout.encode(layout.cells(problem.factual)).T, axis=1)
    limiter = Limiter(problem.bounds, goal, problem.target, problem.interval, settings.seed)
    return certify(limiter, np.sort(slices @ layout.encode(step.cells).T, axis=1), np.sort(step.outputs))


def _into_rows(problem: Problem, table: pd.DataFrame) -> pd.DataFrame:
    """The user's rows with only the changed cells replaced: everything else, gaps included, stays as it was."""
    out = problem.rows.copy()
    for name in table.columns:
        before, after = problem.factual[name], table[name]
        if isinstance(after.dtype, pd.CategoricalDtype):
            changed = before.cat.codes.to_numpy() != after.cat.codes.to_numpy()
            values = after.astype(object).to_numpy()
        else:
            changed = before.to_numpy(dtype=np.float64) != after.to_numpy(dtype=np.float64)
            values = after.to_numpy()
        if changed.any():
            column = out[name].astype(object).to_numpy(copy=True)
            column[changed] = values[changed]
            out[name] = pd.Series(column, index=out.index).infer_objects()
    return out
