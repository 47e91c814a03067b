"""Rules between columns: what people write is what is checked, row by row."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discover_core.errors import InputError
from discover_core.problem.column_rules import ColumnRules, rules_report
from discover_core.table.schema import Column, Schema

ODD = Schema(
    (
        Column("a", "numeric", low=0, high=100),
        Column("b", "numeric", low=0, high=100),
        Column("Credit amount", "numeric", low=0, high=10_000, step=1),
        Column("Credit", "numeric", low=0, high=10_000, step=1),
        Column("capital-gain", "numeric", low=0, high=100),
        Column("x.1", "numeric", low=0, high=100),
        Column("NumTrades60Ever2DerogPubRec", "numeric", low=0, high=30, step=1),
        Column("if a <= b then and", "numeric", low=0, high=100),
        Column('say "so"', "numeric", low=0, high=100),
        Column("2019", "numeric", low=0, high=100),
        Column(" income ", "numeric", low=0, high=5_000),
        Column("Since", "numeric", low=-5_000, high=20_000, step=1, date=True),
        Column("Saving", "ordinal", levels=("little", "moderate", "quite rich", "rich")),
        Column("job", "nominal", levels=("unemployed", "odd, jobs", "rich and idle", ")", "(missing)")),
        Column("grade", "ordinal", levels=(1, 2, 3)),
        Column("Account", "nominal", levels=("none", "low", "some", "much"), order=("low", "some", "much")),
        Column("left out", "excluded"),
        Column("y", "nominal", levels=("no", "yes")),
    ),
    "y",
)
NAMES = ODD.feature_names


def row(**values):
    """Cells of one person: levels by their names, everything else at its lowest."""
    out = []
    for column in ODD.features:
        value = values.get(column.name.strip(), column.levels[0] if column.categorical else max(0, column.low))
        out.append(column.levels.index(value) if column.categorical else value)
    return np.array([out], dtype=float)


@pytest.mark.parametrize(
    ("text", "kept", "broken"),
    [
        ("a <= b", {"a": 1, "b": 1}, {"a": 2, "b": 1}),
        ("a<b", {"a": 1, "b": 2}, {"a": 1, "b": 1}),
        ("a + 2 b - 3 >= 2 * x.1", {"a": 1, "b": 2, "x.1": 1}, {"a": 1, "b": 2, "x.1": 1.5}),
        ("-a + 5 > 0", {"a": 4}, {"a": 5}),
        ("a*2 ≠ 4", {"a": 1}, {"a": 2}),
        ("A == B", {"a": 3, "b": 3}, {"a": 3, "b": 4}),
        ("Credit amount <= 5000", {"Credit amount": 5000, "Credit": 9000}, {"Credit amount": 5001}),
        ("credit  AMOUNT <= Credit", {"Credit amount": 5, "Credit": 5}, {"Credit amount": 5, "Credit": 4}),
        ("capital-gain-a<=1", {"capital-gain": 2, "a": 1}, {"capital-gain": 3, "a": 1}),
        ("NumTrades60Ever2DerogPubRec >= 1", {"NumTrades60Ever2DerogPubRec": 1}, {}),
        ('"if a <= b then and" <= “a”', {"a": 1}, {"if a <= b then and": 1}),
        ('"say ""so""" = 0', {}, {'say "so"': 1}),
        ('"2019" <= 5', {"2019": 5}, {"2019": 6}),
        ("income <= 900.5", {"income": 900}, {"income": 901}),
        ("Since >= 1990-01-31", {"Since": 7335}, {"Since": 7334}),
        ("Since > 1960-01-01", {"Since": 0}, {"Since": -4000}),
        ("Saving >= moderate", {"Saving": "rich"}, {"Saving": "little"}),
        ("saving < Quite Rich", {"Saving": "moderate"}, {"Saving": "quite rich"}),
        ("job = rich and idle", {"job": "rich and idle"}, {"job": ")"}),
        ("job != unemployed", {"job": "(missing)"}, {"job": "unemployed"}),
        ("job in (odd, jobs, ), (missing))", {"job": "odd, jobs"}, {"job": "unemployed"}),
        ('job in ("odd, jobs", ")")', {"job": ")"}, {"job": "(missing)"}),
        ("grade >= 2", {"grade": 2}, {"grade": 1}),
        ("Account >= some", {"Account": "much"}, {"Account": "none"}),
        ("Account <= some", {"Account": "low"}, {"Account": "none"}),
        ("if job = unemployed then income <= 900", {"job": ")", "income": 1000}, {"income": 1000}),
        ("If job = unemployed and a > 1 then income <= 900", {"a": 1, "income": 1000}, {"a": 2, "income": 1000}),
        ("if a > 1 and job = rich and idle then Saving = rich", {"a": 2, "job": ")"}, {"a": 2, "job": "rich and idle"}),
    ],
)
def test_the_language_by_examples(text, kept, broken):
    rules = ColumnRules.of((text,), ODD)
    assert not rules.broken(row(**kept)).any()
    assert rules.broken(row(**broken)).all()
    again = ColumnRules.of((rules.words(0),), ODD)
    assert (again.rules, again.tidy) == (rules.rules, rules.tidy)
    assert len(rules) == 1
    assert rules.texts == (text,)


def test_columns_are_those_that_matter():
    rules = ColumnRules.of(("b - a + 2 x.1 <= b", "if grade = 1 then a <= 2", "b, job and a change together"), ODD)
    assert [[NAMES[j] for j in rules.columns(i)] for i in range(3)] == [["a", "x.1"], ["a", "grade"], ["b", "job", "a"]]
    assert rules.words(2) == "b, job and a change together"


REFUSED = {
    "  ": "is empty",
    "a <= b " * 80: "560 characters",
    "a <= left out": "“left out”, which is left out",
    "y = yes": "“y”, which is the outcome",
    "a <= bb": "“bb”, which is no feature",
    "incme <= 5": "use “income”",
    "a, y and b change together": "“y”, which is the outcome",
    "Saving >= poor": "use “little”, “moderate”, “quite rich” or “rich”",
    "Saving = riche": "use “rich”",
    "job < unemployed": "have no order",
    "Account > none": "outside its order",
    "job + 1 <= 3": "calculates with “job”",
    "a + job <= 3": "calculates with “job”",
    "a <= job": "calculates with “job”",
    "a in (1, 2)": "asks for a list",
    "a <=": "on one side",
    "<= a": "on one side",
    "a": "lacks a comparison",
    "a b": "lacks a comparison before “b”",
    "a <= 5,000": "from “,000” on",
    "a <= b <= x.1": "from “<= x.1” on",
    "if a <= 3": "no “then”",
    "if a <= 3 then": "on one side",
    "a change together": "at least two",
    "a, b and A change together": "at least two",
    "a b change together": "from “b” on",
    "Since <= 2020-13-01": "does not exist",
    "a <= 1e999": "too large",
    "job in unemployed": "lacks a list",
    "job in (unemployed": "does not close",
    "a <= a - 1": "Nobody can keep",
    "5 <= 3": "Nobody can keep",
    "a > 100": "Nobody can keep",
    "a + b = 201": "Nobody can keep",
    "Saving < little": "Nobody can keep",
    "if a >= 0 then b <= -1": "Nobody can keep",
}


@pytest.mark.parametrize(("text", "why"), REFUSED.items(), ids=range(len(REFUSED)))
def test_a_refusal_quotes_the_rule_and_says_what_to_do(text, why):
    with pytest.raises(InputError) as error:
        ColumnRules.of((text,), ODD)
    said = str(error.value)
    assert why in said
    assert ": " in said
    assert said.endswith(".")
    assert not text.strip() or f"“{text.strip()[:40]}" in said


def test_too_many_rules_and_no_list_of_texts():
    assert len(ColumnRules.of(["a <= b"] * 50, ODD)) == 50
    for odd in (["a <= b"] * 51, "a <= b", [3]):
        with pytest.raises(InputError):
            ColumnRules.of(odd, ODD)


def test_a_name_in_another_case_must_be_one_name():
    schema = Schema((Column("Age", "numeric", low=0, high=9), Column("age", "numeric", low=0, high=9), Column("AgE", "excluded")))
    assert ColumnRules.of(("age <= 3",), schema).columns(0) == (1,)
    with pytest.raises(InputError, match="“Age” or “age”"):
        ColumnRules.of(("AGE <= 3",), schema)


@given(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from(
            [*NAMES, "<=", "(", ")", ",", '"', "“", "2", "*", "+", "-", "if", "in", "and", "then", "=", "rich", "change together"]
        ),
        max_size=9,
    ).map(" ".join)
)
def test_no_text_does_anything_but_become_a_rule_or_a_sentence(text):
    try:
        rules = ColumnRules.of((text,), ODD)
    except InputError:
        return
    assert ColumnRules.of((rules.words(0),), ODD).rules == rules.rules


def test_dust_breaks_no_rule_and_satisfies_no_strict_one():
    cells = row(a=0.1, b=0.2, **{"x.1": 0.3})
    for text, broken in {"a + b <= x.1": False, "a + b = x.1": False, "x.1 < a + b": True, "a + b != x.1": True}.items():
        assert ColumnRules.of((text,), ODD).broken(cells).tolist() == [[broken]], text
    large = Schema(tuple(Column(name, "numeric", low=0, high=2e12, step=1) for name in "ab"))
    assert ColumnRules.of(("a < b",), large).broken(np.array([[1.7e12, 1.7e12 + 1], [1.7e12, 1.7e12]])).tolist() == [
        [False],
        [True],
    ]


def test_a_rule_binds_whoever_changes_a_column_of_it():
    rules = ColumnRules.of(("a <= b", "a and grade change together"), ODD)
    before = np.concatenate([row(a=5, b=3), row(a=2, b=3)])
    assert rules.broken(before).tolist() == [[True, False], [False, False]]
    other, nearer, both, two = (before.copy() for _ in range(4))
    other[:, NAMES.index("x.1")] = 9
    nearer[:, 0] = [4, 4]
    both[:, [0, NAMES.index("grade")]] = [1, 2]
    two[:, NAMES.index("grade")] = 2
    after = np.stack([before, other, nearer, both, two])
    assert rules.violated(before, after).astype(int).tolist() == [
        [[0, 0], [0, 0]],
        [[0, 0], [0, 0]],
        [[1, 1], [1, 1]],
        [[0, 0], [0, 0]],
        [[0, 1], [0, 1]],
    ]
    assert rules.allowed(before, after).tolist() == [[True, True], [True, True], [False, False], [True, True], [False, False]]


def test_who_breaks_a_rule_today_is_counted():
    cells = np.concatenate([row(a=k, b=3) for k in range(10)])
    report = rules_report(ColumnRules.of(("a<=b", "a and b change together"), ODD), cells)
    assert report == [("a <= b", 6, 10), ("a and b change together", 0, 10)]


def test_no_rules_forbid_nothing():
    cells = row()
    assert ColumnRules().allowed(cells, cells + 1).all()
    assert ColumnRules.of((), ODD) == ColumnRules()
    assert ColumnRules().broken(cells).shape == ColumnRules().violated(cells, cells).shape == (1, 0)
