"""What is saved scores the same to the bit when it is loaded again."""

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from discover_core.errors import InputError
from discover_core.models.load import load_model
from discover_core.models.model import Model
from discover_core.models.save import save_model
from discover_core.models.settings import FAMILIES
from discover_core.models.train import train_model
from discover_core.table.schema import Column, Schema

from .nasty import nasty

EXTENSION = {"xgboost": ".json", "lightgbm": ".txt"}
QUICK = {"random_forest": {"trees": 20}, "xgboost": {"trees": 20}, "lightgbm": {"trees": 20}}


@pytest.mark.parametrize("outcome", ["Risk", "Amount"])
@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_comes_back_identical(family: str, outcome: str) -> None:
    table, schema = nasty(outcome)
    model = train_model(family, table, schema, seed=1, settings=QUICK.get(family))
    data, extension = save_model(model)
    assert extension == EXTENSION.get(family, ".skops")
    again = load_model(data, schema, f"mine{extension}")
    expected = model(table)
    assert np.ptp(expected) > 0
    assert np.array_equal(again(table), expected)
    assert (again.family, again.output, again.interval, again.notes) == (family, model.output, model.interval, ())
    assert set(again.inputs) == set(schema.feature_names)
    assert np.array_equal(pickle.loads(pickle.dumps(again))(table), expected)
    assert save_model(again) == (data, extension)


@pytest.mark.parametrize("family", ["xgboost", "lightgbm"])
def test_large_whole_numbers_come_back_identical(family: str) -> None:
    draw = np.random.default_rng(0)
    table = pd.DataFrame({"a": draw.integers(2**30, 2**30 + 400, 600), "b": draw.integers(0, 9, 600)})
    table["y"] = np.where(table["a"] % 400 + 40 * table["b"] > 350, "yes", "no")
    schema = Schema(
        (
            Column("a", "numeric", low=0, high=2**31, step=1),
            Column("b", "numeric", low=0, high=9, step=1),
            Column("y", "nominal", levels=("no", "yes")),
        ),
        "y",
        "yes",
    )
    model = train_model(family, table, schema, settings={"trees": 10})
    data, extension = save_model(model)
    assert np.array_equal(load_model(data, schema, "m" + extension)(table), model(table))


def test_a_saved_pipeline_can_be_mapped_to_renamed_columns() -> None:
    table, schema = nasty()
    model = train_model("logistic", table, schema)
    data, _ = save_model(model)
    other = replace(schema, columns=tuple(replace(c, name="Rate") if c.name == "Rate [%]" else c for c in schema))
    again = load_model(data, other, "m.skops", mapping={"Rate [%]": "Rate"})
    assert np.array_equal(again(table.rename(columns={"Rate [%]": "Rate"})), model(table))


def test_the_other_positive_level_is_said() -> None:
    table, schema = nasty()
    data, _ = save_model(train_model("xgboost", table, schema, settings={"trees": 3}))
    again = load_model(data, schema.with_outcome("Risk", "good"), "m.json")
    assert again.output == "probability that Risk is bad"
    assert "probability that Risk is bad" in again.notes[0]


def test_a_function_cannot_be_saved() -> None:
    _, schema = nasty()
    with pytest.raises(InputError, match="cannot be saved"):
        save_model(Model(len, schema, "function", "Mine", (), "model output"))
