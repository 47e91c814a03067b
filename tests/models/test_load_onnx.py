"""ONNX files: one input for all columns or one per column; probabilities, dictionaries, numbers, labels."""

import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from skl2onnx import to_onnx
from skl2onnx.common.data_types import FloatTensorType, Int64TensorType, StringTensorType
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, PolynomialFeatures, StandardScaler

from discover_core.errors import InputError
from discover_core.models.load import load_model
from discover_core.models.questions import ColumnMismatch
from discover_core.models.save import save_model
from discover_core.table.schema import Schema

from .nasty import nasty

TABLE, SCHEMA = nasty()
NUMERIC = Schema(tuple(c for c in SCHEMA if c.name in ("Age in years", "Rate [%]", "Stars", "Risk")), "Risk", "bad")
NUMBERS = TABLE[["Age in years", "Rate [%]", "Stars"]].to_numpy(np.float32)


@pytest.mark.parametrize("zipmap", [True, False])
def test_one_input_for_all_columns(zipmap: bool) -> None:
    fitted = RandomForestClassifier(10, random_state=0).fit(NUMBERS, TABLE["Risk"])
    data = to_onnx(fitted, NUMBERS[:1], options={"zipmap": zipmap}).SerializeToString()
    model = load_model(data, NUMERIC, "m.onnx")
    assert np.allclose(model(TABLE), fitted.predict_proba(NUMBERS)[:, 0], atol=1e-5)
    assert (model.output, model.interval) == ("probability that Risk is bad", (0.0, 1.0))
    assert model(TABLE).min() >= 0
    assert model(TABLE).max() <= 1
    assert any("names no columns" in note for note in model.notes)
    assert any("alphabetical" in note for note in model.notes) != zipmap
    assert np.array_equal(pickle.loads(pickle.dumps(model))(TABLE), model(TABLE))
    assert save_model(model) == (data, ".onnx")
    with pytest.raises(ColumnMismatch):
        load_model(data, SCHEMA, "m.onnx")


def test_one_input_per_column() -> None:
    frame = TABLE[["Status", "Age in years", "Rate [%]"]].fillna({"Status": ""}).rename(columns={"Age in years": "Age"})
    encode = make_column_transformer((OneHotEncoder(), ["Status"]), remainder="passthrough")
    fitted = make_pipeline(encode, LogisticRegression(max_iter=2000)).fit(frame, TABLE["Risk"])
    kinds = [
        ("Status", StringTensorType([None, 1])),
        ("Age", Int64TensorType([None, 1])),
        ("Rate [%]", FloatTensorType([None, 1])),
    ]
    data = to_onnx(fitted, initial_types=kinds, options={"zipmap": False}).SerializeToString()
    with pytest.raises(ColumnMismatch) as caught:
        load_model(data, SCHEMA, "m.onnx")
    assert caught.value.missing == ["Age"]
    model = load_model(data, SCHEMA, "m.onnx", mapping={"Age": "Age in years"})
    assert np.allclose(model(TABLE), fitted.predict_proba(frame)[:, 0], atol=1e-4)
    assert model.inputs == ("Status", "Age in years", "Rate [%]")


def test_a_number_as_output() -> None:
    fitted = LinearRegression().fit(NUMBERS, TABLE["Amount"])
    schema = Schema((*NUMERIC.columns[:3], nasty("Amount")[1]["Amount"]), "Amount")
    model = load_model(to_onnx(fitted, NUMBERS[:1]).SerializeToString(), schema, "m.onnx")
    assert np.allclose(model(TABLE), fitted.predict(NUMBERS), rtol=1e-3, atol=0.1)
    assert (model.output, model.interval) == ("predicted Amount", None)


COMPANY = {
    "logistic": LogisticRegression(max_iter=500),
    "scaled logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "products": make_pipeline(StandardScaler(), PolynomialFeatures(3), LogisticRegression(max_iter=500)),
    "network": make_pipeline(StandardScaler(), MLPClassifier((33, 7), "tanh", max_iter=20, random_state=0)),
    "forest": RandomForestClassifier(90, max_depth=4, random_state=0),
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("estimator", COMPANY.values(), ids=COMPANY)
def test_a_score_is_the_same_to_the_bit_in_whatever_company(estimator: Any) -> None:
    fitted = estimator.fit(NUMBERS, TABLE["Risk"])
    data = to_onnx(fitted, NUMBERS[:1], options={"zipmap": False}).SerializeToString()
    model = load_model(data, NUMERIC, "m.onnx")
    everybody, rng = model(TABLE), np.random.default_rng(0)
    for size in (1, 2, 3, 5, 15, 16, 17, 33, 100, 239):
        order = rng.permutation(len(TABLE))
        for at in range(0, len(TABLE), size):
            some = order[at : at + size]
            assert np.array_equal(model(TABLE.iloc[some]), everybody[some]), size


def test_labels_only() -> None:
    fitted = LogisticRegression(max_iter=500).fit(NUMBERS, TABLE["Risk"])
    whole = to_onnx(fitted, NUMBERS[:1], options={"zipmap": False})
    del whole.graph.output[1:]
    with pytest.raises(InputError, match="only labels"):
        load_model(whole.SerializeToString(), NUMERIC, "m.onnx")


def test_weights_outside_the_file_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("w.bin").write_bytes(np.ones((3, 1), np.float32).tobytes())
    weights = TensorProto(name="W", data_type=1, dims=[3, 1], data_location=TensorProto.EXTERNAL)
    for key, value in (("location", "w.bin"), ("offset", "0"), ("length", "12")):
        weights.external_data.add(key=key, value=value)
    shape = [helper.make_tensor_value_info(name, 1, [None, width]) for name, width in (("X", 3), ("Y", 1))]
    graph = helper.make_graph([helper.make_node("MatMul", ["X", "W"], ["Y"])], "g", shape[:1], shape[1:], [weights])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    with pytest.raises(InputError, match="weights inside"):
        load_model(model.SerializeToString(), NUMERIC, "m.onnx")


@pytest.mark.parametrize("cut", [3, 100, -3])
def test_a_cut_off_file(cut: int) -> None:
    data = to_onnx(LogisticRegression(max_iter=500).fit(NUMBERS, TABLE["Risk"]), NUMBERS[:1]).SerializeToString()
    assert onnx.load_from_string(data)
    with pytest.raises(InputError, match=r"m\.onnx"):
        load_model(data[:cut], NUMERIC, "m.onnx")
    with pytest.raises(InputError, match=r"m\.onnx"):
        load_model(os.urandom(64), NUMERIC, "m.onnx")
