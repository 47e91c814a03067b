"""Budgets and rules are walls: no iterate of any selection or strategy goes beyond them, and whoever comes first is first."""

from itertools import product

import numpy as np
import pandas as pd
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
from discover_core.solver.allowance import Allowance, ranks
from discover_core.solver.efforts import Efforts
from discover_core.solver.search import layout_of
from discover_core.solver.strategies import STRATEGIES
from discover_core.table.schema import Column, Schema

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


def test_whoever_comes_first_is_helped_first():
    asked_for = problem(budget=Budget(people=4, first="Income"))
    result = dc.run(asked_for, Settings(k=2, iterations=60))
    place = ranks(asked_for)
    helped = set(result.plan.index)
    visited = set(np.concatenate(result.history["selected"].to_list()).tolist())
    wrong = np.flatnonzero(~asked_for.target.past.right(asked_for.outputs))
    last = max(place[i] for i in helped)
    assert len(helped) == 4
    assert all(i in visited for i in wrong if place[i] < last), "somebody who comes earlier was passed over"


PLAIN = Schema((Column("x", "numeric", low=0, high=10), Column("z", "numeric", low=0, high=10)))


def first_come(needs, priority, budget, **how):
    """A run in which only `x` counts: everybody has to lower it to 5, from 5 and what they need, those of high priority first.

    Who changed, what each spent, and what each would have had to spend.
    """
    reference = pd.DataFrame({"x": np.linspace(0, 10, 101), "z": np.linspace(0, 10, 101)})
    rows = pd.DataFrame({"x": 5 + np.asarray(needs, dtype=float), "z": 5.0, "prio": priority})

    def model(table):
        return table["x"].to_numpy() / 10

    target = Target.threshold(model(rows), 0.5, 1.0, "below")
    free = dc.Actionability.free(PLAIN)
    asked_for = Problem(rows, PLAIN, model, free, target, Bounds(0.5, 1e-3, slices=4), reference, budget)
    result = dc.run(asked_for, Settings(**{"iterations": 60, "candidates": 30, "h": 1} | how))
    spent = result.plan["effort"].reindex(range(len(rows)), fill_value=0.0).to_numpy()
    return spent > 0, spent, np.asarray(needs) / reference["x"].std(ddof=0)


@pytest.mark.parametrize("k", [1, 3, 8])
@pytest.mark.parametrize("seed", range(8))
def test_nobody_later_is_given_what_somebody_earlier_would_have_needed(seed, k):
    """With effort in all limited, whoever comes first does not lose to others who need less."""
    rng = np.random.default_rng(seed)
    needs, priority = rng.uniform(0.5, 4.9, 8), rng.permutation(8) // 2
    total = rng.uniform(0.3, 0.9) * needs.sum() / 2.9
    helped, spent, least = first_come(needs, priority, Budget(total_effort=total, first="prio"), k=k)
    assert helped.any() or least.min() > total
    for i, j in product(range(8), repeat=2):
        assert not (priority[i] > priority[j] and helped[j] and not helped[i] and least[i] * 1.01 < spent[j]), (i, j)


def test_whoever_comes_first_may_take_nearly_all():
    for k in (1, 8):
        helped, *_ = first_come([4.5] + [1.4] * 7, [9, 1, 2, 3, 4, 5, 6, 7], Budget(total_effort=2.0, first="prio"), k=k)
        assert helped.tolist() == [True] + [False] * 7


@pytest.mark.parametrize("selection", ["personal", "rowwise", "joint"])
@pytest.mark.parametrize("budget", [Budget(people=4, first="prio"), Budget(total_effort=2.5, first="prio")])
@pytest.mark.parametrize("seed", range(3))
def test_of_people_who_are_alike_those_who_come_first_change(selection, budget, seed):
    """In the groups' searches, too, where luck decides what is found: somebody later only after many tries in vain."""
    priority = np.random.default_rng(seed).permutation(20)
    helped, spent, least = first_come([1.5] * 20, priority, budget, selection=selection, k=3, seed=seed)
    assert 1 <= helped.sum() < 20
    assert helped[priority == 19].all()
    enough = helped & (spent >= least)  # of effort in all somebody later may have a rest that would help nobody before
    assert priority[enough].min() > priority[~helped].max()


def test_places_by_a_column():
    asked_for = problem(budget=Budget(first="Saving"))
    place, levels = ranks(asked_for), list(MIXED["Saving"].levels)
    values = [levels.index(value) for value in asked_for.rows["Saving"]]
    assert all((values[i] > values[j]) == (place[i] < place[j]) for i, j in product(range(N), repeat=2))
    rows = asked_for.rows.assign(Priority=[np.nan, *range(N - 1)], Words="x")
    extra = Problem(rows, MIXED, Smooth(), asked_for.actions, asked_for.target, asked_for.bounds, budget=Budget(first="Priority"))
    assert ranks(extra).tolist() == [N - 1, *range(N - 2, -1, -1)]
    for name, words in (("Words", "neither numbers nor an ordered scale"), ("Nothing", "no such column")):
        odd = Problem(rows, MIXED, Smooth(), asked_for.actions, asked_for.target, asked_for.bounds, budget=Budget(first=name))
        with pytest.raises(InputError, match=words):
            ranks(odd)


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
    with pytest.raises(InputError, match="may change"):
        problem(budget=Budget(untouched=tuple(range(N))))


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


def test_who_comes_first_is_read_as_the_schema_reads_it():
    """Codes for missing come last, ranks may be stored as numbers with decimals, dates count as days."""
    rows = mixed_rows(4).assign(
        Waits=[999, 1, 2, 0], Grade=[0.0, np.nan, 2.0, 1.0], Since=["2020-05-01", "2019-01-31", "2021-07-07", "2018-12-24"]
    )
    columns = (
        Column("Waits", "numeric", low=0, high=2, missing_codes=(999,)),
        Column("Grade", "ordinal", levels=(0, 1, 2)),
        Column("Since", "numeric", low=17_000, high=19_000, date=True),
    )
    schema = Schema((*MIXED.columns, *columns))
    target = Target.values([0.5] * 4)
    for name, places in (("Waits", [3, 1, 0, 2]), ("Grade", [2, 3, 0, 1]), ("Since", [1, 2, 0, 3])):
        free = dc.Actionability.free(schema)
        asked_for = Problem(rows, schema, lambda t: np.full(len(t), 0.4), free, target, Bounds(1, 1), budget=Budget(first=name))
        assert ranks(asked_for).tolist() == places, name


def test_a_budget_of_whole_numbers_is_kept_as_what_it_is():
    budget = Budget(people=np.int64(3), effort=2, total_effort=np.float32(1.5))
    assert [type(part) for part in (budget.people, budget.effort, budget.total_effort)] == [int, float, float]
    for odd in ([True], [1.5], [None], [{}], [10**30]):
        with pytest.raises(InputError, match="untouched"):
            Budget(untouched=odd)
    with pytest.raises(InputError, match="people"):
        Budget(people=10**30)
