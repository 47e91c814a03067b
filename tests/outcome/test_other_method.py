"""Another method's rows beside a run: our own give our own numbers, in any order and from any file; the rest gets a sentence."""

import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discover_core as dc
from discover_core.errors import InputError
from discover_core.outcome.list_of_changes import changes_table, plan_table
from discover_core.outcome.other_method import OtherMethod, group_rows, other_method, row_column, short
from discover_core.table.schema import MISSING, Column, Schema
from discover_core.table.write import to_csv, to_excel

from .made import SCHEMA, outcome, random_outcome

FOUND = random_outcome()
NASTY = SCHEMA.columns[-1].name


def rows_after(found) -> pd.DataFrame:
    """The group's file with our own changes in it."""
    return group_rows(replace(found.group, cells=found.cells))


def score(rows: pd.DataFrame) -> np.ndarray:
    """A model of the first feature alone."""
    return np.tanh(rows.iloc[:, 0].to_numpy(dtype=float) / 100) if rows.iloc[:, 0].dtype.kind in "if" else np.zeros(len(rows))


def measure(group, table: pd.DataFrame, name: str) -> OtherMethod:
    return other_method(group, table, name, score)


def assert_ours(other: OtherMethod, found) -> None:
    made = other.outcome
    np.testing.assert_allclose(made.distances, found.distances, rtol=1e-9, atol=1e-9)  # a spreadsheet rounds to 15 digits
    assert (len(made.movers), made.changed.sum()) == (len(found.movers), found.changed.sum())
    np.testing.assert_allclose(made.outputs[made.movers], score(made.after.iloc[made.movers]))
    stay = np.setdiff1d(np.arange(len(made.outputs)), made.movers)
    assert np.array_equal(made.outputs[stay], found.group.outputs[stay])


def as_file(table: pd.DataFrame, kind: str) -> pd.DataFrame:
    if kind == "parquet":
        content = io.BytesIO()
        table.to_parquet(content)
        return dc.read_table(content.getvalue(), "a.parquet")
    return dc.read_table(to_csv(table) if kind == "csv" else to_excel({"Rows": table}), f"a.{kind}")


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["csv", "xlsx", "parquet"]))
def test_our_own_rows_give_our_own_distances_from_any_file_in_any_order(seed: int, kind: str):
    found = random_outcome(n=25, seed=seed)
    assert_ours(measure(found.group, found.after, "frame"), found)
    table = rows_after(found)
    assert_ours(measure(found.group, as_file(table, kind), "ours"), found)
    assert_ours(measure(found.group, as_file(table.sample(frac=1, random_state=seed), kind), "shuffled"), found)
    assert_ours(measure(found.group, as_file(table.drop(columns="Row"), kind), "in order"), found)
    assert_ours(measure(found.group, table.iloc[found.movers], "only those who change"), found)


@pytest.mark.parametrize("name", dc.samples())
def test_the_groups_own_file_is_where_everybody_was(name: str):
    sample = dc.load_sample(name)
    rows = sample.table.iloc[[3, 1, 40, 77]]
    cells = finished_of(rows, sample.schema)
    beside = measure(cells.group, as_file(group_rows(cells.group), "csv"), "group.csv")
    assert not beside.outcome.distances.any()
    assert (len(beside.outcome.movers), beside.outcome.changed.sum(), beside.absent) == (0, 0, ())


def finished_of(rows: pd.DataFrame, schema: Schema):
    ready = schema.prepare(rows)
    codes = [ready[c.name].cat.codes if c.categorical else ready[c.name] for c in schema.features]
    cells = np.column_stack([np.asarray(values, dtype=float) for values in codes])
    return outcome(cells, cells, schema)


def test_what_is_not_spoken_of_stays_and_other_columns_do_not_count():
    table = rows_after(FOUND)[["Row", "Housing"]].assign(score=0.5, Nobody="?")
    beside = measure(FOUND.group, table, "dice.csv")
    at = SCHEMA.feature_names.index("Housing")
    cells = FOUND.group.cells.copy()
    cells[:, at] = FOUND.cells[:, at]
    np.testing.assert_array_equal(beside.outcome.distances, FOUND.group.distances(cells))
    assert len(beside.outcome.movers) == beside.outcome.changed.sum() == FOUND.changed[:, at].sum()
    assert beside.absent == tuple(name for name in SCHEMA.feature_names if name != "Housing")


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_the_plans_own_file_will_do(kind: str):
    beside = measure(FOUND.group, as_file(changes_table(FOUND), kind), "discover-plan.csv")
    assert_ours(beside, FOUND)
    assert beside.absent == ()


def named(found, names):
    return replace(found, group=replace(found.group, names=tuple(names), named=True))


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_people_are_known_by_their_rows_or_by_their_names(kind: str):
    of_before = changes_table(FOUND).drop(columns="Row").assign(Person=lambda t: FOUND.group.rows[t.index] + 1)
    assert_ours(measure(FOUND.group, as_file(of_before, kind), "a plan of before"), FOUND)
    called = named(FOUND, [f"=Ann {i}" for i in range(60)])
    table = group_rows(replace(called.group, cells=called.cells))
    assert list(table.columns[:2]) == ["Person", "Row"]
    for some in (table, table.drop(columns="Row"), table.drop(columns="Person")):
        assert_ours(measure(called.group, as_file(some.sample(frac=1, random_state=0), kind), "named"), called)
    assert_ours(measure(called.group, as_file(changes_table(called), kind), "plan"), called)
    with pytest.raises(InputError, match="“Ben” in the column “Person”, which is nobody of this group: say who it is"):
        measure(called.group, table.drop(columns="Row").assign(Person="Ben"), "dice.csv")


def test_numbers_that_a_method_keeps_with_fewer_digits_are_no_change():
    group = group_rows(FOUND.group)
    for rate in (group["Rate"].astype(np.float32), group["Rate"].map(lambda rate: float(f"{rate:.15g}"))):
        assert measure(FOUND.group, group.assign(Rate=rate), "dice.csv").outcome.changed.sum() == 0
    assert measure(FOUND.group, group.assign(Rate=group["Rate"] + 1e-6), "dice.csv").outcome.changed.sum() == len(group)


def test_a_blank_where_missing_is_a_category_and_features_with_awkward_names():
    schema = Schema((Column("=Job", "nominal", levels=("a", MISSING)), Column("Row", "numeric", low=0, high=9)))
    found = outcome([[0, 1], [1, 2]], [[1, 1], [1, 2]], schema)
    assert row_column(schema) == "Row (of the table)"
    assert_ours(measure(found.group, as_file(group_rows(found.group).assign(**{"=Job": [None, MISSING]}), "csv"), "a.csv"), found)
    assert_ours(measure(found.group, as_file(changes_table(found), "csv"), "plan.csv"), found)


def changed(name: str, value: object) -> pd.DataFrame:
    table = group_rows(FOUND.group).astype({name: object})
    table.loc[4, name] = value
    return table


@pytest.mark.parametrize(
    ("table", "says"),
    [
        (FOUND.after.head(59), "59 rows, but this group has 60 people: give a row for each .* column “Row”"),
        (
            pd.concat([group_rows(FOUND.group), group_rows(FOUND.group).head(1)]),
            f"person {FOUND.group.rows[0] + 1} more than once",
        ),
        (changed("Row", 9_999), "“9999” in the column “Row”, which is nobody of this group"),
        (changed("Row", "Ann"), "“Ann” in the column “Row”"),
        (changed("Row", 1.5), "“1.5” in the column “Row”"),
        (changed("Row", None), "a row without a value in the column “Row”"),
        (changed("Housing", "castle"), "“castle” in the column “Housing”, which is not one of its categories .“rent”, “own”"),
        (changed("Housing", None), "lacks a value in the column “Housing”"),
        (changed(NASTY, "x" * 99), "“x{39}…” in the column"),
        (changed("Rate", "much"), "“much” in the column “Rate”, which is no number"),
        (changed("Rate", np.inf), "“inf” in the column “Rate”, which is no number"),
        (changed("Rate", 1e200), r"“1e\+200” in the column “Rate”, which is too far"),
        (group_rows(FOUND.group).assign(Duration=np.nan), "lacks 60 values in the column “Duration”"),
        (changed("Since", "soon"), "“soon” in the column “Since”, which is no date"),
        (group_rows(FOUND.group)[["Row"]], "no column with the name of a feature, such as “Duration”"),
        (plan_table(FOUND), "no column with the name of a feature"),  # the first sheet of the plan in Excel
        (changes_table(FOUND).assign(Feature="Age"), "changes the feature “Age”, which this run does not have"),
        (pd.concat([changes_table(FOUND)] * 2), "more than once"),
        (changes_table(FOUND).assign(Row=0), "“0” in the column “Row”"),
    ],
)
def test_what_cannot_be_used_gets_one_sentence(table: pd.DataFrame, says: str):
    with pytest.raises(InputError, match=says) as caught:
        measure(FOUND.group, table, "dice.csv")
    assert str(caught.value).startswith("“dice.csv” ")
    assert str(caught.value).endswith(".")


def test_a_files_name_is_a_short_line():
    assert short("dice.csv") == "dice.csv"
    assert short("a\n\x00\u202eb.csv") == "a b.csv"
    assert short("counterfactuals of the group " * 9 + "seed 7.csv").endswith("seed 7.csv")
    assert len(short("x" * 300)) == 40
    assert short("\n") == "table"
