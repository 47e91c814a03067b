"""Features that change together: tried together, taken together, taken back together."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

import discover_core as dc
from discover_core.problem.actionability import Actionability
from discover_core.problem.bounds import Bounds
from discover_core.problem.budget import Budget
from discover_core.problem.column_rules import ColumnRules
from discover_core.problem.problem import Problem
from discover_core.problem.settings import Settings
from discover_core.problem.target import Target
from discover_core.solver.personal.levers import Levers
from discover_core.table.schema import Column, Schema

N = 40
LOCK = Schema(
    (
        Column("Key", "numeric", low=0, high=11, step=1),
        Column("Hole", "nominal", levels=tuple("abcdefgh")),
        Column("Door", "numeric", low=0, high=100),
        Column("Wall", "ordinal", levels=("low", "middle", "high")),
        Column("Bolt", "nominal", levels=("open", "shut")),
    )
)
TIED = "Key and Hole change together"


def only_together(table):
    """Key and Hole help only if both are right, and hurt alone; Door and Wall are of no use, Bolt helps a little."""
    right = (table["Key"].to_numpy() >= 7).astype(int) + (table["Hole"].to_numpy() == "e")
    return np.array([0.6, 0.7, 0.2])[right] + 0.05 * (table["Bolt"].to_numpy() == "shut")


def asked(model=only_together, rules=(TIED,), budget=Budget(), actions=None):  # noqa: B008 - it never changes
    rng = np.random.default_rng(0)

    def rows(n):
        parts = {"Key": rng.integers(0, 6, n), "Hole": rng.choice(list("abcd"), n), "Door": rng.uniform(0, 100, n)}
        return pd.DataFrame({**parts, "Wall": rng.choice(["low", "middle"], n), "Bolt": "shut"})

    table, free = rows(N), actions or Actionability.free(LOCK)
    target = Target.threshold(np.asarray(model(LOCK.prepare(table)[LOCK.feature_names])), 0.5, 1.0, "below")
    return Problem(table, LOCK, model, free, target, Bounds(0.9, 0.9, slices=4), rows(100), budget, rules)


def solved(problem, **more):
    return dc.run(problem, Settings(**{"k": N, "h": 3, "candidates": 1, "iterations": 6, **more}))


@pytest.mark.parametrize("h", [2, 4])
def test_a_pair_that_is_the_only_way_is_found_and_nothing_else_changes(h):
    result = solved(asked(), h=h)
    before, after = result.problem.factual, result.best
    assert (np.asarray(only_together(after)) < 0.5).all()
    assert (after["Key"] == 7).all()
    assert (after["Hole"] == "e").all()
    for name in ("Door", "Wall", "Bolt"):
        assert (after[name].to_numpy() == before[name].to_numpy()).all()


def test_a_lever_with_too_many_parts_or_a_locked_one_is_left_alone():
    for problem, how in (
        (asked(), {"h": 1}),
        (asked(budget=Budget(features=1)), {}),
        (asked(actions=Actionability.free(LOCK).lock("Hole")), {}),
    ):
        result = solved(problem, **how)
        assert len(result.plan) == 0


def with_another(table):
    """The pair is not enough: the bolt must open, too."""
    right = (table["Key"].to_numpy() >= 7) & (table["Hole"].to_numpy() == "e")
    return 0.9 - 0.3 * right - 0.3 * (table["Bolt"].to_numpy() == "open")


def test_a_lever_goes_with_other_features():
    result = solved(asked(with_another))
    assert (np.asarray(with_another(result.best)) < 0.5).all()
    assert len(solved(asked(with_another), h=2).plan) == 0


def two_levers(table):
    """Both pairs are needed."""
    first = (table["Key"].to_numpy() >= 7) & (table["Hole"].to_numpy() == "e")
    second = (table["Wall"].to_numpy() == "high") & (table["Bolt"].to_numpy() == "open")
    return 0.9 - 0.3 * first - 0.3 * second


def test_two_levers_at_once():
    result = solved(asked(two_levers, (TIED, "Wall and Bolt change together")), h=4)
    assert (np.asarray(two_levers(result.best)) < 0.5).all()


def test_three_parts_and_what_is_needless_goes_back():
    rules = (TIED, "Hole and Wall change together")
    assert Levers.of(ColumnRules.of(rules, LOCK)).sets == ((0, 1, 3),)
    result = solved(asked(rules=rules), h=4)
    assert (np.asarray(only_together(result.best)) < 0.5).all()
    changed = (result.best != result.problem.factual).to_numpy()
    assert (changed == [True, True, False, True, False]).all()
    assert (result.best["Key"] == 7).all()


def test_rules_make_levers_only_where_they_say_so():
    rules = ColumnRules.of(("Key <= 9", "if Bolt = shut then Door <= 90", "Door and Bolt change together", TIED), LOCK)
    assert Levers.of(rules).sets == ((2, 4), (0, 1))
    assert Levers.of(ColumnRules()).sets == ()


@pytest.mark.parametrize(("kind", "h"), list(product(["threshold", "shift"], [2, 3])))
def test_without_such_rules_nothing_is_different(kind, h, monkeypatch):
    """Rules of other kinds and none: levers are never even looked at."""

    def never(*_):
        raise AssertionError

    monkeypatch.setattr("discover_core.solver.personal.levers._pulled", never)
    for rules in ((), ("Key <= 9",)):
        problem = asked(rules=rules)
        if kind == "shift":
            target = Target.shift(problem.outputs, by=-0.1, clip=(0, 1))
            problem = Problem(problem.rows, LOCK, only_together, problem.actions, target, problem.bounds, problem.reference)
        solved(problem, h=h)
    with pytest.raises(AssertionError):
        solved(asked(), h=h)
