"""skops and pickle files: what may be opened, and how an estimator is asked."""

import io
import os
import pickle
import warnings

import joblib
import numpy as np
import pandas as pd
import pytest
import skops.io
from lightgbm import LGBMClassifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RationalQuadratic
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression, Perceptron
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.svm import SVC, LinearSVC
from xgboost import XGBClassifier

from discover_core.errors import InputError
from discover_core.models.load import check_model, load_model
from discover_core.models.questions import ChooseOutput, ColumnMismatch, UnknownTypes
from discover_core.models.skops_model import may_be_approved

from .nasty import nasty

TABLE, SCHEMA = nasty()
NUMBERS = TABLE[["Age in years", "Rate [%]", "Stars"]]
MIXED = TABLE[["Stars", "Status", "Rate [%]", "Own=car"]]
BAD = TABLE["Risk"] == "bad"


def pipeline(estimator: object) -> object:
    encode = make_column_transformer(
        (make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(sparse_output=False)), ["Status"]),
        (StandardScaler(), ["Stars", "Rate [%]"]),
        remainder="passthrough",
    )
    return make_pipeline(encode, estimator).fit(MIXED.fillna({"Status": "none"}), TABLE["Risk"])


@pytest.mark.parametrize(
    "estimator",
    [
        LogisticRegression(),
        RandomForestClassifier(5, random_state=0, n_jobs=2),
        GradientBoostingClassifier(n_estimators=5),
        HistGradientBoostingClassifier(max_iter=5),
        CalibratedClassifierCV(LinearSVC()),
        LGBMClassifier(n_estimators=5, verbosity=-1),
    ],
    ids=lambda e: type(e).__name__,
)
def test_a_pipeline_over_raw_columns(estimator: object) -> None:
    fitted = pipeline(estimator)
    table = TABLE.fillna({"Status": "a=b"})
    model = load_model(skops.io.dumps(fitted), SCHEMA, "m.skops")
    assert np.allclose(model(table), fitted.predict_proba(table[list(MIXED)])[:, 0], rtol=0, atol=1e-12)  # classes: bad, good
    assert model.inputs == tuple(MIXED)
    assert (model.output, model.interval, model.notes) == ("probability that Risk is bad", (0.0, 1.0), ())
    assert np.array_equal(pickle.loads(pickle.dumps(model))(table), model(table))


def test_indicator_columns_of_a_bare_estimator() -> None:
    frame = pd.get_dummies(TABLE[["Rate [%]", "Saving <level>", "Stars"]])
    fitted = RandomForestClassifier(5, random_state=0).fit(frame, BAD)
    model = load_model(skops.io.dumps(fitted), SCHEMA, "m.skops")
    assert np.array_equal(model(TABLE), fitted.predict_proba(frame)[:, 1])
    assert "does not know “bad”" in model.notes[0]
    assert model.output == "probability of class True"


def test_pandas_categories_are_given_to_models_that_want_them() -> None:
    frame = pd.DataFrame({"Rate": TABLE["Rate [%]"], "Saving": pd.Categorical(TABLE["Saving <level>"])})
    mapping = {"Rate": "Rate [%]", "Saving": "Saving <level>"}
    for fitted in (LGBMClassifier(n_estimators=5, verbosity=-1), XGBClassifier(n_estimators=5, enable_categorical=True)):
        fitted.fit(frame, BAD)
        model = load_model(skops.io.dumps(fitted), SCHEMA, "m.skops", mapping=mapping)
        assert np.array_equal(model(TABLE), fitted.predict_proba(frame)[:, 1])
    fitted = HistGradientBoostingClassifier(max_iter=5).fit(frame, BAD)
    model = load_model(
        pickle.dumps(fitted), SCHEMA, "m.pkl", mapping=mapping, allow_pickle=True
    )  # its skops file holds a function
    assert np.array_equal(model(TABLE), fitted.predict_proba(frame)[:, 1])


def test_estimators_without_probabilities() -> None:
    fitted = SVC().fit(NUMBERS, TABLE["Risk"])
    model = load_model(skops.io.dumps(fitted), SCHEMA, "m.skops")
    assert np.array_equal(model(TABLE), -fitted.decision_function(NUMBERS))  # positive values are “good”
    assert model.interval is None
    assert "no probabilities" in model.notes[0]
    number = LinearRegression().fit(NUMBERS, TABLE["Amount"])
    table, schema = nasty("Amount")
    model = load_model(skops.io.dumps(number), schema, "m.skops")
    assert np.array_equal(model(table), number.predict(NUMBERS))
    assert (model.output, model.interval) == ("predicted Amount", None)
    labels = NearestCentroid().fit(NUMBERS, TABLE["Risk"])
    if not hasattr(labels, "predict_proba"):
        with pytest.raises(InputError, match="only labels"):
            load_model(skops.io.dumps(labels), SCHEMA, "m.skops")


def test_several_classes_must_be_chosen() -> None:
    for estimator in (LogisticRegression(max_iter=9), Perceptron()):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fitted = estimator.fit(NUMBERS, TABLE["Saving <level>"])
        with pytest.raises(ChooseOutput) as caught:
            load_model(skops.io.dumps(fitted), SCHEMA, "m.skops")
        assert caught.value.choices == ["high", "low", "mid"]
        model = load_model(skops.io.dumps(fitted), SCHEMA, "m.skops", output="mid")
        ask = fitted.predict_proba if hasattr(fitted, "predict_proba") else fitted.decision_function
        assert np.array_equal(model(TABLE), ask(NUMBERS)[:, 2])


def test_nameless_estimators_go_by_position() -> None:
    with pytest.raises(ColumnMismatch) as caught:
        load_model(skops.io.dumps(LogisticRegression().fit(NUMBERS.to_numpy(), BAD)), SCHEMA, "m.skops")
    assert caught.value.missing == ["f0", "f1", "f2"]
    mapping = {"f0": "Age in years", "f1": "Rate [%]", "f2": "Stars"}
    fitted = LogisticRegression(max_iter=500).fit(NUMBERS.to_numpy(), BAD)
    model = load_model(skops.io.dumps(fitted), SCHEMA, "m.skops", mapping=mapping)
    assert np.allclose(model(TABLE), fitted.predict_proba(NUMBERS.to_numpy())[:, 1], rtol=0, atol=1e-12)


def test_unknown_types_can_be_approved() -> None:
    data = skops.io.dumps(GaussianProcessClassifier(RationalQuadratic(), optimizer=None).fit(NUMBERS, BAD))
    with pytest.raises(UnknownTypes) as caught:
        load_model(data, SCHEMA, "m.skops")
    types = pickle.loads(pickle.dumps(caught.value)).types
    assert "sklearn.gaussian_process.kernels.RationalQuadratic" in types
    assert len(load_model(data, SCHEMA, "m.skops", approved=types)(TABLE)) == len(TABLE)


def test_a_function_is_never_loaded_even_if_approved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISCOVER_ALLOW_PICKLE", raising=False)
    for function in (os.system, joblib.load, eval):
        data = skops.io.dumps(make_pipeline(FunctionTransformer(function), LogisticRegression()))
        names = skops.io.get_untrusted_types(data=data)
        assert names
        with pytest.raises(InputError, match="never loaded") as caught:
            load_model(data, SCHEMA, "m.skops", approved=names)
        assert not isinstance(caught.value, UnknownTypes)


@pytest.mark.parametrize(
    "name",
    [
        "posix.system",
        "builtins.eval",
        "functools.partial",
        "joblib.numpy_pickle.load",
        "numpy.testing.run_module_suite",
        "sklearn.utils.fixes.os",
        "sklearn.datasets._base.load_files",
        "sklearn.utils._testing.TempMemmap",
        "sklearn.externals",
        "xgboost.core.Booster.save_model",
        "lightgbm.basic.ctypes.CDLL",
        "lightgbm.basic.OrderedDict",
        "sklearn.nowhere.Thing",
        "sklearn..Tree",
        "Tree",
        "",
    ],
)
def test_what_may_never_be_approved(name: str) -> None:
    assert not may_be_approved(name)


def test_classes_of_known_packages_may_be_approved() -> None:
    assert may_be_approved("sklearn.gaussian_process.kernels.RationalQuadratic")
    assert may_be_approved("xgboost.sklearn.XGBRanker")


def test_something_that_is_no_model() -> None:
    with pytest.raises(InputError, match="holds a dict, not a model"):
        load_model(skops.io.dumps({"a": 1}), SCHEMA, "m.skops")
    with pytest.raises(InputError, match="holds a StandardScaler, not a model"):
        load_model(skops.io.dumps(StandardScaler().fit(NUMBERS)), SCHEMA, "m.skops")


class Bomb:
    """Unpickling it leaves a trace."""

    def __reduce__(self) -> object:
        return exec, ("import builtins; builtins.exploded = True",)


def packed(thing: object) -> bytes:
    buffer = io.BytesIO()
    joblib.dump(thing, buffer)
    return buffer.getvalue()


@pytest.mark.parametrize("extension", [".pkl", ".joblib", ".pickle", ".skops", ".json", ".ubj", ".txt", ".onnx", ""])
def test_a_pickle_is_refused_under_every_name(extension: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import builtins

    monkeypatch.delenv("DISCOVER_ALLOW_PICKLE", raising=False)
    for data in (pickle.dumps(Bomb()), packed(Bomb()), pickle.dumps(Bomb(), protocol=0)):
        with pytest.raises(InputError) as caught:
            load_model(data, SCHEMA, f"m{extension}")
        if extension in (".pkl", ".joblib", ".pickle") or data[0] == 0x80:
            assert 'skops.io.dump(model, "model.skops")' in str(caught.value)
            assert "runs code" in str(caught.value)
    assert not hasattr(builtins, "exploded")


def test_a_pickle_is_opened_when_the_operator_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    fitted = LogisticRegression(max_iter=500).fit(NUMBERS, TABLE["Risk"])
    expected = fitted.predict_proba(NUMBERS)[:, 0]
    monkeypatch.setenv("DISCOVER_ALLOW_PICKLE", "1")
    for name, data in (("m.pkl", pickle.dumps(fitted)), ("m.joblib", packed(fitted))):
        assert np.array_equal(load_model(data, SCHEMA, name)(TABLE), expected)
        with pytest.raises(InputError, match="runs code"):
            load_model(data, SCHEMA, name, allow_pickle=False)
    monkeypatch.setenv("DISCOVER_ALLOW_PICKLE", "yes")
    with pytest.raises(InputError, match="runs code"):
        load_model(pickle.dumps(fitted), SCHEMA, "m.pkl")
    booster = XGBClassifier(n_estimators=3).fit(NUMBERS.rename(columns={"Rate [%]": "Rate"}), BAD).get_booster()
    model = load_model(pickle.dumps(booster), SCHEMA, "m.pkl", allow_pickle=True, mapping={"Rate": "Rate [%]"})
    assert model.family == "xgboost"


class Odd:
    """A model that misbehaves as told."""

    def __init__(self, answer: object) -> None:
        self.answer = answer
        self.feature_names_in_ = np.array(["Stars"])

    def predict(self, table: pd.DataFrame) -> object:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (np.full(50, np.nan), "NaN"),
        (np.zeros(3), "3 scores for 50 rows"),
        (np.zeros((50, 4)), "4 outputs per row"),
        (RuntimeError("no such thing"), "no such thing"),
        (["a"] * 50, "other than numbers"),
    ],
)
def test_a_model_that_misbehaves_gets_one_sentence(answer: object, sentence: str) -> None:
    model = load_model(pickle.dumps(Odd(answer)), SCHEMA, "odd.pkl", allow_pickle=True)
    with pytest.raises(InputError, match=sentence):
        check_model(model, TABLE)
