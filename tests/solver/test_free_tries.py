"""Every admissible value is proposed sooner or later, whatever the strategy, and never another."""

from typing import get_args

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

import discover_core as dc
from discover_core.problem import settings as names
from discover_core.problem.actionability import Actionability
from discover_core.problem.bounds import Bounds
from discover_core.problem.problem import Problem
from discover_core.problem.target import Target
from discover_core.solver.free_tries import SHARE, FreeTries
from discover_core.solver.search import Search
from discover_core.solver.state import State
from discover_core.solver.strategies import STRATEGIES
from discover_core.table.schema import Column, Schema

N = 6


def model(table):
    return np.full(len(table), 0.5)


@st.composite
def problems(draw):
    """A few small features: short scales, binary categories, integers of short range, with walls of all kinds."""
    columns, values = [], {}
    for j in range(draw(st.integers(1, 4))):
        name, kind = f"c{j}", draw(st.sampled_from(["ordinal", "nominal", "whole", "tenths"]))
        if kind in ("ordinal", "nominal"):
            levels = tuple("abcdef"[: draw(st.integers(2, 6))])
            columns.append(Column(name, kind, levels=levels))
            values[name] = [draw(st.sampled_from(levels)) for _ in range(N)]
        else:
            step, top = (1.0, draw(st.integers(1, 4))) if kind == "whole" else (0.1, draw(st.integers(1, 4)) / 10)
            points = [round(i * step, 1) for i in range(round(top / step) + 1)]
            columns.append(Column(name, "numeric", low=0, high=float(top), step=step))
            values[name] = [draw(st.sampled_from(points)) for _ in range(N)]
    schema = Schema(tuple(columns))
    actions = Actionability.free(schema)
    for column in columns:
        if column.role != "nominal":
            mode = draw(st.sampled_from(["free", "free", "increase", "decrease"]))
            actions = {"increase": actions.only_increase, "decrease": actions.only_decrease}.get(mode, lambda _, a=actions: a)(
                column.name
            )
    rows = pd.DataFrame(values)
    reference = pd.concat([rows] * 3)
    try:
        return Problem(rows, schema, model, actions, Target.values([0.5]), Bounds(1, 1, slices=3), reference)
    except dc.InputError:
        return None


def admissible(problem, j, row) -> set[float]:
    walls, column = problem.walls, problem.walls.columns[j]
    if column.categorical:
        return {float(code) for code in np.flatnonzero(walls.levels[column.name][row])}
    low, high, step = walls.low[row, j], walls.high[row, j], walls.step[j]
    on_grid = {round(low + i * step, 6) for i in range(round((high - low) / step) + 1)}
    return on_grid | {round(walls.factual[row, j], 6)}


def proposed(problem, settings, rounds, iteration=0):
    """All cells proposed for each row and feature over many iterations from the factual group."""
    search = Search.of(problem, settings, ())
    state = State.start(search)
    object.__setattr__(state, "iteration", iteration)
    rows = np.flatnonzero(search.editable)
    found: dict[tuple[int, int], set[float]] = {}
    for _ in range(rounds):
        cells = np.concatenate([state.cells[rows][None], *state.proposals(rows)])
        for i, row in enumerate(rows):
            for j in range(cells.shape[2]):
                found.setdefault((int(row), j), set()).update(np.round(np.unique(cells[:, i, j]), 6).tolist())
    return found


@pytest.mark.parametrize("origin", get_args(names.Origin))
@pytest.mark.parametrize("strategy", STRATEGIES)
@examples(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(problem=problems(), late=st.booleans())
def test_every_admissible_value_is_proposed_and_no_other(strategy, origin, problem, late):
    """Also near the end of a run, where annealing hardly moves."""
    if problem is None:
        return
    settings = dc.Settings(strategy, k=N, h=1, candidates=400, iterations=100, origin=origin)
    found = proposed(problem, settings, 10, iteration=99 if late else 0)
    assert found
    for (row, j), values in found.items():
        assert values == admissible(problem, j, row), (row, problem.walls.columns[j].name)


def frozen() -> Problem:
    """The features that never moved from the present value: a scale of six, an integer of range 3, a binary category."""
    columns = (
        Column("Scale", "ordinal", levels=tuple("abcdef")),
        Column("Count", "numeric", low=0, high=3, step=1),
        Column("Yes", "nominal", levels=("no", "yes")),
    )
    schema, rng = Schema(columns), np.random.default_rng(0)
    rows = pd.DataFrame(
        {"Scale": rng.choice(list("abcdef"), N), "Count": rng.integers(0, 4, N), "Yes": rng.choice(["no", "yes"], N)}
    )
    return Problem(rows, schema, model, Actionability.free(schema), Target.values([0.5]), Bounds(1, 1, slices=3))


@pytest.mark.parametrize(("strategy", "iteration"), [("monte_carlo", 0), ("annealing", 99)])
def test_what_was_frozen_moves(strategy, iteration):
    problem = frozen()
    stuck = {"k": N, "h": 1, "candidates": 200, "iterations": 100, "origin": "current", "guidance": "none", "temperature": 1e-6}
    before = proposed(problem, dc.Settings(strategy, variant="paper", **stuck), 5, iteration)
    after = proposed(problem, dc.Settings(strategy, variant="improved", **stuck), 5, iteration)
    assert all(len(before[row, j]) <= 2 for row in range(N) for j in (0, 1)), "their own value, or nearly so"
    assert [len(after[row, j]) for row in range(N) for j in range(3)] == [6, 4, 2] * N


def test_a_tenth_of_the_tries_is_free_and_changes_one_feature():
    problem = frozen()
    search = Search.of(problem, dc.Settings(candidates=2_000), ())
    state, rows = State.start(search), np.arange(N)

    class Nothing:
        def propose(self, view, rng):
            return view.block.copy()

    object.__setattr__(search, "strategy", Nothing())
    changed = (np.concatenate(list(state.proposals(rows))) != state.cells[rows]).sum(axis=2)
    assert changed.max() == 1
    assert changed.mean() == pytest.approx(SHARE, rel=0.25), "but for numbers that were drawn as they are"


def test_numbers_come_from_the_grid_and_from_the_table():
    """A wide feature whose table has two values only: half of the draws are those, the others anywhere between the walls."""
    schema = Schema((Column("Income", "numeric", low=0, high=1_000, step=1),))
    rows = pd.DataFrame({"Income": [10, 990] * 3})
    problem = Problem(rows, schema, model, Actionability.free(schema), Target.values([0.5]), Bounds(1, 1, slices=3))
    search = Search.of(problem, dc.Settings(candidates=20_000), ())
    assert isinstance(search.free, FreeTries)
    drawn = search.free._values(0, np.zeros(20_000, dtype=np.int64), np.full(20_000, 500.0), np.random.default_rng(0))
    assert np.isin(drawn, [10, 990]).mean() == pytest.approx(0.6, abs=0.03), "a tenth goes home, to 10"
    others = drawn[~np.isin(drawn, [10, 990])]
    assert (others == np.rint(others)).all()
    assert (others.min(), others.max()) == (pytest.approx(0, abs=10), pytest.approx(1_000, abs=10))
    assert others.mean() == pytest.approx(500, rel=0.03)
