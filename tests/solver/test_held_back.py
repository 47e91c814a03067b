"""How many people a rule holds back, counted once more with every value that a single feature may take."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import discover_core.solver.held_back as counting
from discover_core.errors import InputError
from discover_core.problem.actionability import Actionability
from discover_core.problem.bounds import Bounds
from discover_core.problem.problem import Problem
from discover_core.problem.target import Target
from discover_core.solver.held_back import held_back
from discover_core.table.schema import Column, Schema

from ..problem.test_rule_oracle import random_schema
from .cases import MIXED, mixed
from .test_random_walls import SINCE, a_rule, random_table

RULES = (
    "Months <= 10 * Income",
    "Saving >= none",
    "if Job in (a, b) then Home = own",
    "Income and Months change together",
    "if Saving = much then Income >= 9",
    "0.6 * Months != Months",
    "Months != 31",
)


def every_value(walls, person, j):
    """All that a feature of a person may become; of one without a grid very many."""
    column, low, high = walls.columns[j], walls.low[person, j], walls.high[person, j]
    if column.categorical:
        return np.flatnonzero(walls.levels[column.name][person]).astype(float)
    if np.isnan(walls.step[j]):
        return np.linspace(low, high, 10_001)
    points = np.round(walls.anchor[j] + np.arange(-1000, 1000) * walls.step[j], 9)
    return np.concatenate([[low, high], points[(points >= low) & (points <= high)]])


def one_by_one(problem):
    """For each rule, whom some admissible value of a single feature would make violate it."""
    rules, walls = problem.column_rules, problem.walls
    held = np.zeros((len(walls.factual), len(rules)), dtype=bool)
    for person, now in enumerate(walls.factual):
        for j in np.flatnonzero(walls.open[person]):
            values = every_value(walls, person, j)
            after = np.repeat(now[None], len(values), axis=0)
            after[:, j] = values
            held[person] |= rules.violated(now[None], after).any(axis=0)
    return tuple(held.sum(axis=0).tolist())


@pytest.mark.parametrize("cells", [1, 5_000, 2_000_000])
@pytest.mark.parametrize("locked", [(), ("Income",), ("Home", "Job", "Saving")])
def test_people_are_held_back_by_what_a_single_change_would_break(monkeypatch, cells, locked):
    monkeypatch.setattr(counting, "CELLS", cells)
    problem = replace(mixed(30, actions=Actionability.free(MIXED).lock(*locked)), rules=RULES)
    got = held_back(problem)
    assert (got.people, got.looked_at) == (one_by_one(problem), 30)
    assert got.people[1] == 0
    assert got.people[3] == 30
    assert got.people[5] >= 29  # all who are not at 0 themselves


@given(st.randoms(use_true_random=False))
def test_no_value_on_a_grid_is_passed_over(random):
    schema = random_schema(random)
    schema = Schema((*schema.columns, SINCE))
    rows = random_table(random, schema, 8)
    rules = tuple(a_rule(random, schema)[0] for _ in range(4))
    actions = Actionability.free(schema)
    for column in schema:
        if column.directed and random.random() < 0.4:
            actions = random.choice([actions.only_increase, actions.only_decrease])(column.name)
        if column.role == "numeric" and not column.date and random.random() < 0.4:
            actions = actions.limit(column.name, -1.05, 2.5).step(column.name, random.choice([0.1, 0.25, 0.7]))
    for rule in rules:
        try:
            asked = Problem(rows, schema, lambda t: np.zeros(len(t)), actions, Target.values([0.0]), Bounds(1, 1), rules=(rule,))
        except InputError:
            continue
        assert held_back(asked).people == one_by_one(asked), rule


@pytest.mark.parametrize(
    ("rule", "held"),
    [
        ("x != 7.123456", 4),
        ("3 * x != y", 3),  # not who is there already, and may not touch y
        ("x <= 10", 0),
        ("x < 10", 4),
        ("if x > 7.0001 and x < 7.0002 then job = a", 2),
        ("if x > 2 and x < 8 then job = a", 2),
        ("if x = 3 then job = b", 2),
        ("x = 5", 4),
    ],
)
def test_of_numbers_without_a_grid_no_part_of_the_range_is_too_narrow(rule, held):
    schema = Schema(
        (
            Column("x", "numeric", low=0, high=10),
            Column("y", "numeric", low=0, high=10),
            Column("job", "nominal", levels=("a", "b")),
        )
    )
    rows = pd.DataFrame({"x": [5.0, 5.0, 1.0, 2.0], "y": [0.0, 9.0, 3.0, 1.0], "job": ["a", "b", "a", "b"]})
    actions = Actionability.free(schema).lock("y", "job")
    asked = Problem(rows, schema, lambda t: np.zeros(len(t)), actions, Target.values([0.0]), Bounds(1, 1), rules=(rule,))
    assert held_back(asked).people == (held,)


def test_of_a_large_group_some_are_looked_at(monkeypatch):
    monkeypatch.setattr(counting, "MOST", 20)
    problem = replace(mixed(60), rules=("Income and Months change together",))
    assert held_back(problem) == held_back(problem) == counting.HeldBack((20,), 20)
    assert held_back(mixed(5)) == counting.HeldBack((), 5)
