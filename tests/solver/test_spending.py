"""Which limits the verdict names: people who are too few, effort in all that is nearly spent, and none that had no part in it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import discover_core as dc
from discover_core.outcome.outcome import Outcome
from discover_core.problem.actionability import Actionability
from discover_core.problem.bounds import Bounds
from discover_core.problem.budget import Budget
from discover_core.problem.settings import Settings
from discover_core.solver.efforts import Efforts
from discover_core.solver.search import layout_of
from discover_core.solver.spending import Spending

from .cases import MIXED, mixed
from .test_allowance import N, problem

IN_ALL = "More effort in all: the budget allows"


def ways(budget, kind="threshold", **how):
    """What would help a run with this budget, which misses its wish, and what the whole plan took."""
    result = dc.run(problem(kind, budget), Settings(**{"k": 4, "iterations": 60} | how))
    assert not result.verdict.met
    assert Outcome.of_result(result).verdict == result.verdict
    return result.verdict.help, float(result.plan["effort"].sum())


@pytest.mark.parametrize("selection", ["personal", "rowwise", "joint"])
def test_effort_in_all_is_named_only_where_little_of_it_is_left(selection):
    for rest in ({"effort": 0.4}, {"people": 2}, {"untouched": tuple(range(N - 2))}):
        said, spent = ways(Budget(total_effort=40, **rest), selection=selection)
        assert spent < 30
        assert not any(way.startswith(IN_ALL) for way in said)
    for total in (1e-9, 0.4, 1.0):
        said, spent = ways(Budget(total_effort=total), selection=selection)
        assert spent <= total
        assert any(way.startswith(IN_ALL) for way in said)


def test_in_a_run_that_was_cut_off_effort_that_is_left_is_not_to_blame():
    said, spent = ways(Budget(total_effort=40), k=1, iterations=2)
    assert 0 < spent < 10
    assert any(way.startswith("More iterations") for way in said)
    assert not any(way.startswith(IN_ALL) for way in said)


def test_where_nobody_changes_effort_in_all_counts_that_is_less_than_anybody_could_need():
    asked = replace(problem(), model=lambda table: np.full(len(table), 0.6))
    asked = replace(asked, target=dc.Target.threshold(asked.outputs, 0.4, 0.5, "below"))
    farthest = Efforts.of(layout_of(asked, Settings())).farthest(asked.walls)
    for total, named in ((farthest * 1.01, False), (farthest * 0.99, True)):
        result = dc.run(replace(asked, budget=Budget(total_effort=total)), Settings(k=9, iterations=60))
        assert len(result.plan) == 0
        assert any(way.startswith(IN_ALL) for way in result.verdict.help) == named


@given(st.integers(0, 1000), st.sampled_from(["onehot", "label"]))
def test_nobody_can_go_further_than_the_longest_way(seed, encoding):
    rng = np.random.default_rng(seed)
    actions = Actionability.free(MIXED).lock("Home").only_increase("Saving").limit("Months", 12, 24).weight("Job", 3.0)
    asked = mixed(6, actions=actions)
    layout, walls = layout_of(asked, Settings(encoding=encoding)), asked.walls
    efforts, factual = Efforts.of(layout), layout.cells(asked.factual)
    after = factual.copy()
    for i in range(6):
        for j, column in enumerate(walls.columns):
            if column.categorical:
                after[i, j] = rng.choice(np.flatnonzero(walls.levels[column.name][i]))
            elif walls.open[i, j]:
                after[i, j] = rng.choice([walls.low[i, j], walls.high[i, j], rng.uniform(walls.low[i, j], walls.high[i, j])])
    assert np.sqrt(efforts.squared(factual, after)).max() <= efforts.farthest(walls) * (1 + 1e-12)


@pytest.mark.parametrize("selection", ["personal", "rowwise", "joint"])
@pytest.mark.parametrize(("k", "iterations"), [(1, 1), (4, 40)])
def test_too_few_people_are_named_whether_or_not_they_are_used_up(selection, k, iterations):
    said, _ = ways(Budget(people=2), selection=selection, k=k, iterations=iterations)
    assert said[0].startswith(
        "More people: about 5 people have to change for this outcome, but at most 2 may: at best 56% of the group score at or "
        "below 0.4, where 70% are asked; "
    )
    said, _ = ways(Budget(people=6, features=1, effort=0.1), selection=selection, k=k, iterations=iterations)
    assert not any(way.startswith("More people: ") for way in said)


def test_people_who_are_enough_in_number_may_be_used_up():
    said = Spending(6).limits(Budget(people=6), 5, 0)
    assert said == ["More people: the budget of 6 people is used up"]
    assert Spending(5).limits(Budget(people=6), 5, 0) == []


def test_too_many_people_who_must_not_be_touched_are_named_with_what_the_others_reach():
    said, _ = ways(Budget(untouched=tuple(range(N - 1))))
    assert said[0].startswith("Fewer people who must not be touched: about 5 people have to change for this outcome, but at most")
    said, _ = ways(Budget(untouched=(0, 1), effort=0.1))
    assert "Fewer people who must not be touched: 2 people stay as they are." in said


@pytest.mark.parametrize("selection", ["personal", "rowwise", "joint"])
@pytest.mark.parametrize("budget", [Budget(effort=1e-6), Budget(total_effort=1e-9)])
def test_a_budget_that_lets_nobody_change_is_named_although_the_bounds_hold(selection, budget):
    loose = replace(problem(budget=budget), bounds=Bounds(5, 1, slices=4, delta=0.2, band="bootstrap"))
    verdict = dc.run(loose, Settings(selection=selection, k=4, iterations=30)).verdict
    assert verdict.status == ("impossible" if selection == "personal" else "unchanged")
    assert "the budget allows" in verdict.help[0]
    assert verdict.help[0].endswith("26 points are missing.")
    assert "lower U_y" not in verdict.certificate
    assert any("U_y" in way for way in verdict.help) == (selection != "personal")
