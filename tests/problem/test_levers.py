"""What the ready schemas let people act on: nothing that is past, given or set by others, and nobody gets worse."""

import numpy as np
import pandas as pd
import pytest

from discover_core.problem.actionability import Actionability
from discover_core.problem.problem import ranges
from discover_core.problem.samples import load_sample, samples
from discover_core.problem.walls import Walls
from discover_core.table.known import known_tables, ready_schema
from discover_core.table.schema import MISSING
from tests.table.test_known import made_up

LEVERS = {
    "german_credit": {
        "Checking account": "increase",
        "Duration": "decrease",
        "Credit amount": "decrease",
        "Savings": "increase",
        "Installment rate": "decrease",
        "Other debtors": "increase",
        "Other installments": "increase",
        "Existing credits": "decrease",
        "Telephone": "increase",
    },
    "german_credit_10": {
        "Saving accounts": "increase",
        "Checking account": "increase",
        "Credit amount": "decrease",
        "Duration": "decrease",
    },
    "compas": {"c_charge_degree": "decrease", "days_in_jail": "decrease"},
    "adult": {"workclass": "free", "education": "increase", "occupation": "free", "hours-per-week": "increase"},
    "taiwan_default": {"PAY_0": "decrease", "BILL_AMT1": "decrease", "PAY_AMT1": "increase"},
    "heloc": {
        "NumInqLast6M": "decrease",
        "NumInqLast6Mexcl7days": "decrease",
        "NetFractionRevolvingBurden": "decrease",
        "NetFractionInstallBurden": "decrease",
        "NumBank2NatlTradesWHighUtilization": "decrease",
    },
    "cardio": {
        "weight": "decrease",
        "ap_hi": "decrease",
        "ap_lo": "decrease",
        "cholesterol": "decrease",
        "gluc": "decrease",
        "smoke": "decrease",
        "alco": "decrease",
        "active": "increase",
    },
    "hotel_booking": {
        "meal": "free",
        "deposit_type": "free",
        "days_in_waiting_list": "decrease",
        "adr": "decrease",
        "required_car_parking_spaces": "increase",
        "total_of_special_requests": "increase",
    },
}
NEVER = (
    "age",
    "sex",
    "gender",
    "race",
    "country",
    "marital",
    "marriage",
    "history",
    "purpose",
    "job",
    "prior",
    "juv",
    "limit_bal",
)


def ready(name):
    """The table and schema of a known table; rows like its own where it may not be shipped."""
    known = next(known for known in known_tables() if known.name == name)
    if name in samples():
        sample = load_sample(name)
        return sample.table, sample.schema
    words = {"meal": ["BB", "HB", "FB", "SC", "Undefined"], "deposit_type": ["No Deposit", "Refundable", "Non Refund"]}
    table = made_up(name)
    table = table.assign(**{key: np.resize(words[key], len(table)) for key in words if key in table})
    return table, ready_schema(table, known)


@pytest.fixture(scope="module", params=list(LEVERS))
def known(request):
    table, schema = ready(request.param)
    return request.param, table, schema, Actionability.default(schema)


def test_all_known_tables_are_here():
    assert set(LEVERS) == {known.name for known in known_tables()}


def test_the_levers_and_their_directions(known):
    name, _, _, actions = known
    assert {rule.name: rule.mode for rule in actions if rule.mode != "locked"} == LEVERS[name]
    assert not [lever for lever in actions.editable if any(word in lever.lower().split("_") for word in NEVER)]


def test_every_feature_says_in_a_sentence_why(known):
    _, _, schema, _ = known
    for column in schema.features:
        assert column.lever.endswith("."), column.name
        assert 15 < len(column.lever) < 200, column.name


def test_nobody_is_asked_to_be_missing_or_to_step_back(known):
    _, table, schema, actions = known
    factual = schema.prepare(table)[schema.feature_names].reset_index(drop=True)
    walls = Walls.build(factual, schema, actions, ranges(schema, actions))
    assert walls.violations(factual) == []
    for j, column in enumerate(schema.features):
        mode = actions[column.name].mode
        now = walls.factual[:, j]
        if not column.categorical:
            assert mode != "increase" or (walls.low[:, j] >= now).all(), column.name
            assert mode != "decrease" or (walls.high[:, j] <= now).all(), column.name
            assert mode != "free", "a number that may go both ways is asked up of some and down of others"
            continue
        admitted = walls.levels[column.name]
        for code, level in enumerate(column.levels):
            others = pd.Series(column.levels)[admitted[now == code].any(axis=0)].drop(code, errors="ignore").tolist()
            assert MISSING not in others, column.name
            if mode == "locked" or (column.order and level not in column.order):
                assert others == [], column.name
            elif column.ranking:
                places = [column.ranking.index(other) - column.ranking.index(level) for other in others]
                assert all(place > 0 if mode == "increase" else place < 0 for place in places), column.name


def sample_walls(name):
    sample = load_sample(name)
    factual = sample.schema.prepare(sample.table)[sample.schema.feature_names].reset_index(drop=True)
    return factual, Walls.build(factual, sample.schema, sample.actions, ranges(sample.schema, sample.actions))


@pytest.mark.parametrize(
    ("name", "column", "step"),
    [
        ("german_credit", "Credit amount", 100),
        ("german_credit", "Duration", 3),
        ("german_credit_10", "Credit amount", 100),
        ("taiwan_default", "BILL_AMT1", 1_000),
        ("taiwan_default", "PAY_AMT1", 1_000),
    ],
)
def test_new_amounts_are_numbers_that_one_would_say_aloud(name, column, step):
    factual, walls = sample_walls(name)
    now = factual[column].to_numpy()
    for wish in (*np.linspace(0, 80, 30), *np.linspace(0, 40_000, 60)):
        got = walls.project(column, np.arange(len(now)), wish)
        assert set(got[got != now] % step) <= {0}
    assert walls.open[:, factual.columns.get_loc(column)].mean() > 0.8


@pytest.mark.parametrize(
    ("name", "column", "wish", "least", "most"),
    [
        ("taiwan_default", "PAY_0", -2, -1, 8),  # not to have used the card cannot be asked for
        ("taiwan_default", "BILL_AMT1", -5_000, 0, np.inf),
        ("adult", "hours-per-week", 99, 0, 60),
        ("german_credit", "Credit amount", 0, 500, np.inf),
        ("german_credit", "Existing credits", 0, 1, 4),
    ],
)
def test_no_new_number_is_absurd(name, column, wish, least, most):
    factual, walls = sample_walls(name)
    now = factual[column].to_numpy()
    got = walls.project(column, np.arange(len(now)), wish)
    assert (got != now).any()
    assert got[got != now].min() >= least
    assert got[got != now].max() <= most


def test_who_has_no_account_is_not_asked_to_overdraw_one():
    for name, nothing in (("german_credit", "no account"), ("german_credit_10", MISSING)):
        factual, walls = sample_walls(name)
        without = (factual["Checking account"] == nothing).to_numpy()
        assert without.sum() == 394
        assert (walls.levels["Checking account"][without].sum(axis=1) == 1).all()
        assert walls.levels["Checking account"][~without].sum() > (~without).sum()


def test_another_coding_of_an_ordered_column_is_locked_and_says_so():
    table = made_up("cardio").replace({"smoke": {0: "no", 1: "yes"}})
    column = ready_schema(table, next(known for known in known_tables() if known.name == "cardio"))["smoke"]
    assert (column.action, column.order) == ("locked", ())
    assert "not those we know" in column.lever
