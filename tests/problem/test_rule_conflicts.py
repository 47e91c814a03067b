"""Rules that nobody could keep together: conditions, levels, inequalities and whole numbers against every possible person."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discover_core.errors import InputError
from discover_core.problem import rule_cases
from discover_core.problem.column_rules import ColumnRules, RuleReport
from discover_core.problem.rule_conflicts import conflict
from discover_core.problem.rule_text import read_rule
from discover_core.table.schema import Column, Schema

SIGNS = ["<=", "<", ">=", ">", "=", "!="]
LEVELS = ("x", "y", "z")


def comparison(random, schema):
    column = random.choice(schema.columns)
    if column.categorical:
        if random.random() < 0.3:
            return f"{column.name} in ({', '.join(random.sample(column.levels, 2))})"
        return f"{column.name} {random.choice(SIGNS if column.role == 'ordinal' else ['=', '!='])} {random.choice(column.levels)}"
    numbers = [c.name for c in schema.columns if not c.categorical]
    terms = [
        f"{random.choice([1, 1, 2, 3])} * {name}" for name in random.sample(numbers, random.randint(1, min(2, len(numbers))))
    ]
    return f"{random.choice([' + ', ' - ']).join(terms)} {random.choice(SIGNS)} {random.randint(-2, 7)}"


def rule(random, schema):
    then = comparison(random, schema)
    if random.random() < 0.4:
        return then
    return f"if {' and '.join(comparison(random, schema) for _ in range(random.randint(1, 2)))} then {then}"


def small_schema(random):
    """Whole numbers and levels, and everybody there could be as cells."""
    numbers = [Column(name, "numeric", low=random.randint(-1, 1), high=random.randint(2, 4), step=1) for name in "pq"]
    levels = [Column("job", "nominal", levels=LEVELS), Column("rank", "ordinal", levels=("low", "mid", "top"))]
    chosen = [*numbers[: random.randint(1, 2)], *levels[: random.randint(0, 2)]]
    ranges = [range(3) if c.categorical else range(int(c.low), int(c.high) + 1) for c in chosen]
    return Schema(tuple(chosen)), np.array(list(product(*ranges)), dtype=float)


@given(st.randoms(use_true_random=False))
def test_of_whole_numbers_and_levels_every_contradiction_is_found_and_none_invented(random):
    schema, everybody = small_schema(random)
    texts = list(dict.fromkeys(rule(random, schema) for _ in range(random.randint(1, 7))))
    rules = [read_rule(text, schema)[0] for text in texts]
    kept = np.array([~one.broken(everybody) for one in rules])
    clash = conflict(rules, schema.features)
    if not kept.all(axis=0).any():
        assert clash is not None, texts
    if clash is None:
        return
    named = list(clash.places)
    met = np.ones(len(everybody), dtype=bool)
    if clash.under is not None:
        for part in rules[clash.under].conditions:
            met &= part.holds(everybody)
        assert met.any(), texts
    assert not kept[named][:, met].all(axis=0).any(), texts
    for one in named:
        others = [i for i in named if i != one]
        assert kept[others][:, met].all(axis=0).any(), texts


@given(st.randoms(use_true_random=False))
def test_what_somebody_keeps_is_never_refused_however_narrow(random):
    """Numbers of any size, on grids and off them: the rules are made so that one person keeps them all, some only just."""
    scales = {name: 10.0 ** random.randint(-3, 7) for name in "pqr"}
    steps = {name: random.choice([None, 1.0]) if scales[name] >= 10 else None for name in "pqr"}
    low = {name: float(random.choice([0, -scales[name], scales[name]])) for name in "pqr"}
    low = {name: float(np.rint(low[name])) if steps[name] else low[name] for name in "pqr"}
    columns = [Column(name, "numeric", low=low[name], high=low[name] + scales[name], step=steps[name]) for name in "pqr"]
    schema = Schema((*columns, Column("job", "nominal", levels=LEVELS)))
    person = [low[name] + random.choice([0.0, 1.0, random.random()]) * scales[name] for name in "pqr"]
    person = [float(np.rint(v)) if steps[name] else v for name, v in zip("pqr", person, strict=True)]
    cells = np.array([[*person, random.randint(0, 2)]])

    def near():
        names = random.sample("pqr", random.randint(1, 3))
        weights = [random.choice([1, 1, -1, 2, 0.1, -3]) for _ in names]
        value = sum(w * person["pqr".index(name)] for w, name in zip(weights, names, strict=True))
        size = max(abs(value), max(scales[name] for name in names))
        text = " + ".join(f"{w} * {name}" for w, name in zip(weights, names, strict=True)).replace("+ -", "- ")
        limit = value + random.choice([0, 1e-9, -1e-9, 1e-12, -1e-12, 1e-4, -0.3, 0.3]) * size
        return f"{text} {random.choice(SIGNS)} {'-' if limit < 0 else ''}{abs(limit)!r}"

    def part():
        return near() if random.random() < 0.8 else f"job {random.choice(['=', '!='])} {random.choice(LEVELS)}"

    texts = []
    for _ in range(random.randint(2, 8)):
        text = part() if random.random() < 0.6 else f"if {part()} then {part()}"
        if not read_rule(text, schema)[0].broken(cells).any():
            texts.append(text)
    clash = conflict([read_rule(text, schema)[0] for text in texts], schema.features)
    assert clash is None or clash.under is not None, (texts, person)


def refusal(texts, schema):
    with pytest.raises(InputError) as error:
        ColumnRules.of(texts, schema)
    return str(error.value)


HOME = Schema(
    (
        Column("income", "numeric", low=0, high=5_000),
        Column("rooms", "numeric", low=0, high=20, step=1),
        Column("people", "numeric", low=0, high=20, step=1),
        Column("job", "nominal", levels=LEVELS),
    )
)


@pytest.mark.parametrize(
    ("texts", "where"),
    [
        (["if job = x then income <= 900", "if job = x then income >= 1000"], "for whoever has job = x"),
        (["if job = x then income <= 900", "if job in (x, y) then income > 900"], "for whoever has job = x"),
        (["if rooms >= 5 then income <= 9", "if rooms >= 4 then income >= 10"], "for whoever has rooms >= 5"),
        (["if job = x then rooms = 1", "if job != x then rooms = 1", "rooms != 1"], "within the ranges"),
        (["rooms > 3", "rooms < 4"], "within the ranges"),
        (["2 * rooms - 2 * people >= 1", "rooms - people < 1"], "within the ranges"),
        (["job != x", "job != y", "job != z"], "within the ranges"),
    ],
)
def test_one_sentence_names_all_that_contradict_and_where(texts, where):
    said = refusal([*texts, "income != 7"], HOME)
    assert all(f"“{text}”" in said for text in texts)
    assert "income != 7" not in said
    assert where in said
    assert said.count(".") == 1


def test_a_rule_that_no_whole_number_keeps():
    assert refusal(["2 * rooms + 4 * people = 7"], HOME).startswith("Nobody can keep the rule “2 * rooms + 4 * people = 7”")


@pytest.mark.parametrize(
    "texts",
    [
        ["if job = x then income <= 900", "if job = y then income >= 1000"],
        ["if job = x then income <= 900", "income >= 1000"],  # as good as: nobody is x
        ["if job = x then rooms = 1", "if rooms = 1 then job = y"],
        ["if income > 3000 then rooms >= 2", "rooms <= 1"],
        ["if rooms != 3 then people <= 2", "if rooms <= 4 then people >= 3"],
        ["job != x", "if job = x then rooms = 1", "if job = x then rooms = 2"],
    ],
)
def test_rules_that_only_rule_somebody_out_are_taken(texts):
    assert len(ColumnRules.of(texts, HOME)) == len(texts)


def test_half_of_a_whole_number_that_stands_for_missing_ones_counts():
    schema = Schema((Column("rooms", "numeric", low=0, high=20, step=1, fill=3.5),))
    assert len(ColumnRules.of(["rooms > 3", "rooms < 4"], schema)) == 2


def test_many_rules_are_looked_at_for_seconds_at_most(monkeypatch):
    """Nearly all of that time is spent on linear programs, a few hundredths of a second each."""
    rng = np.random.default_rng(0)
    schema = Schema(tuple(Column(f"c{i}", "numeric", low=0, high=1000, step=1) for i in range(12)))

    def line():
        a, b, c = rng.choice(12, 3, replace=False)
        return f"{rng.integers(1, 6)} * c{a} - {rng.integers(1, 6)} * c{b} {rng.choice(['<=', '!=', '>='])} c{c} + 3"

    programs = 0

    def counted(solve):
        def count(*args):
            nonlocal programs
            programs += 1
            assert programs <= 400
            return solve(*args)

        return count

    for name in ("solvable", "whole_numbers"):
        monkeypatch.setattr(rule_cases, name, counted(getattr(rule_cases, name)))
    ColumnRules.of([f"if {line()} and {line()} then {line()}" for _ in range(50)], schema)
    assert programs > 50  # they are no easy ones


def test_that_all_break_a_rule_is_said_of_them():
    assert RuleReport("", 0, 9).sentence == ""
    assert RuleReport("", 3, 9).sentence == "3 of the 9 break it today, and may stay so."
    assert RuleReport("", 9, 9).sentence.startswith("All 9 people break it today")
    assert RuleReport("", 1, 1).sentence.startswith("The one person breaks it today")
