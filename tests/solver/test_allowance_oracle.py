"""What a budget and rules allow, on thousands of random versions, against plain Python that looks at one person at a time."""

from functools import cache

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discover_core.problem.budget import Budget
from discover_core.problem.column_rules import ColumnRules
from discover_core.problem.settings import Settings
from discover_core.solver.allowance import Allowance
from discover_core.solver.efforts import Efforts
from discover_core.solver.search import layout_of

from .cases import MIXED
from .test_allowance import BUDGETS, RULES, N, problem

BASE = {seed: problem(seed=seed) for seed in range(3)}
LAYOUT = layout_of(BASE[0], Settings())
EFFORTS = Efforts.of(LAYOUT)
FACTUAL = {seed: LAYOUT.cells(asked.factual) for seed, asked in BASE.items()}
RANKS = {seed: Allowance.of(asked, EFFORTS, FACTUAL[seed]).rank for seed, asked in BASE.items()}
read_rules = cache(lambda *rules: ColumnRules.of(rules, MIXED))


def versions(rng, shape):
    """Random cells of every feature, about half of them as they were."""
    levels = [len(column.levels) for column in MIXED.features]
    drawn = [rng.integers(0, count, shape) if count else rng.uniform(0, 60, shape).round(1) for count in levels]
    return np.stack(drawn, axis=-1).astype(np.float64)


def oracle(rules, before, after):
    """The four rules of the tests, read by eye."""
    changed = [a != b for a, b in zip(before, after, strict=True)]

    def holds(cells):
        income, months, _, job, home = cells
        return {
            "Income <= 9": income <= 9 + 1e-9,
            "Months <= 40 + 5 Income": months <= 40 + 5 * income + 1e-6,
            "if Job = a then Home = own": job != 0 or home == 0,
        }

    uses = {"Income <= 9": [0], "Months <= 40 + 5 Income": [0, 1], "if Job = a then Home = own": [3, 4]}
    for rule in rules:
        if rule == "Saving and Home change together":
            if changed[2] != changed[4]:
                return False
            continue
        binds = holds(before)[rule] or any(changed[j] for j in uses[rule])
        if binds and not holds(after)[rule]:
            return False
    return True


@settings(max_examples=15 * settings.default.max_examples, deadline=None)  # 1,500, and 375 in make quick
@given(st.integers(0, 2), st.integers(0, 2**32 - 1), BUDGETS, st.lists(st.sampled_from(RULES), unique=True))
def test_what_is_allowed_is_what_plain_python_says(seed, draw, budget, rules):
    rng = np.random.default_rng(draw)
    factual = FACTUAL[seed]
    allowance = Allowance(budget, read_rules(*rules), EFFORTS, factual, RANKS[seed])
    people = rng.permutation(N)[:4]
    block = np.where(rng.random((3, 4, 5)) < 0.5, factual[people], versions(rng, (3, 4)))
    fewer = allowance.fewer(people, factual[people], block, rng)
    fine = allowance.fine(people, fewer)
    encoded = LAYOUT.encode(factual)
    lengths = np.linalg.norm([LAYOUT.encode(version) - encoded[people] for version in fewer], axis=-1)
    for candidate in range(3):
        for i, person in enumerate(people):
            before, after, length = factual[person], fewer[candidate, i], float(lengths[candidate, i])
            count = int((before != after).sum())
            assert budget.features is None or count <= budget.features
            said = oracle(rules, before, after) and (budget.effort is None or length <= budget.effort * (1 + 1e-9))
            near = budget.effort is not None and abs(length - budget.effort) < 1e-9
            assert near or fine[candidate, i] == said

    # of all together: whoever is chosen and can be afforded keeps the whole within the budget
    cells = factual.copy()
    for _ in range(3):
        rows = allowance.chosen(rng.permutation(N), cells, 5)
        after = np.where(rng.random((len(rows), 5)) < 0.5, factual[rows], versions(rng, (len(rows),)))
        taken = allowance.affordable(cells, rows, after)
        cells[rows[taken]] = after[taken]
        total = np.linalg.norm(LAYOUT.encode(cells) - encoded, axis=1).sum()
        assert budget.people is None or (cells != factual).any(axis=1).sum() <= budget.people
        assert budget.total_effort is None or total <= budget.total_effort * (1 + 1e-8)


def test_a_budget_without_limits_allows_everything():
    factual = FACTUAL[0]
    allowance = Allowance.of(BASE[0], EFFORTS, factual)
    assert allowance.budget == Budget()
    assert not allowance.personal
    assert allowance.room(factual) == N
    assert allowance.left(factual) == np.inf
    assert allowance.chosen(np.arange(N), factual, 5).tolist() == [0, 1, 2, 3, 4]
    assert allowance.affordable(factual, np.arange(3), factual[:3] + 1).all()
