"""Where a personal search stands: the k people who miss most of their goals are helped in a round, or rest if nobody can.

Once all is reached that was asked, others who need less take the place of those who need most, or nothing needless is left.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ..allowance import SLACK
from ..cells import Cells
from ..efforts import Efforts
from ..fence import Fence
from ..likeness import Likeness
from ..place import Edit, Place, Round
from ..search import Search
from ..state import NOBODY, State
from .attempt import Attempt
from .donors import Donors
from .exchange import exchanges, others
from .goals import Goals, price_at
from .levers import Levers
from .options import Options
from .retreat import retreat
from .visit import Visit
from .visits import Visits

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]
DONORS, DONOR_STREAM = 200, 6  # people of the reference whose values may be taken, drawn from a stream of the seed of its own
FAIR = 3  # times an equal share of the effort that is left may be spent on a person's first visit
AT_ONCE = 5_000  # people of a round at the most, whatever k is: memory does not grow with it
STAGES = 3  # of the price of a gap
TRIES = 2  # visits in a row without success after which somebody rests, where goals move; a threshold does not


@dataclass(frozen=True, eq=False)
class Means:
    """What a personal search works with from its first round to its last."""

    efforts: Efforts
    options: Options
    donors: Donors
    likeness: Likeness
    levers: Levers

    @classmethod
    def of(cls, search: Search) -> Self:
        problem, settings, layout = search.problem, search.settings, search.layout
        rng = np.random.default_rng([settings.seed, DONOR_STREAM])
        reference = problem.reference
        some = reference.iloc[np.sort(rng.permutation(len(reference))[:DONORS])]
        likeness = search.likeness or Likeness.of(problem, settings, search.factual)
        options = Options.of(Fence.of(problem), reference, problem.ranges())
        donors = Donors(layout.cells(some), problem.score(some))
        return cls(Efforts.of(layout), options, donors, likeness, Levers.of(problem.column_rules))


@dataclass(frozen=True, eq=False)
class PersonalState(State):
    """`visits` is what people's visits came to, `last` whom the last round could not help."""

    means: Means
    visits: Visits
    last: Indices

    @classmethod
    def start(cls, search: Search) -> Self:
        begun, means, n = State.start(search), Means.of(search), len(search.factual)
        parts = {name: getattr(begun, name) for name in State.__dataclass_fields__}
        parts["model_rows"] += len(means.donors.scores)
        return cls(**parts, means=means, visits=Visits.none(n), last=NOBODY)

    @classmethod
    def resume(cls, search: Search, place: Place) -> Self:
        stood = State.resume(search, place)
        state = replace(cls.start(search), **{name: getattr(stood, name) for name in State.__dataclass_fields__})
        visits = state.visits
        for done in place.rounds:
            visits = visits.after(done)
        return replace(state, visits=visits)

    @property
    def unhelped(self) -> Indices:
        return self.last

    @cached_property
    def goals(self) -> Goals:
        return Goals.of(self.search.problem.wish, self.outputs, self.resting, self.turn, self.stage)

    @cached_property
    def turn(self) -> Indices:
        """Who comes first; where effort in all is limited, everybody has a first visit before anybody has a second."""
        rank = self.search.allowance.rank
        return rank if self.search.problem.budget.total_effort is None else 2 * rank + (self.visits.failed > 0)

    @property
    def resting(self) -> Mask:
        """Who cannot change, or could not be helped."""
        problem = self.search.problem
        tries = TRIES + self.stage if problem.wish.past is None else 1 if problem.budget.total_effort is None else 2
        return np.asarray(~self.search.editable | (self.visits.failed >= tries))

    @cached_property
    def squared(self) -> Floats:
        """Everybody's squared effort."""
        return self.means.efforts.squared(self.search.factual, self.cells)

    @cached_property
    def helping(self) -> bool:
        """Whether somebody is to be helped; once the wish is met and both limits hold, enough is done."""
        return bool(self.able.any()) and not (self.feasible and self.met)

    @cached_property
    def able(self) -> Mask:
        """Who of those who are asked may change: only those who did if no more people may."""
        return self.goals.asked if self.search.allowance.room(self.cells) else self.goals.asked & (self.squared > 0)

    @cached_property
    def met(self) -> bool:
        """Whether the wish is."""
        wish = self.search.problem.wish
        return not wish.shortfall(wish.reached(self.outputs.values[0]))

    @cached_property
    def needless(self) -> Mask:
        """In whom something needless may be left: goals that follow ranks move when others do, a threshold stays."""
        none = self.search.problem.wish.past is not None
        return np.asarray((self.squared > 0) & ~self.visits.clean & (not none))

    @cached_property
    def others(self) -> Indices:
        """Who might take somebody's place; nobody where some come first."""
        problem = self.search.problem
        if problem.budget.first is not None:
            return NOBODY
        return others(
            problem.wish, problem.outputs, self.outputs.values[0], self.visits.had, self.search.editable, self.still, self.squared
        )

    @property
    def ended(self) -> bool:
        settings = self.search.settings
        over = self.iteration >= settings.iterations or (self.feasible and settings.stop_when_certified)
        return over or not (self.helping or len(self.others) or self.needless.any())

    @property
    def eta(self) -> float:
        """For a threshold all weight is on the goals while people are helped: effort is kept small by the search, not by a
        weight. For a shape it is the price of a gap."""
        if self.goals.past is None:
            return self._eta_at(self.stage)
        return 1.0 if self.helping else super().eta

    def _eta_at(self, stage: int) -> float:
        """The weight that makes Q the cost by which versions are compared."""
        weight = price_at(self.search.problem.wish, stage) / self.search.layout.encoding.width
        return weight / (1 + weight)

    @cached_property
    def stage(self) -> int:
        """How often a shape was still missed with nobody left to help; the interval of eta, of no other use here, keeps it."""
        low, high = self.interval
        etas = [self._eta_at(stage) for stage in range(1, STAGES)] if self.search.problem.wish.past is None else []
        near = [place for place, eta in enumerate(etas, start=1) if low == high and math.isclose(eta, high, rel_tol=1e-9)]
        return near[0] if near else 0

    def impact(self, eta: float) -> Floats:
        """Each person's share of Q: their squared effort over the dimension, and the square of what is missing of their goal."""
        d = self.search.layout.encoding.width
        return np.asarray(((1 - eta) * self.squared / d + eta * self.goals.missing**2) / len(self.cells))

    def rows(self, impact: Floats) -> Indices:
        """The k people with the largest impact among those who are to be helped; then those who might take somebody's place;
        else the largest effort to look at again."""
        k = min(self.search.settings.k, AT_ONCE)
        if not self.helping and len(self.others):
            return self.others[:k]
        if not self.helping:
            ranked = np.argsort(-self.squared, kind="stable")
            return ranked[self.needless[ranked]][:k]
        allowance, budget = self.search.allowance, self.search.problem.budget
        scarce = self.goals.past is not None and (budget.people is not None or budget.total_effort is not None)
        ranked = np.lexsort((impact if scarce else -impact, self.turn))  # where not all can be helped, who needs least
        ranked = ranked[self.able[ranked]]
        if budget.first is not None and budget.total_effort is not None:  # nobody later while somebody waits for another visit
            waiting = allowance.rank[ranked[self.visits.failed[ranked] > 0]]
            ranked = ranked[allowance.rank[ranked] <= waiting.max()] if len(waiting) else ranked
        return allowance.chosen(ranked, self.cells, k)

    def proposals(self, rows: Indices) -> Iterator[Cells]:
        """What the strategy proposes for people as they were at first: like all other proposals, with h features changed."""
        return State.proposals(replace(self, cells=self.search.factual), rows)

    def find(self, rows: Indices, eta: float) -> tuple[Edit | None, int]:
        """Better versions of these people, for all who have one, and how many rows the model was asked about."""
        search, means, settings = self.search, self.means, self.search.settings
        exchanging = not self.helping and len(self.others) > 0
        attempt = Attempt(
            rows,
            search.factual[rows],
            search.problem.outputs[rows],
            self.cells[rows],
            self.outputs.values[0][rows],
            self.goals.for_all(rows) if exchanging else self.goals,
            means.efforts,
            lambda cells: search.problem.score(search.layout.table(cells)),
            means.likeness,
            self._most(rows, exchanging),
            search.allowance,
        )
        if self.helping or exchanging:
            drawn = (search.problem.interval, self.proposals, self._uniform)
            Visit(means.options, means.donors, settings.h, *drawn, not exchanging, means.levers).help(attempt)
        else:
            retreat(attempt, means.options.fence, means.levers.sets)
        if exchanging:
            past = self.goals.past
            far = None if self.met or past is None else np.abs(search.problem.outputs - past.goal)
            new, back = exchanges(attempt, self.squared, far)
            return self._edit(
                np.concatenate([rows[new], back]),
                np.concatenate([attempt.cells[new], search.factual[back]]),
                np.concatenate([attempt.scores[new], search.problem.outputs[back]]),
            ), attempt.asked
        changed = np.flatnonzero((attempt.cells != self.cells[rows]).any(axis=1) & (attempt.squared <= attempt.most))
        changed = changed[search.allowance.affordable(self.cells, rows[changed], attempt.cells[changed])]
        return self._edit(rows[changed], attempt.cells[changed], attempt.scores[changed]), attempt.asked

    def _uniform(self, people: Indices, counts: Indices, width: int) -> Floats:
        return self.rng.random((int(counts.sum()), width))

    def _most(self, rows: Indices, exchanging: bool) -> Floats:
        """The squared effort of each of these people from which on a version is not worth a try."""
        most = self.search.problem.budget.effort
        own = np.inf if most is None else (most * (1 + SLACK)) ** 2
        if exchanging:
            return np.full(len(rows), min(own, float(self.squared.max())))
        left = np.full(len(rows), max(0.0, self.search.allowance.left(self.cells)))
        budget = self.search.problem.budget
        if budget.total_effort is not None and budget.first is None:  # at first nobody takes much more than a fair share
            fair = FAIR / max(1, int(self.goals.asked.sum()))
            left = np.where(self.visits.failed[rows] == 0, min(1.0, fair) * left, left)
        return np.asarray(np.minimum(own, (left + np.sqrt(self.squared[rows])) ** 2))

    def _edit(self, rows: Indices, cells: Cells, scores: Floats) -> Edit | None:
        projections = self.search.layout.encode(cells) @ self.search.limit_slices.T
        return Edit(rows, cells, projections, scores) if len(rows) else None

    def advance(self, eta: float, rows: Indices, edit: Edit | None, asked: int) -> Self:
        unhelped = np.setdiff1d(rows, NOBODY if edit is None else edit.rows) if self.helping else NOBODY
        visits = self.visits.after(Round(rows, unhelped, edit))
        told: dict[str, Any] = {"iteration": self.iteration + 1, "model_rows": self.model_rows + asked, "last": unhelped}
        after = replace(self, **told, visits=visits, still=self.still + 1)
        if edit is None:
            return after._next_stage()
        cells = self.cells.copy()
        cells[edit.rows] = edit.cells
        lines = self.search.edited((self.inputs, self.limit_inputs, self.outputs), edit)
        ucl, levels = self.search.limits(*lines[1:])
        inputs, limit_inputs, outputs = lines
        after = replace(after, cells=cells, inputs=inputs, limit_inputs=limit_inputs, outputs=outputs)
        return replace(after, still=0, ucl=ucl, levels=levels)._next_stage()

    def _next_stage(self) -> Self:
        """If a shape is missed with nobody left to help, what is missing weighs more from now on."""
        if self.search.problem.wish.past is not None or self.met or self.helping or self.stage + 1 >= STAGES:
            return self
        eta = self._eta_at(self.stage + 1)
        return replace(self, interval=(eta, eta))
