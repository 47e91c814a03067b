"""skops files whose trees, neighbours, support vectors or boosters do not fit together are refused before they score."""

import io
import json
import re
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import skops.io
import xgboost as xgb
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier

from discover_core.errors import InputError
from discover_core.models.load import load_model

from .small_models import estimators, people, rows, schema

FOREST, _, _, _, _, _, XGBOOST, LIGHTGBM = range(8)


def rewritten(data: bytes, files: Callable[[str, bytes], bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            new.writestr(name, files(name, old.read(name)))
    return buffer.getvalue()


def other_nodes(data: bytes, change: Callable[[Any], Any]) -> bytes:
    """The file with the nodes of its first tree changed."""
    done = []

    def files(name: str, part: bytes) -> bytes:
        if done or not name.endswith(".npy") or b"left_child" not in part[:400]:
            return part
        done.append(name)
        buffer = io.BytesIO()
        np.save(buffer, change(np.load(io.BytesIO(part))))
        return buffer.getvalue()

    return rewritten(data, files)


def refused(data: bytes, words: str) -> None:
    approved = skops.io.get_untrusted_types(data=data)
    with pytest.raises(InputError, match=rf"“m\.skops” is a damaged skops model: .*{words}"):
        load_model(data, schema(), "m.skops", approved=approved)


@pytest.mark.parametrize(
    ("field", "place", "value", "words"),
    [
        ("left_child", 0, 10**9, "refers to a node that does not exist"),
        ("left_child", 0, 0, "refers to a node that does not exist"),
        ("right_child", 0, -2, "refers to a node that does not exist"),
        ("right_child", 0, 1, "has a node with two parents"),
        ("feature", 0, 4, "asks for a feature that does not exist"),
        ("feature", 0, -1, "asks for a feature that does not exist"),
    ],
)
def test_nodes_of_a_forest(field: str, place: int, value: int, words: str) -> None:
    def change(nodes: Any) -> Any:
        nodes[field][place] = value
        return nodes

    refused(other_nodes(estimators()[FOREST], change), words)


def test_fewer_nodes_than_announced() -> None:
    refused(other_nodes(estimators()[FOREST], lambda nodes: nodes[:-1]), "nodes where")


@pytest.mark.parametrize("place", [0, 2])
def test_sizes_of_a_tree(place: int) -> None:
    """The number of features, and that of outputs, which scikit-learn reads that far."""

    def files(name: str, part: bytes) -> bytes:
        if name != "schema.json":
            return part
        content = json.loads(part)
        text = json.dumps(content)
        start = text.index('"__reduce__"')
        tree = json.JSONDecoder().raw_decode(text[start + len('"__reduce__": ') :])[0]
        argument = tree["args"]["content"][place]
        changed = json.dumps(argument | {"content": "1000000", "__id__": 1})
        return (text[:start] + text[start:].replace(json.dumps(argument), changed, 1)).encode()

    refused(rewritten(skops.io.dumps(DecisionTreeClassifier(max_depth=2).fit(*people())), files), "tree")


def fitted(model: Any, change: Callable[[Any], None]) -> bytes:
    model.fit(*people())
    change(model)
    return skops.io.dumps(model)


def put(owner: Callable[[Any], Any], field: Any, value: Any) -> Callable[[Any], None]:
    """Sets an item of an array of the model, wherever that is; of structured arrays a field's first item."""

    def change(model: Any) -> None:
        array = owner(model)
        if isinstance(field, str):
            array[field][0] = value
        else:
            array[field] = value

    return change


def neighbours(field: int, change: Callable[[Any], Any]) -> Callable[[Any], None]:
    def put_state(model: Any) -> None:
        state = list(model._tree.__getstate__())
        state[field] = change(state[field])
        model._tree.__setstate__(tuple(state))

    return put_state


def rows_beyond(nodes: Any) -> Any:
    nodes = nodes.copy()
    nodes["idx_end"][-1] = 10**9
    return nodes


def first_nodes(model: Any) -> Any:
    return model._predictors[0][0].nodes


HIST = HistGradientBoostingClassifier(max_iter=2, max_leaf_nodes=5)
NEAR = KNeighborsClassifier(algorithm="kd_tree")
BRUTE = KNeighborsClassifier(algorithm="brute")


@pytest.mark.parametrize(
    ("model", "change", "words"),
    [
        (HIST, put(first_nodes, "left", 10**9), "refers to a node that does not exist"),
        (HIST, put(first_nodes, "right", 1), "has a node with two parents"),
        (HIST, put(first_nodes, "feature_idx", 10**6), "asks for a feature that does not exist"),
        (HIST, put(first_nodes, "is_categorical", 1), "asks for categories that do not exist"),
        (NEAR, neighbours(1, lambda order: order + 7), "its neighbours are not its rows"),
        (NEAR, neighbours(2, rows_beyond), "refers to rows that do not exist"),
        (NEAR, neighbours(6, lambda count: count + 50), "nodes that are announced"),
        (NEAR, lambda m: setattr(m, "_fit_X", m._fit_X[:-1]), "made of other rows"),
        (BRUTE, lambda m: setattr(m, "_y", m._y + 10**6), "a class that does not exist"),
        (BRUTE, lambda m: setattr(m, "_y", m._y[:-1]), "not equally many"),
        (SVC(), lambda m: setattr(m, "_dual_coef_", m._dual_coef_[:, :-1]), "support vectors"),
        (SVC(), lambda m: setattr(m, "support_vectors_", m.support_vectors_[:, :-1].copy()), "support vectors"),
        (SVC(), lambda m: setattr(m, "_n_support", m._n_support * 2), "support vectors"),
        (SVR(), lambda m: setattr(m, "_intercept_", np.empty(0)), "support vectors"),
        (RandomForestClassifier(2), lambda m: setattr(m, "n_features_in_", 2), "another number of features"),
        (GradientBoostingClassifier(n_estimators=2), lambda m: setattr(m, "n_trees_per_iteration_", 2), "as many trees"),
        (LogisticRegression(), lambda m: setattr(m, "n_features_in_", 10**9), "features"),
        (LogisticRegression(), lambda m: setattr(m, "n_jobs", 10**9), "threads"),
    ],
    ids=lambda part: None if callable(part) else str(part),
)
def test_arrays_of_estimators(model: Any, change: Callable[[Any], None], words: str) -> None:
    refused(fitted(model, change), words)
    refused(skops.io.dumps(make_pipeline("passthrough", model)), words)


@pytest.mark.parametrize("old", [b"left_children[$l#L", b"\x00\x09num_classSL\0\0\0\0\0\0\0\x010"])
def test_an_xgboost_model_inside(old: bytes) -> None:
    def files(name: str, part: bytes) -> bytes:
        if not name.endswith(".bin"):
            return part
        place = part.rindex(old) + len(old)
        number = b"\x7f\xff\xff\xff" if old.startswith(b"left") else b"7"
        start = place + 8 if old.startswith(b"left") else place - 1
        return part[:start] + number + part[start + len(number) :]

    refused(rewritten(estimators()[XGBOOST], files), "tree|outputs|num_class|objective")


def test_a_lightgbm_model_inside() -> None:
    def files(name: str, part: bytes) -> bytes:
        return re.sub(rb"left_child=(-?)\d", rb"left_child=\g<1>9", part) if name == "schema.json" else part

    refused(rewritten(estimators()[LIGHTGBM], files), "tree 0 refers to")


def test_a_booster_kept_in_another_way() -> None:
    def files(name: str, part: bytes) -> bytes:
        if name != "schema.json":
            return part
        text = re.sub(r'{[^{}]*"BytearrayNode"[^{}]*}', json.dumps(text_node), part.decode())
        return text.encode()

    text_node = {"__class__": "str", "__module__": "builtins", "__loader__": "JsonNode", "content": '"model"', "__id__": 7}
    refused(rewritten(estimators()[XGBOOST], files), "kept in another way")


@pytest.mark.parametrize("kind", range(8))
def test_what_fits_is_not_refused(kind: int) -> None:
    data = estimators()[kind]
    model = load_model(data, schema(), "m.skops", approved=skops.io.get_untrusted_types(data=data))
    assert len(np.unique(model(people()[0].head(30)))) > 1


def test_boosters_alone() -> None:
    data = skops.io.dumps(xgb.train({}, xgb.DMatrix(*people()), 2))
    assert len(load_model(data, schema(), "m.skops")(rows())) == len(rows())


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("classes_", 7, "does not list the classes it knows"),
        ("classes_", {"bad": 1}, "does not list the classes it knows"),
        ("feature_names_in_", 7, "holds no estimator that can be asked"),
    ],
)
def test_what_an_estimator_says_of_itself(name: str, value: Any, words: str) -> None:
    data = fitted(LogisticRegression(), lambda model: setattr(model, name, value))
    with pytest.raises(InputError, match=rf"“m\.skops” {words}.*save the fitted estimator itself"):
        load_model(data, schema(), "m.skops", probe=False)
