"""What a search is given and keeps from its first iteration to its last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..certificate.limits import Limiter
from ..problem.problem import Problem
from ..problem.settings import Settings
from ..table.encoding import Encoding
from ..transport.lines import Lines
from ..transport.slices import random_slices
from .cells import Cells, Layout
from .cone import Cone
from .fence import Fence
from .selection import SELECTIONS, Select
from .strategies import Strategy, strategy_named

Floats = NDArray[np.float64]
SLICES, PROPOSALS = 1, 2  # independent streams of one seed
MOVED = 1e-5  # of the first output distance: an iteration that lowers Q by less has not moved anything


def layout_of(problem: Problem, settings: Settings) -> Layout:
    """The geometry of a problem: scales from its reference table, weights from its actionability."""
    weights = {allowed.name: allowed.weight for allowed in problem.actions}
    return Layout(Encoding.fit(problem.reference, problem.schema, weights, settings.encoding))


@dataclass(frozen=True, eq=False)
class Search:
    """A problem and settings, with what is worked out from them once.

    `factual` is the group as cells, `inputs` and `outputs` its sorted lines, `slices[slice, coordinate]` the directions,
    `editable` the rows that may change at all, `levels` the values of alpha at which the limits are reported, too, and
    `least` what an iteration must lower Q by to count as progress.
    """

    problem: Problem
    settings: Settings
    strategy: Strategy
    select: Select
    levels: tuple[float, ...]
    layout: Layout
    slices: Floats
    factual: Cells
    inputs: Lines
    outputs: Lines
    limiter: Limiter
    cone: Cone
    editable: NDArray[np.bool_]
    least: float

    @classmethod
    def of(cls, problem: Problem, settings: Settings, levels: Sequence[float]) -> Self:
        bounds = problem.bounds
        layout = layout_of(problem, settings)
        slices = random_slices(layout.encoding.width, bounds.slices, np.random.default_rng([settings.seed, SLICES]))
        factual = layout.cells(problem.factual)
        projected = slices @ layout.encode(factual).T
        goal = np.sort(projected, axis=1)
        mean, spread = problem.target.rank_moments(len(factual))
        outputs = Lines.of(problem.outputs[None], mean[None], spread[None])
        return cls(
            problem,
            settings,
            strategy_named(settings.strategy)(),
            SELECTIONS[settings.selection],
            tuple(levels),
            layout,
            slices,
            factual,
            Lines.of(projected, goal),
            outputs,
            Limiter(bounds, goal, problem.target, problem.interval, settings.seed),
            Cone.of(layout, Fence.of(problem), settings),
            np.asarray(problem.walls.open.any(axis=1)),  # a row that cannot change would hold its place among the k for ever
            MOVED * float(outputs.impact.sum()),
        )

    def limits(self, inputs: Lines, outputs: Lines) -> tuple[tuple[float, float], Floats]:
        """Both limits at the bounds' own level, and at the others asked for: `[level, side]`."""
        found = self.limiter.at((self.problem.bounds.alpha, *self.levels), inputs.ranked, outputs.ranked[0])
        return (float(found[0, 0]), float(found[0, 1])), found[1:]
