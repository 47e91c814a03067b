"""Candidates in batches: no bit of a run depends on their size, and memory does not grow with their number times the rows."""

import tracemalloc
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import discover_core as dc
from discover_core.solver import batches as module
from discover_core.solver.batches import batches
from discover_core.solver.personal import attempt
from discover_core.solver.personal import state as personal
from discover_core.solver.search import Search
from discover_core.solver.selection import SELECTIONS
from discover_core.solver.state import State

from .cases import mixed


@given(st.integers(1, 300), st.integers(0, 10**9))
def test_batches_are_all_candidates_in_order_within_bounds(candidates, numbers):
    parts = list(batches(candidates, numbers))
    assert [i for part in parts for i in range(part.start, part.stop)] == list(range(candidates))
    assert all(part.stop - part.start == 1 or (part.stop - part.start) * numbers <= module.AT_ONCE for part in parts)


def scored_in_batches(monkeypatch, size):
    """Proposals are drawn at once as before; only what is worked out from them comes in batches of so many candidates."""
    drawn = State.proposals

    def blocks(self, rows):
        monkeypatch.setattr(module, "AT_ONCE", 10**9)
        block = np.concatenate(list(drawn(self, rows)))
        width = self.search.layout.encoding.width + len(self.search.slices)
        monkeypatch.setattr(module, "AT_ONCE", size * len(rows) * width)
        yield block

    monkeypatch.setattr(State, "proposals", blocks)


@pytest.mark.parametrize(("selection", "variant"), list(product(SELECTIONS, ("paper", "improved"))))
@pytest.mark.parametrize("k", [3, 30])
def test_batches_change_no_bit(selection, variant, k, monkeypatch):
    problem = mixed()
    settings = dc.Settings(selection=selection, variant=variant, k=k, h=2, candidates=17, iterations=6)
    whole = list(dc.solve(problem, settings))
    assert any(step.edit is not None for step in whole)
    for size in (1, 5):
        with monkeypatch.context() as patched:
            scored_in_batches(patched, size)
            for one, other in zip(whole, dc.solve(problem, settings), strict=True):
                assert one.cells.tobytes() == other.cells.tobytes()
                assert one.outputs.tobytes() == other.outputs.tobytes()
                assert (one.q, one.ucl_x, one.model_rows, one.random) == (other.q, other.ucl_x, other.model_rows, other.random)
                assert (
                    one.edit is None if other.edit is None else one.edit.projections.tobytes() == other.edit.projections.tobytes()
                )


@pytest.mark.parametrize("selection", SELECTIONS)
def test_memory_does_not_grow_with_the_candidates(selection, monkeypatch):
    monkeypatch.setattr(module, "AT_ONCE", 20_000)
    search = Search.of(mixed(), dc.Settings(selection=selection, variant="paper", k=30, h=2, candidates=20), ())
    rows = np.flatnonzero(search.editable)

    def peak(candidates):
        settings = replace(search.settings, candidates=candidates)
        state = State.start(replace(search, settings=settings))
        state.find(rows, 0.5)
        tracemalloc.start()
        state.find(rows, 0.5)
        high = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return high

    assert peak(2_000) < 2 * peak(200)  # ten times as much without batches


def test_memory_of_the_personal_search_does_not_grow_with_the_people_of_an_iteration(monkeypatch):
    problem = mixed(600)

    def peak(k):
        steps = dc.solve(problem, dc.Settings(selection="personal", k=k, h=2, candidates=20, iterations=2))
        next(steps)
        next(steps)
        tracemalloc.start()
        next(steps)
        high = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return high

    assert peak(600) > 3 * peak(30)
    monkeypatch.setattr(personal, "AT_ONCE", 30)
    assert peak(600) < 1.5 * peak(30)


DRAWING = [{}, {"usual": 0.6}, {"variant": "paper", "strategy": "genetic"}]


def strict(n):
    """A wish that most of whom it is about cannot reach, so that the strategy's own draws are tried for them."""
    problem = mixed(n)
    return replace(
        problem, target=dc.Target.threshold(problem.outputs, tau=float(problem.outputs.min()), share=0.9, side="below")
    )


@pytest.mark.parametrize("more", DRAWING)
def test_draws_for_people_come_in_batches_and_move_no_bit(more, monkeypatch):
    settings = dc.Settings(selection="personal", k=40, h=2, candidates=40, iterations=4, **more)
    monkeypatch.setattr(module, "AT_ONCE", 2_000)
    monkeypatch.setattr(attempt, "CHUNK", 70)
    parts = list(dc.solve(strict(60), settings))
    assert sum(len(step.unhelped) for step in parts) > 20
    drawn = personal.PersonalState.proposals
    monkeypatch.setattr(personal.PersonalState, "proposals", lambda self, rows: [np.concatenate(list(drawn(self, rows)))])
    for one, other in zip(parts, dc.solve(strict(60), settings), strict=True):
        assert one.cells.tobytes() == other.cells.tobytes()
        assert (one.q, one.ucl_x, one.model_rows, one.random) == (other.q, other.ucl_x, other.model_rows, other.random)


def test_memory_does_not_grow_with_the_draws_for_people_whom_nothing_helps(monkeypatch):
    monkeypatch.setattr(module, "AT_ONCE", 20_000)
    monkeypatch.setattr(attempt, "CHUNK", 2_000)

    def peak(candidates):
        steps = dc.solve(strict(60), dc.Settings(selection="personal", k=60, h=2, candidates=candidates, iterations=1))
        next(steps)
        tracemalloc.start()
        step = next(steps)
        high = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert len(step.unhelped) > 10
        return high

    assert peak(2_000) < 3 * peak(200)  # ten times as much without batches
