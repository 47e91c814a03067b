"""Which iterate is the answer: the least effort among those that do, else the one nearest to the wish."""

from dataclasses import replace
from typing import get_args

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discover_core.problem.actionability import Actionability
from discover_core.problem.bounds import Bounds
from discover_core.problem.problem import Problem
from discover_core.problem.settings import Selection, Settings
from discover_core.problem.target import Target
from discover_core.solver import run, solve
from discover_core.solver.result import rank
from discover_core.solver.search import layout_of
from discover_core.table.describe import describe
from discover_core.table.schema import Schema

from .cases import Smooth, mixed, mixed_rows

ITERATES = st.tuples(st.booleans(), st.sampled_from([0.0, 1e-6, 0.1, 0.3]), st.floats(0, 100))
LOOSE = Bounds(2, 0.15, delta=0.1, slices=5, band="bootstrap")


def does(iterate):
    feasible, shortfall, _ = iterate
    return feasible and shortfall == 0


@given(st.lists(ITERATES, min_size=1))
def test_the_least_effort_among_those_that_meet_the_wish_and_keep_both_limits(iterates):
    best = min(iterates, key=lambda iterate: rank(*iterate))
    good = [iterate for iterate in iterates if does(iterate)]
    if good:
        assert does(best)
        assert best[2] == min(effort for _, _, effort in good)
        return
    feasible, shortfall, effort = best
    assert shortfall == min(short for _, short, _ in iterates)
    nearest = [iterate for iterate in iterates if iterate[1] == shortfall]
    assert feasible == any(held for held, _, _ in nearest)
    assert effort == min(cost for held, _, cost in nearest if held == feasible)


def test_what_comes_before_what():
    ordered = [
        (True, 0.0, 1.0),
        (True, 0.0, 2.0),
        (False, 0.0, 0.5),  # meets the wish, though a limit does not hold
        (True, 0.1, 9.0),
        (False, 0.1, 0.0),
        (False, 0.1, 1.0),
        (True, 0.2, 0.0),
    ]
    ranks = [rank(*iterate) for iterate in ordered]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) == len(ranks)


def efforts(problem, settings, steps):
    """How far all people go together, by the encoding itself."""
    layout = layout_of(problem, settings)
    home = layout.encoding.encode(problem.factual)
    return [np.linalg.norm(layout.encoding.encode(layout.table(step.cells)) - home, axis=1).sum() for step in steps]


@pytest.mark.parametrize("selection", get_args(Selection))
def test_of_the_iterates_that_do_the_one_of_least_effort_is_the_answer(selection):
    target = Target.threshold(mixed(40).outputs, 0.6, 0.7, "below", 0.1)
    problem = mixed(40, target, replace(LOOSE, u_y=0.012))
    settings = Settings(selection=selection, iterations=60, k=2)
    steps = list(solve(problem, settings))
    cost = efforts(problem, settings, steps)
    done = [t for t, step in enumerate(steps) if step.feasible and np.mean(step.outputs <= 0.6) >= 0.7]
    assert 0 < len(done) < len(steps)
    least = min(cost[t] for t in done)
    result = run(problem, settings)
    assert result.best_step.iteration == next(t for t in done if cost[t] <= least * (1 + 1e-12))
    assert result.verdict.met
    assert result.feasible
    assert result.plan["effort"].sum() == pytest.approx(least)


@pytest.mark.parametrize("selection", get_args(Selection))
def test_where_none_does_the_nearest_to_the_wish_is_the_answer_and_only_its_changes_are_written(selection):
    result = run(mixed(40, bounds=LOOSE), Settings(selection=selection, iterations=30, k=10))
    assert not result.verdict.met
    assert result.feasible
    assert result.history["feasible"].sum() > 5
    assert result.best_step.iteration == result.history["q_y"].idxmin() > 5
    pd.testing.assert_frame_equal(result.returned, result.counterfactual)
    again = result.problem.schema.prepare(result.returned).reset_index(drop=True)
    np.testing.assert_allclose(result.problem.score(again), result.best_step.outputs, rtol=1e-12)
    assert result.certificate.ucl_x == pytest.approx(result.best_step.ucl_x, rel=1e-12)
    assert result.certificate.ucl_y == pytest.approx(result.best_step.ucl_y, rel=1e-12)


@pytest.mark.parametrize("selection", ["personal", "rowwise"])
@pytest.mark.parametrize("written", ["%Y-%m-%d", "%d.%m.%Y", "times", "categories"])
def test_the_rows_after_are_read_as_the_answer(written, selection):
    """Whatever the column: dates in its own type and notation, and what did not change as it was, gaps included."""
    days = pd.Series(np.datetime64("2021-01-01", "s") + np.random.default_rng(1).integers(0, 900, 80) * 86_400, name="Since")
    since = days if written == "times" else days.dt.strftime(written if written.startswith("%") else "%Y-%m-%d")
    reference = mixed_rows(80).assign(Since=since.astype("category") if written == "categories" else since)
    reference.loc[3, ["Income", "Saving", "Job", "Since"]] = None
    rows = reference.iloc[:20].set_axis(range(100, 120))
    date = describe(days if written == "times" else since.astype(object), "numeric", date=True)
    schema = Schema.infer(reference).with_column(date)

    def model(table):
        return 0.7 * (table["Since"].to_numpy() - 18_628) / 900 + 0.3 * Smooth()(table)

    scores = model(schema.prepare(rows)[schema.feature_names])
    target = Target.shift(scores, by=-0.2, clip=(0, 1))
    problem = Problem(rows, schema, model, Actionability.free(schema), target, Bounds(1, 1, slices=4), reference)
    result = run(problem, Settings(selection=selection, k=10, h=3, candidates=10, iterations=15))
    after = result.counterfactual
    pd.testing.assert_frame_equal(schema.prepare(after).reset_index(drop=True), result.best, check_dtype=False)
    changed = layout_of(problem, result.settings).cells(result.best) != layout_of(problem, result.settings).cells(problem.factual)
    assert changed[:, schema.feature_names.index("Since")].any()
    for j, name in enumerate(schema.feature_names):
        assert after[name][~changed[:, j]].astype(object).equals(rows[name][~changed[:, j]].astype(object)), name
        kinds = set(map(type, after[name].dropna())), set(map(type, rows[name].dropna()))
        assert kinds[0] == kinds[1], name
