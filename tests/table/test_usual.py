"""The usual range of a number and its impossible values: by property, on the shipped data, and on data as dirty as Cardio's."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import discover_core as dc
from discover_core.errors import InputError
from discover_core.table.dataset import Dataset
from discover_core.table.describe import describe
from discover_core.table.schema import Column, Schema
from discover_core.table.usual import FEW_VALUES, edited
from discover_core.table.values import on_grid

from .test_known import KNOWN, made_up, ready_schema

numbers = st.lists(
    st.one_of(st.integers(-1000, 1000), st.floats(-1e6, 1e6, allow_nan=False).map(lambda v: round(v, 2)), st.just(0)),
    min_size=1,
    max_size=400,
)


def column_of(values) -> Column:
    return describe(pd.Series(values, name="x"), "numeric")


def cardio(rows: int = 4_000) -> pd.DataFrame:
    """The columns of the Cardio data with blood pressures as dirty as the real ones."""
    rng = np.random.default_rng(0)
    table = made_up("cardio", rows)
    table["ap_hi"] = np.clip(rng.normal(127, 17, rows).round(), 80, 210).astype(int)
    table["ap_lo"] = np.clip(rng.normal(81, 9, rows).round(), 45, 120).astype(int)
    table["weight"] = np.clip(rng.normal(74, 14, rows), 30, 180).round(1)
    table.loc[:5, "ap_hi"] = [16_020, 14_020, 907, -150, -100, 1_420]
    table.loc[: int(0.013 * rows), "ap_lo"] = 1_000
    return table


@given(numbers)
def test_the_usual_range_is_made_of_values_of_the_column(values):
    column = column_of(values)
    low, high = column.offered
    assert column.low <= low <= high <= column.high
    assert {low, high} <= set(map(float, values))
    assert on_grid(np.array([low, high]), column).tolist() == pytest.approx([low, high], abs=1e-9)
    if len(set(values)) <= FEW_VALUES:
        assert np.mean([low <= v <= high for v in values]) >= 0.98  # all but what looks impossible
    assert np.mean([low <= v <= high for v in values]) >= 0.94


@given(st.integers(0, 10_000), st.integers(150, 900))
def test_without_impossible_values_it_ends_at_the_1st_and_99th_percentile(seed, rows):
    values = np.random.default_rng(seed).normal(50, 9, rows)
    low, high = column_of(values).offered
    assert 0 <= np.mean(values < low) < 0.01
    assert 0 <= np.mean(values > high) <= 0.01
    assert np.mean(values <= low) >= 0.01
    assert np.mean(values <= high) >= 0.99


@pytest.mark.parametrize("values", [[0, 1] * 200, [0] * 399 + [1], [7] * 500, list(range(90)), [1, 2, 3, 4] * 9 + [4] * 900])
def test_a_small_scale_and_a_small_table_keep_all_they_have(values):
    assert column_of(values).usual is None


def test_one_value_that_nearly_all_have_does_not_become_the_whole_range():
    column = column_of([0] * 5_000 + list(range(1, 41)))
    assert column.offered == (0, 40)


def test_old_descriptions_open_without_a_usual_range_and_new_ones_come_back_with_it():
    column = column_of(np.random.default_rng(0).normal(size=500))
    assert column.usual is not None
    assert Column.from_dict(column.to_dict()).usual == column.usual
    old = {name: value for name, value in column.to_dict().items() if name != "usual"}
    assert Column.from_dict(old).usual is None
    assert Column.from_dict(old).offered == (column.low, column.high)
    assert Column.from_dict(old) == column  # a model made for one fits the other
    schema = Schema((column,))
    assert Schema.from_dict(schema.to_dict())["x"].usual == column.usual


def test_a_usual_range_follows_the_columns_ends_and_is_checked():
    column = Column("x", "numeric", low=0, high=100, usual=(10, 90))
    assert edited(column, 20, 100).offered == (20, 90)
    assert edited(column, -50, 100).offered == (-50, 90)
    assert edited(column, 0, 500).offered == (10, 500)
    assert edited(column, 95, 100).offered == (95, 100)
    assert Column("x", "numeric", low=0, high=5, usual=(10, 90)).offered == (0, 5)
    for usual in ((9, 1), (0, float("inf"))):
        with pytest.raises(InputError, match="its usual range"):
            Column("x", "numeric", low=0, high=100, usual=usual)


@pytest.mark.parametrize("name", dc.samples())
def test_nothing_in_the_shipped_data_looks_impossible(name):
    sample = dc.load_sample(name)
    assert Dataset.of(sample.table, sample.schema).extremes == {}


def test_cardios_blood_pressures_are_pointed_out_and_not_offered():
    table = cardio()
    schema = ready_schema(table, KNOWN["cardio"])
    said = Dataset.of(table, schema).extremes
    assert set(said) == {"ap_hi", "ap_lo"}
    assert said["ap_hi"].startswith("ap_hi: 6 values look impossible (from -150 to 16,020; 98% lie between 8")
    assert said["ap_hi"].endswith(" mmHg).")
    assert said["ap_lo"].startswith("ap_lo: 53 values look impossible (up to 1,000; ")
    for name, most in (("ap_hi", 180), ("ap_lo", 110)):
        low, high = schema[name].offered
        assert 0 < low < high <= most, name


@pytest.mark.parametrize(
    ("made", "odd"),
    [
        (lambda rng: rng.lognormal(8, 1.5, 5_000), None),  # incomes
        (lambda rng: rng.standard_t(3, 5_000), None),  # heavy tails on both sides
        (lambda rng: rng.poisson(0.05, 5_000), None),  # nearly all 0
        (lambda rng: rng.normal(15, 7, 5_000).round(), None),  # temperatures: some are negative
        (lambda rng: np.append(rng.normal(40, 12, 999).round(), 999), "1 value looks impossible (up to 999;"),  # an age
        (lambda rng: np.append(rng.normal(40, 6, 999).round(), -999), "1 value looks impossible (down to -999;"),
        (lambda rng: np.repeat([1.0, 2.0, 900.0], [400, 400, 200]), None),  # a fifth is no mistake
    ],
)
def test_what_is_merely_lopsided_does_not_look_impossible(made, odd):
    for seed in range(20):
        values = pd.DataFrame({"x": np.asarray(made(np.random.default_rng(seed)), dtype=float)})
        said = Dataset.of(values, Schema((describe(values["x"], "numeric"),))).extremes
        assert (said == {}) if odd is None else (odd in said["x"]), (seed, said)


def test_dates_far_off_are_told_as_dates():
    days = [*pd.date_range("2019-01-01", periods=500), pd.Timestamp("2199-12-31")]
    table = pd.DataFrame({"d": days})
    said = Dataset.of(table, Schema((describe(table["d"], "numeric"),))).extremes
    assert "up to 2199-12-31; " in said["d"]


def test_a_column_that_is_left_out_is_not_pointed_out():
    table = cardio()
    data = Dataset.of(table, ready_schema(table, KNOWN["cardio"]))
    assert set(data.with_schema(data.schema.replace("ap_hi", role="excluded")).extremes) == {"ap_lo"}
