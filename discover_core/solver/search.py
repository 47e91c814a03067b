"""What a search is given and keeps from its first iteration to its last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..certificate.limits import Limiter
from ..problem.problem import Problem
from ..problem.settings import Settings
from ..table.encoding import Encoding
from ..transport.lines import Lines
from ..transport.slices import random_slices
from .allowance import Allowance
from .cells import Cells, Layout
from .cone import Cone
from .efforts import Efforts
from .fence import Fence
from .free_tries import FreeTries
from .likeness import Likeness
from .place import Edit
from .selection import SELECTIONS, Select, rowwise
from .strategies import Strategy, strategy_named

Floats = NDArray[np.float64]
SLICES, PROPOSALS, SEARCH_SLICES, REFERENCE = 1, 2, 4, 5  # independent streams of one seed
FEWEST, USUAL, NUMBERS = 20, 200, 4_000_000  # slices of a search of its own, as many as keep rows times slices within so many
PEOPLE = 20_000  # rows of the reference table that proposals draw from
MOVED = 1e-5  # of the first output distance: an iteration that lowers Q by less has not moved anything


def layout_of(problem: Problem, settings: Settings) -> Layout:
    """The geometry of a problem: scales from its reference table, weights from its actionability."""
    weights = {allowed.name: allowed.weight for allowed in problem.actions}
    return Layout(Encoding.fit(problem.reference, problem.schema, weights, settings.encoding))


def search_slices(layout: Layout, n: int, settings: Settings) -> Floats:
    """Directions that only the search looks along: what it fits to these says nothing about those of the certificate."""
    count = max(FEWEST, min(USUAL, NUMBERS // n))
    return random_slices(layout.encoding.width, count, np.random.default_rng([settings.seed, SEARCH_SLICES]))


@dataclass(frozen=True, eq=False)
class Search:
    """A problem and settings, with what is worked out from them once.

    `factual` is the group as cells, `reference` rows of the reference table, `inputs` and `outputs` the group's sorted lines,
    `slices[slice, coordinate]` the directions of the search; `limit_inputs` and `limit_slices` are the same for the limits, and
    the very same in the paper's variant. `free` makes tries that no strategy makes, if the variant has them, `likeness` forbids
    what is too unusual, if that is a wall, `allowance` what the budget and the rules between columns do not allow. `editable` are
    the rows that may change at all, `levels` the values of alpha at which the limits are reported, too, and `least` is what an
    iteration must lower Q by to count as progress.
    """

    problem: Problem
    settings: Settings
    strategy: Strategy
    select: Select
    levels: tuple[float, ...]
    layout: Layout
    slices: Floats
    limit_slices: Floats
    factual: Cells
    reference: Cells
    inputs: Lines
    limit_inputs: Lines
    outputs: Lines
    limiter: Limiter
    cone: Cone
    free: FreeTries | None
    likeness: Likeness | None
    allowance: Allowance
    editable: NDArray[np.bool_]
    least: float

    @classmethod
    def of(cls, problem: Problem, settings: Settings, levels: Sequence[float]) -> Self:
        bounds, most = problem.bounds, problem.budget.features
        settings = settings if most is None else replace(settings, h=min(settings.h, most))
        layout = layout_of(problem, settings)
        limit_slices = random_slices(layout.encoding.width, bounds.slices, np.random.default_rng([settings.seed, SLICES]))
        factual = reference = layout.cells(problem.factual)
        points = layout.encode(factual).T
        slices, limit_inputs = limit_slices, _at_home(limit_slices @ points)
        inputs, free, fence = limit_inputs, None, Fence.of(problem)
        if settings.variant == "improved" or settings.origin == "reference":
            reference = layout.cells(_some(problem.reference, np.random.default_rng([settings.seed, REFERENCE])))
        if settings.variant == "improved" and settings.selection != "personal":  # which has no use for slices
            slices = search_slices(layout, len(factual), settings)
            inputs = _at_home(slices @ points)
        if settings.variant == "improved":
            free = FreeTries.of(fence, reference)
        mean, spread = problem.target.rank_moments(len(factual))
        outputs = Lines.of(problem.outputs[None], mean[None], spread[None])
        return cls(
            problem,
            settings,
            strategy_named(settings.strategy)(),
            SELECTIONS.get(settings.selection, rowwise),
            tuple(levels),
            layout,
            slices,
            limit_slices,
            factual,
            reference,
            inputs,
            limit_inputs,
            outputs,
            Limiter(bounds, limit_inputs.goal, problem.target, problem.interval, settings.seed),
            Cone.of(layout, fence, settings),
            free,
            None if settings.usual is None else Likeness.of(problem, settings, factual),
            Allowance.of(problem, Efforts.of(layout), factual),
            np.asarray(problem.walls.open.any(axis=1)),  # a row that cannot change would hold its place among the k for ever
            MOVED * float(outputs.impact.sum()),
        )

    @property
    def lines(self) -> tuple[Lines, Lines, Lines]:
        """Of the factual group: the search's inputs, those of the limits, the outputs."""
        return self.inputs, self.limit_inputs, self.outputs

    def edited(self, lines: tuple[Lines, Lines, Lines], edit: Edit) -> tuple[Lines, Lines, Lines]:
        """The three after an edit."""
        inputs, limit_inputs, outputs = lines
        limit_inputs = limit_inputs.edited(edit.rows, edit.projections.T)
        inputs = inputs.edited(edit.rows, self.project(edit.cells).T) if self.own_slices else limit_inputs
        return inputs, limit_inputs, outputs.edited(edit.rows, edit.scores[None])

    @property
    def own_slices(self) -> bool:
        """Whether the search looks along other slices than the limits."""
        return self.inputs is not self.limit_inputs

    def project(self, cells: Cells) -> Floats:
        """`[row, slice]` along the search's slices. A row's bits are the same in every batch of rows, which a matrix product
        does not promise, so that nothing of this need be stored."""
        points = self.layout.encode(cells)
        out = np.zeros((len(points), len(self.slices)))
        for j in range(points.shape[1]):
            out += points[:, j, None] * self.slices[:, j]
        return out

    def limits(self, inputs: Lines, outputs: Lines) -> tuple[tuple[float, float], Floats]:
        """Both limits at the bounds' own level, and at the others asked for: `[level, side]`. The inputs are `limit_inputs`."""
        found = self.limiter.at((self.problem.bounds.alpha, *self.levels), inputs.ranked, outputs.ranked[0])
        return (float(found[0, 0]), float(found[0, 1])), found[1:]


def _at_home(projected: Floats) -> Lines:
    """The factual group, on lines whose goal it is itself."""
    return Lines.of(projected, np.sort(projected, axis=1))


def _some(table: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    return table if len(table) <= PEOPLE else table.iloc[np.sort(rng.choice(len(table), PEOPLE, replace=False))]
