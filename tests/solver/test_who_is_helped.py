"""Whom the personal search helps: who misses most, whoever steps in for those who cannot be helped, and who needs least."""

from itertools import pairwise

import numpy as np
import pandas as pd

import discover_core as dc
from discover_core.problem.actionability import Actionability
from discover_core.problem.bounds import Bounds
from discover_core.problem.problem import Problem
from discover_core.problem.settings import Settings
from discover_core.problem.target import Target
from discover_core.solver.efforts import Efforts
from discover_core.solver.search import layout_of
from discover_core.table.schema import Column, Schema

from .cases import mixed, rest


def line(model, actions=None, n=10, share=0.5):
    """People on a line: one number that the model sees as it likes."""
    schema = Schema((Column("x", "numeric", low=0, high=1), Column("u", "numeric", low=0, high=1)))
    rows = pd.DataFrame({"x": np.linspace(0.55, 1, n), "u": np.linspace(0, 1, n)})
    allowed = Actionability.free(schema).lock("u") if actions is None else actions(schema)
    scores = np.asarray(model(rows), dtype=np.float64)
    return Problem(rows, schema, model, allowed, Target.threshold(scores, 0.5, share, "below"), Bounds(1, 1, slices=3))


def test_whoever_cannot_be_helped_makes_room_for_others():
    """The five nearest to the threshold never move, the five others do."""
    problem = line(lambda t: np.where(t["u"] < 0.5, 0.51 + 0.1 * t["u"], np.clip(t["x"], 0.0, 1.0)))
    result = rest(problem, k=2, candidates=2)
    assert result.verdict.met
    assert (result.best_step.outputs <= 0.5).sum() == 5
    assert set(result.plan["row"]) == {5, 6, 7, 8, 9}
    tried = np.concatenate(result.history["selected"].to_list())
    assert sorted(set(tried.tolist())) == list(range(10))


def test_whoever_needs_less_takes_the_place_of_those_who_need_more():
    """The five nearest to the threshold have a long way to it, of the others those with the smallest x a short one."""
    problem = line(lambda t: np.where(t["u"] < 0.5, 0.501 + 0.1 * np.maximum(t["x"] - 0.1, -0.02), 0.4 + (t["x"] > 0.75) / 2))
    result = rest(problem, k=2, candidates=2)
    assert result.verdict.met
    assert set(result.plan["row"]) == {5, 6, 7, 8, 9}
    steps = list(dc.solve(problem, result.settings))
    shares = [problem.wish.reached(step.outputs) for step in steps]
    met = next(t for t, share in enumerate(shares) if share >= 0.5)
    efforts = Efforts.of(layout_of(problem, result.settings))
    totals = [efforts.total(steps[0].cells, step.cells) for step in steps[met:]]
    assert set(shares[met:]) == {0.5}
    assert all(after <= before for before, after in pairwise(totals))
    assert all(step.q <= step.q_before + 1e-15 for step in steps)
    assert totals[-1] < 0.6 * totals[0]


def test_nobody_moves_in_vain_where_a_threshold_is_out_of_reach():
    result = rest(line(lambda t: 0.6 + 0.2 * t["x"]))
    assert len(result.plan) == 0
    assert result.verdict.status == "impossible"
    assert not any("iterations" in way for way in result.verdict.help)


def test_a_number_goes_just_as_far_as_the_goal_needs():
    result = rest(line(lambda t: t["x"]))
    moved = np.flatnonzero(result.best_step.cells[:, 0] != result.problem.factual["x"].to_numpy())
    assert len(moved) == 5
    assert (result.best_step.outputs[moved] > 0.495).all()
    assert (result.best_step.outputs[moved] <= 0.5).all()


def test_people_are_helped_in_the_order_of_what_they_miss():
    problem = mixed(40, Target.threshold(mixed(40).outputs, 0.4, 1.0, "below", 0.02), Bounds(0.5, 0.05))
    steps = list(dc.solve(problem, Settings(k=3, iterations=30)))
    for before, step in pairwise(steps):
        others = np.setdiff1d(np.flatnonzero(before.impact > 0), step.selected)
        untried = [i for i in others if not any(i in s.selected for s in steps[: step.iteration])]
        if untried and step.eta == 1.0:
            assert before.impact[step.selected].min() >= before.impact[untried].max() - 1e-15
