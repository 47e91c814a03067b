"""Algorithm 1 as a generator: one `Step` per iteration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..problem.problem import Problem
from ..problem.settings import Settings
from .personal.state import PersonalState
from .place import Place
from .search import Search
from .state import State
from .step import Step


def solve(problem: Problem, settings: Settings, place: Place | None = None, levels: Sequence[float] = ()) -> Iterator[Step]:
    """Yield the factual group, then one step per iteration until the budget, the stall rule or the wish to stop ends it.

    A `place` is gone on from: the steps after it are those that an uninterrupted run makes, to the bit. At each of the
    `levels` (values of alpha) the limits are reported, too. A model that fails raises InputError out of the generator;
    every step yielded before stays valid.
    """
    search = Search.of(problem, settings, levels)
    kind = PersonalState if settings.selection == "personal" else State
    if place is None:
        state = kind.start(search)
        yield state.step(state.eta)
    else:
        state = kind.resume(search, place)
    while not state.ended:
        eta = state.eta
        impact = state.impact(eta)
        rows = state.rows(impact)
        edit, asked = state.find(rows, eta)
        state = state.advance(eta, rows, edit, asked)
        yield state.step(eta, float(impact.sum()), rows, edit)
