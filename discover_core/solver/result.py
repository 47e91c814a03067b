"""A finished run: the best iterate, its certificate, and the story of how it came about."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..certificate.limits import Limiter
from ..certificate.statement import Certificate, certify
from ..errors import InputError
from ..problem.bounds import Bounds
from ..problem.problem import Problem
from ..problem.settings import Settings
from ..problem.target import Target
from ..table.raw_cells import with_values
from ..table.schema import Schema
from ..transport.slices import random_slices
from ..transport.usual import Usual
from .cells import Cells, Layout
from .efforts import Efforts
from .plan import effort_of, plan_lines, row_places, usual_movers
from .search import SLICES, layout_of
from .solve import solve
from .spending import Spending
from .step import Step
from .tradeoff import HelpedOrder, in_turn, tradeoff
from .verdict import Course, Verdict, judge

Rank = tuple[bool, float, bool, float]
HISTORY = ("iteration", "q", "q_x", "q_y", "ucl_x", "ucl_y", "eta", "feasible", "model_rows")


@dataclass(frozen=True, eq=False)
class Result:
    """`best` is the best iterate as a table like the factual one; `counterfactual` puts it into the user's own rows.

    `verdict` says whether the wish was met, `certificate` whether both limits hold: neither follows from the other.
    `order` are the people who change, in the order in which they are helped. `returned` is None when nothing was certified (the
    paper's empty set). `error` is the sentence of a model that failed in the middle; every step before it is kept.
    """

    problem: Problem
    settings: Settings
    best_step: Step
    best: pd.DataFrame
    counterfactual: pd.DataFrame
    certificate: Certificate
    verdict: Verdict
    course: Course
    history: pd.DataFrame
    order: NDArray[np.int64]
    error: str | None = None

    @property
    def feasible(self) -> bool:
        return self.certificate.certified

    @property
    def returned(self) -> pd.DataFrame | None:
        return self.counterfactual if self.feasible else None

    @cached_property
    def plan(self) -> pd.DataFrame:
        """A line per person who changes, the greatest effort first; the index is their place in the group.

        `row` is their row in the user's table as its index has it, `cells` how many values change, `effort` the length of the
        change in the encoded space, `usual_before` and `usual_after` the share of real people who are less unusual.
        """
        problem, layout = self.problem, layout_of(self.problem, self.settings)
        cells = (layout.cells(problem.factual), self.best_step.cells)
        usual, scores = usual_movers(Usual.of(problem), *cells), (problem.outputs, self.best_step.outputs)
        return plan_lines(layout, cells, row_places(problem.rows), effort_of(layout, *cells), usual, scores)

    @cached_property
    def tradeoff(self) -> pd.DataFrame:
        """What each further person brings: `people` and `effort` so far, `ot_y` to the target, `share` past its threshold.

        A line per person in the order in which they are helped, after one for nobody; of very many people, evenly spread ones.
        """
        problem, layout = self.problem, layout_of(self.problem, self.settings)
        effort = effort_of(layout, layout.cells(problem.factual), self.best_step.cells)
        scores = (problem.outputs, self.best_step.outputs)
        return tradeoff(problem.target, *scores, effort, self.order, problem.bounds.beyond)


def run(problem: Problem, settings: Settings) -> Result:
    """Drain the generator. A model that fails ends the run with its sentence; what was reached stays."""
    story = Story(problem, settings)
    error = None
    try:
        for step in solve(problem, settings):
            story.add(step)
    except InputError as failure:
        if story.best is None:
            raise
        error = str(failure)
    return story.result(error)


class Story:
    """The steps of a run as they come: of the iterates only the best is kept, so that a long run of many rows fits."""

    def __init__(self, problem: Problem, settings: Settings) -> None:
        self.problem, self.settings = problem, settings
        self.best: Step | None = None
        self._last: Step | None = None
        self._lines: list[dict[str, Any]] = []
        self._helped: HelpedOrder | None = None
        self._order: NDArray[np.int64] | None = None

    def add(self, step: Step) -> None:
        line = {name: getattr(step, name) for name in HISTORY}
        line |= {"eta_low": step.interval[0], "eta_high": step.interval[1], "selected": step.selected.tolist()}
        self._lines.append(line)
        self._last = step
        if self._helped is None:
            self._helped = HelpedOrder(step.cells)
        self._helped.add(step.edit)
        if self.best is None or (step.edit is not None and self._rank(step) < self._rank(self.best)):
            self.best, self._order = step, self._helped.people()

    def _rank(self, step: Step) -> Rank:
        wish, (efforts, factual) = self.problem.wish, self._measure
        return rank(step.feasible, wish.shortfall(wish.reached(step.outputs)), efforts.total(factual, step.cells))

    @cached_property
    def _measure(self) -> tuple[Efforts, Cells]:
        layout = layout_of(self.problem, self.settings)
        return Efforts.of(layout), layout.cells(self.problem.factual)

    def result(self, error: str | None = None, stopped: bool = False) -> Result:
        """The result of the steps made so far; there must be one. `stopped` if somebody did not wait for the end."""
        assert self.best is not None
        assert self._last is not None
        assert self._order is not None
        problem, settings = self.problem, self.settings
        layout = layout_of(problem, settings)
        table = layout.table(self.best.cells)
        asked = (problem.target, problem.bounds, problem.interval, settings.seed)
        factual = layout.cells(problem.factual)
        certificate = certificate_of(layout, factual, *asked, self.best.cells, self.best.outputs)
        last = (self._last.iteration, self._last.still, self._last.model_rows)
        spent = (problem.budget, problem.rules)
        ended = error is None and not stopped
        course = Course.of(problem.wish, problem.outputs, problem.actions, settings, last, *spent, ended)
        effort = effort_of(layout, factual, self.best.cells)
        asked_of = (problem.budget, problem.wish, problem.outputs)
        spending = Spending.of(*asked_of, effort, problem.walls, Efforts.of(layout))
        outputs = (problem.outputs, self.best.outputs)
        places = None if problem.budget.first is None else problem.places
        order = in_turn(problem.target, self._order, effort, outputs, places)
        verdict = judge(problem.wish, self.best.outputs, spending, certificate, course)
        rows = into_rows(problem.rows, problem.schema, problem.factual, table)
        found = (self.best, table, rows, certificate, verdict, course, pd.DataFrame(self._lines), order)
        return Result(problem, settings, *found, error)


def rank(feasible: bool, shortfall: float, effort: float) -> Rank:
    """Iterates that meet the wish and keep both limits come first, the one with the least total effort before the others.

    If there is none, the one that misses least of the wish; of several, one that keeps the limits, and then the least effort.
    """
    return not (feasible and not shortfall), shortfall, not feasible, effort


def certificate_of(
    layout: Layout,
    factual: Cells,
    target: Target,
    bounds: Bounds,
    interval: tuple[float, float] | None,
    seed: int,
    cells: Cells,
    outputs: NDArray[np.float64],
) -> Certificate:
    """What can be said of an iterate of a run with this seed."""
    slices = random_slices(layout.encoding.width, bounds.slices, np.random.default_rng([seed, SLICES]))
    limiter = Limiter(bounds, np.sort(slices @ layout.encode(factual).T, axis=1), target, interval, seed)
    return certify(limiter, np.sort(slices @ layout.encode(cells).T, axis=1), np.sort(outputs))


def into_rows(rows: pd.DataFrame, schema: Schema, factual: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    """The user's rows with only the changed cells replaced: everything else, gaps included, stays as it was.

    `factual` and `table` are the prepared features of these rows before and after. Dates are written as the rows write them.
    """
    out = rows.copy()
    for name in table.columns:
        before, after = factual[name], table[name]
        if isinstance(after.dtype, pd.CategoricalDtype):
            changed = before.cat.codes.to_numpy() != after.cat.codes.to_numpy()
            values = after.astype(object).to_numpy()
        else:
            changed = before.to_numpy(dtype=np.float64) != after.to_numpy(dtype=np.float64)
            values = after.to_numpy()
        if changed.any():
            out[name] = with_values(out[name], schema[name], changed, values)
    return out
