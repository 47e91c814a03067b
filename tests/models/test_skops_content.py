"""A skops file of known types only must not open other files, nor call what it brings, while it is read or scores."""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lightgbm as lgb
import numpy as np
import pandas as pd
import pytest
import skops.io
import xgboost as xgb
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import RandomForestClassifier, VotingClassifier
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder
from sklearn.utils import Bunch

from discover_core.errors import InputError
from discover_core.models.load import load_model

from .nasty import nasty

TABLE, SCHEMA = nasty()
NUMBERS = TABLE[["Age in years", "Rate [%]", "Stars"]]
BAD = TABLE["Risk"] == "bad"
ENDING = LogisticRegression(max_iter=500).fit(NUMBERS, BAD)


@pytest.fixture(autouse=True)
def _no_pickles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISCOVER_ALLOW_PICKLE", raising=False)


def reads(vectorizer: type, tmp_path: Path, **options: Any) -> Pipeline:
    path = tmp_path / "secret.txt"
    path.write_text("one two three")
    cells = pd.DataFrame({"Status": [str(path)] * 4})
    pick = make_column_transformer((vectorizer(input="filename", **options), "Status"))
    return make_pipeline(pick, LogisticRegression()).fit(cells, [0, 1, 0, 1])


@pytest.mark.parametrize("vectorizer", [CountVectorizer, TfidfVectorizer, HashingVectorizer])
@pytest.mark.parametrize("kind", ["filename", "file"])
def test_text_vectorizers_that_open_files(vectorizer: type, kind: str, tmp_path: Path) -> None:
    fitted = reads(vectorizer, tmp_path)
    fitted[0].transformers_[0][1].input = kind
    data = skops.io.dumps(fitted)
    with pytest.raises(InputError, match="opens the files"):
        load_model(data, SCHEMA, "m.skops")
    assert load_model(data, SCHEMA, "m.skops", allow_pickle=True).inputs == ("Status",)


@pytest.mark.parametrize("function", [xgb.Booster, lgb.Booster, OneHotEncoder, np.float64])
def test_classes_as_functions(function: type) -> None:
    step = FunctionTransformer(function, kw_args={"model_file": "/etc/hostname"})
    for evil in (step, FunctionTransformer(inverse_func=function)):
        with pytest.raises(InputError, match="never loaded"):
            load_model(skops.io.dumps(make_pipeline(evil, ENDING)), SCHEMA, "m.skops")


@pytest.mark.parametrize(
    "place",
    [
        lambda f: CountVectorizer(tokenizer=f),
        lambda f: TfidfVectorizer(preprocessor=f),
        lambda f: HashingVectorizer(analyzer=f),
        lambda f: KNeighborsClassifier(metric=f),
        lambda f: SelectKBest(f),
        lambda f: make_column_transformer((OneHotEncoder(), f)),
        lambda f: Bunch(transform=f),
        lambda f: np.array([[f]], dtype=object),
        lambda f: {"deep": [({"er": f},)]},
    ],
)
@pytest.mark.parametrize("function", [xgb.Booster, str])
def test_a_class_anywhere_else(place: Callable[[Any], Any], function: type) -> None:
    model = Pipeline([("first", place(function)), ("last", ENDING)])
    with pytest.raises(InputError, match="never loaded"):
        load_model(skops.io.dumps(model), SCHEMA, "m.skops")


def forged(node: dict[str, Any]) -> bytes:
    """A good file with one node of its content put in the place of a setting."""
    buffer, good = io.BytesIO(), skops.io.dumps(ENDING)
    with zipfile.ZipFile(io.BytesIO(good)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "schema.json":
                content = json.loads(data)
                content["content"]["content"]["warm_start"] = node
                data = json.dumps(content).encode()
            new.writestr(name, data)
    return buffer.getvalue()


def as_json(value: Any) -> dict[str, Any]:
    return {"__class__": "str", "__module__": "builtins", "__loader__": "JsonNode", "content": json.dumps(value)}


ARGUMENTS = {
    "__class__": "tuple",
    "__module__": "builtins",
    "__loader__": "TupleNode",
    "content": [as_json(None), as_json(None), as_json("/etc/hostname")],
}
NOTHING = ARGUMENTS | {"content": []}


@pytest.mark.parametrize("package", ["xgboost.core", "lightgbm.basic"])
@pytest.mark.parametrize(
    "node",
    [
        {"__loader__": "ConstructorFromReduceNode", "content": ARGUMENTS},
        {"__loader__": "LossNode", "__reduce__": {"args": ARGUMENTS}, "content": NOTHING},
        {"__loader__": "ListNode", "content": []},
        {"__loader__": "TypeNode"},
    ],
    ids=lambda node: node["__loader__"],
)
def test_a_forged_file_calls_nothing_while_it_is_read(
    package: str, node: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    called = []
    for booster in (xgb.Booster, lgb.Booster):
        monkeypatch.setattr(booster, "__init__", lambda *arguments, **more: called.append(arguments))
    with pytest.raises(InputError, match="would call"):
        load_model(forged({"__class__": "Booster", "__module__": package} | node), SCHEMA, "m.skops")
    assert not called


def test_the_forger_can_forge() -> None:
    assert len(load_model(forged(as_json(True)), SCHEMA, "m.skops")(TABLE)) == len(TABLE)


@pytest.mark.parametrize(
    "model",
    [
        make_pipeline(FunctionTransformer(np.log1p, np.expm1), LogisticRegression(max_iter=500)),
        make_pipeline(FunctionTransformer(), LogisticRegression(max_iter=500)),
        make_pipeline(SelectKBest(k=2), LogisticRegression(max_iter=500)),
        make_pipeline(OneHotEncoder(dtype=np.float32, handle_unknown="ignore"), LogisticRegression(max_iter=500)),
        make_pipeline(
            make_column_transformer(("passthrough", make_column_selector(dtype_include=[np.number]))), ENDING.__class__()
        ),
        GridSearchCV(LogisticRegression(max_iter=500), {"C": [1, 2]}, cv=3),
        VotingClassifier([("a", LogisticRegression(max_iter=500)), ("b", RandomForestClassifier(3))], voting="soft"),
        KNeighborsClassifier(),
    ],
    ids=lambda model: "-".join(type(step).__name__ for step in getattr(model, "named_steps", {"": model}).values()),
)
def test_what_people_use_still_loads(model: Any) -> None:
    numbers = NUMBERS.assign(**{"Rate [%]": NUMBERS["Rate [%]"].abs()})
    table = TABLE.assign(**{"Rate [%]": numbers["Rate [%]"]})
    model.fit(numbers, BAD)
    data = skops.io.dumps(model)
    scores = load_model(data, SCHEMA, "m.skops", approved=skops.io.get_untrusted_types(data=data))(table)
    assert np.allclose(scores, model.predict_proba(numbers)[:, 1], rtol=0, atol=1e-12)


def test_text_is_still_read_from_cells() -> None:
    words = make_column_transformer((CountVectorizer(), "Saving <level>"))
    fitted = make_pipeline(words, LogisticRegression()).fit(TABLE[["Saving <level>"]], BAD)
    scores = load_model(skops.io.dumps(fitted), SCHEMA, "m.skops")(TABLE)
    assert np.allclose(scores, fitted.predict_proba(TABLE[["Saving <level>"]])[:, 1])
