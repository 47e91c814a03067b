"""The trade-off: the plan cut off after so many people, and the verdict on a budget that was not enough."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import discover_core as dc
from discover_core.outcome.outcome import Outcome
from discover_core.problem.budget import Budget
from discover_core.problem.settings import Settings
from discover_core.solver.place import Edit
from discover_core.solver.search import layout_of
from discover_core.solver.tradeoff import HelpedOrder, in_turn, tradeoff
from discover_core.transport.metrics import output_distance

from .test_allowance import problem


@pytest.mark.parametrize("kind", ["threshold", "shift"])
@pytest.mark.parametrize("selection", ["personal", "rowwise"])
def test_every_line_is_the_plan_of_its_first_people(kind, selection):
    asked = problem(kind)
    result = dc.run(asked, Settings(selection=selection, k=4, candidates=10, iterations=30))
    layout, found = layout_of(asked, result.settings), result.tradeoff
    factual = layout.cells(asked.factual)
    assert list(found.columns) == ["people", "effort", "ot_y", "share"]
    assert found["people"].tolist() == list(range(len(result.plan) + 1))
    assert sorted(result.order.tolist()) == sorted(result.plan.index.tolist())
    assert found["effort"].iloc[-1] == pytest.approx(result.plan["effort"].sum())
    for line in found.itertuples():
        cells, outputs = factual.copy(), asked.outputs.copy()
        first = result.order[: line.people]
        cells[first], outputs[first] = result.best_step.cells[first], asked.score(layout.table(result.best_step.cells[first]))
        wanted = outputs if kind == "shift" else np.maximum(np.sort(outputs), asked.target.rank_moments(len(outputs))[0])
        assert line.ot_y == pytest.approx(output_distance(asked.target, wanted), abs=1e-9)
        past = asked.target.past
        assert np.isnan(line.share) if past is None else line.share == pytest.approx(past.reached(outputs))
        assert line.effort == pytest.approx(np.linalg.norm(layout.encode(cells) - layout.encode(factual), axis=1).sum())


def test_whoever_goes_beyond_a_threshold_takes_the_group_no_further_from_it():
    asked = problem()
    result = dc.run(asked, Settings(k=2, iterations=30))
    assert result.tradeoff["ot_y"].is_monotonic_decreasing
    both_ways = dc.run(replace(asked, bounds=replace(asked.bounds, beyond=False)), Settings(k=2, iterations=30))
    assert both_ways.tradeoff["ot_y"].iloc[-1] > result.tradeoff["ot_y"].iloc[-1]


def test_for_a_threshold_who_needs_least_comes_first():
    result = dc.run(problem(), Settings(k=2, iterations=30))
    assert result.tradeoff["effort"].diff().dropna().is_monotonic_increasing
    assert result.plan["effort"][result.order].is_monotonic_increasing


def test_who_does_not_get_past_the_threshold_comes_last():
    """The other searches leave some halfway, or move who was there: they bring nothing to the share, however little they need."""
    before, after = np.array([0.9, 0.9, 0.9, 0.1, 0.9]), np.array([0.4, 0.7, 0.3, 0.2, 0.5])
    effort, helped = np.array([3.0, 0.1, 1.0, 0.2, 2.0]), np.arange(5)
    target = dc.Target.threshold(before, 0.5, 1.0, "below")
    order = in_turn(target, helped, effort, (before, after))
    assert order.tolist() == [2, 4, 0, 1, 3]
    share = tradeoff(target, before, after, effort, order)["share"]
    assert share.tolist() == [0.2, 0.4, 0.6, 0.8, 0.8, 0.8]
    assert in_turn(target, helped, effort, (before, after), np.array([1, 0, 1, 0, 0])).tolist() == [1, 3, 4, 0, 2]
    result = dc.run(problem(), Settings(selection="rowwise", k=4, candidates=10, iterations=10))
    gain = result.tradeoff["share"].diff().dropna()
    assert gain.is_monotonic_decreasing


@pytest.mark.parametrize("kind", ["threshold", "shift"])
@pytest.mark.parametrize("selection", ["personal", "rowwise", "joint"])
@pytest.mark.parametrize("budget", [Budget(first="Saving"), Budget(total_effort=6, first="Income")])
def test_a_smaller_plan_never_passes_over_people_who_come_first(kind, selection, budget):
    for seed in range(3):
        asked = problem(kind, budget, seed=seed)
        result = dc.run(asked, Settings(selection=selection, k=4, candidates=15, iterations=60, seed=seed))
        turns = asked.places[result.order]
        assert (np.diff(turns) >= 0).all()
        assert sorted(result.order.tolist()) == sorted(result.plan.index.tolist())
        assert Outcome.of_result(result).order.tolist() == result.order.tolist()


@pytest.mark.parametrize(("kind", "budget"), [("shift", Budget()), ("threshold", Budget(first="Income"))])
def test_people_come_in_the_order_in_which_they_were_helped(kind, budget):
    asked = problem(kind, budget)
    result = dc.run(asked, Settings(k=2, iterations=30))
    since = {}
    factual = None
    for step in dc.solve(asked, Settings(k=2, iterations=30)):
        factual = step.cells if factual is None else factual
        changed = np.flatnonzero((step.cells != factual).any(axis=1))
        since = {i: since.get(i, step.iteration) for i in changed.tolist()}
        if step.iteration == result.best_step.iteration:
            break
    assert [since[i] for i in result.order.tolist()] == sorted(since.values())


def test_whoever_goes_back_loses_their_place():
    factual = np.zeros((4, 2))
    order = HelpedOrder(factual)

    def edit(rows, value):
        order.add(Edit(np.array(rows), np.full((len(rows), 2), float(value)), np.zeros((len(rows), 1)), np.zeros(len(rows))))

    edit([2, 0], 1)
    edit([3], 1)
    order.add(None)
    edit([2], 0)
    edit([0, 2], 5)
    assert order.people().tolist() == [0, 3, 2]


def test_of_very_many_people_evenly_spread_ones_are_told():
    n = 30_000
    scores = np.linspace(0.5, 1, n)
    target = dc.Target.threshold(scores, 0.4, 0.9, "below")
    found = tradeoff(target, scores, np.full(n, 0.3), np.ones(n), np.arange(n))
    assert len(found) <= 501
    assert found["people"].iloc[0] == 0
    assert found["people"].iloc[-1] == n
    assert found["share"].is_monotonic_increasing
    assert (found["effort"] == found["people"]).all()


def test_a_budget_that_is_not_enough_says_by_how_much():
    result = dc.run(problem(budget=Budget(people=2)), Settings(k=4, iterations=60))
    verdict = result.verdict
    assert not verdict.met
    missing = round(100 * (verdict.asked - verdict.reached))
    first = verdict.help[0]
    assert first.startswith("More people: about 5 people have to change for this outcome, but at most 2 may: at best 56% of")
    assert f"{missing} points are missing" in first
    shape = dc.run(problem("shift", Budget(features=1, effort=0.3)), Settings(k=4, iterations=60)).verdict
    assert any("More effort per person: the budget allows 0.3 each" in way for way in shape.help)
    assert any("More features per person: the budget allows 1 each" in way for way in shape.help)


def test_a_run_that_helps_nobody_has_one_line():
    found = dc.run(problem(budget=Budget(effort=1e-6)), Settings(k=4, iterations=5)).tradeoff
    assert isinstance(found, pd.DataFrame)
    assert found["people"].tolist() == [0]
    assert found["effort"].tolist() == [0.0]
