"""Budgets and rules are walls: no iterate of any selection or strategy goes beyond them."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discover_core as dc
from discover_core.errors import InputError
from discover_core.problem.bounds import Bounds
from discover_core.problem.budget import Budget
from discover_core.problem.problem import Problem
from discover_core.problem.settings import Settings
from discover_core.problem.target import Target
from discover_core.solver.allowance import Allowance
from discover_core.solver.efforts import Efforts
from discover_core.solver.search import layout_of
from discover_core.solver.strategies import STRATEGIES

from .cases import MIXED, Smooth, mixed_rows

N = 18
RULES = ("Income <= 9", "Months <= 40 + 5 Income", "if Job = a then Home = own", "Saving and Home change together")


def asked(kind, scores):
    return {
        "threshold": lambda: Target.threshold(scores, 0.4, 0.7, "below", 0.01),
        "decision": lambda: Target.decision(scores, 0.5, "below"),
        "shift": lambda: Target.shift(scores, by=-0.1, clip=(0, 1)),
        "beta": lambda: Target.beta(2, 5, n=N, seed=1),
    }[kind]()


def problem(kind="threshold", budget=Budget(), rules=(), seed=0):  # noqa: B008 - it never changes
    rows, model = mixed_rows(N, seed), Smooth()
    target = asked(kind, np.asarray(model(MIXED.prepare(rows)[MIXED.feature_names])))
    free = dc.Actionability.free(MIXED)
    return Problem(rows, MIXED, model, free, target, Bounds(0.5, 0.05, slices=4), mixed_rows(60, 99), budget, rules)


BUDGETS = st.builds(
    Budget,
    people=st.none() | st.integers(1, 8),
    features=st.none() | st.integers(1, 3),
    effort=st.none() | st.floats(0.2, 3),
    total_effort=st.none() | st.floats(0.3, 12),
    untouched=st.lists(st.integers(0, N - 1), max_size=N - 1, unique=True).map(tuple),
    first=st.sampled_from([None, "Income", "Saving"]),
)


def keeps(asked_for: Problem, layout, factual, cells) -> None:
    budget = asked_for.budget
    changed = cells != factual
    lengths = np.linalg.norm(layout.encode(cells) - layout.encode(factual), axis=1)
    people = np.flatnonzero(changed.any(axis=1))
    assert budget.people is None or len(people) <= budget.people
    assert budget.features is None or changed.sum(axis=1).max() <= budget.features
    assert budget.effort is None or lengths.max() <= budget.effort * (1 + 1e-8)
    assert budget.total_effort is None or lengths.sum() <= budget.total_effort * (1 + 1e-8)
    assert not set(people.tolist()) & set(budget.untouched)
    assert asked_for.column_rules.allowed(factual, cells).all()


@settings(deadline=None)
@given(
    st.data(),
    BUDGETS,
    st.sampled_from(["personal", "rowwise", "joint"]),
    st.sampled_from(sorted(STRATEGIES)),
    st.sampled_from(["threshold", "decision", "shift", "beta"]),
    st.sampled_from(["improved", "paper"]),
)
def test_no_iterate_breaks_a_budget_or_a_rule(data, budget, selection, strategy, kind, variant):
    """A hundred longer runs over all selections and strategies, the same ones every time; a thousand short ones with random rules
    are in `test_random_walls`."""
    rules = tuple(data.draw(st.lists(st.sampled_from(RULES), unique=True, max_size=3)))
    asked_for = problem(kind, budget, rules, data.draw(st.integers(0, 5)))
    how = Settings(selection=selection, strategy=strategy, variant=variant, k=5, h=3, candidates=6, iterations=8)
    layout = layout_of(asked_for, how)
    factual = layout.cells(asked_for.factual)
    for step in dc.solve(asked_for, how):
        keeps(asked_for, layout, factual, step.cells)
        assert asked_for.walls.violations(layout.table(step.cells)) == []
        assert step.q <= step.q_before + 1e-12


@pytest.mark.parametrize(("selection", "kind"), list(product(["personal", "rowwise"], ["threshold", "shift"])))
def test_a_budget_is_used(selection, kind):
    """A wall is no reason to do nothing: as far as it goes, people are helped."""
    budget = Budget(people=3, features=2, effort=2.5)
    result = dc.run(problem(kind, budget), Settings(selection=selection, k=6, h=3, candidates=20, iterations=40))
    assert len(result.plan) == 3
    assert result.plan["cells"].max() <= 2
    free = dc.run(problem(kind), Settings(selection=selection, k=6, h=3, candidates=20, iterations=40))
    assert len(free.plan) > 3


def test_a_total_is_spent_on_those_who_need_least():
    free = dc.run(problem(), Settings(k=4, iterations=60))
    total = float(free.plan["effort"].sum())
    half = dc.run(problem(budget=Budget(total_effort=total / 2)), Settings(k=4, iterations=60))
    assert half.plan["effort"].sum() <= total / 2 + 1e-9
    assert 1 <= len(half.plan) < len(free.plan)
    assert half.plan["effort"].mean() <= free.plan["effort"].mean()


def test_versions_lose_the_oldest_changes_first():
    asked_for = problem(budget=Budget(features=2))
    layout = layout_of(asked_for, Settings())
    factual = layout.cells(asked_for.factual)
    allowance = Allowance.of(asked_for, Efforts.of(layout), factual)
    people, now = np.arange(3), factual[:3].copy()
    now[:, [0, 1]] += 1
    block = np.repeat(now[None], 5, axis=0)
    block[:, :, 2] = (factual[:3, 2] + 1) % 4
    fewer = allowance.fewer(people, now, block, np.random.default_rng(0))
    changed = fewer != factual[:3]
    assert (changed.sum(axis=-1) == 2).all()
    assert changed[..., 2].all(), "what is new is kept"


@pytest.mark.parametrize(
    ("given_", "words"),
    [
        ({"people": 0}, "people"),
        ({"features": 1.5}, "features"),
        ({"effort": 0}, "effort"),
        ({"effort": 1e200}, "“effort” must be above 0 and at most 1,000,000,000"),
        ({"total_effort": float("nan")}, "total_effort"),
        ({"total_effort": 1e200}, "“total_effort” must be above 0 and at most"),
        ({"untouched": "abc"}, "list of rows"),
        ({"untouched": 3}, "list of rows"),
        ({"first": 3}, "name of a column"),
    ],
)
def test_a_bad_budget_gets_a_sentence(given_, words):
    with pytest.raises(InputError, match=words):
        Budget(**given_)


@pytest.mark.parametrize("odd", [None, {"people": 3}, 5, "people"])
def test_what_is_no_budget_gets_a_sentence(odd):
    with pytest.raises(InputError, match="must be a Budget"):
        problem(budget=odd)


@pytest.mark.parametrize("odd", [None, 5, "Income <= 9", b"Income <= 9"])
def test_what_is_no_list_of_rules_gets_a_sentence(odd):
    with pytest.raises(InputError, match="list of texts"):
        problem(rules=odd)


def test_an_effort_as_large_as_can_be_limits_nothing():
    free = dc.run(problem(), Settings(k=6, iterations=8))
    far = dc.run(problem(budget=Budget(effort=1e9)), Settings(k=6, iterations=8))
    assert np.array_equal(free.best_step.cells, far.best_step.cells)


def test_an_unknown_row_gets_a_sentence():
    with pytest.raises(InputError, match="99"):
        problem(budget=Budget(untouched=(99,)))


def test_a_budget_that_leaves_nobody_to_change_gets_a_sentence():
    with pytest.raises(InputError, match="All people who could change must not be touched: take at least one of them out"):
        problem(budget=Budget(untouched=tuple(range(N))))
    highest = dc.Actionability.free(MIXED).lock("Income", "Months", "Job", "Home").only_increase("Saving")
    rows = mixed_rows(N).assign(Saving=["some", *["much"] * (N - 1)])
    parts = (rows, MIXED, Smooth(), highest, Target.values([0.5]), Bounds(0.5, 0.5))
    with pytest.raises(InputError, match="All people who could change must not be touched"):
        Problem(*parts, budget=Budget(untouched=(0,)))
    assert Problem(*parts, budget=Budget(untouched=(1,))).walls.open.sum() == 1
    with pytest.raises(InputError, match="No value of these rows may change within the limits"):
        Problem(rows.assign(Saving="much"), *parts[1:], budget=Budget(untouched=(0,)))


def test_rows_that_break_a_rule_are_told_and_may_stay():
    asked_for = problem(rules=("Income <= 5", "Months >= 0"))
    rich, nobody = asked_for.rule_report
    assert (rich.broken, rich.people) == (int((asked_for.rows["Income"] > 5).sum()), N)
    assert nobody.broken == 0
    result = dc.run(asked_for, Settings(k=6, iterations=40))
    after = result.counterfactual["Income"].to_numpy()
    changed = after != asked_for.rows["Income"].to_numpy()
    assert (after[changed] <= 5).all()
    assert (after[~changed] > 5).any()


def test_a_budget_goes_to_a_file_and_back():
    budget = Budget(people=3, effort=1.5, untouched=(1, "b"), first="Income")
    assert Budget.from_dict(budget.to_dict()) == budget
    assert Budget().to_dict() == {}
    assert Budget().empty
    assert not budget.empty


def test_a_budget_of_whole_numbers_is_kept_as_what_it_is():
    budget = Budget(people=np.int64(3), effort=2, total_effort=np.float32(1.5))
    assert [type(part) for part in (budget.people, budget.effort, budget.total_effort)] == [int, float, float]
    for odd in ([True], [1.5], [None], [{}], [10**30]):
        with pytest.raises(InputError, match="untouched"):
            Budget(untouched=odd)
    with pytest.raises(InputError, match="people"):
        Budget(people=10**30)
