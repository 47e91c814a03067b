"""Guesses, overrides and the prepared table."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from discover_core.errors import InputError
from discover_core.table import MISSING, Column, Dataset, Schema, describe, prepare, suggest_outcome
from discover_core.table.orders import natural_order

from .tables import tables


def people() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    n = 60
    return pd.DataFrame(
        {
            "customer_id": np.arange(1000, 1000 + n),
            "Age": rng.integers(18, 80, n),
            "Income": np.round(rng.normal(3000, 500, n), 2),
            "Saving": rng.choice(["low", "medium", "high"], n),
            "City": rng.choice(["Ulm", "Bonn"], n),
            "Country": ["DE"] * n,
            "Joined": pd.date_range("2020-01-01", periods=n).strftime("%Y-%m-%d"),
            "Note": [f"called on day {i} about the loan" for i in range(n)],
            "Empty": [np.nan] * n,
            "Risk": rng.choice(["good", "bad"], n),
        }
    )


def test_each_guess_is_what_a_person_would_say_and_has_a_reason():
    schema = Schema.infer(people(), outcome="Risk")
    roles = {c.name: c.role for c in schema}
    assert roles == {
        "customer_id": "excluded",
        "Age": "numeric",
        "Income": "numeric",
        "Saving": "ordinal",
        "City": "nominal",
        "Country": "excluded",
        "Joined": "excluded",
        "Note": "excluded",
        "Empty": "excluded",
        "Risk": "nominal",
    }
    assert all(c.reason for c in schema)
    assert schema["Saving"].levels == ("low", "medium", "high")
    assert schema["Age"].integer
    assert schema["Age"].action == "locked"
    assert schema["Income"].step == 0.01
    assert (schema.outcome, schema.positive, schema.task) == ("Risk", "bad", "binary")
    assert suggest_outcome(Schema.infer(people())) == "Risk"


def test_a_date_becomes_days_when_the_user_says_numeric():
    table = people()
    schema = Schema.infer(table).with_column(describe(table["Joined"], "numeric", date=True))
    days = schema.prepare(table)["Joined"]
    assert days.iloc[0] == (pd.Timestamp("2020-01-01") - pd.Timestamp("1970-01-01")).days
    assert (np.diff(days) == 1).all()


@pytest.mark.parametrize(
    ("levels", "order"),
    [
        (["high", "low", "medium"], ["low", "medium", "high"]),
        (["10-20", "<5", "5-10", "20+"], ["<5", "5-10", "10-20", "20+"]),
        (["25 - 45", "Greater than 45", "Less than 25"], ["Less than 25", "25 - 45", "Greater than 45"]),
        (["red", "green", "blue"], None),
        (["A1", "B1", "C2"], None),
    ],
)
def test_words_that_carry_an_order(levels, order):
    assert natural_order(levels) == order


def test_missing_values_are_filled_visibly_and_no_row_is_dropped():
    table = pd.DataFrame({"n": [1.0, np.nan, 3.0, 10.0], "c": ["a", None, "b", "a"], "k": [1.0, 2.0, np.nan, 1.0]})
    schema = Schema.infer(table).with_column(describe(table["k"], "nominal"))
    ready = prepare(table, schema)
    assert len(ready.table) == 4
    assert list(ready.table["n"]) == [1, 3, 3, 10]
    assert list(ready.table["c"]) == ["a", MISSING, "b", "a"]
    assert list(ready.table["k"]) == ["1", "2", MISSING, "1"]
    assert len(ready.notes) == 3
    assert "1 row without a number got the median, 3." in ready.notes[0]


def test_missing_codes_count_as_missing():
    table = pd.DataFrame({"score": [60, -9, 70, 80]})
    schema = Schema((describe(table["score"], "numeric", missing_codes=(-9,)),))
    assert schema["score"].low == 60
    assert schema["score"].missing == 1
    assert list(schema.prepare(table)["score"]) == [60, 70, 70, 80]


def test_a_missing_outcome_stays_missing():
    table = pd.DataFrame({"x": [1, 2, 3], "y": ["a", None, "b"]})
    schema = Schema.infer(table, outcome="y")
    assert schema["y"].levels == ("a", "b")
    assert schema.prepare(table)["y"].isna().tolist() == [False, True, False]


def test_unknown_values_are_reported_not_hidden():
    schema = Schema.infer(pd.DataFrame({"c": ["a", "b", "a"], "x": [1, 2, 3]}))
    ready = prepare(pd.DataFrame({"c": ["a", "zebra", "b"], "x": [1, 2, 3]}), schema)
    assert list(ready.table["c"]) == ["a", "a", "b"]
    assert "outside its categories" in ready.notes[0]


@given(tables())
@settings(max_examples=60, deadline=None)
def test_every_table_can_be_inferred_prepared_and_written_down(table):
    schema = Schema.infer(table)
    assert [c.name for c in schema] == list(table.columns)
    ready = schema.prepare(table)
    assert len(ready) == len(table)
    assert not ready.isna().any().any()
    pd.testing.assert_frame_equal(schema.prepare(ready), ready)
    assert Schema.from_dict(schema.to_dict()) == schema
    for column in schema.features:
        values = ready[column.name]
        if column.role == "numeric":
            assert column.low <= values.min() <= values.max() <= column.high
        else:
            assert set(values) <= set(column.levels)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Column("a", "number"), "unknown role"),
        (lambda: Column("a", "numeric", low=3, high=1), "above its highest"),
        (lambda: Column("a", "numeric", low=0, high=1, step=0), "step"),
        (lambda: Column("a", "nominal"), "at least one level"),
        (lambda: Column("a", "nominal", levels=("x", "x")), "twice"),
        (lambda: Schema((Column("a", "excluded"),), outcome="b"), "“b” is not in the table"),
        (lambda: describe(pd.Series(["x", "y"], name="c"), "numeric"), "has no numbers"),
        (lambda: Schema.infer(people()).prepare(pd.DataFrame({"Age": [3]})), "lacks 4 of the columns"),
        (lambda: Schema.infer(people(), outcome="Empty"), "has no values"),
    ],
)
def test_impossible_descriptions_get_a_sentence(make, words):
    with pytest.raises(InputError, match=words):
        make()


def test_a_dataset_reworks_only_what_changed_and_ends_up_the_same():
    table = people()
    before = Dataset.of(table, Schema.infer(table), "People")
    changed = before.schema.with_column(describe(table["Age"], "ordinal")).with_outcome("Risk", "bad")
    changed = changed.replace("City", role="excluded")
    after, fresh = before.with_schema(changed), Dataset.of(table, changed, "People")
    pd.testing.assert_frame_equal(after.ready, fresh.ready)
    assert after.profiles == fresh.profiles
    assert after.all_notes == fresh.all_notes
    assert after.profiles["Income"] is before.profiles["Income"]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"role": "ordinal", "levels": ("a", "b"), "order": ("a", "b")}, "only a nominal column takes an order"),
        ({"role": "numeric", "low": 0, "high": 1, "order": (0, 1)}, "only a nominal column takes an order"),
        ({"role": "nominal", "levels": ("a", "b"), "order": ("a", "c")}, "order names “c”, which is not one of its levels"),
        ({"role": "nominal", "levels": ("a", "b"), "order": ("a", "a")}, "order names a level twice"),
        ({"role": "nominal", "levels": ("a", "b"), "new_levels": ("c",)}, "list of new values names “c”"),
        ({"role": "numeric", "low": 0, "high": 9, "new_low": 5, "new_high": 4}, "cannot go from 5 to 4"),
        ({"role": "numeric", "low": 0, "high": 9, "new_step": 0}, "step above 0"),
        ({"role": "numeric", "low": 0, "high": 9, "new_high": float("inf")}, "finite numbers"),
    ],
)
def test_what_is_said_of_new_values_must_fit(given, says):
    with pytest.raises(InputError, match=says):
        Column("x", **given)


def test_what_has_an_up_and_a_down():
    account = Column("x", "nominal", levels=("none", "low", "high", "(missing)"), order=("low", "high"))
    assert (account.directed, account.ranking) == (True, ("low", "high"))
    assert account.choices == ("none", "low", "high")
    assert not Column("x", "nominal", levels=("a", "b")).directed
    assert Column("x", "ordinal", levels=("a", "b")).ranking == ("a", "b")
    assert Column("x", "numeric", low=0, high=1).directed
    assert account != Column("x", "nominal", levels=account.levels), "an order is part of what a column means"
    assert account == Column("x", "nominal", levels=account.levels, order=account.order, lever="Save."), "an advice is not"


def test_a_column_stored_before_it_could_say_what_people_can_do_still_loads():
    stored = {"name": "x", "role": "nominal", "levels": ["a", "b"], "action": "locked"}
    column = Column.from_dict(stored)
    assert (column.order, column.lever, column.new_low, column.new_levels) == ((), "", None, ())
    assert column.to_dict() == stored
