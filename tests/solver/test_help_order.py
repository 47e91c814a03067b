"""Who comes first: by which column, and that nobody else takes their turn."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

import discover_core as dc
from discover_core.errors import InputError
from discover_core.problem.bounds import Bounds
from discover_core.problem.budget import Budget
from discover_core.problem.problem import Problem
from discover_core.problem.settings import Settings
from discover_core.problem.target import Target
from discover_core.table.schema import Column, Schema

from .cases import MIXED, Smooth, mixed_rows
from .test_allowance import N, problem

PLAIN = Schema((Column("x", "numeric", low=0, high=10), Column("z", "numeric", low=0, high=10)))


def waiting_line(needs, priority, budget, hopeless=False, **how):
    """A run in which only `x` counts: everybody has to lower it to 5, from 5 and what they need, those of high priority first;
    and what each would have to spend. Nobody can help the `hopeless`."""
    reference = pd.DataFrame({"x": np.linspace(0, 10, 101), "z": np.linspace(0, 10, 101)})
    rows = pd.DataFrame({"x": 5 + np.asarray(needs, dtype=float), "z": np.where(hopeless, 9.0, 5.0), "prio": priority})

    def model(table):
        return np.where(table["z"] > 8, 0.9, table["x"] / 10)

    target = Target.threshold(model(rows), 0.5, 1.0, "below")
    free = dc.Actionability.free(PLAIN)
    asked_for = Problem(rows, PLAIN, model, free, target, Bounds(0.5, 1e-3, slices=4), reference, budget)
    result = dc.run(asked_for, Settings(**{"iterations": 60, "candidates": 30, "h": 1} | how))
    return result, np.where(hopeless, np.inf, np.asarray(needs) / reference["x"].std(ddof=0))


def first_come(needs, priority, budget, **how):
    """Who changed in such a run, what each spent, and what each would have had to spend."""
    result, least = waiting_line(needs, priority, budget, **how)
    spent = result.plan["effort"].reindex(range(len(least)), fill_value=0.0).to_numpy()
    return spent > 0, spent, least


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


@pytest.mark.parametrize("k", [1, 7, 50])
@pytest.mark.parametrize("seed", range(6))
def test_whoever_cannot_be_helped_keeps_nobody_waiting_and_loses_no_turn(seed, k):
    """Two visits for each, many at a time, and nobody of later rank takes what somebody of earlier rank could still use."""
    rng, n = np.random.default_rng(seed), 60
    needs, priority, hopeless = rng.uniform(0.5, 4.9, n), rng.permutation(n), rng.random(n) < rng.uniform(0.3, 0.9)
    total = rng.uniform(0.1, 1.1) * needs[~hopeless].sum() / 2.9
    budget = Budget(total_effort=total, first="prio")
    result, least = waiting_line(needs, priority, budget, hopeless, k=k, candidates=4, iterations=500)
    rounds = result.history["selected"].to_list()[1:]
    assert len(rounds) <= 2 * np.ceil(n / k) + 1
    assert len(set(np.concatenate(rounds).tolist())) == n
    spent = result.plan["effort"].reindex(range(n), fill_value=0.0).to_numpy()
    in_turn = np.argsort(-priority)
    left = total - np.cumsum(spent[in_turn])
    assert (spent[in_turn] > 0).any() or least.min() > total
    assert (least[in_turn] * 1.01 > left)[spent[in_turn] == 0].all()


@pytest.mark.parametrize("k", [1, 3, 8])
def test_nobody_has_a_first_visit_while_all_who_wait_for_the_second_come_before(k):
    asked_for = problem(budget=Budget(effort=0.6, total_effort=4.0, first="Income"))
    waiting, visits = set(), 0
    for step in dc.solve(asked_for, Settings(k=k, h=1, candidates=4, iterations=40)):
        visited = set(step.selected.tolist())
        last = max((asked_for.places[i] for i in waiting), default=N)
        assert all(asked_for.places[i] <= last for i in visited - waiting)
        waiting = (waiting ^ visited) - (set() if step.edit is None else set(step.edit.rows.tolist()))
        visits += len(visited)
    assert visits > N / 2
    assert not waiting


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


def test_whoever_comes_first_is_helped_first():
    asked_for = problem(budget=Budget(people=4, first="Income"))
    result = dc.run(asked_for, Settings(k=2, iterations=60))
    place = asked_for.places
    helped = set(result.plan.index)
    visited = set(np.concatenate(result.history["selected"].to_list()).tolist())
    wrong = np.flatnonzero(~asked_for.target.past.right(asked_for.outputs))
    last = max(place[i] for i in helped)
    assert len(helped) == 4
    assert all(i in visited for i in wrong if place[i] < last), "somebody who comes earlier was passed over"


def test_places_by_a_column():
    asked_for = problem(budget=Budget(first="Saving"))
    place, levels = asked_for.places, list(MIXED["Saving"].levels)
    values = [levels.index(value) for value in asked_for.rows["Saving"]]
    assert all((values[i] > values[j]) == (place[i] < place[j]) for i, j in product(range(N), repeat=2))
    rows = asked_for.rows.assign(Priority=[np.nan, *range(N - 1)], Words="x")
    extra = Problem(rows, MIXED, Smooth(), asked_for.actions, asked_for.target, asked_for.bounds, budget=Budget(first="Priority"))
    assert extra.places.tolist() == [N - 1, *range(N - 2, -1, -1)]
    for name, words in (("Words", "neither numbers nor an ordered scale"), ("Job", "neither"), ("Nothing", "no such column")):
        with pytest.raises(InputError, match=words):
            Problem(rows, MIXED, Smooth(), asked_for.actions, asked_for.target, asked_for.bounds, budget=Budget(first=name))


@pytest.mark.parametrize("name", ["Saving", "Priority", "Note"])
def test_where_nobody_has_a_value_nobody_comes_first(name):
    asked_for = problem()
    rows = asked_for.rows.assign(Priority=np.nan, Note=None).assign(**{name: None})
    parts = (Smooth(), asked_for.actions, asked_for.target, asked_for.bounds, mixed_rows(60, 99))
    assert set(Problem(rows, MIXED, *parts, Budget(first=name)).places.tolist()) == {0}


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
        assert asked_for.places.tolist() == places, name
