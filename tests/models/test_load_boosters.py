"""XGBoost and LightGBM files: columns, categories, outputs, damage."""

import json
import pickle

import lightgbm as lgb
import numpy as np
import pandas as pd
import pytest
import xgboost as xgb

from discover_core.errors import InputError
from discover_core.models.load import load_model
from discover_core.models.questions import ChooseOutput, ColumnMismatch

from .nasty import LEVELS, nasty

TABLE, SCHEMA = nasty()
BAD = (TABLE["Risk"] == "bad").astype(int)
NUMBERS = TABLE[["Age in years", "Rate [%]", "Stars"]]


def boosted(matrix: object, target: object = BAD, names: list[str] | None = None, **settings: object) -> xgb.Booster:
    data = xgb.DMatrix(matrix, target, feature_names=names)
    return xgb.train({"objective": "binary:logistic", **settings}, data, 8)


def raw(booster: xgb.Booster, form: str = "json") -> bytes:
    return bytes(booster.save_raw(form))


def light(matrix: object, target: object = BAD, **settings: object) -> lgb.Booster:
    parameters = {"objective": "binary", "verbosity": -1, "num_leaves": 7, "min_data_in_leaf": 5, **settings}
    return lgb.train(parameters, lgb.Dataset(matrix, target), 8)


@pytest.mark.parametrize("form", ["json", "ubj"])
def test_xgboost_by_name(form: str) -> None:
    names = ["Stars", "Rate (%)", "Age in years"]
    booster = boosted(NUMBERS[["Stars", "Rate [%]", "Age in years"]].to_numpy(), names=names)
    model = load_model(raw(booster, form), SCHEMA, f"m.{form}", mapping={"Rate (%)": "Rate [%]"})
    expected = booster.inplace_predict(NUMBERS[["Stars", "Rate [%]", "Age in years"]].to_numpy(float), validate_features=False)
    assert np.array_equal(model(TABLE), expected)
    assert model.inputs == ("Stars", "Rate [%]", "Age in years")
    assert (model.interval, model.output) == ((0.0, 1.0), "probability that Risk is bad")
    assert "class 1" in model.notes[0]


def test_a_mismatch_lists_what_is_wanted_and_what_there_is() -> None:
    booster = boosted(NUMBERS.assign(x=1, y=2).to_numpy(), names=["age_in_years", "Stars", "rate", "id", "Status_50%"])
    with pytest.raises(ColumnMismatch) as caught:
        load_model(raw(booster), SCHEMA, "m.json")
    error = pickle.loads(pickle.dumps(caught.value))
    assert error.wants == ["age_in_years", "Stars", "rate", "id", "Status_50%"]
    assert error.has == SCHEMA.feature_names
    assert error.matched == {"Stars": "Stars", "Status_50%": "Status=50%"}
    assert error.missing == ["age_in_years", "rate", "id"]
    assert error.suggested == {"age_in_years": "Age in years", "rate": "Rate [%]"}
    assert "“rate”" in str(error)
    assert "left out" in str(error)
    with pytest.raises(InputError, match="no such column"):
        load_model(raw(booster), SCHEMA, "m.json", mapping={"rate": "nowhere"})
    mapping = {"age_in_years": "Age in years", "rate": "Rate [%]", "id": "Own=car=True"}
    assert len(load_model(raw(booster), SCHEMA, "m.json", mapping=mapping)(TABLE)) == len(TABLE)


@pytest.mark.parametrize("form", ["{}={}", "{}_{}", "{}-{}"])
def test_indicator_columns_as_pandas_makes_them(form: str) -> None:
    levels = ["a=b", "50%", "ä ö"]
    matrix = np.column_stack([TABLE["Rate [%]"], *[TABLE["Status"] == level for level in levels], TABLE["Code"] == 7.0]).astype(
        float
    )
    names = ["Rate", *[form.format("Status", level) for level in levels], form.format("Code", "7.0")]
    booster = boosted(matrix, names=names)
    model = load_model(raw(booster), SCHEMA, "m.json", mapping={"Rate": "Rate [%]"})
    assert np.array_equal(model(TABLE), booster.inplace_predict(matrix, validate_features=False))


def test_nameless_inputs_go_by_position_and_say_so() -> None:
    prepared = SCHEMA.prepare(TABLE)[SCHEMA.feature_names]
    matrix = np.column_stack(
        [prepared[name].cat.codes if prepared[name].dtype == "category" else prepared[name] for name in prepared]
    )
    matrix = matrix.astype(float)
    matrix[:, 3] = TABLE["Stars"]  # levels that are numbers are given as these numbers
    matrix[:, 5] = TABLE["Code"]
    booster = boosted(matrix)
    model = load_model(raw(booster), SCHEMA, "m.json")
    assert np.array_equal(model(TABLE), booster.inplace_predict(matrix))
    assert "names no columns" in model.notes[0]
    assert model.codes["Status"] == {level: float(code) for code, level in enumerate(LEVELS)}
    assert model.codes["Stars"] == {"1": 1, "2": 2, "5": 5}
    with pytest.raises(ColumnMismatch) as caught:
        load_model(raw(boosted(matrix[:, :4])), SCHEMA, "m.json")
    assert caught.value.missing == ["f0", "f1", "f2", "f3"]


def categories() -> pd.DataFrame:
    """As a user would hand them over: other orders of the categories than ours."""
    return pd.DataFrame(
        {
            "Rate": TABLE["Rate [%]"],
            "Status": pd.Categorical(TABLE["Status"], ["a=b", "50%", "ä ö", "x,y:z", "a[b]", "< 0 DM", '{"q"}']),
            "Stars": pd.Categorical(TABLE["Stars"], [5, 2, 1]),
        }
    )


def test_xgboost_categories() -> None:
    frame = categories()
    fitted = xgb.XGBClassifier(n_estimators=9, enable_categorical=True, max_cat_to_onehot=1).fit(frame, BAD)
    model = load_model(raw(fitted.get_booster(), "ubj"), SCHEMA, "m.ubj", mapping={"Rate": "Rate [%]"})
    assert np.array_equal(model(TABLE), fitted.predict_proba(frame)[:, 1])


def test_lightgbm_categories() -> None:
    frame = categories()
    booster = light(frame, min_data_per_group=5, cat_smooth=1)
    model = load_model(booster.model_to_string().encode(), SCHEMA, "m.txt", mapping={"Rate": "Rate [%]"})
    assert np.array_equal(model(TABLE), booster.predict(frame))


def test_lightgbm_writes_blanks_as_underscores() -> None:
    frame = NUMBERS[["Age in years", "Stars"]]
    booster = light(frame)
    assert booster.feature_name() == ["Age_in_years", "Stars"]
    model = load_model(booster.model_to_string().encode(), SCHEMA, "m.txt")
    assert np.array_equal(model(TABLE), booster.predict(frame))
    assert (model.interval, model.output) == ((0.0, 1.0), "probability that Risk is bad")


def test_several_classes_must_be_chosen() -> None:
    three = np.arange(len(TABLE)) % 3
    names = ["Age in years", "Rate", "Stars"]
    booster = boosted(NUMBERS.to_numpy(), three, names, objective="multi:softprob", num_class=3)
    mapping = {"Rate": "Rate [%]"}
    with pytest.raises(ChooseOutput) as caught:
        load_model(raw(booster), SCHEMA, "m.json", mapping=mapping)
    assert pickle.loads(pickle.dumps(caught.value)).choices == ["0", "1", "2"]
    model = load_model(raw(booster), SCHEMA, "m.json", mapping=mapping, output="2")
    assert np.array_equal(model(TABLE), booster.inplace_predict(NUMBERS.to_numpy(float), validate_features=False)[:, 2])
    assert model.output == "probability of class 2"
    with pytest.raises(InputError, match="no output “9”"):
        load_model(raw(booster), SCHEMA, "m.json", mapping=mapping, output=9)
    labels = boosted(NUMBERS.to_numpy(), three, names, objective="multi:softmax", num_class=3)
    with pytest.raises(InputError, match="a label per row"):
        load_model(raw(labels), SCHEMA, "m.json", mapping=mapping)
    text = light(NUMBERS.to_numpy(), three, objective="multiclass", num_class=3).model_to_string()
    text = text.replace("Column_0 Column_1 Column_2", "Age_in_years Rate Stars")
    with pytest.raises(ChooseOutput):
        load_model(text.encode(), SCHEMA, "m.txt", mapping=mapping)
    assert load_model(text.encode(), SCHEMA, "m.txt", mapping=mapping, output=0).interval == (0.0, 1.0)


def test_regression_and_linear_boosters() -> None:
    table, schema = nasty("Amount")
    matrix = table[["Age in years", "Stars"]].to_numpy(float)
    for settings in ({"objective": "reg:squarederror"}, {"objective": "reg:squarederror", "booster": "gblinear"}):
        booster = boosted(matrix, table["Amount"], ["Age in years", "Stars"], **settings)
        model = load_model(raw(booster), schema, "m.json")
        assert np.array_equal(model(table), booster.predict(xgb.DMatrix(matrix), validate_features=False))
        assert (model.interval, model.output) == (None, "predicted Amount")
    booster = light(matrix, table["Amount"], objective="regression")
    text = booster.model_to_string().replace("Column_0 Column_1", "Age_in_years Stars")
    assert np.array_equal(load_model(text.encode(), schema, "m.txt")(table), booster.predict(matrix))


@pytest.mark.parametrize("cut", [5, 60, 400, 900, -900, -5])
def test_a_cut_off_file_is_refused(cut: int) -> None:
    with pytest.raises(InputError, match=r"m\.json"):
        load_model(raw(boosted(NUMBERS.to_numpy()))[:cut], SCHEMA, "m.json")
    with pytest.raises(InputError, match=r"m\.ubj"):
        load_model(raw(boosted(NUMBERS.to_numpy()), "ubj")[:cut], SCHEMA, "m.ubj")
    text = light(NUMBERS.to_numpy()).model_to_string()
    trees = text[: text.index("end of trees")]
    with pytest.raises(InputError, match=r"m\.txt"):
        load_model(trees[:cut].encode(), SCHEMA, "m.txt")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("left_child=", "left_child=99 "),
        ("split_feature=", "split_feature=7 "),
        ("leaf_value=", "leaf_value=1 "),
        ("num_class=1", "num_class=x"),
    ],
)
def test_a_tree_that_points_nowhere_is_refused(old: str, new: str) -> None:
    """LightGBM would end the process on such a file."""
    text = light(NUMBERS.to_numpy()).model_to_string()
    grown = len(new) - len(old)
    first = int(text.split("tree_sizes=")[1].split(" ")[0])
    text = text.replace(old, new, 1).replace(f"tree_sizes={first}", f"tree_sizes={first + grown}")
    with pytest.raises(InputError, match="damaged"):
        load_model(text.encode(), SCHEMA, "m.txt")


@pytest.mark.parametrize(
    "content", [{}, {"learner": {}}, {"learner": []}, {"a": "learner"}, {"learner": {"gradient_booster": 1}}]
)
def test_json_that_is_no_model_is_refused(content: object) -> None:
    with pytest.raises(InputError, match="not an XGBoost model"):
        load_model(json.dumps(content).encode(), SCHEMA, "m.json")
