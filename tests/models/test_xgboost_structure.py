"""XGBoost files whose parts do not fit together are refused before XGBoost sees them: it would end the process."""

import json
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from discover_core.errors import InputError
from discover_core.models.load import load_model
from discover_core.models.ubj import read_ubj

from .small_models import boosters, rows, schema

PLAIN, CLASSES, CATEGORIES, DART, LINEAR = range(5)


def content(kind: int = PLAIN) -> Any:
    return json.loads(boosters()[kind].save_raw("json"))


def gbtree(data: Any) -> Any:
    booster = data["learner"]["gradient_booster"]
    return booster.get("gbtree", booster)["model"]


def tree(data: Any) -> Any:
    return gbtree(data)["trees"][2]


def put(name: str, place: int, value: Any) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        tree(data)[name][place] = value

    return change


def circle(data: Any) -> None:
    inner = [i for i, child in enumerate(tree(data)["left_children"]) if child > 0]
    tree(data)["left_children"][inner[-1]] = inner[0]


def shared(data: Any) -> None:
    tree(data)["right_children"][0] = tree(data)["left_children"][0]


def model_size(name: str, value: str) -> Callable[[Any], None]:
    return lambda data: data["learner"]["learner_model_param"].update({name: value})


def set_size(data: Any) -> None:
    tree(data)["categories_sizes"][0] = 99


@pytest.mark.parametrize(
    ("kind", "change", "words"),
    [
        (PLAIN, circle, "tree 2 refers to a node that does not exist"),
        (PLAIN, shared, "tree 2 has a node with two parents"),
        (PLAIN, put("left_children", 0, 10**6), "tree 2 refers to a node that does not exist"),
        (PLAIN, put("right_children", 0, -7), "tree 2 refers to a node that does not exist"),
        (PLAIN, put("left_children", 0, 2**70), "not built like one"),
        (PLAIN, put("left_children", 0, "1"), "whole numbers"),
        (PLAIN, put("parents", 1, 10**6), "tree 2 has a node whose parent is another one"),
        (PLAIN, put("parents", 3, 3), "tree 2 has a node whose parent is another one"),
        (PLAIN, put("split_indices", 0, 4), "tree 2 asks for a feature that does not exist"),
        (PLAIN, put("split_conditions", 0, float("nan")), "tree 2 compares with something that is no number"),
        (PLAIN, lambda data: tree(data)["sum_hessian"].pop(), "the parts of tree 2 are not equally long"),
        (PLAIN, lambda data: tree(data)["tree_param"].update(num_nodes="3"), "the parts of tree 2 are not equally long"),
        (PLAIN, lambda data: tree(data).pop("parents"), "not built like one"),
        (PLAIN, lambda data: gbtree(data)["tree_info"].__setitem__(1, 1), "tree 1 belongs to an output that does not exist"),
        (PLAIN, lambda data: gbtree(data)["trees"].pop(), "5 trees where 6 are announced"),
        (PLAIN, lambda data: tree(data).update(id=3), "not numbered one by one"),
        (PLAIN, lambda data: tree(data).update(id=10**6), "not numbered one by one"),
        (PLAIN, lambda data: gbtree(data)["iteration_indptr"].__setitem__(3, 99), "rounds"),
        (PLAIN, lambda data: gbtree(data)["gbtree_model_param"].update(num_parallel_tree="0"), "“0” stands where"),
        (PLAIN, model_size("num_feature", "1000000000"), "“1000000000” stands where"),
        (PLAIN, model_size("num_feature", "1_0"), "“1_0” stands where"),
        (PLAIN, model_size("num_class", "1000000000"), "“1000000000” stands where"),
        (CLASSES, model_size("num_class", "5"), "3 base scores for 5 outputs"),
        (CLASSES, lambda data: data["learner"]["objective"]["softmax_multiclass_param"].update(num_class="9"), "objective"),
        (CATEGORIES, put("split_type", 0, 7), "kinds of its splits"),
        (CATEGORIES, set_size, "tree . asks for categories that do not exist"),
        (CATEGORIES, put("categories", 0, 2**31 - 1), "tree . asks for categories beyond"),
        (CATEGORIES, put("categories", 0, -1), "tree . asks for categories beyond"),
        (CATEGORIES, put("categories_nodes", 0, 3), "the sets of categories of tree . are not those of its nodes"),
        (CATEGORIES, lambda data: gbtree(data)["cats"]["feature_segments"].__setitem__(4, 77), "categories"),
        (CATEGORIES, lambda data: gbtree(data)["cats"]["sorted_idx"].__setitem__(0, 77), "order of its categories"),
        (DART, lambda data: data["learner"]["gradient_booster"]["weight_drop"].pop(), "weights are not equally many"),
        (LINEAR, lambda data: data["learner"]["gradient_booster"]["model"]["weights"].pop(), "number of its weights"),
    ],
)
def test_what_does_not_fit_is_refused(kind: int, change: Callable[[Any], None], words: str) -> None:
    data = content(kind)
    if kind == CATEGORIES:
        gbtree(data)["trees"][2] = next(one for one in gbtree(data)["trees"] if 1 in one["split_type"]) | {"id": 2}
    change(data)
    with pytest.raises(InputError, match=rf"“m\.json” is a damaged XGBoost model: .*{words}.*save it again"):
        load_model(json.dumps(data).encode(), schema(), "m.json")


@pytest.mark.parametrize("kind", range(5))
@pytest.mark.parametrize("form", ["json", "ubj"])
def test_what_fits_is_not(kind: int, form: str) -> None:
    model = load_model(bytes(boosters()[kind].save_raw(form)), schema(), f"m.{form}", output=1 if kind == CLASSES else None)
    assert len(np.unique(model(rows()))) > 1


def test_a_name_said_twice_is_refused() -> None:
    text = json.dumps(content()).replace('"num_class":', '"num_class": "7", "num_class":', 1)
    with pytest.raises(InputError, match="it says “num_class” twice"):
        load_model(text.encode(), schema(), "m.json")


def test_binary_files_say_the_same_as_text() -> None:
    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: plain(part) for name, part in value.items()}
        if isinstance(value, list | np.ndarray):
            return [plain(part) for part in value]
        return round(float(np.float32(value)), 5) if isinstance(value, float | np.floating) else value

    for booster in boosters():
        read = plain(read_ubj(bytes(booster.save_raw("ubj"))))
        assert json.loads(json.dumps(read, default=int)) == plain(json.loads(booster.save_raw("json")))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data[:-1] + b"L" + struct.pack(">q", 1) + b"x" + b"[" * 100_000 + b"}", "nested deeper"),
        (lambda data: data.replace(b"#L" + bytes(7), b"#L" + b"\x7f" * 7, 1), "longer than the file"),
        (lambda data: data.replace(b"#L" + bytes(7), b"#L" + b"\xff" * 7, 1), "negative length"),
        (lambda data: data[:-1] + b"]}", "nothing known|length is missing"),
        (lambda data: data + b"}", "follows its end"),
        (lambda data: data[: len(data) // 2] + b"}", "length|longer|known"),
    ],
)
def test_binary_files_that_lie_about_their_sizes(change: Callable[[bytes], bytes], words: str) -> None:
    with pytest.raises(InputError, match=words):
        load_model(change(bytes(boosters()[PLAIN].save_raw("ubj"))), schema(), "m.ubj")


def test_a_tree_that_never_ends_downwards_is_refused() -> None:
    data, depth = content(), 12_000
    size = 2 * depth + 1
    left = [i + 1 if i % 2 == 0 and i + 2 < size else -1 for i in range(size)]
    right = [i + 2 if i % 2 == 0 and i + 2 < size else -1 for i in range(size)]
    parents = [2**31 - 1] + [(i - 1) // 2 * 2 for i in range(1, size)]
    long = dict.fromkeys(("split_indices", "split_type", "default_left", "sum_hessian", "loss_changes"), [0] * size)
    floats = dict.fromkeys(("split_conditions", "base_weights"), [0.5] * size)
    tree(data).update(left_children=left, right_children=right, parents=parents, **long, **floats)
    tree(data)["tree_param"]["num_nodes"] = str(size)
    with pytest.raises(InputError, match="tree 2 is deeper than 10,000 levels"):
        load_model(json.dumps(data).encode(), schema(), "m.json")
