"""Random budgets and random rules on random tables, for every selection and strategy, against plain Python."""

import math
from fractions import Fraction
from itertools import product
from random import Random

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
from discover_core.solver.search import layout_of
from discover_core.solver.strategies import STRATEGIES
from discover_core.table.schema import Column, Schema

from ..problem.test_rule_oracle import COMPARE, random_rule, random_schema

PEOPLE, CASES = 8, 84  # people of a group, cases of each selection with each strategy
SINCE = Column("Since day", "numeric", low=18_262, high=19_161, step=1, fill=18_700, date=True)


def random_table(random, schema, count):
    """Raw rows with gaps, dates as text."""
    cells = {}
    for column in schema:
        if column.date:
            values = [str(np.datetime64(random.randint(18_262, 19_161), "D")) for _ in range(count)]
        elif column.categorical:
            values = [random.choice(column.levels) for _ in range(count)]
        else:
            values = [random.randint(-20, 30) / 10 for _ in range(count)]
        cells[column.name] = [values[0], *(None if random.random() < 0.1 else value for value in values[1:])]
    return pd.DataFrame(cells)


def a_rule(random, schema):
    """Its text, and whether it allows the change of a row, given the row before, after, and the names the rule is about."""
    kind = random.random()
    if kind < 0.2:
        names = random.sample(schema.feature_names, 2)
        text = " and ".join('"' + name.replace('"', '""') + '"' for name in names) + " change together"
        return text, lambda old, new, used: len({old[name] != new[name] for name in names}) == 1
    if kind < 0.4:
        sign, day = random.choice(["<=", ">=", "<", ">"]), random.randint(18_300, 19_100)
        text, holds = f'"Since day" {sign} {np.datetime64(day, "D")}', lambda row: COMPARE[sign](row["Since day"], day)
    else:
        text, holds, _ = random_rule(random, Schema(schema.columns[:-1]))
    return text, lambda old, new, used: holds(new) or not (holds(old) or any(old[name] != new[name] for name in used))


def plain_rows(schema, cells):
    """What the cells mean, number for number."""
    return [
        {
            c.name: c.levels[int(x)] if c.categorical else Fraction(repr(round(float(x), 9)))
            for c, x in zip(schema, row, strict=True)
        }
        for row in cells
    ]


def random_case(random, selection, strategy):
    schema = random_schema(random)
    schema = Schema((*schema.columns, SINCE))
    rows, reference = random_table(random, schema, PEOPLE), random_table(random, schema, 30)

    def model(table):
        parts = [
            cells.cat.codes.to_numpy() / len(column.levels)
            if column.categorical
            else (cells.to_numpy() - column.low) / (column.high - column.low)
            for column, cells in ((column, table[column.name]) for column in schema)
        ]
        return np.mean(parts, axis=0)

    scores = model(schema.prepare(rows))
    target = Target.threshold(scores, 0.45, 0.8, "below") if random.random() < 0.6 else Target.shift(scores, by=-0.1)
    directed = [column.name for column in schema if column.directed]
    budget = Budget(
        people=random.choice([None, None, 1, 3, 6]),
        features=random.choice([None, None, 1, 2]),
        effort=random.choice([None, None, 0.5, 1.5]),
        total_effort=random.choice([None, None, 1.0, 4.0]),
        untouched=tuple(random.sample(range(PEOPLE), random.choice([0, 0, 1, 3]))),
        first=random.choice([None, random.choice(directed)]),
    )
    rules = [a_rule(random, schema) for _ in range(random.randint(0, 3))]
    texts = tuple(text for text, _ in rules)
    free = dc.Actionability.free(schema)
    asked = Problem(rows, schema, model, free, target, Bounds(0.5, 0.005, slices=2), reference, budget, texts)
    how = Settings(
        selection=selection,
        strategy=strategy,
        variant=random.choice(["improved", "paper"]),
        k=random.choice([1, 3, 8]),
        h=random.choice([1, 2, 3]),
        candidates=random.choice([3, 8]),
        iterations=3,
        seed=random.randint(0, 999),
    )
    return asked, how, rules


def judge(asked, how, rules):
    """Looks at every iterate of a run, one person after the other; how many people changed."""
    schema, budget, layout = asked.schema, asked.budget, layout_of(asked, how)
    factual = layout.cells(asked.factual)
    before, points = plain_rows(schema, factual), layout.encode(factual).tolist()
    used = [[schema.feature_names[j] for j in asked.column_rules.columns(i)] for i in range(len(rules))]
    changed = []
    for step in dc.solve(asked, how):
        after, moved = plain_rows(schema, step.cells), layout.encode(step.cells).tolist()
        changed = [i for i in range(PEOPLE) if before[i] != after[i]]
        efforts = [math.dist(points[i], moved[i]) for i in changed]
        features = [sum(before[i][name] != after[i][name] for name in before[i]) for i in changed]
        assert budget.people is None or len(changed) <= budget.people
        assert budget.features is None or max(features, default=0) <= budget.features
        assert budget.effort is None or max(efforts, default=0) <= budget.effort * (1 + 1e-8)
        assert budget.total_effort is None or sum(efforts) <= budget.total_effort * (1 + 1e-8)
        assert not set(changed) & set(budget.untouched)
        for (text, allows), names in zip(rules, used, strict=True):
            for i in changed:
                assert allows(before[i], after[i], names), (text, before[i], after[i])
    return len(changed)


@pytest.mark.slow
@pytest.mark.parametrize(("selection", "strategy"), list(product(["personal", "rowwise", "joint"], sorted(STRATEGIES))))
def test_no_iterate_breaks_a_random_budget_or_rule(selection, strategy):
    """84 cases of each of the 12 kinds of search, 1,008 in all, always the same ones.

    Rules that nobody can keep or that contradict each other are refused: a case of its own kind, and less than half.
    """
    refused, moving = 0, 0
    for seed in range(CASES):
        random = Random(f"{selection} {strategy} {seed}")
        try:
            asked, how, rules = random_case(random, selection, strategy)
        except InputError:
            refused += 1
            continue
        moving += judge(asked, how, rules) > 0
    assert refused < CASES / 2
    assert moving > CASES / 4
