"""One answer: the group before and after, from wherever it came, and what it amounts to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..certificate.statement import Certificate
from ..problem.target import Past
from ..problem.targets import TargetSpecification
from ..solver.cells import Cells
from ..solver.efforts import Efforts
from ..solver.plan import UsualPeople, changes_in_words, plan_lines, usual_movers, usual_people
from ..solver.result import Result, certificate_of, into_rows
from ..solver.spending import Spending
from ..solver.tradeoff import in_turn, tradeoff
from ..solver.verdict import Course, Verdict, judge
from ..table.schema import Schema
from ..transport.metrics import Metrics, metrics_of, output_distance
from .group import Group

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
YES = 0.5  # the decision threshold where the target names none


@dataclass(frozen=True, eq=False)
class Outcome:
    """`cells` and `outputs` are those after, in the order of the group; `iteration` is where a search found them.

    `course` is what the search did on its way, `helped` the people who change in the order in which it helped them; another
    method has neither.
    """

    name: str
    group: Group
    cells: Cells
    outputs: Floats
    iteration: int = 0
    course: Course | None = None
    helped: NDArray[np.int64] | None = None

    @classmethod
    def of_result(
        cls, result: Result, name: str = "", names: Sequence[str] = (), specification: TargetSpecification | None = None
    ) -> Self:
        """A run of the library; `names` are what people are called, if not by their rows."""
        best, group = result.best_step, Group.of_problem(result.problem, result.settings, names, specification)
        return cls(name, group, best.cells, best.outputs, best.iteration, result.course, result.order)

    def of_people(self, people: NDArray[np.int64]) -> Outcome:
        """The same with only these people changed, who are given by their places, first helped first."""
        return Outcome(self.name, self.group, *self._only(people), self.iteration, None, people)

    def _only(self, people: NDArray[np.int64]) -> tuple[Cells, Floats]:
        """Cells and scores after if only these people change."""
        cells, outputs = self.group.cells.copy(), self.group.outputs.copy()
        cells[people], outputs[people] = self.cells[people], self.outputs[people]
        return cells, outputs

    @property
    def schema(self) -> Schema:
        return self.group.schema

    @property
    def names(self) -> Sequence[str]:
        return self.group.names

    @property
    def before(self) -> pd.DataFrame:
        """The group's features as they are, prepared by the schema."""
        return self.group.table

    @cached_property
    def after(self) -> pd.DataFrame:
        return self.group.layout.table(self.cells)

    def into_rows(self, rows: pd.DataFrame) -> pd.DataFrame:
        """The group's rows of the user's own table, with only the changed cells replaced."""
        return into_rows(rows, self.schema, self.before, self.after)

    @cached_property
    def changed(self) -> Mask:
        """Which cell of whom differs: `[person, feature]`."""
        return np.asarray(self.cells != self.group.cells)

    @cached_property
    def movers(self) -> NDArray[np.int64]:
        """The people who change, by their place in the group."""
        return np.flatnonzero(self.changed.any(axis=1))

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """The people who change, in the order in which a smaller budget would help them."""
        helped = self.movers if self.helped is None else self.helped
        outputs = (self.group.outputs, self.outputs)
        return in_turn(self.group.target, helped, self.effort, outputs, self.group.places)

    @cached_property
    def tradeoff(self) -> pd.DataFrame:
        """What each further person brings, as `Result.tradeoff`."""
        group = self.group
        return tradeoff(group.target, group.outputs, self.outputs, self.effort, self.order, group.bounds.beyond)

    @cached_property
    def effort(self) -> Floats:
        """How far each person moves; 0 for those who stay."""
        return self.group.effort(self.cells)

    @cached_property
    def plan(self) -> pd.DataFrame:
        """A line per person who changes, the greatest effort first, as `Result.plan`; the index is the place in the group."""
        group, scores = self.group, (self.group.outputs, self.outputs)
        return plan_lines(group.layout, (group.cells, self.cells), group.rows, self.effort, self.usual_movers, scores)

    def plan_of(self, people: NDArray[np.int64]) -> pd.DataFrame:
        """The lines of these people alone, who are given by their places in the group. In a large group that is far less work."""
        group, some = self.group, np.sort(people)
        cells, scores = (group.cells[some], self.cells[some]), (group.outputs[some], self.outputs[some])
        usual = usual_movers(group.usual, *cells)
        lines = plan_lines(group.layout, cells, group.rows[some], self.effort[some], usual, scores)
        return lines.set_axis(some[lines.index.to_numpy()])

    @cached_property
    def changes(self) -> pd.Series:
        """What each of those who change would do, in words; the index is the place in the group."""
        return changes_in_words(self.group.layout, self.group.cells, self.cells)

    @cached_property
    def by_effort(self) -> NDArray[np.int64]:
        """The people who change, in the order of the plan: the greatest effort first."""
        return self.movers[np.argsort(-self.effort[self.movers], kind="stable")]

    @property
    def usual_before(self) -> Floats:
        """The share of real people who are less unusual than each person of the group; NaN where it is unknown."""
        return self._usual.before

    @property
    def usual_after(self) -> Floats:
        return self._usual.after

    @cached_property
    def usual_movers(self) -> UsualPeople:
        """The same of those who change, which is far less work in a large group; NaN for the others."""
        return usual_movers(self.group.usual, self.group.cells, self.cells)

    @cached_property
    def _usual(self) -> UsualPeople:
        return usual_people(self.group.usual, self.group.cells, self.cells)

    @property
    def points(self) -> tuple[Floats, Floats]:
        """Everybody before and after in the encoded space, weights included."""
        encode, movers = self.group.layout.encode, self.movers
        before = encode(self.group.cells)
        after = before.copy()
        after[movers] = encode(self.cells[movers])
        return before, after

    @cached_property
    def distances(self) -> Floats:
        """Each person's part of OT(x), on the slices of the search."""
        return self.group.distances(self.cells)

    @property
    def output_distance(self) -> float:
        """OT(y): W^2 between the outputs and the target."""
        return output_distance(self.group.target, self.outputs)

    @property
    def success(self) -> Mask:
        """Who got what the target meant for them."""
        group, asked = self.group, self.group.specification
        if asked is None:
            return group.target.success(group.outputs, self.outputs)
        return asked.success(group.target, group.outputs, self.outputs)

    @cached_property
    def violations(self) -> list[str]:
        """A sentence for every cell that was not allowed to become what it became."""
        return [*self.group.walls.violations(self.after), *self._broken_rules]

    @property
    def _broken_rules(self) -> list[str]:
        """A sentence for everybody whose change breaks a rule between columns."""
        rules = self.group.rules
        who, which = np.nonzero(rules.violated(self.group.cells, self.cells))
        return [
            f"Row {i + 1}: its changes break the rule “{rules.words(r)}”."
            for i, r in zip(who.tolist(), which.tolist(), strict=True)
        ]

    @cached_property
    def certificate(self) -> Certificate:
        """Both limits against both bounds."""
        group = self.group
        asked = (group.target, group.bounds, group.interval, group.settings.seed)
        return certificate_of(group.layout, group.cells, *asked, self.cells, self.outputs)

    @cached_property
    def verdict(self) -> Verdict:
        """Whether people got what was asked for."""
        return judge(self.group.wish, self.outputs, self.spending, self.certificate, self.course)

    @property
    def spending(self) -> Spending:
        """What it takes of the budget."""
        group = self.group
        if group.budget.empty:
            return Spending(len(self.movers))
        return Spending.of(group.budget, group.wish, group.outputs, self.effort, group.walls, Efforts.of(group.layout))

    @cached_property
    def metrics(self) -> Metrics:
        """The paper's measures, on slices that no search saw."""
        past: Past | None = self.group.target.past
        return metrics_of(self.group.start, self.after, self.outputs, YES if past is None else past.tau)
