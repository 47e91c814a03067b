"""The group before anything changed and what was asked of it: whatever an answer is measured against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..problem.actionability import Actionability
from ..problem.bounds import Bounds
from ..problem.budget import Budget
from ..problem.column_rules import ColumnRules
from ..problem.problem import Problem, ranges, whole_ranges
from ..problem.settings import Settings
from ..problem.target import Target
from ..problem.targets import TargetSpecification
from ..problem.walls import Walls
from ..problem.wish import Wish
from ..scenario.scenario import Scenario
from ..solver.cells import Cells, Layout
from ..solver.plan import effort_of, reference_cells, row_places
from ..solver.search import layout_of
from ..store import geometry
from ..store.step_codec import Head
from ..table.encoding import Encoding
from ..table.people import row_names
from ..table.schema import Schema
from ..transport.lines import Lines
from ..transport.metrics import Start
from ..transport.usual import Usual

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Group:
    """`rows` are people's places in the user's table, in the order of everything else here. Neither table nor model is needed.

    `named` says whether `names` come from a column of the table; else people go by their rows. `specification` is how the target
    was asked for, `reference` the people of the table whom everybody is compared with, if anybody knows. `budget` is what could
    be spent, `untouched` who had to stay as they are, `places` are everybody's turns if some come first, `rule_texts` are the
    rules between columns as they were written.
    """

    rows: NDArray[np.int64]
    names: Sequence[str]
    named: bool
    cells: Cells
    outputs: Floats
    target: Target
    interval: tuple[float, float] | None
    schema: Schema
    layout: Layout
    actions: Actionability
    bounds: Bounds
    settings: Settings
    specification: TargetSpecification | None = None
    reference: Cells | None = None
    budget: Budget = Budget()  # noqa: RUF009 - it never changes
    rule_texts: Sequence[str] = ()
    untouched: NDArray[np.bool_] | None = None
    places: NDArray[np.int64] | None = None

    @classmethod
    def of_run(cls, head: Head, scenario: Scenario) -> Self:
        """As a run's first row in the store has it."""
        before = (head.rows, head.names, bool(head.named), head.cells, head.outputs, head.target, head.interval)
        asked = (scenario.schema, geometry.layout_of(head, scenario), scenario.actions, scenario.bounds, scenario.settings)
        untouched = np.isin(head.rows, [label for label in scenario.budget.untouched if isinstance(label, int)])
        limits = (scenario.budget, scenario.rules, untouched, head.places)
        return cls(*before, *asked, scenario.target, head.reference, *limits)

    @classmethod
    def of_problem(
        cls,
        problem: Problem,
        settings: Settings,
        names: Sequence[str] = (),
        specification: TargetSpecification | None = None,
    ) -> Self:
        layout = layout_of(problem, settings)
        rows = row_places(problem.rows)
        called = names or row_names(rows)
        before = (rows, called, bool(names), layout.cells(problem.factual), problem.outputs, problem.target, problem.interval)
        return cls(
            *before,
            problem.schema,
            layout,
            problem.actions,
            problem.bounds,
            settings,
            specification,
            reference_cells(problem, layout),
            problem.budget,
            problem.rules,
            problem.budget.left_alone(problem.rows.index),
            None if problem.budget.first is None else problem.places,
        )

    @cached_property
    def table(self) -> pd.DataFrame:
        """The group's features, prepared by the schema."""
        return self.layout.table(self.cells)

    @cached_property
    def wish(self) -> Wish:
        """What was asked for, in a unit people read."""
        return Wish.of(self.target, self.outputs)

    @cached_property
    def walls(self) -> Walls:
        """What each cell may become."""
        walls = Walls.build(self.table, self.schema, self.actions, ranges(self.schema, self.actions))
        return walls if self.untouched is None else walls.without(self.untouched)

    @cached_property
    def rules(self) -> ColumnRules:
        """What holds between columns."""
        return ColumnRules.of(self.rule_texts, self.schema)

    @property
    def start(self) -> Start:
        """What the paper's measures compare with, in one encoding for every answer."""
        encoding = self._encoding({rule.name: rule.weight for rule in self.actions})
        compared = (encoding, whole_ranges(self.schema, self.actions), self.walls, self.usual)
        return Start(self.table, self.outputs, self.target, *compared)

    @cached_property
    def usual(self) -> Usual | None:
        """Whom people are compared with to say how usual they are; None for runs of before, which kept nobody."""
        if self.reference is None:
            return None
        encoding = self._encoding({})
        return Usual(encoding, Layout(encoding).encode(self.reference))

    def _encoding(self, weights: Mapping[str, float]) -> Encoding:
        """One-hot, whatever the search used, with these weights."""
        blocks = self.layout.encoding.blocks
        centre, scale = (np.array([getattr(block, part) for block in blocks]) for part in ("centre", "scale"))
        return Encoding.from_scales(self.schema, centre, scale, weights, "onehot")

    @cached_property
    def slices(self) -> Floats:
        """The directions that the search itself looked along."""
        return geometry.slices_of(self.layout, self.bounds, self.settings)

    @cached_property
    def projections(self) -> Floats:
        """The group on each slice, sorted."""
        return np.sort(self.slices @ self.layout.encode(self.cells).T, axis=1)

    def distances(self, cells: Cells) -> Floats:
        """Each person's part of OT(x) with these cells: the mean squared gap to whom they meet on each slice."""
        return Lines.of(self.slices @ self.layout.encode(cells).T, self.projections).impact

    def effort(self, cells: Cells) -> Floats:
        """How far each person moves with these cells: the length of the change in the encoded space, weights included."""
        return effort_of(self.layout, self.cells, cells)
