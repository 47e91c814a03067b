"""Which column names people, and that whatever is in it becomes names one can show: text, short, no two alike."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import discover_core as dc
from discover_core.table.people import LONGEST, people_names, suggest_people

ROWS = 60
RNG = np.random.default_rng(0)
REST = {
    "income": RNG.integers(1_000, 9_000, ROWS),
    "city": RNG.choice(["Ulm", "Bonn"], ROWS),
    "bad": RNG.choice(["no", "yes"], ROWS),
}
NUMBERS = RNG.permutation(9_000)[:ROWS] + 1_000


def suggested(**columns) -> str | None:
    table = pd.DataFrame({**columns, **REST})
    return suggest_people(table, dc.Schema.infer(table, "bad"))


@pytest.mark.parametrize(
    "columns",
    [
        {"id": NUMBERS},
        {"Customer No": NUMBERS},
        {"patientId": NUMBERS},
        {"id": np.where(np.arange(ROWS) == 7, np.nan, NUMBERS)},
        {"name": [f"Ann {i}" for i in range(ROWS)]},
        {"Kundenname": [f"Ann {i}" for i in range(ROWS)]},
        {"reference": [f"C-{i:05}" for i in NUMBERS]},
        {"uuid": [f"{i:032x}" for i in range(ROWS)]},
        {"client": ["Ann", *(f"Ann {i}" for i in range(ROWS - 2)), "Ann"]},
    ],
)
def test_a_column_that_tells_people_apart_is_found(columns):
    assert suggested(**columns) == next(iter(columns))


@pytest.mark.parametrize(
    "columns",
    [
        {},
        {"id": RNG.integers(0, 5, ROWS)},
        {"name": RNG.choice(["Ann", "Ben"], ROWS)},
        {"id": np.where(np.arange(ROWS) < 20, np.nan, NUMBERS)},
        {"amount": NUMBERS},
        {"client income": NUMBERS},
        {"Unnamed: 0": np.arange(ROWS)},
        {"zip": NUMBERS},
        {"signed": pd.date_range("2020-01-01", periods=ROWS).astype(str)},
        {"remark": [f"This one called on day {i} and asked for another loan" for i in range(ROWS)]},
    ],
)
def test_what_names_nobody_is_not_taken_for_names(columns):
    assert suggested(**columns) is None


def test_an_id_goes_before_a_name_and_the_outcome_is_neither():
    names = [f"Ann {i}" for i in range(ROWS)]
    assert suggested(name=names, id=NUMBERS) == "id"
    table = pd.DataFrame({"id": NUMBERS, "income": REST["income"]})
    assert suggest_people(table, dc.Schema.infer(table, "id")) is None


def test_a_small_table_has_names_too():
    table = pd.DataFrame({"id": [5, 3, 9], "x": [1.5, 2.5, 3.5], "y": ["a", "b", "a"]})
    assert suggest_people(table, dc.Schema.infer(table, "y")) == "id"


@pytest.mark.parametrize("name", dc.samples())
def test_our_samples_have_nobody_in_them(name):
    sample = dc.load_sample(name)
    assert suggest_people(sample.table, sample.schema) is None


def names_of(values, rows=None) -> list[str]:
    table = pd.DataFrame({"id": pd.Series(values, dtype=object)})
    table.index = range(len(values)) if rows is None else rows
    return people_names(table, "id")


def test_odd_cells_become_names():
    odd = [None, np.nan, pd.NA, pd.NaT, np.inf, "", " \t\n", "\u202e\x00", "\ud800"]
    assert names_of(odd) == [f"Row {i + 1}" for i in range(len(odd))]
    assert names_of([7, 7.0, 8.0, 1.5, True]) == ["7 (row 1)", "7 (row 2)", "8", "1.5", "True"]
    assert names_of(["a\r\nb\u2028c", "=cmd", "<b>x</b>"]) == ["a b c", "=cmd", "<b>x</b>"]
    assert names_of(["Row 2", None]) == ["Row 2 (row 1)", "Row 2 (row 2)"]
    assert names_of(["Ann", "Ben", "Ann"], rows=[16, 3, 4]) == ["Ann (row 17)", "Ben", "Ann (row 5)"]
    assert names_of(["Ann", "Ann", "Ann (row 1)"]) == ["Ann (row 1) (row 1)", "Ann (row 2)", "Ann (row 1) (row 3)"]
    long = names_of(["x" * 10_000 + "1", "x" * 10_000 + "2", "y" * LONGEST])
    assert [len(name) for name in long] == [LONGEST, LONGEST, LONGEST]
    assert [name[-1] for name in long] == ["1", "2", "y"]


cells = st.one_of(st.none(), st.integers(), st.floats(), st.booleans(), st.text(max_size=200), st.sampled_from(["Ann", "Row 1"]))


@given(st.lists(cells, min_size=1, max_size=20))
def test_any_cells_become_short_lines_that_differ(values):
    names = names_of(values)
    assert len(set(names)) == len(values)
    for name in names:
        assert name == " ".join(name.split()) != ""
        assert name.isprintable()
        assert len(name) <= LONGEST + 60
        name.encode()


@pytest.mark.parametrize("kind", ["category", "string", "int64", "Int64"])
def test_every_kind_of_column(kind):
    values = pd.Series([30, 10, 20] if kind != "string" else ["30", "10", "20"]).astype(kind)
    assert people_names(pd.DataFrame({"id": values}), "id") == ["30", "10", "20"]


def test_a_column_that_is_not_there_gets_a_sentence():
    with pytest.raises(dc.InputError, match="no column “id” to call people by"):
        people_names(pd.DataFrame({"x": [1]}), "id")
