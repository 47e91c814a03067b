"""A feature that gives the outcome away is found, and nothing else is."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

import discover_core as dc
from discover_core.models.leakage import DECIDES, _auc, alone
from discover_core.table.describe import describe
from discover_core.table.schema import Schema
from tests.table.test_known import KNOWN, made_up, ready_schema

RNG = np.random.default_rng(0)


def strengths(table: pd.DataFrame, schema: Schema) -> dict[str, float]:
    return {one.name: one.strength for one in alone(table, schema.prepare(table), schema)}


def leaks(table: pd.DataFrame, outcome: str = "y") -> set[str]:
    schema = Schema.infer(table, outcome)
    return {one.name for one in alone(table, schema.prepare(table), schema) if one.decides}


@pytest.mark.parametrize("name", dc.samples())
def test_no_feature_of_the_shipped_data_gives_its_outcome_away(name):
    sample = dc.load_sample(name)
    found = strengths(sample.table, sample.schema)
    assert set(found) == set(sample.schema.feature_names)
    assert max(found.values()) < 0.85


def hotel(rows: int = 800) -> pd.DataFrame:
    """The columns of the hotel bookings; the last status says what became of each booking."""
    table = made_up("hotel_booking", rows)
    gone = RNG.choice(["Canceled", "Canceled", "No-Show"], rows)
    table["reservation_status"] = np.where(table["is_canceled"] == 1, gone, "Check-Out")
    return table


def test_hotels_last_status_is_a_leak_as_soon_as_it_is_a_feature():
    table = hotel()
    schema = ready_schema(table, KNOWN["hotel_booking"])
    assert not any(one.decides for one in alone(table, schema.prepare(table), schema))
    opened = Schema.infer(table, "is_canceled")
    found = alone(table, opened.prepare(table), opened)
    assert [one.name for one in found if one.decides] == ["reservation_status"]
    assert found[0].strength == 1


@pytest.mark.parametrize("rows", [60, 300, 5_000])
@pytest.mark.parametrize("rare", [0.5, 0.2])
def test_numbers_and_categories_that_follow_from_the_outcome_are_leaks(rows, rare):
    y = RNG.permutation(np.arange(rows) < rare * rows)
    table = pd.DataFrame(
        {
            "y": np.where(y, "bad", "good"),
            "written off": np.where(y, RNG.gamma(2, 500, rows).round(2) + 1, 0),
            "closed as": np.where(y, RNG.choice(["sold", "lost"], rows), RNG.choice(["paid", "open"], rows)),
            "income": RNG.normal(size=rows) - y,
            "town": RNG.choice(["Ulm", "Bonn", "Köln"], rows),
        }
    )
    assert leaks(table) == {"written off", "closed as"}


@pytest.mark.parametrize("rows", [60, 400, 3_000])
def test_many_levels_do_not_look_like_a_leak_by_being_remembered(rows):
    for seed in range(5):
        rng = np.random.default_rng(seed)
        table = pd.DataFrame(
            {"y": rng.choice(["a", "b"], rows), "street": [f"s{i}" for i in rng.integers(0, min(rows // 2, 150), rows)]}
        )
        schema = Schema.infer(table, "y").with_column(describe(table["street"], "nominal"))
        assert strengths(table, schema)["street"] < 0.8


def test_an_outcome_that_is_a_number_written_twice():
    x = RNG.lognormal(8, 1.5, 500)
    table = pd.DataFrame({"y": x, "in dollars": 1.1 * x, "noise": RNG.normal(size=500), "near": np.log(x) + RNG.normal(size=500)})
    assert leaks(table) == {"in dollars"}


def test_where_nothing_can_be_said_nothing_is():
    table = pd.DataFrame({"y": ["a", "b"] * 5, "x": [0, 1] * 5})
    assert leaks(table.iloc[:9]) == set()
    assert alone(table, table, Schema.infer(table)) == ()
    three = pd.DataFrame({"y": ["a", "b", "c"] * 20, "x": range(60)})
    assert alone(three, three, Schema.infer(three, "y").with_outcome("y", None)) == ()


def test_rows_without_an_outcome_are_passed_over():
    y = RNG.random(400) < 0.5
    table = pd.DataFrame({"y": pd.Series(np.where(y, "a", "b"), dtype=object), "twin": np.where(y, "p", "q")})
    table.loc[::3, "y"] = None
    assert leaks(table) == {"twin"}


def test_the_auc_is_that_of_scikit_learn():
    guess, truth = RNG.integers(0, 9, 300).astype(float), (RNG.random(300) < 0.3).astype(float)
    assert _auc(guess, truth) == pytest.approx(roc_auc_score(truth, guess), abs=1e-12)
    assert DECIDES > 0.95
