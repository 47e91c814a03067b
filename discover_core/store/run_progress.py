"""A run as a page follows it: read once from the store, then only what is new."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..problem.targets import TargetContext
from ..problem.wish import Wish
from ..scenario.scenario import Scenario
from ..solver.cells import Cells
from ..solver.efforts import Efforts
from ..solver.place import Edit
from ..solver.result import Rank, rank
from ..table.cohort import Cohort
from ..transport.lines import Lines
from .array_codec import unpack
from .geometry import layout_of, slices_of
from .row_check import Damaged
from .run import DAMAGED, Run
from .step_codec import LEVELS, SCALARS, Head, edit_of, impact_of, unpack_head
from .store import Store

Floats = NDArray[np.float64]
NUMBERS = (*SCALARS, "low", "high", "seconds")


@dataclass
class RunProgress:
    """Everything stored of a run so far. `outputs` and `cells` are the last iterate's, `impact[t]` the q_i after iteration t.

    Of a group of more than 2,000 each iteration has the 2,000 largest q_i, and for everybody else the mean of theirs.
    """

    run: Run
    head: Head | None = None
    outputs: Floats = field(default_factory=lambda: np.empty(0))
    cells: Cells = field(default_factory=lambda: np.empty((0, 0)))
    impact: list[NDArray[np.float32]] = field(default_factory=list)
    selected: list[NDArray[np.int64]] = field(default_factory=list)
    levels: list[Floats] = field(default_factory=list)
    edits: list[Edit | None] = field(default_factory=list)
    _numbers: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in (*NUMBERS, "reached", "effort")})
    _wish: Wish | None = None
    _efforts: tuple[Efforts, Floats] | None = None  # how they are measured, and everybody's at the last iterate
    _lines: tuple[Floats, Floats, int] | None = None  # projections now and before (sorted), and how many edits are in them
    _distances: Floats | None = None  # those of the last iterate, once somebody has asked

    @classmethod
    def open(cls, store: Store, run_id: str) -> RunProgress:
        run = store.run(run_id)
        if run is None:
            raise InputError("There is no run with this id: it may have been deleted, or the address is incomplete.")
        progress = cls(run)
        progress.refresh(store)
        return progress

    def refresh(self, store: Store) -> bool:
        """Read what is new; whether anything was."""
        state = store.state(self.run.id)
        if state is None:
            raise InputError("This run has been deleted.")
        run = self.run if self.run.state == DAMAGED else replace(self.run, **vars(state))
        changed, self.run = run != self.run, run
        if self.head is None and run.done >= 0:
            data = store.head(run.id)
            if data is not None:
                with _legible(f"What the run “{run.name}” began with"):
                    self.head = self._whole(unpack_head(data))
                    self.outputs, self.cells = self.head.outputs.copy(), self.head.cells.copy()
        if self.head is not None and run.done > self.done:
            for row in store.steps(run.id, self.done):
                with _legible(f"Iteration {row.iteration} of the run “{run.name}”"):
                    self._add(row)
            changed = True
        return changed

    def _whole(self, head: Head) -> Head:
        """A head stored before targets said which share they stand for: such a target follows from the scores alone."""
        if head.target.past is None and self.scenario.target.past is not None:
            target = self.scenario.target.target(TargetContext(head.outputs, _nobody))
            return replace(head, target=replace(target, sampled=head.target.sampled))
        return head

    def _add(self, row: Any) -> None:
        for name in NUMBERS:
            self._numbers[name].append(getattr(row, name))
        arrays = unpack(row.arrays)
        self.impact.append(impact_of(arrays, len(self.outputs)))
        self.selected.append(arrays["selected"])
        self.levels.append(arrays["levels"])
        edit = edit_of(arrays)
        self.edits.append(edit)
        if edit is not None:
            self._distances = None
            self.outputs[edit.rows], self.cells[edit.rows] = edit.scores, edit.cells
        known = self._numbers
        known["effort"].append(self._effort(edit))
        known["reached"].append(self._reached() if edit is not None or not known["reached"] else known["reached"][-1])

    def _reached(self) -> float:
        return self.wish.reached(self.outputs)

    def _effort(self, edit: Edit | None) -> float:
        """The effort of all people together at the last iterate, of whom this edit has changed some."""
        assert self.head is not None
        if self._efforts is None:
            self._efforts = (Efforts.of(layout_of(self.head, self.scenario)), np.zeros(len(self.cells)))
        efforts, lengths = self._efforts
        if edit is not None:
            lengths[edit.rows] = np.sqrt(efforts.squared(self.head.cells[edit.rows], edit.cells))
        return float(lengths.sum())

    @property
    def wish(self) -> Wish:
        """What was asked for, in a unit people read."""
        if self._wish is None:
            assert self.head is not None
            self._wish = Wish.of(self.head.target, self.head.outputs)
        return self._wish

    @property
    def done(self) -> int:
        """The last iteration read, -1 before the first."""
        return len(self._numbers["iteration"]) - 1

    def numbers(self, name: str) -> Floats:
        """One number per iteration."""
        return np.array(self._numbers[name], dtype=np.float64)

    @property
    def best(self) -> int:
        """The iteration of the best iterate so far."""
        feasible, reached, effort = (self._numbers[name] for name in ("feasible", "reached", "effort"))

        def order(t: int) -> Rank:
            return rank(bool(feasible[t]), self.wish.shortfall(reached[t]), effort[t])

        return min(range(self.done + 1), key=order)

    @property
    def changed(self) -> NDArray[np.bool_]:
        """Who differs from before at the last iterate."""
        assert self.head is not None
        return np.asarray((self.cells != self.head.cells).any(axis=1))

    @property
    def distances(self) -> Floats:
        """Each person's part of OT(x) at the last iterate, from the projections that every edit brings along."""
        if self._distances is None:
            self._distances = self._measured()
        return self._distances

    def _measured(self) -> Floats:
        assert self.head is not None
        if self._lines is None:
            layout = layout_of(self.head, self.scenario)
            projected = slices_of(layout, self.scenario.bounds, self.scenario.settings) @ layout.encode(self.head.cells).T
            self._lines = (projected, np.sort(projected, axis=1), 0)
        projected, goal, placed = self._lines
        for edit in self.edits[placed:]:
            if edit is not None:
                projected[:, edit.rows] = edit.projections.T
        self._lines = (projected, goal, len(self.edits))
        return Lines.of(projected, goal).impact

    def iterate(self, iteration: int) -> tuple[Cells, Floats]:
        """The cells and outputs after an iteration."""
        assert self.head is not None
        cells, outputs = self.head.cells.copy(), self.head.outputs.copy()
        for edit in self.edits[: iteration + 1]:
            if edit is not None:
                cells[edit.rows], outputs[edit.rows] = edit.cells, edit.scores
        return cells, outputs

    def limits(self, alpha: float) -> tuple[Floats, Floats]:
        """Both limits of every iterate at one of the `alphas`."""
        if alpha == self.scenario.bounds.alpha:
            return self.numbers("ucl_x"), self.numbers("ucl_y")
        at = LEVELS.index(alpha)
        kept = np.array([levels[at] for levels in self.levels]).reshape(-1, 2)
        return kept[:, 0], kept[:, 1]

    @property
    def alphas(self) -> list[float]:
        """The levels at which limits can be had without solving again."""
        return sorted({*LEVELS, self.scenario.bounds.alpha})

    @cached_property
    def scenario(self) -> Scenario:
        return self.run.question.scenario

    @property
    def feasible_since(self) -> int | None:
        """The first iteration at which both limits were within their bounds."""
        bounds = self.scenario.bounds
        within = (self.numbers("ucl_x") <= bounds.u_x) & (self.numbers("ucl_y") <= bounds.u_y)
        return int(within.argmax()) if within.any() else None

    @property
    def pace(self) -> float | None:
        """Iterations per second: the median of the last twenty, so that what a start or a pause cost does not count."""
        gaps = np.diff(self._numbers["seconds"][-21:])
        typical = float(np.median(gaps)) if len(gaps) else 0.0
        return 1 / typical if typical > 0 else None

    @property
    def seconds_left(self) -> float | None:
        return None if self.pace is None else (self.run.iterations - self.done) / self.pace


@contextmanager
def _legible(what: str) -> Iterator[None]:
    """What the store holds may be damaged in any way."""
    try:
        yield
    except InputError as error:
        raise Damaged(str(error)) from error
    except Exception as error:
        raise Damaged(f"{what} is damaged in the store: export the run to have it repaired, or delete it.") from error


def _nobody(cohort: Cohort) -> Floats:
    raise InputError("This target is made from the group's own scores alone.")
