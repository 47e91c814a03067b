"""The personal search: goals, walls, the least change, nothing needless; against brute force where that can be had."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

import discover_core as dc
from discover_core.problem.actionability import Actionability
from discover_core.problem.bounds import Bounds
from discover_core.problem.problem import Problem
from discover_core.problem.settings import Settings
from discover_core.problem.target import Target
from discover_core.problem.wish import Wish
from discover_core.solver.efforts import Efforts
from discover_core.solver.likeness import Likeness
from discover_core.solver.personal.attempt import Attempt
from discover_core.solver.personal.goals import Goals
from discover_core.solver.search import Search, layout_of
from discover_core.solver.strategies import STRATEGIES
from discover_core.table.schema import Column, Schema
from discover_core.transport.lines import Lines
from discover_core.transport.plan import sliced2

from .cases import MIXED, Smooth, mixed, mixed_rows, rest

DIRECTED = Actionability.free(MIXED).only_decrease("Months").only_increase("Saving").admit("Job", ["a", "b"]).lock("Home")


def asked(scores, kind, share=0.6, margin=0.02):
    """A wish of every kind that says whether a score is right, and two shapes."""
    return {
        "below": lambda: Target.threshold(scores, 0.4, share, "below", margin),
        "above": lambda: Target.threshold(scores, 0.6, share, "above"),
        "decision": lambda: Target.decision(scores, 0.5, "below"),
        "shift": lambda: Target.shift(scores, by=-0.1, clip=(0, 1)),
        "beta": lambda: Target.beta(2, 5, n=len(scores), seed=1),
    }[kind]()


KINDS = ("below", "above", "decision", "shift", "beta")


def case(n, kind, seed=0, actions=None, bounds=None, model=None, **more):
    start = mixed(n, actions=actions, seed=seed)
    target = asked(start.outputs, kind, **more)
    return mixed(n, target, bounds or Bounds(0.5, 0.05), model, actions, seed)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_step_keeps_its_promises(strategy, kind):
    model = Smooth()
    for actions, h in product((None, DIRECTED), (1, 2, 4)):
        problem = case(30, kind, actions=actions, model=model)
        model.rows = 0
        asked_for = Settings(strategy=strategy, k=4, h=h, candidates=5, iterations=40)
        layout, before = layout_of(problem, asked_for), problem.outputs
        efforts, cells = Efforts.of(layout), layout.cells(problem.factual)
        factual = cells
        for step in dc.solve(problem, asked_for):
            assert step.q <= step.q_before + 1e-12
            assert step.impact.sum() == pytest.approx(step.q, rel=1e-12, abs=1e-15)
            assert step.impact.min() >= 0
            assert problem.walls.violations(layout.table(step.cells)) == []
            changed = np.flatnonzero((step.cells != cells).any(axis=1))
            spared = np.setdiff1d(changed, step.selected)  # somebody else took their place
            assert (step.cells[spared] == factual[spared]).all()
            assert len(step.selected) <= 4
            assert ((step.cells != factual).sum(axis=1) <= h).all()
            assert step.model_rows == model.rows + len(factual)
            squared = efforts.squared(factual, step.cells)
            points = layout.encode(step.cells) - layout.encode(factual)
            np.testing.assert_allclose(squared, (points**2).sum(axis=1), rtol=1e-9, atol=1e-12)
            cells = step.cells
        np.testing.assert_allclose(step.outputs, problem.score(layout.table(step.cells)), rtol=1e-12)
        assert problem.wish.way(problem.wish.reached(step.outputs)) >= problem.wish.way(problem.wish.reached(before))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(KINDS), st.integers(1, 3), st.booleans())
def test_nothing_is_needless(seed, kind, h, directed):
    """Undoing any single cell breaks that person's goal or, where the target is a shape, raises Q."""
    problem = case(25, kind, seed, DIRECTED if directed else None)
    result = rest(problem, h=h, seed=seed)
    assert len(result.history) < 500
    last = list(dc.solve(problem, result.settings))[-1]
    layout = layout_of(problem, result.settings)
    factual, efforts = layout.cells(problem.factual), Efforts.of(layout)
    mean, spread = problem.target.rank_moments(25)
    outputs = Lines.of(last.outputs[None], mean[None], spread[None])
    goals = Goals.of(problem.wish, outputs, np.zeros(25, dtype=bool))
    for person, feature in np.argwhere(last.cells != factual):
        undone = last.cells[person : person + 1].copy()
        undone[0, feature] = factual[person, feature]
        score, who = problem.score(layout.table(undone)), np.array([person])
        own = last.outputs[person : person + 1]
        if problem.target.past is not None:
            past = problem.target.past
            beyond = own <= past.goal if past.side == "below" else own >= past.goal
            still = score <= past.goal if past.side == "below" else score >= past.goal
            assert past.right(own).all()
            assert not (still if beyond else past.right(score)).any()
            continue
        off, off_undone = goals.off(who, own)[0], goals.off(who, score)[0]
        saved = efforts.squared(factual[who], last.cells[who]) - efforts.squared(factual[who], undone)
        assert last.eta * (off_undone**2 - off**2) >= (1 - last.eta) * saved[0] / layout.encoding.width - 1e-9


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(("shift", "beta")))
def test_what_is_missing_of_a_shape_is_an_optimal_transport_cost(seed, kind):
    rng = np.random.default_rng(seed)
    scores = rng.random(9)
    target = asked(scores, kind)
    wish = Wish.of(target, scores)
    now = rng.random(9)
    mean, spread = target.rank_moments(9)
    goals = Goals.of(wish, Lines.of(now[None], mean[None], spread[None]), np.zeros(9, dtype=bool))
    costs = (now[:, None] - mean[None]) ** 2
    best = costs[linear_sum_assignment(costs)].sum()
    assert (goals.missing**2).sum() == pytest.approx(best, rel=1e-9, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(("below", "above")), st.floats(0, 1))
def test_what_is_missing_of_a_share_is_the_least_way_that_gets_there(seed, kind, share):
    rng = np.random.default_rng(seed)
    scores = rng.random(7)
    target = asked(scores, kind, share)
    mean, spread = target.rank_moments(7)
    goals = Goals.of(Wish.of(target, scores), Lines.of(scores[None], mean[None], spread[None]), np.zeros(7, dtype=bool))
    past = target.past
    wrong = np.flatnonzero(~past.right(scores))
    lack = max(0, int(np.ceil(past.share * 7 - 1e-9)) - (7 - len(wrong)))
    ways = [sum((scores[i] - past.goal) ** 2 for i in some) for some in combinations(wrong.tolist(), lack)]
    assert (goals.missing**2).sum() == pytest.approx(min(ways), abs=1e-12)
    assert int(goals.asked.sum()) == lack


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 30))
def test_the_paired_cost_is_never_below_the_sliced_distance(seed, n):
    """Over the directions of any orthonormal basis the mean of (theta.v)^2 is |v|^2/d, and pairing is one of the couplings."""
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=(2, n, 5))
    basis = np.linalg.qr(rng.normal(size=(5, 5)))[0]
    assert sliced2(x, z, basis) <= ((x - z) ** 2).sum(axis=1).mean() / 5 + 1e-12


@pytest.mark.parametrize("kind", ["below", "above", "decision"])
def test_no_pair_of_features_on_a_grid_does_it_with_less(kind):
    """Every pair of values of a fine grid for every person, tried one by one."""
    problem = case(12, kind, bounds=Bounds(9, 9))
    result = rest(problem, k=12)
    layout = layout_of(problem, result.settings)
    factual, efforts = layout.cells(problem.factual), Efforts.of(layout)
    grid = {0: np.linspace(0, 10, 12), 1: np.arange(0, 61, 6.0), 2: np.arange(4.0), 3: np.arange(5.0), 4: np.arange(2.0)}
    goal = problem.target.past.goal
    mine = np.sqrt(efforts.squared(factual, result.best_step.cells))
    least = np.full(12, np.inf)
    for person in range(12):
        tried = []
        for a, b in combinations(range(5), 2):
            for u, v in product(grid[a], grid[b]):
                row = factual[person].copy()
                row[a], row[b] = u, v
                tried.append(row)
        cells = np.array(tried)
        scores = problem.score(layout.table(cells))
        there = scores <= goal if problem.target.past.side == "below" else scores >= goal
        if there.any():
            least[person] = np.sqrt(efforts.squared(factual[person], cells[there]).min())
    helped = mine > 0
    assert np.isfinite(least[helped]).all()
    assert mine[helped].mean() <= 1.05 * least[helped].mean()
    wrong = ~problem.target.past.right(problem.outputs)
    assert (problem.target.past.right(result.best_step.outputs) >= (wrong & ~np.isfinite(least))).all() or result.verdict.met


@pytest.mark.parametrize("selection", ["personal", "rowwise", "joint"])
def test_the_wall_of_the_usual_is_crossed_by_nobody(selection):
    problem = case(40, "below")
    free, walled = (
        dc.run(problem, Settings(selection=selection, k=10, iterations=40, usual=usual, seed=2)) for usual in (None, 0.6)
    )
    layout = layout_of(problem, walled.settings)
    likeness = Likeness.of(problem, walled.settings, layout.cells(problem.factual))
    movers = np.flatnonzero((walled.best_step.cells != layout.cells(problem.factual)).any(axis=1))
    assert len(movers)
    assert likeness.allowed(movers, walled.best_step.cells[movers]).all()
    others = np.flatnonzero((free.best_step.cells != layout.cells(problem.factual)).any(axis=1))
    assert not likeness.allowed(others, free.best_step.cells[others]).all()


def test_of_two_changes_that_cost_about_the_same_the_usual_one_is_taken():
    """Nobody has a small a with a large b: to lower a alone is a little cheaper, but then one looks like nobody."""
    schema = Schema((Column("a", "numeric", low=0, high=10), Column("b", "numeric", low=0, high=10)))
    rng = np.random.default_rng(0)
    people = rng.uniform(0, 10, 400)
    table = pd.DataFrame({"a": people, "b": np.clip(people + rng.normal(0, 0.3, 400), 0, 10)})
    rows = pd.DataFrame({"a": [8.0, 8.2, 7.9], "b": [8.0, 8.1, 8.0]})
    search = Search.of(
        Problem(
            rows,
            schema,
            lambda t: (t["a"] + t["b"]) / 20,
            Actionability.free(schema),
            Target.threshold((rows["a"] + rows["b"]) / 20, 0.6, 1.0, "below"),
            Bounds(1, 1, slices=3),
            table,
        ),
        Settings(),
        (),
    )
    layout, problem = search.layout, search.problem
    goals = Goals.of(problem.wish, search.outputs, np.zeros(3, dtype=bool))
    likeness = Likeness.of(problem, Settings(), search.factual)
    attempt = Attempt(
        np.array([0]),
        search.factual[:1],
        problem.outputs[:1],
        search.factual[:1],
        problem.outputs[:1],
        goals,
        Efforts.of(layout),
        lambda cells: problem.score(layout.table(cells)),
        likeness,
    )
    odd, usual = np.array([3.4, 8.0]), np.array([4.6, 4.6])
    attempt.offer(np.zeros(2, dtype=np.int64), np.array([odd, usual]))
    assert attempt.efforts.squared(search.factual[0], odd) < attempt.efforts.squared(search.factual[0], usual)
    assert attempt.cells[0].tolist() == usual.tolist()


def test_a_group_of_one_and_a_table_without_neighbours():
    problem = mixed(1, Target.values([0.9]), Bounds(1, 1))
    assert rest(problem, k=9).history["iteration"].iloc[-1] >= 0
    tiny = Problem(mixed_rows(2), MIXED, Smooth(), Actionability.free(MIXED), Target.values([0.5, 0.6]), Bounds(1, 1, slices=2))
    assert len(rest(tiny).history) < 500
