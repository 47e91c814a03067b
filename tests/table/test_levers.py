"""Names that commonly are no levers begin locked, with a sentence that calls it a suggestion."""

import numpy as np
import pandas as pd
import pytest

from discover_core.problem.actionability import Actionability
from discover_core.table import Schema
from discover_core.table.levers import fixed_word, suggestion


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("age", "age"),
        ("Age at loan", "age"),
        ("customerAge", "age"),
        ("AGE_2", "age"),
        ("SEX", "sex"),
        ("gender-code", "gender"),
        ("Race/Ethnicity", "race"),
        ("dateOfBirth", "date"),
        ("DOB", "dob"),
        ("birthYear", "birth"),
        ("client_id", "id"),
        ("IDNumber", "id"),
        ("zip4", "zip"),
        ("postcode", "postcode"),
        ("country_of_birth", "country"),
        ("Nationality", "nationality"),
        ("religion", "religion"),
        ("creditHistory", "history"),
        ("previous_loans", "previous"),
        ("priors_count", "priors"),
        ("past delays", "past"),
        ("PAST", "past"),
    ],
)
def test_whole_words_of_a_name(name, word):
    assert fixed_word(name) == word
    assert suggestion(name) == f"Suggested: locked, because the name says {word}. Unlock it if a person could change it."


@pytest.mark.parametrize(
    "name",
    [
        "mortgage",
        "paid",
        "amount_paid",
        "wage",
        "usage",
        "package",
        "percentage",
        "average",
        "trace",
        "terrace",
        "update",
        "priority",
        "residence",
        "pastry",
        "amount_past_due",
        "pastDueDays",
        "zipper",
        "bids",
        "Income",
        "duration",
        "",
        "42",
    ],
)
def test_parts_of_words_do_not_count(name):
    assert fixed_word(name) is None
    assert suggestion(name) == ""


def test_an_unknown_table_begins_with_its_suggestions():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "age": rng.integers(18, 80, 90),
            "ethnicity": rng.choice(["a", "b", "c"], 90),
            "prior_default": rng.choice([0, 1], 90),
            "history_grade": rng.choice(["low", "medium", "high"], 90),
            "mortgage": rng.integers(0, 900, 90),
            "y": rng.choice([0, 1], 90),
        }
    )
    schema = Schema.infer(table, "y")
    locked = {column.name: column.action == "locked" for column in schema.features}
    assert locked == {"age": True, "ethnicity": True, "prior_default": True, "history_grade": True, "mortgage": False}
    assert all(column.lever.startswith("Suggested: locked") == locked[column.name] for column in schema.features)
    assert Actionability.default(schema).editable == ("mortgage",)
    assert not schema["y"].lever
