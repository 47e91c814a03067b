"""Check what an XGBoost file says before XGBoost sees it: it follows numbers of nodes, features and classes without looking."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .damage import Damage, refuse_damage
from .loaded import Origin
from .tree_nodes import Whole, check_trees, first
from .ubj import read_ubj
from .xgboost_categories import check_categories, check_words

BINARY = (b"{L", b"{i", b"{U", b"{l", b"{I")
MOST_CLASSES = 10_000
MOST_FEATURES = 1_000_000
MOST_THREADS = 1_024
PER_NODE = ("loss_changes", "sum_hessian", "split_conditions", "default_left")
ADVICE = "save it again with booster.save_model(…)"


def check_xgboost(origin: Origin) -> None:
    """InputError unless the file is an XGBoost model whose parts fit together."""
    data = origin.data
    wrong = InputError(f"“{origin.title}” is not an XGBoost model: save yours with booster.save_model(…) as .json or .ubj.")
    if not data.lstrip()[:1] == b"{" or (b"learner" not in data[:200] and b"version" not in data[:200]):
        raise wrong
    if data[:2] in BINARY and not data.endswith(b"}"):
        raise InputError(f"“{origin.title}” ends in the middle: it is damaged or was not saved completely.")

    def check() -> None:
        content = _content(origin)
        learner = content.get("learner") if isinstance(content, dict) else None
        if not isinstance(learner, dict) or not {"gradient_booster", "learner_model_param", "objective"} <= set(learner):
            raise wrong
        if not isinstance(learner["gradient_booster"], dict):
            raise wrong
        check_learner(learner)

    refuse_damage(check, origin, "XGBoost", ADVICE)


def check_memory(data: bytes) -> None:
    """A Booster's memory, as it stands in other files: its model, and its settings."""
    content = read_ubj(data) if data[:2] in BINARY else json.loads(data, object_pairs_hook=_once)
    if "Model" not in content:
        check_learner(content["learner"])
        return
    model, settings = content["Model"]["learner"], content["Config"]["learner"]
    check_learner(model)
    for name in ("num_class", "num_feature", "num_target"):
        given = settings.get("learner_model_param", {})
        if name in given and given[name] != model["learner_model_param"].get(name):
            raise Damage(f"its settings say another {name} than its model")
    threads = settings.get("generic_param", {})
    if any(not -1 <= whole(threads.get(name, "0")) <= MOST_THREADS for name in ("nthread", "n_jobs")):
        raise Damage(f"it asks for more than {MOST_THREADS:,} threads")


def _content(origin: Origin) -> Any:
    if origin.data[:2] in BINARY:
        return read_ubj(origin.data)
    try:
        return json.loads(origin.data, object_pairs_hook=_once)
    except Damage:
        raise
    except (ValueError, RecursionError) as error:
        raise InputError(f"“{origin.title}” is not valid JSON: it is damaged or was not saved completely.") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        names = [name for name, _ in pairs]
        raise Damage(f"it says “{next(name for name in names if names.count(name) > 1)[:50]}” twice")
    return content


def whole(text: Any, low: int = -(2**63), high: int = 2**63 - 1) -> int:
    """A whole number that XGBoost writes as text."""
    if not isinstance(text, str) or not re.fullmatch(r"-?[0-9]{1,19}", text) or not low <= int(text) <= high:
        raise Damage(f"“{str(text)[:50]}” stands where a number from {low:,} to {high:,} should")
    return int(text)


def check_learner(learner: Mapping[str, Any]) -> None:
    sizes = learner["learner_model_param"]
    features = whole(sizes["num_feature"], 0, MOST_FEATURES)
    classes = whole(sizes.get("num_class", "0"), 0, MOST_CLASSES)
    targets = whole(sizes.get("num_target", "1"), 0, MOST_CLASSES)
    if min(classes, targets) > 1:
        raise Damage("it has several classes and several targets")
    groups = max(classes, targets, 1)
    scores = str(sizes.get("base_score", "0")).strip("[]").split(",")
    if len(scores) not in (1, groups):
        raise Damage(f"it has {len(scores):,} base scores for {groups:,} outputs")
    for name in ("feature_names", "feature_types"):
        given = learner.get(name, [])
        if not isinstance(given, list) or len(given) not in (0, features) or not all(isinstance(word, str) for word in given):
            raise Damage(f"its {name} are not {features:,}")
    attributes = learner.get("attributes", {})
    if not all(isinstance(value, str) for value in attributes.values()):
        raise Damage("its attributes are not text")
    _check_objective(learner["objective"], classes)
    _check_booster(learner["gradient_booster"], features, groups)


def _check_objective(objective: Mapping[str, Any], classes: int) -> None:
    if not isinstance(objective["name"], str):
        raise Damage("its objective has no name")
    for parameters in objective.values():
        if isinstance(parameters, dict) and "num_class" in parameters and whole(parameters["num_class"]) != classes:
            raise Damage("its objective has another number of classes than its model")
    if objective["name"].startswith("multi:") and classes < 1:
        raise Damage("it lacks its number of classes")


def _check_booster(booster: Mapping[str, Any], features: int, groups: int) -> None:
    kind = booster["name"]
    if kind == "gblinear":
        if len(booster["model"]["weights"]) != (features + 1) * groups:
            raise Damage("the number of its weights is not that of its features")
        return
    if kind not in ("gbtree", "dart"):
        raise Damage(f"it is of the unknown kind “{str(kind)[:50]}”")
    model = (booster["gbtree"] if kind == "dart" else booster)["model"]
    trees, given = model["trees"], model["gbtree_model_param"]
    count = whole(given["num_trees"], 0)
    if len(trees) != count or len(model["tree_info"]) != count:
        raise Damage(f"it has {len(trees):,} trees where {count:,} are announced")
    if sorted(tree["id"] for tree in trees) != list(range(count)):  # by which XGBoost puts them in order
        raise Damage("its trees are not numbered one by one")
    if kind == "dart" and len(booster["weight_drop"]) != count:
        raise Damage("its trees and their weights are not equally many")
    owner = numbers([model["tree_info"]])
    if len(owner) and (owner.min() < 0 or owner.max() >= groups):
        wrong = (owner < 0) | (owner >= groups)
        raise Damage(f"tree {int(np.argmax(wrong))} belongs to an output that does not exist")
    whole(given.get("num_parallel_tree", "1"), 1, max(count, 1_000_000))
    rounds = numbers([model["iteration_indptr"]]) if "iteration_indptr" in model else None
    if rounds is not None and (not len(rounds) or rounds[0] != 0 or rounds[-1] != count or (np.diff(rounds) < 0).any()):
        raise Damage("its rounds are not made of its trees")
    if "cats" in model:
        check_words(model["cats"], features)
    if trees:
        _check_forest(trees, features, groups)


def _check_forest(trees: Sequence[Mapping[str, Any]], features: int, groups: int) -> None:
    nodes = np.array([whole(one["tree_param"]["num_nodes"], 1, 2**31 - 1) for one in trees])
    vectors = np.array([max(whole(one["tree_param"].get("size_leaf_vector", "1"), 0, MOST_CLASSES), 1) for one in trees])
    for i, (one, size, vector) in enumerate(zip(trees, nodes.tolist(), vectors.tolist(), strict=True)):
        lengths = [len(one[name]) for name in ("left_children", "right_children", "parents", "split_indices", *PER_NODE)]
        if len(set(lengths)) > 1 or lengths[0] != size or len(one["base_weights"]) != size * vector:
            raise Damage(f"the parts of tree {i} are not equally long")
        if whole(one["tree_param"].get("num_feature", str(features)), 0, MOST_FEATURES) != features:
            raise Damage(f"tree {i} knows another number of features than the model")
        if vector not in (1, groups):
            raise Damage(f"tree {i} has leaves for {vector:,} outputs, the model has {groups:,}")
    left, right, parents, split = (
        numbers([one[name] for one in trees]) for name in ("left_children", "right_children", "parents", "split_indices")
    )
    inner = left != -1
    check_trees(left, right, inner, nodes)
    tree = np.repeat(np.arange(len(trees)), nodes)
    wrong = inner & ((split < 0) | (split >= features))
    if wrong.any():
        raise Damage(f"tree {first(tree, wrong)} asks for a feature that does not exist")
    _check_parents(left, right, parents, inner, nodes, tree)
    _check_leaves(trees, right, inner, nodes, vectors)
    if all("split_type" in one for one in trees):
        check_categories(trees, inner, nodes, tree, numbers([one["split_type"] for one in trees]))
    thresholds = floats([one["split_conditions"] for one in trees])
    if np.isnan(thresholds).any():
        raise Damage(f"tree {first(tree, np.isnan(thresholds))} compares with something that is no number")


def _check_parents(
    left: Whole, right: Whole, parents: Whole, inner: NDArray[np.bool_], nodes: Whole, tree: NDArray[np.intp]
) -> None:
    starts = np.cumsum(nodes) - nodes
    root = np.zeros(len(tree), dtype=np.bool_)
    root[starts] = True
    wrong = ~root & ((parents < 0) | (parents >= nodes[tree]))
    for child in (left, right):
        at = np.flatnonzero(inner)
        wrong[at] |= parents[starts[tree[at]] + child[at]] != at - starts[tree[at]]
    wrong |= root & (parents != -1) & (parents != 2**31 - 1)
    if wrong.any():
        raise Damage(f"tree {first(tree, wrong)} has a node whose parent is another one")


def _check_leaves(
    trees: Sequence[Mapping[str, Any]], right: Whole, inner: NDArray[np.bool_], nodes: Whole, vectors: Whole
) -> None:
    ends = np.cumsum(nodes)
    for i in np.flatnonzero(vectors > 1).tolist():
        if "leaf_weights" in trees[i]:
            part = slice(int(ends[i] - nodes[i]), int(ends[i]))
            places = right[part][~inner[part]]
            if places.min() < 0 or (places.max() + 1) * vectors[i] > len(trees[i]["leaf_weights"]):
                raise Damage(f"tree {i} refers to a leaf that does not exist")


def numbers(parts: Sequence[Any]) -> Whole:
    """Whole numbers from lists or arrays, one after the other."""
    if parts and isinstance(parts[0], np.ndarray):
        if any(not isinstance(part, np.ndarray) or part.dtype.kind not in "iu" for part in parts):
            raise Damage("other numbers than whole ones stand where nodes should")
        return np.concatenate(parts).astype(np.int64)
    count = sum(map(len, parts))
    if not all(type(value) in (int, bool) for part in parts for value in part[:1]):
        raise Damage("something else than whole numbers stands where nodes should")
    return np.fromiter(chain.from_iterable(parts), np.int64, count)


def floats(parts: Sequence[Any]) -> NDArray[np.float64]:
    if parts and isinstance(parts[0], np.ndarray):
        return np.concatenate(parts).astype(np.float64)
    return np.fromiter(chain.from_iterable(parts), np.float64, sum(map(len, parts)))
