"""Algorithm 1: its propositions, its budgets, its ends, for every strategy and every selection from its candidates.

What the personal search promises is tested beside it."""

from dataclasses import replace
from itertools import product
from typing import get_args

import numpy as np
import pandas as pd
import pytest

import discover_core as dc
from discover_core.problem import settings as names
from discover_core.problem.actionability import Actionability
from discover_core.problem.bounds import Bounds
from discover_core.problem.problem import Problem
from discover_core.problem.settings import Settings
from discover_core.problem.target import Target
from discover_core.solver import run, solve
from discover_core.solver.search import SLICES, layout_of, search_slices
from discover_core.solver.selection import SELECTIONS, rowwise
from discover_core.solver.strategies import STRATEGIES
from discover_core.solver.strategies.monte_carlo import MonteCarlo
from discover_core.table.schema import Column, Schema
from discover_core.transport.lines import Lines
from discover_core.transport.plan import sliced2
from discover_core.transport.slices import random_slices

from .cases import MIXED, Smooth, mixed, mixed_rows

WAYS = list(product(STRATEGIES, SELECTIONS))
TARGETS = {
    "same size": None,
    "shorter": Target.values([0.1, 0.5, 0.5, 0.9, 1.0]),
    "longer": Target.beta(0.5, 0.5, n=61, seed=3),
    "exact": Target.quantiles([0, 0.4, 0.4, 1], [0, 0.1, 0.6, 1]),
}


def check(problem, settings):
    """Every promise that a step makes, recomputed from its cells and fresh model calls."""
    layout = layout_of(problem, settings)
    home = layout.encoding.encode(problem.factual)
    slices = random_slices(layout.encoding.width, problem.bounds.slices, np.random.default_rng([settings.seed, SLICES]))
    if settings.variant == "improved":
        slices = search_slices(layout, len(home), settings)
    mean, spread = problem.target.rank_moments(len(home))
    steps = list(solve(problem, settings))
    cells = steps[0].cells
    interval = (settings.l, settings.r)
    for i, step in enumerate(steps):
        assert step.iteration == i
        assert step.q <= step.q_before + 1e-12
        assert step.impact.sum() == pytest.approx(step.q, rel=1e-12, abs=1e-15)
        table = layout.table(step.cells)
        assert problem.walls.violations(table) == []
        outputs = problem.score(table)
        np.testing.assert_allclose(step.outputs, outputs, rtol=1e-12)
        q_x, q_y = sliced2(layout.encoding.encode(table), home, slices), np.mean((np.sort(outputs) - mean) ** 2 + spread)
        assert step.q_x == pytest.approx(q_x, rel=1e-9, abs=1e-13)
        assert step.q_y == pytest.approx(q_y, rel=1e-9, abs=1e-13)
        assert step.q == pytest.approx((1 - step.eta) * q_x + step.eta * q_y, rel=1e-9, abs=1e-13)
        assert interval[0] - 1e-12 <= step.eta <= interval[1] + 1e-12
        interval = step.interval
        edited = np.flatnonzero((step.cells != cells).any(axis=1))
        assert set(edited) <= set(step.selected.tolist())
        assert ((step.cells != cells).sum(axis=1) <= settings.h).all()
        if i:
            old = (1 - step.eta) * steps[i - 1].q_x + step.eta * steps[i - 1].q_y
            assert step.q_before == pytest.approx(old, rel=1e-9, abs=1e-13)
            assert len(step.selected) == min(settings.k, int(problem.walls.open.any(axis=1).sum()))
        cells = step.cells
    return steps


@pytest.mark.parametrize("variant", get_args(names.Variant))
@pytest.mark.parametrize(("strategy", "selection"), WAYS)
def test_propositions_walls_and_budgets_hold_at_every_step(strategy, selection, variant):
    moved = 0
    for origin, guidance in product(get_args(names.Origin), get_args(names.Guidance)):
        drawn = {"origin": origin, "guidance": guidance, "variant": variant}
        steps = check(mixed(), Settings(strategy, selection, candidates=12, iterations=8, h=2, **drawn))
        moved += steps[-1].q_y < steps[0].q_y
    assert moved == 12


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("band", ["dkw", "bootstrap"])
@pytest.mark.parametrize("selection", SELECTIONS)
def test_targets_of_any_length_and_label_encoding(target, band, selection):
    bounds = Bounds(0.5, 0.1, delta=0.3, slices=4, band=band)
    for encoding in get_args(names.EncodingName):
        check(mixed(40, TARGETS[target], bounds), Settings(selection=selection, k=6, iterations=6, encoding=encoding))


@pytest.mark.parametrize(("strategy", "selection"), list(product(STRATEGIES, get_args(names.Selection))))
def test_same_seed_same_bits(strategy, selection):
    settings = Settings(strategy, selection, iterations=6, seed=11)
    first, second = (list(solve(mixed(), settings)) for _ in range(2))
    for a, b in zip(first, second, strict=True):
        assert a.cells.tobytes() == b.cells.tobytes()
        assert (a.q, a.ucl_x, a.ucl_y, a.eta, a.model_rows) == (b.q, b.ucl_x, b.ucl_y, b.eta, b.model_rows)
        assert a.impact.tobytes() == b.impact.tobytes()
    if selection == "personal":
        return  # where the least change is found without drawing, no seed makes another
    other = list(solve(mixed(), Settings(strategy, selection, iterations=6, seed=12)))
    assert other[-1].cells.tobytes() != first[-1].cells.tobytes()


def test_only_edited_rows_are_scored_in_one_call_per_iteration():
    model = Smooth()
    problem = mixed(30, model=model)
    last = list(solve(problem, Settings(selection="joint", k=4, candidates=7, iterations=5)))[-1]
    assert model.rows == last.model_rows == 30 + 5 * 7 * 4
    assert model.calls == 6


def one_column(column, cells, model, target, k=3):
    schema = Schema((column,))
    problem = Problem(pd.DataFrame({"x": cells}), schema, model, Actionability.free(schema), target, Bounds(1, 1, slices=3))
    return check(problem, Settings(selection="joint", k=k, iterations=10))


def test_all_numeric_all_nominal_one_row_and_large_k():
    numbers = one_column(Column("x", "numeric", low=0, high=1), [0.2, 0.4, 0.5], lambda t: 20 * t["x"], Target.values([14]), k=99)
    assert numbers[-1].q_y < numbers[0].q_y
    names = one_column(
        Column("x", "nominal", levels=("a", "b", "c")),
        ["a", "b"],
        lambda t: t["x"].cat.codes.to_numpy() * 1.0,
        Target.values([2]),
    )
    assert names[-1].q_y < names[0].q_y
    for way in WAYS:
        check(mixed(1, Target.values([0.9, 0.1])), Settings(*way, k=5, h=9, iterations=4))
        check(mixed(9), Settings(*way, k=500, h=9, iterations=4))


def test_nothing_moves_when_nothing_is_better():
    problem = mixed(20, Target.values(Smooth()(mixed().schema.prepare(mixed_rows(20)))))
    for way in WAYS:
        steps = check(problem, Settings(*way, iterations=4))
        assert steps[-1].q == pytest.approx(0, abs=1e-20)
        assert steps[-1].cells.tobytes() == steps[0].cells.tobytes()
        assert len(list(solve(problem, Settings(*way, iterations=50, patience=3)))) == 1 + 3
    assert len(list(solve(problem, Settings(selection="personal")))) == 1  # nobody is to be helped


def test_rows_that_cannot_change_do_not_take_a_place():
    """The two rows with the largest impact stand at the end of their only road; the others must still move."""
    schema = Schema((Column("x", "numeric", low=0, high=1),))
    rows = pd.DataFrame({"x": [1.0, 1.0, 0.3, 0.35, 0.4]})
    actions = Actionability.free(schema).only_increase("x")
    problem = Problem(rows, schema, lambda t: 1.0 - (t["x"] - 0.5).abs(), actions, Target.values([1] * 5), Bounds(1, 1, slices=2))
    steps = check(problem, Settings(selection="joint", k=2, iterations=15))
    assert steps[-1].q_y < steps[0].q_y
    assert not set(np.concatenate([s.selected for s in steps])) & {0, 1}


def test_rowwise_takes_the_best_candidate_of_each_row():
    rng = np.random.default_rng(0)
    inputs = Lines.of(rng.normal(size=(3, 10)), np.sort(rng.normal(size=(3, 10)), axis=1))
    outputs = Lines.of(rng.random((1, 10)), np.sort(rng.random((1, 10)), axis=1))
    rows, projections, scores = np.array([4, 1]), rng.normal(size=(6, 2, 3)), rng.random((6, 2))
    best = rowwise(inputs, outputs, rows, projections, scores, 0.3)
    for i, row in enumerate(rows):
        costs = []
        for candidate in range(6):
            met = [inputs.goal[s, list(inputs.order[s]).index(row)] for s in range(3)]
            goal = outputs.goal[0, list(outputs.order[0]).index(row)]
            far = np.mean((projections[candidate, i] - met) ** 2)
            costs.append(0.7 * far + 0.3 * (scores[candidate, i] - goal) ** 2)
        assert best[i] == np.argmin(costs)


@pytest.mark.parametrize("how", ["raise", "nan"])
def test_a_model_that_breaks_keeps_every_step(how):
    result = run(mixed(model=Smooth(breaks_at=5, how=how)), Settings(selection="joint", iterations=20))
    assert result.history["iteration"].tolist() == [0, 1, 2, 3]
    assert ("out of order" if how == "raise" else "NaN") in result.error
    assert "The smooth model" in result.error
    assert result.best_step.iteration <= 3
    whole = run(mixed(), Settings(selection="joint", iterations=3))
    assert whole.error is None
    pd.testing.assert_frame_equal(whole.history, result.history)


@pytest.mark.parametrize("how", ["raise", "nan"])
def test_a_model_that_breaks_in_the_middle_of_an_iteration_keeps_every_step_before(how):
    whole = run(mixed(), Settings(selection="personal"))
    assert whole.error is None
    result = run(mixed(model=Smooth(breaks_at=40, how=how)), Settings(selection="personal"))
    assert "The smooth model" in result.error
    assert 2 < len(result.history) < len(whole.history)
    pd.testing.assert_frame_equal(whole.history.head(len(result.history)), result.history)


def test_an_infeasible_wish_ends_with_the_iterate_that_misses_least_of_it_and_the_reason():
    result = run(
        mixed(bounds=Bounds(1e-6, 1e-6, delta=0.1, slices=5, band="bootstrap")), Settings(selection="joint", iterations=10)
    )
    assert not result.feasible
    assert result.returned is None
    assert result.certificate.sentence.startswith("Not certified for the middle 80% of the group: the input limit")
    assert result.best_step.iteration == result.history["q_y"].idxmin() > 0
    assert list(result.counterfactual.columns) == list(result.problem.rows.columns)
    small = run(mixed(bounds=Bounds(1, 1)), Settings(selection="joint", iterations=2))
    assert "at least 180 rows" in small.certificate.sentence
    assert small.returned is None


def test_the_first_certified_answer_ends_the_run_when_asked():
    loose = Bounds(2, 0.12, delta=0.1, slices=5, band="bootstrap")
    steps = list(solve(mixed(40, bounds=loose), Settings(iterations=60, k=10, selection="rowwise", stop_when_certified=True)))
    assert not steps[0].feasible
    assert [s.feasible for s in steps[1:]] == [False] * (len(steps) - 2) + [True]
    happy = Bounds(9, 9, slices=5, band="bootstrap")
    assert len(list(solve(mixed(bounds=happy), Settings(selection="joint", stop_when_certified=True)))) == 1
    assert len(list(solve(mixed(bounds=happy), Settings(selection="joint", iterations=4)))) == 5


def test_where_no_proposal_is_better_nothing_changes(monkeypatch):
    class Still(MonteCarlo):
        def propose(self, view, rng):
            return view.block.copy()

    monkeypatch.setitem(STRATEGIES, "still", Still)
    steps = check(mixed(), Settings("still", "joint", iterations=3, variant="paper"))
    assert steps[-1].cells.tobytes() == steps[0].cells.tobytes()
    assert [step.still for step in steps] == [0, 1, 2, 3]


def test_a_change_too_small_to_mention_is_no_progress():
    actions = Actionability.free(MIXED).lock("Months", "Saving", "Job", "Home")
    tiny = Settings(selection="rowwise", origin="current", numeric_step=1e-7, guidance="none", k=24, l=1.0, r=1.0, iterations=8)
    steps = list(solve(mixed(actions=actions), replace(tiny, variant="paper")))
    assert sum(step.edit is not None for step in steps) > 4
    assert [step.still for step in steps] == list(range(9))


def test_a_true_dkw_certificate_at_a_thousand_rows():
    sample = dc.load_sample("german_credit")
    model = dc.train_model("xgboost", sample.table, sample.schema, seed=0)
    scores = model(sample.table)
    bounds = Bounds(0.3, 0.025, alpha=0.05, delta=0.15, slices=20)
    problem = Problem(sample.table, sample.schema, model, sample.actions, Target.shift(scores, by=-0.15, clip=(0, 1)), bounds)
    settings = Settings(selection="rowwise", k=200, candidates=20, iterations=30, stop_when_certified=True)
    result = run(problem, settings)
    assert not result.history["feasible"][0]
    assert result.feasible
    assert result.certificate.achieved >= 0.975
    assert result.certificate.ucl_y <= 0.025 < result.history["ucl_y"][0]
    assert result.certificate.sentence.startswith("Certified for the middle 70%")
    assert problem.walls.violations(result.best) == []


def test_a_group_too_small_for_a_limit_still_gets_what_it_asked_for():
    """The input limit of 40 people is infinite whatever they do: weighing it would leave their outputs alone for ever."""
    small = mixed(40, bounds=Bounds(1, 0.02))
    target = Target.threshold(small.outputs, 0.4, 0.6, "below", 0.02)
    result = run(mixed(40, bounds=Bounds(1, 0.02), target=target), Settings(selection="rowwise", k=20, iterations=30))
    assert result.history["ucl_x"].tolist() == [np.inf] * len(result.history)
    assert result.history["eta"].iloc[1] == pytest.approx(0.999)
    assert result.verdict.before < 0.4
    assert result.verdict.met
    assert result.verdict.status == "impossible"
