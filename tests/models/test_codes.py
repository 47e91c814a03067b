"""Files that do not say how the levels of a column were numbered: what is guessed, what can be said, what is suggested."""

import json
import math

import lightgbm as lgb
import numpy as np
import pandas as pd
import pytest
import xgboost as xgb
from hypothesis import given, settings
from hypothesis import strategies as st

from discover_core.errors import InputError
from discover_core.models.code_search import MARGIN, better_codes
from discover_core.models.codes import in_order, natural_orders
from discover_core.models.evaluate import evaluate_model
from discover_core.models.load import load_model
from discover_core.models.recode import with_codes
from discover_core.table.schema import MISSING, Column, Schema

from .nasty import nasty

GRADES = ("A", "B", "C", "D", "E")
HOMES = ("own", "rent", "free", "other")
TRUE = {  # as somebody numbered them by hand: no order that a program would use
    "grade": {"A": 3.0, "B": 0.0, "C": 4.0, "D": 1.0, "E": 2.0},
    "home": {"own": 2.0, "rent": 0.0, "free": 3.0, "other": 1.0},
}
PULL = {"A": -2.0, "B": 1.5, "C": 0.0, "D": 2.5, "E": -1.0, "own": -1.0, "rent": 1.0, "free": 0.0, "other": 2.0}


def people(rows: int = 1600, seed: int = 0, number: bool = False) -> tuple[pd.DataFrame, Schema]:
    draw = np.random.default_rng(seed)
    table = pd.DataFrame(
        {"age": draw.integers(18, 80, rows), "grade": draw.choice(GRADES, rows), "home": draw.choice(HOMES, rows)}
    )
    signal = table["grade"].map(PULL) + table["home"].map(PULL) + 0.02 * (table["age"] - 50) + draw.logistic(0, 0.5, rows)
    table["late"] = signal if number else np.where(signal > 0.5, "yes", "no")
    columns = (
        Column("age", "numeric", low=18, high=80, step=1),
        Column("grade", "ordinal", levels=GRADES),
        Column("home", "nominal", levels=HOMES),
    )
    if number:
        return table, Schema((*columns, Column("late", "numeric", low=-20, high=20)), "late")
    return table, Schema((*columns, Column("late", "nominal", levels=("no", "yes"))), "late", "yes")


def coded(table: pd.DataFrame, codes: dict) -> pd.DataFrame:
    numbers = {name: table[name].map(codes[name]).astype(float) if name in codes else table[name] for name in table}
    return pd.DataFrame(numbers).drop(columns="late").astype(float)


def saved(kind: str, table: pd.DataFrame, codes: dict, target: object = None, **settings: object) -> tuple[bytes, str]:
    """A booster trained on codes, as its file, and the name of it."""
    matrix = coded(table, codes)
    target = (table["late"] == "yes").astype(int) if target is None else target
    if kind == "xgboost":
        settings = {"objective": "binary:logistic", **settings}
        return bytes(xgb.train(settings, xgb.DMatrix(matrix, target), 40).save_raw("json")), "m.json"
    settings = {"objective": "binary", "num_leaves": 15, "verbosity": -1, **settings}
    return lgb.train(settings, lgb.Dataset(matrix, target), 40).model_to_string().encode(), "m.txt"


def auc(model, table: pd.DataFrame) -> float:
    report = evaluate_model(model, table, model.schema)
    assert report is not None
    return report.auc


@pytest.mark.parametrize("kind", ["xgboost", "lightgbm"])
def test_codes_said_by_hand_restore_the_scores(kind):
    table, schema = people()
    content, name = saved(kind, table, TRUE)
    guessed = load_model(content, schema, name)
    assert guessed.codes == {"grade": dict(zip(GRADES, range(5), strict=True)), "home": dict(zip(HOMES, range(4), strict=True))}
    model = load_model(content, schema, name, codes=TRUE)
    matrix = coded(table, TRUE).to_numpy()
    if kind == "xgboost":
        booster = xgb.Booster()
        booster.load_model(bytearray(content))
        expected = booster.inplace_predict(matrix, validate_features=False)
    else:
        expected = lgb.Booster(model_str=content.decode()).predict(matrix)
    assert np.array_equal(model(table), expected)
    assert model.codes == TRUE
    assert auc(guessed, table) < auc(model, table) - 0.1
    assert np.array_equal(
        with_codes(guessed, {"grade": TRUE["grade"]})(table),
        load_model(content, schema, name, codes={"grade": TRUE["grade"]})(table),
    )


@pytest.mark.parametrize("kind", ["xgboost", "lightgbm"])
def test_another_order_that_fits_far_better_is_suggested(kind):
    table, schema = people()
    content, name = saved(kind, table, TRUE)
    guessed, true = load_model(content, schema, name), load_model(content, schema, name, codes=TRUE)
    better = better_codes(guessed, table)
    assert better is not None
    assert better.measure == "AUC"
    assert better.now == auc(guessed, table)
    assert better.then == auc(load_model(content, schema, name, codes=better.codes), table)
    assert better.then > auc(true, table) - 0.002
    assert better_codes(true, table) is None
    assert better_codes(with_codes(guessed, better.codes), table) is None


@pytest.mark.parametrize(
    ("order", "start"), [*((order, 0) for order in natural_orders(people()[1]["grade"], pd.Series(GRADES))), ("alphabetical", 1)]
)
def test_the_orders_that_programs_use_are_found_to_the_number(order, start):
    """Also those that count from 1."""
    table, schema = people()
    schema = schema.replace("grade", levels=("C", "E", "A", "D", "B")).replace("home", levels=("rent", "other", "own", "free"))
    ready = schema.prepare(table)
    codes = {name: in_order(schema[name], natural_orders(schema[name], ready[name])[order], start) for name in ("grade", "home")}
    content, name = saved("xgboost", table, codes)
    guessed = load_model(content, schema, name)
    better = better_codes(guessed, table)
    if better is None:
        assert auc(load_model(content, schema, name, codes=codes), table) < auc(guessed, table) + MARGIN
    else:
        assert guessed.codes | better.codes == codes
    assert (better is None) == (order == "as listed on the Data page" and start == 0)


@pytest.mark.parametrize("settings", [{}, {"max_depth": 1}, {"max_depth": 2, "eta": 0.05}, {"max_depth": 9}], ids=str)
@pytest.mark.parametrize("seed", range(2))
def test_a_right_guess_is_left_alone(settings, seed):
    """Also for weak models, and on rows that the model has never seen."""
    table, schema = people(seed=seed)
    guess = {"grade": dict(zip(GRADES, range(5), strict=True)), "home": dict(zip(HOMES, range(4), strict=True))}
    model = load_model(*arguments(saved("xgboost", table, guess, **settings), schema))
    assert better_codes(model, table) is None
    assert better_codes(model, people(seed=100 + seed)[0]) is None


def arguments(file: tuple[bytes, str], schema: Schema) -> tuple[bytes, Schema, str]:
    return file[0], schema, file[1]


@pytest.mark.parametrize("rows", [250, 1600])
@pytest.mark.parametrize("seed", range(4))
def test_trying_many_orders_on_noise_suggests_nothing(rows, seed):
    """A model without any signal, whose outcomes are a coin's: some order always looks good on the rows it was chosen on."""
    table, schema = people(rows, seed)
    noise = np.random.default_rng(1000 + seed)
    content, name = saved("xgboost", table, TRUE, target=noise.integers(0, 2, rows))
    model = load_model(content, schema, name)
    table["late"] = noise.choice(["no", "yes"], rows)
    assert better_codes(model, table) is None


def test_classes_the_wrong_way_round_are_no_matter_of_codes():
    table, schema = people()
    content, name = saved("xgboost", table, TRUE)
    flipped = schema.with_outcome("late", "no")
    assert better_codes(load_model(content, flipped, name, codes=TRUE), table) is None


def test_a_number_to_be_predicted_is_judged_by_r2():
    table, schema = people(number=True)
    content, name = saved("xgboost", table, TRUE, table["late"], objective="reg:squarederror")
    model = load_model(content, schema, name)
    better = better_codes(model, table)
    assert better is not None
    assert better.measure == "R²"
    assert better.now == evaluate_model(model, table, schema).r2
    assert better.then > evaluate_model(with_codes(model, TRUE), table, schema).r2 - 0.002


def test_linear_models_few_rows_and_no_outcome_give_no_suggestion():
    table, schema = people()
    content, name = saved("xgboost", table, TRUE)
    model = load_model(content, schema, name)
    assert better_codes(model, table) is not None
    assert better_codes(model, table[:150]) is None
    assert better_codes(load_model(content, schema.with_outcome(None), name), table) is None
    assert better_codes(model, table[table["late"] == "yes"]) is None
    content, name = saved("xgboost", table, TRUE, booster="gblinear")
    assert better_codes(load_model(content, schema, name), table) is None


def test_the_ranks_of_numbers_and_missing_values_are_found():
    """An encoder that counts the values 2, 5 and 9 as 0, 1, 2 and leaves gaps as gaps."""
    draw = np.random.default_rng(0)
    table = pd.DataFrame({"stars": draw.choice([2, 5, 9], 1600), "grade": draw.choice([*GRADES, None], 1600)})
    pull = table["stars"].map({2: -1.0, 5: 2.0, 9: 0.0}) + table["grade"].map(PULL).fillna(4)
    table["late"] = np.where(pull + draw.logistic(0, 0.5, 1600) > 0.5, "yes", "no")
    schema = Schema(
        (
            Column("stars", "ordinal", levels=(2, 5, 9)),
            Column("grade", "nominal", levels=("E", "A", "C", "B", "D", MISSING)),
            Column("late", "nominal", levels=("no", "yes")),
        ),
        "late",
        "yes",
    )
    codes = {"stars": {2: 0.0, 5: 1.0, 9: 2.0}, "grade": dict(zip(GRADES, range(5), strict=True)) | {None: math.nan}}
    better = better_codes(load_model(*arguments(saved("xgboost", table, codes), schema)), table)
    assert better is not None
    assert better.codes == {
        "stars": {"2": 0, "5": 1, "9": 2},
        "grade": dict(zip(GRADES, range(5), strict=True)) | {MISSING: None},
    }


@given(st.permutations(range(5)), st.permutations(range(4)))
@settings(max_examples=20, deadline=None)
def test_codes_of_a_model_are_the_codes_it_was_given(grades, homes):
    codes = {"grade": dict(zip(GRADES, grades, strict=True)), "home": dict(zip(HOMES, homes, strict=True))}
    model = with_codes(SMALL, codes)
    assert model.codes == codes
    assert with_codes(model, SMALL.codes).codes == SMALL.codes
    assert np.array_equal(with_codes(model, json.loads(json.dumps(model.codes)))(SOME), model(SOME))


SOME, PLAIN = people(300)
SMALL = load_model(*arguments(saved("xgboost", SOME, TRUE), PLAIN))


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        ({"age": {"18": 0}}, "cannot be used"),
        ({"nobody": {"A": 0}}, "codes can be given for “grade”, “home”"),
        ({"grade": {"A": 0, "B": 1, "C": 2, "D": 3}}, "lack its value “E”"),
        ({"grade": dict.fromkeys([*GRADES, "F"], 1)}, "name “F”"),
        ({"grade": dict.fromkeys(GRADES, "1")}, "must be a number"),
        ({"grade": dict.fromkeys(GRADES, True)}, "must be a number"),
        ({"grade": dict.fromkeys(GRADES, math.nan)}, "must be a number"),
        ({"grade": dict.fromkeys(GRADES, 1e300)}, "must be a number"),
        ({"grade": list(GRADES)}, "a number for each of its values"),
    ],
)
def test_codes_that_cannot_be_used_get_a_sentence(codes, words):
    content, name = saved("xgboost", SOME, TRUE)
    with pytest.raises(InputError) as caught:
        load_model(content, PLAIN, name, codes=codes)
    assert words in str(caught.value)
    assert str(caught.value).endswith(".")


def test_a_file_that_says_its_categories_is_not_overruled():
    table, schema = nasty()
    frame = pd.DataFrame({"Status": pd.Categorical(table["Status"])})
    fitted = xgb.XGBClassifier(n_estimators=3, enable_categorical=True).fit(frame, table["Risk"] == "bad")
    content = bytes(fitted.get_booster().save_raw("json"))
    assert load_model(content, schema, "m.json").codes == {}
    with pytest.raises(InputError, match="no column of it can be given codes"):
        load_model(content, schema, "m.json", codes={"Status": {str(level): 0 for level in schema["Status"].levels}})
