"""The walls hold for every cell of thousands of random schemas."""

import numpy as np
import pandas as pd
import pytest

from discover_core.errors import InputError
from discover_core.problem.actionability import Actionability, Allowed
from discover_core.table.schema import MISSING, Column, Schema

from .test_problem import FREE, SCHEMA, problem


def test_directions_count_from_the_person_and_limits_bind_only_changes():
    walls = problem(actions=FREE.limit("Duration", 6, 48).step("Duration", 6).only_decrease("Duration").lock("Rate")).walls
    assert walls.low[:, 0].tolist() == [6, 6, 6]
    assert walls.high[:, 0].tolist() == [12, 48, 6]
    assert walls.project("Duration", [0, 1, 1, 2, 2], [40, 70, 60, 99, 6.4]).tolist() == [12, 80, 48, 7, 6]
    assert walls.project("Rate", np.arange(3), 0.4).tolist() == [0.1, 0.5, 0.9]
    assert walls.project("Duration", np.arange(3), np.zeros((2, 3))).shape == (2, 3)
    assert walls.open.tolist() == [[True, False, True, True]] * 3
    assert walls.violations(problem().factual) == []
    moved = problem().factual.assign(Duration=[13, 80, 5])
    assert walls.violations(moved) == ["Row 1: “Duration” may not become 13.", "Row 3: “Duration” may not become 5."]


def test_whole_numbers_stay_whole_under_a_fractional_limit():
    walls = problem(actions=FREE.limit("Duration", 6.5, 48.5).step("Duration", 2)).walls
    assert (walls.low[0, 0], walls.high[0, 0]) == (7, 47)
    assert walls.project("Duration", 0, [0, 9.9, 99]).tolist() == [7, 9, 47]


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.29), (0.07, 0.07), (0.07, 1.9)])
def test_rounding_does_not_lose_the_ends_of_a_decimal_grid(low, high):
    schema = Schema((Column("x", "numeric", low=0, high=2, step=0.01),))
    rows = pd.DataFrame({"x": [0.5, 0.7]})
    walls = problem(rows, schema, lambda t: t["x"], Actionability.free(schema).limit("x", low, high)).walls
    assert walls.low[:, 0].tolist() == [low, low]
    assert walls.high[:, 0].tolist() == [high, high]


def test_categories_by_row():
    walls = problem(actions=FREE.only_increase("Saving").admit("Housing", ["own"])).walls
    assert walls.levels["Saving"].astype(int).tolist() == [[1, 1, 1], [0, 1, 1], [0, 0, 1]]
    assert walls.levels["Housing"].astype(int).tolist() == [[1, 0, 0], [1, 1, 0], [1, 0, 1]]
    assert walls.open[:, 2].tolist() == [True, True, False]
    poorer = problem().factual.assign(Saving=pd.Categorical(["little"] * 3, SCHEMA["Saving"].levels, ordered=True))
    assert [said.split(":")[0] for said in walls.violations(poorer)] == ["Row 2", "Row 3"]


ACCOUNT = Column("Account", "nominal", levels=("none", "low", "some", "much", MISSING), order=("low", "some", "much"))


def account_walls(mode, levels=()):
    """By person, in the order of the levels: what somebody at each of them may have."""
    schema = Schema((ACCOUNT,))
    rows = pd.DataFrame({"Account": ["none", "low", "some", "much", None]})
    actions = Actionability(schema, (Allowed("Account", mode, levels=levels),))
    made = problem(rows, schema.replace("Account", fill=MISSING), lambda t: np.zeros(len(t)), actions)
    return made.walls.levels["Account"].astype(int).tolist()


def test_a_partial_order_goes_one_way_and_leaves_those_outside_it_alone():
    outside = [[1, 0, 0, 0, 0], [0, 0, 0, 0, 1]]
    assert account_walls("increase") == [outside[0], [0, 1, 1, 1, 0], [0, 0, 1, 1, 0], [0, 0, 0, 1, 0], outside[1]]
    assert account_walls("decrease") == [outside[0], [0, 1, 0, 0, 0], [0, 1, 1, 0, 0], [0, 1, 1, 1, 0], outside[1]]
    assert account_walls("increase", ("none", "much"))[1:3] == [[0, 1, 0, 1, 0], [0, 0, 1, 1, 0]]


def test_to_be_missing_is_never_a_new_value():
    assert account_walls("free") == [[1, 1, 1, 1, 0]] * 4 + [[1, 1, 1, 1, 1]]
    assert account_walls("free", ("much", MISSING))[:2] == [[1, 0, 0, 1, 0], [0, 1, 0, 1, 0]]
    ordinal = Schema((Column("x", "ordinal", levels=(MISSING, "a", "b")),))
    walls = problem(
        pd.DataFrame({"x": ["a", "b", MISSING]}), ordinal, lambda t: np.zeros(len(t)), Actionability.free(ordinal)
    ).walls
    assert walls.levels["x"].astype(int).tolist() == [[0, 1, 1], [0, 1, 1], [1, 1, 1]]


def random_problem(rng):
    """Two to four columns of any role, each with any rule that makes sense for it, and a few rows inside or outside."""
    columns, rules, cells, n = [], [], {}, int(rng.integers(1, 6))
    for j in range(int(rng.integers(2, 5))):
        name, mode = f"c{j}", str(rng.choice(["free", "locked", "increase", "decrease"], p=[0.4, 0.1, 0.25, 0.25]))
        role = str(rng.choice(["numeric", "ordinal", "nominal"], p=[0.6, 0.2, 0.2]))
        if role == "numeric":
            step = [None, 1, 2, 0.1, 0.25, 1 / 3][rng.integers(6)]
            low = float(rng.integers(-5, 5))
            usual = None if rng.random() < 0.5 else (low + float(rng.integers(0, 4)), low + 5 + float(rng.integers(0, 9)))
            columns.append(Column(name, role, low=low, high=low + 10, step=step, usual=usual))
            limits = np.sort(rng.integers(-40, 80, 2) / (4 if step is None or step < 1 else 1))
            finer = None if rng.random() < 0.6 else float(rng.choice([1, 3, 5] if columns[-1].integer else [0.5, 0.3, 2]))
            bounded = rng.random() < 0.6
            rules.append(Allowed(name, mode, *(map(float, limits) if bounded else (None, None)), finer))
            cells[name] = (
                rng.integers(-15, 25, n) if columns[-1].integer else np.round(rng.uniform(-15, 25, n), int(rng.integers(3)))
            )
        else:
            levels = ("a", "b", "c", MISSING)[: rng.integers(1, 5)]
            places = rng.permutation(len(levels))[: rng.integers(0, len(levels) + 1)]
            columns.append(Column(name, role, levels=levels, order=tuple(levels[i] for i in places) if role == "nominal" else ()))
            admitted = tuple(rng.permutation(levels)[: rng.integers(0, len(levels) + 1)].tolist())
            rules.append(Allowed(name, mode if columns[-1].directed or mode == "locked" else "free", levels=admitted))
            cells[name] = rng.choice(levels, n)
    schema = Schema(tuple(columns))
    return problem(pd.DataFrame(cells), schema, lambda t: np.zeros(len(t)), Actionability(schema, tuple(rules)))


def may(rule, ranges, column, now, value):
    """The rules once more, one cell at a time, in plain Python."""
    if value == now:
        return True
    if rule.mode == "locked":
        return False
    if column.categorical:
        order = column.order if column.role == "nominal" else column.levels
        up = order.index(value) - order.index(now) if value in order and now in order else 0
        fits = value != MISSING and (not rule.levels or value in rule.levels)
    else:
        up = value - now
        low, high = ranges[column.name]
        fits = low <= value <= high
        step = column.step if rule.step is None else rule.step
        if step is not None:
            anchor = column.low if rule.step is None or rule.low is None else rule.low
            fits = fits and abs((value - anchor) / step - round((value - anchor) / step)) < 1e-6
        fits = fits and (not column.integer or float(value).is_integer())
    return fits and (rule.mode != "increase" or up > 0) and (rule.mode != "decrease" or up < 0)


@pytest.mark.parametrize("block", [0, *(pytest.param(block, marks=pytest.mark.slow) for block in (1, 2, 3))])
def test_walls_hold_in_random_schemas(block):
    tried = 0
    for seed in range(block * 500, block * 500 + 500):
        rng = np.random.default_rng(seed)
        try:
            made = random_problem(rng)
        except InputError:  # everything locked, or nothing can change
            continue
        tried += 1
        walls, table, n = made.walls, made.factual, len(made.factual)
        moved, ranges = table.copy(), made.ranges()
        for j, column in enumerate(made.schema.features):
            now, rule = table[column.name].tolist(), made.actions[column.name]
            if column.categorical:
                mask = walls.levels[column.name]
                assert mask.tolist() == [[may(rule, ranges, column, v, level) for level in column.levels] for v in now], seed
                codes = [int(rng.choice(np.flatnonzero(row))) for row in mask]
                moved[column.name] = pd.Categorical.from_codes(codes, dtype=table[column.name].dtype)
                assert walls.open[:, j].tolist() == [row.sum() > 1 for row in mask]
                continue
            wishes = rng.uniform(-60, 90, (30, n))
            wishes[0], wishes[1] = -1e6, 1e6
            wishes[2:12] = np.array(now) + rng.uniform(-1, 1, (10, n))
            got = walls.project(column.name, np.arange(n), wishes)
            assert all(may(rule, ranges, column, v, x) for v, xs in zip(now, got.T.tolist(), strict=True) for x in xs), seed
            assert (walls.project(column.name, np.arange(n), got) == got).all(), seed
            assert (walls.open[:, j] == (got[:2] != now).any(axis=0)).all() or np.isnan(walls.step[j]), seed
            for i, v in enumerate(now):  # nothing admissible is nearer than what the wall gave
                others = [x for x in np.arange(-40, 60) / 2 if may(rule, ranges, column, v, x)]
                nearest = min((abs(x - wishes[-1, i]) for x in others), default=np.inf)
                assert abs(got[-1, i] - wishes[-1, i]) <= nearest + 1e-9, seed
            moved[column.name] = got[-1]
        assert walls.violations(table) == walls.violations(moved) == [], seed
    assert tried > 400
