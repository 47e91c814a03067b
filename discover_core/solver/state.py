"""Where a search stands between two iterations: it starts, or is resumed from a place, and advances by an edit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..certificate.eta import balance, narrow
from ..transport.lines import Lines
from .batches import batches
from .cells import Cells
from .place import Edit, Place, Round
from .search import PROPOSALS, Search
from .step import Step
from .strategies import View

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]
Version = tuple[Cells, Floats, Floats]
NOBODY: Indices = np.empty(0, dtype=np.int64)
IN_VAIN = 3  # times that somebody who is to be helped first is tried before others, who might use up what may be spent


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

    def version(self, at: int | tuple[Indices, Indices]) -> Version:
        """One candidate, or one of each row's: cells, projections and scores by row."""
        return self.cells[at].copy(), self.projections[at].copy(), self.scores[at].copy()


@dataclass(frozen=True, eq=False)
class State:
    """The iterate as cells and sorted lines, and all else that the next iteration depends on.

    `inputs` are those of the search, `limit_inputs` those of the limits (the very same in the paper's variant). `interval` holds
    eta, `ucl` are both limits at the bounds' own level and `levels` those at the others. `still` counts the iterations since
    anything moved worth mentioning, `tries[row]` how often in a row each row was worked on in vain. `rng` is the one thing that
    changes in place: proposals draw from it.
    """

    search: Search
    iteration: int
    cells: Cells
    inputs: Lines
    limit_inputs: Lines
    outputs: Lines
    interval: tuple[float, float]
    ucl: tuple[float, float]
    levels: Floats
    model_rows: int
    still: int
    tries: Indices
    rng: np.random.Generator

    @classmethod
    def start(cls, search: Search) -> Self:
        """At the factual group."""
        lines, settings, n = search.lines, search.settings, len(search.factual)
        limits = search.limits(search.limit_inputs, search.outputs)
        rng = np.random.default_rng([settings.seed, PROPOSALS])
        return cls(search, 0, search.factual, *lines, (settings.l, settings.r), *limits, n, 0, np.zeros(n, dtype=np.int64), rng)

    @classmethod
    def resume(cls, search: Search, place: Place) -> Self:
        """Where an interrupted search stood, to the bit."""
        rng, settings = np.random.default_rng(), search.settings
        rng.bit_generator.state = dict(place.random)
        cells, lines, tries = search.factual.copy(), search.lines, np.zeros(len(search.factual), dtype=np.int64)
        for done in place.rounds:
            tries = _tried(tries, done, cells, settings.selection == "joint")
            if done.edit is not None:
                cells[done.edit.rows] = done.edit.cells
                lines = search.edited(lines, done.edit)
        levels = search.limits(*lines[1:])[1]
        told = (place.interval, place.ucl, levels)
        return cls(search, place.iteration, cells, *lines, *told, place.model_rows, place.still, tries, rng)

    @property
    def unhelped(self) -> Indices:
        """Whom the last iteration was to help and could not; only a personal search has such people."""
        return NOBODY

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
        """The k rows of largest impact among those that may change; but first come those that were least often tried in vain,
        and of these whoever is to be helped first. Where not all can be helped, that comes before, for some tries."""
        allowance, budget = self.search.allowance, self.search.problem.budget
        waiting = np.zeros_like(self.tries) if self.search.settings.variant == "paper" else self.tries
        scarce = budget.first is not None and (budget.people is not None or budget.total_effort is not None)
        turn = waiting
        if scarce:  # last comes who misses nothing
            past = self.search.problem.wish.past
            misses = impact > 0 if past is None else ~past.right(self.outputs.values[0])
            turn = np.where(misses, waiting // IN_VAIN, np.iinfo(np.int64).max)
        ranked = np.lexsort((-impact, waiting, allowance.rank, turn))
        return allowance.chosen(ranked[self.search.editable[ranked]], self.cells, self.search.settings.k)

    def find(self, rows: Indices, eta: float) -> tuple[Edit | None, int]:
        """The change of these rows that lowers Q most, or none where no candidate does, and how many rows were scored for it."""
        places, of = np.arange(len(rows)), self.search.settings.candidates + 1
        moved, asked = np.zeros(len(rows), dtype=bool), 0
        now: Version | None = None
        best: Version | None = None
        for tried in self.candidates(rows):
            asked += tried.proposed
            if now is None or best is None:
                now = tried.version(0)
            else:  # the best of the batches before takes the place of what the rows are
                tried.cells[0], tried.projections[0], tried.scores[0] = best
            chosen = self.search.select(self.inputs, self.outputs, rows, tried.projections, tried.scores, eta, of)
            best, moved = tried.version((chosen, places)), moved | (chosen > 0)
        return None if now is None or best is None else self._taken(rows, now, best, moved), asked

    def proposals(self, rows: Indices) -> Iterator[Cells]:
        """What is proposed for some rows, `[candidate, row, feature]`, in batches; what is random is drawn for a whole batch."""
        for part in batches(self.search.settings.candidates, len(rows) * self.search.layout.width):
            yield self._block(rows, part.stop - part.start)

    def _block(self, rows: Indices, count: int) -> Cells:
        """So many proposals of the strategy, and what is tried beside them."""
        search, layout, settings = self.search, self.search.layout, replace(self.search.settings, candidates=count)
        pull = (
            self.inputs.pull(rows).T @ search.slices
            if settings.guidance != "none"
            else np.zeros((len(rows), layout.encoding.width))
        )
        progress = (self.iteration + 1) / settings.iterations
        cone = replace(search.cone, settings=settings)
        view = View(self.cells, search.factual, rows, pull, progress, cone, settings, search.reference)
        block = search.strategy.propose(view, self.rng)
        block = block if search.free is None else search.free.mix(view, block, self.rng)
        block = search.allowance.fewer(rows, self.cells[rows], block, self.rng)
        fine = np.ones(block.shape[:2], dtype=bool)
        if search.allowance.personal:
            fine = search.allowance.fine(rows, block)
        if search.likeness is not None:
            likely = search.likeness.allowed(np.tile(rows, len(block)), block.reshape(-1, block.shape[2]))
            fine &= likely.reshape(block.shape[:2])
        return block if fine.all() else np.where(fine[..., None], block, self.cells[rows])

    def candidates(self, rows: Indices) -> Iterator[Candidates]:
        """Proposals for some rows, with their projections and what the model says about them, in batches."""
        search, layout = self.search, self.search.layout
        now, scores_now = self.cells[rows][None], self.outputs.values[:, rows]
        for block in self.proposals(rows):
            if search.settings.selection == "joint" and search.problem.budget.total_effort is not None:
                block = np.where(search.allowance.sums(self.cells, rows, block)[:, None, None], block, now)
            for part in batches(len(block), len(rows) * (layout.encoding.width + len(search.slices))):
                some = block[part]
                scores = search.problem.score(layout.table(some.reshape(-1, layout.width))).reshape(some.shape[:2])
                some = np.concatenate([now, some])
                yield Candidates(rows, some, layout.encode(some) @ search.slices.T, np.concatenate([scores_now, scores]))

    def _taken(self, rows: Indices, now: Version, best: Version, moved: Mask) -> Edit | None:
        """The best versions of those who moved, as far as the budget allows them; none if that is nobody."""
        (cells, projections, scores), keep = best, moved
        if self.search.settings.selection != "joint":
            keep = moved & self.search.allowance.affordable(self.cells, rows, cells)
            cells, projections = (np.where(keep[:, None], *pair) for pair in zip(best[:2], now[:2], strict=True))
            scores = np.where(keep, scores, now[2])
        if not keep.any():
            return None
        if self.search.own_slices:
            projections = self.search.layout.encode(cells) @ self.search.limit_slices.T
        return Edit(rows, cells, projections, scores)

    def advance(self, eta: float, rows: Indices, edit: Edit | None, asked: int) -> Self:
        """The state after an iteration that weighed the sides by eta, worked on these rows, made this edit and scored so many."""
        after = replace(
            self,
            iteration=self.iteration + 1,
            interval=narrow(eta, self.interval, self.search.settings.kappa),
            model_rows=self.model_rows + asked,
            still=self.still + 1,
            tries=_tried(self.tries, Round(rows, NOBODY, edit), self.cells, self.search.settings.selection == "joint"),
        )
        if edit is None:
            return after
        cells = self.cells.copy()
        cells[edit.rows] = edit.cells
        inputs, limit_inputs, outputs = self.search.edited((self.inputs, self.limit_inputs, self.outputs), edit)
        ucl, levels = self.search.limits(limit_inputs, outputs)
        moved = self.impact(eta).sum() - ((1 - eta) * inputs.cost() + eta * outputs.cost()) > self.search.least
        still = 0 if moved else after.still
        after = replace(after, cells=cells, inputs=inputs, limit_inputs=limit_inputs, outputs=outputs)
        return replace(after, ucl=ucl, levels=levels, still=still)

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
            selected=NOBODY if rows is None else rows,
            model_rows=self.model_rows,
            outputs=self.outputs.values[0],
            cells=self.cells,
            levels=self.levels,
            edit=edit,
            unhelped=self.unhelped,
            still=self.still,
            random=self.rng.bit_generator.state,
        )


def _tried(tries: Indices, done: Round, cells: Cells, together: bool) -> Indices:
    """One more in vain for each row worked on, none for those that changed from these cells; where all are taken together, for
    all of them."""
    tries = tries.copy()
    tries[done.selected] += 1
    if done.edit is not None:
        moved = (done.edit.cells != cells[done.edit.rows]).any(axis=1)
        tries[done.edit.rows[moved | together]] = 0
    return tries
