"""How many people a rule holds back, counted once more one value at a time."""

from dataclasses import replace

import numpy as np
import pytest

import discover_core.solver.held_back as counting
from discover_core.problem.actionability import Actionability
from discover_core.solver.fence import Fence
from discover_core.solver.held_back import held_back
from discover_core.solver.personal.options import Options

from .cases import MIXED, mixed

RULES = (
    "Months <= 10 * Income",
    "Saving >= none",
    "if Job in (a, b) then Home = own",
    "Income and Months change together",
    "if Saving = much then Income >= 9",
)


def one_by_one(problem):
    """For each rule, whom some admissible value of a single feature would make violate it."""
    rules, now = problem.column_rules, problem.walls.factual
    options = Options.of(Fence.of(problem), problem.reference, problem.ranges())
    held = np.zeros((len(now), len(rules)), dtype=bool)
    for person in range(len(now)):
        value, feature, fine = options.of_people(np.array([person]))
        for v, j in zip(value[0][fine[0]], feature[fine[0]], strict=True):
            after = now[person].copy()
            after[j] = v
            held[person] |= rules.violated(now[person], after)
    return tuple(held.sum(axis=0).tolist())


@pytest.mark.parametrize("cells", [1, 50_000, 2_000_000])
@pytest.mark.parametrize("locked", [(), ("Income",), ("Home", "Job", "Saving")])
def test_people_are_held_back_by_what_a_single_change_would_break(monkeypatch, cells, locked):
    monkeypatch.setattr(counting, "CELLS", cells)
    problem = replace(mixed(30, actions=Actionability.free(MIXED).lock(*locked)), rules=RULES)
    got = held_back(problem)
    assert (got.people, got.looked_at) == (one_by_one(problem), 30)
    assert got.people[1] == 0
    assert got.people[3] == 30


def test_of_a_large_group_some_are_looked_at(monkeypatch):
    monkeypatch.setattr(counting, "MOST", 20)
    problem = replace(mixed(60), rules=("Income and Months change together",))
    assert held_back(problem) == held_back(problem) == counting.HeldBack((20,), 20)
    assert held_back(mixed(5)) == counting.HeldBack((), 5)
