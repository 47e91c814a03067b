"""Where a search stands between two iterations: it starts, or is resumed from a place, and advances by an edit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..certificate.eta import balance, narrow
from ..transport.lines import Lines
from .cells import Cells
from .place import Edit, Place
from .search import PROPOSALS, Search
from .step import Step
from .strategies import View

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Candidates:
    """What the editable rows are and might become: `cells[candidate, row, feature]`, `projections[candidate, row, slice]`,
    `scores[candidate, row]`. Candidate 0 is what they are."""

    rows: Indices
    cells: Cells
    projections: Floats
    scores: Floats

    @property
    def proposed(self) -> int:
        """How many rows the model was asked about."""
        return self.scores[1:].size


@dataclass(frozen=True, eq=False)
class State:
    """The iterate as cells and sorted lines, and all else that the next iteration depends on.

    `interval` holds eta, `ucl` are both limits at the bounds' own level and `levels` those at the others. `still` counts the
    iterations since anything moved worth mentioning. `rng` is the one thing that changes in place: proposals draw from it.
    """

    search: Search
    iteration: int
    cells: Cells
    inputs: Lines
    outputs: Lines
    interval: tuple[float, float]
    ucl: tuple[float, float]
    levels: Floats
    model_rows: int
    still: int
    rng: np.random.Generator

    @classmethod
    def start(cls, search: Search) -> Self:
        """At the factual group."""
        inputs, outputs, settings = search.inputs, search.outputs, search.settings
        rng = np.random.default_rng([settings.seed, PROPOSALS])
        span = (settings.l, settings.r)
        return cls(search, 0, search.factual, inputs, outputs, span, *search.limits(inputs, outputs), len(search.factual), 0, rng)

    @classmethod
    def resume(cls, search: Search, place: Place) -> Self:
        """Where an interrupted search stood, to the bit."""
        rng = np.random.default_rng()
        rng.bit_generator.state = dict(place.random)
        cells, inputs, outputs = search.factual.copy(), search.inputs, search.outputs
        for edit in place.edits:
            cells[edit.rows] = edit.cells
            inputs, outputs = _edited(inputs, outputs, edit)
        levels = search.limits(inputs, outputs)[1]
        told = (place.interval, place.ucl, levels, place.model_rows, place.still)
        return cls(search, place.iteration, cells, inputs, outputs, *told, rng)

    @property
    def feasible(self) -> bool:
        bounds = self.search.problem.bounds
        return self.ucl[0] <= bounds.u_x and self.ucl[1] <= bounds.u_y

    @property
    def ended(self) -> bool:
        """By the budget, by the wish to stop once certified, or by the stall rule."""
        settings = self.search.settings
        stalled = settings.patience is not None and self.still >= settings.patience
        return self.iteration >= settings.iterations or (self.feasible and settings.stop_when_certified) or stalled

    @property
    def eta(self) -> float:
        """eta = l + p (r - l), with p from the gaps between bounds and limits.

        An infinite limit is so at every iterate, whatever the search does: there the distance itself is weighed.
        """
        bounds = self.search.problem.bounds
        far_x = self.ucl[0] if np.isfinite(self.ucl[0]) else self.inputs.cost()
        far_y = self.ucl[1] if np.isfinite(self.ucl[1]) else self.outputs.cost()
        low, high = self.interval
        return low + balance(bounds.u_x - far_x, bounds.u_y - far_y) * (high - low)

    def impact(self, eta: float) -> Floats:
        """Each row's share of Q, which is their sum."""
        return (1 - eta) * self.inputs.impact + eta * self.outputs.impact

    def rows(self, impact: Floats) -> Indices:
        """The k rows of largest impact among those that may change."""
        ranked = np.argsort(-impact, kind="stable")
        return ranked[self.search.editable[ranked]][: self.search.settings.k]

    def candidates(self, rows: Indices) -> Candidates:
        """Proposals for some rows, with their projections and what the model says about them."""
        search, layout, settings = self.search, self.search.layout, self.search.settings
        pull = self.inputs.pull(rows).T @ search.slices
        progress = (self.iteration + 1) / settings.iterations
        view = View(self.cells, search.factual, rows, pull, progress, search.cone, settings)
        block = search.strategy.propose(view, self.rng)
        scores = search.problem.score(layout.table(block.reshape(-1, layout.width))).reshape(block.shape[:2])
        block = np.concatenate([self.cells[rows][None], block])
        scores = np.concatenate([self.outputs.values[:, rows], scores])
        return Candidates(rows, block, layout.encode(block) @ search.slices.T, scores)

    def best(self, eta: float, tried: Candidates) -> Edit | None:
        """The change that lowers Q most, or none where no candidate does."""
        best = self.search.select(self.inputs, self.outputs, tried.rows, tried.projections, tried.scores, eta)
        if not best.any():
            return None
        at = (best, np.arange(len(tried.rows)))
        return Edit(tried.rows, tried.cells[at], tried.projections[at], tried.scores[at])

    def advance(self, eta: float, tried: Candidates, edit: Edit | None) -> State:
        """The state after an iteration that weighed the sides by eta, tried these candidates and made this edit of them."""
        after = replace(
            self,
            iteration=self.iteration + 1,
            interval=narrow(eta, self.interval, self.search.settings.kappa),
            model_rows=self.model_rows + tried.proposed,
            still=self.still + 1,
        )
        if edit is None:
            return after
        cells = self.cells.copy()
        cells[edit.rows] = edit.cells
        inputs, outputs = _edited(self.inputs, self.outputs, edit)
        ucl, levels = self.search.limits(inputs, outputs)
        moved = self.impact(eta).sum() - ((1 - eta) * inputs.cost() + eta * outputs.cost()) > self.search.least
        still = 0 if moved else after.still
        return replace(after, cells=cells, inputs=inputs, outputs=outputs, ucl=ucl, levels=levels, still=still)

    def step(self, eta: float, q_before: float | None = None, rows: Indices | None = None, edit: Edit | None = None) -> Step:
        """What an iteration that led here reports; the factual group has no iteration before it."""
        impact = self.impact(eta)
        q = float(impact.sum())
        return Step(
            iteration=self.iteration,
            q=q,
            q_x=self.inputs.cost(),
            q_y=self.outputs.cost(),
            q_before=q if q_before is None else q_before,
            ucl_x=self.ucl[0],
            ucl_y=self.ucl[1],
            eta=eta,
            interval=self.interval,
            feasible=self.feasible,
            impact=impact,
            selected=np.empty(0, dtype=np.int64) if rows is None else rows,
            model_rows=self.model_rows,
            outputs=self.outputs.values[0],
            cells=self.cells,
            levels=self.levels,
            edit=edit,
            still=self.still,
            random=self.rng.bit_generator.state,
        )


def _edited(inputs: Lines, outputs: Lines, edit: Edit) -> tuple[Lines, Lines]:
    return inputs.edited(edit.rows, edit.projections.T), outputs.edited(edit.rows, edit.scores[None])
