"""Check the arrays of scikit-learn's compiled estimators, which score with whatever they hold."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import is_classifier
from sklearn.ensemble._bagging import BaseBagging
from sklearn.ensemble._forest import BaseForest
from sklearn.ensemble._gb import BaseGradientBoosting
from sklearn.ensemble._hist_gradient_boosting.gradient_boosting import BaseHistGradientBoosting
from sklearn.neighbors import BallTree, KDTree
from sklearn.neighbors._base import NeighborsBase
from sklearn.svm._base import BaseLibSVM

from .damage import Damage
from .tree_nodes import check_trees

MOST_FEATURES = 2**22  # a HashingVectorizer makes 2**20
MOST_THREADS = 1_024
WEIGHTED = ("SEuclidean", "Mahalanobis")  # distances that need something per feature


def check_estimator(value: Any) -> None:
    """`Damage` unless the arrays of this object, if it is one of those and was fitted, fit together."""
    _check_sizes(value)
    kept = getattr(value, "__dict__", {})
    if isinstance(value, BaseHistGradientBoosting) and "_predictors" in kept:
        _check_hist(value)
    elif isinstance(value, KDTree | BallTree):
        _check_neighbours(value)
    elif isinstance(value, NeighborsBase) and "_fit_X" in kept:
        _check_known_rows(value, kept)
    elif isinstance(value, BaseLibSVM) and "support_" in kept:
        _check_svm(value)
    elif sparse.issparse(value) and hasattr(value, "check_format"):
        value.check_format(full_check=True)
    elif isinstance(value, BaseForest | BaseGradientBoosting | BaseBagging) and "estimators_" in kept:
        _check_members(value)


def _check_sizes(value: Any) -> None:
    kept = getattr(value, "__dict__", {})
    features, threads = kept.get("n_features_in_", 0), kept.get("n_jobs")
    if not isinstance(features, int | np.integer) or not 0 <= features <= MOST_FEATURES:
        raise Damage(f"a {type(value).__name__} asks for {str(features)[:50]} features")
    if isinstance(threads, int) and abs(threads) > MOST_THREADS:
        raise Damage(f"a {type(value).__name__} asks for {threads:,} threads")
    if "tree_" in kept and kept["tree_"].n_features != features:
        raise Damage("a tree knows another number of features than its estimator")


def _check_members(value: Any) -> None:
    """Members are asked about the rows their ensemble was asked about, which nobody looks at again."""
    members = [one for one in np.asarray(value.estimators_, dtype=object).ravel().tolist() if hasattr(one, "tree_")]
    parts = getattr(value, "estimators_features_", None)
    for place, member in enumerate(members):
        given = value.n_features_in_ if parts is None else len(parts[place])
        if member.tree_.n_features != given:
            raise Damage(f"tree {place} knows another number of features than its ensemble")
    per_step = getattr(value, "n_trees_per_iteration_", None)
    if per_step is not None and np.shape(value.estimators_)[1:] != (per_step,):
        raise Damage("its steps do not have as many trees as it says")


def _check_hist(value: Any) -> None:
    trees = list(chain.from_iterable(value._predictors))
    if not trees:
        raise Damage("it has no trees")
    nodes = np.concatenate([tree.nodes for tree in trees])
    sizes = np.array([len(tree.nodes) for tree in trees])
    inner = nodes["is_leaf"] == 0
    check_trees(nodes["left"].astype(np.int64), nodes["right"].astype(np.int64), inner, sizes)
    coded = np.asarray(value._bin_mapper.is_categorical_, dtype=np.bool_)
    feature = nodes["feature_idx"][inner]
    if len(coded) != value.n_features_in_ or ((feature < 0) | (feature >= len(coded))).any():
        raise Damage("a tree asks for a feature that does not exist")
    asks = inner & (nodes["is_categorical"] != 0)
    sets = np.repeat([len(tree.raw_left_cat_bitsets) for tree in trees], sizes)
    if not coded[nodes["feature_idx"][asks]].all() or (nodes["bitset_idx"][asks] >= sets[asks]).any():
        raise Damage("a tree asks for categories that do not exist")
    if any(np.shape(tree.raw_left_cat_bitsets)[1:] != (8,) for tree in trees):
        raise Damage("the sets of categories of a tree have the wrong size")


def _check_known_rows(value: Any, kept: dict[str, Any]) -> None:
    rows, tree, outcome = np.shape(kept["_fit_X"])[0], kept.get("_tree"), kept.get("_y")
    if tree is not None and tree.__getstate__()[0].shape != np.shape(kept["_fit_X"]):
        raise Damage("its tree of neighbours was made of other rows")
    if outcome is None:
        return
    if len(outcome) != rows:
        raise Damage("its rows and their outcomes are not equally many")
    if not is_classifier(value):
        return
    classes = kept["classes_"] if kept.get("outputs_2d_") else [kept["classes_"]]
    known = outcome.reshape(rows, -1)
    if known.dtype.kind not in "iu" or known.shape[1] != len(classes):
        raise Damage("the classes of its rows are of another kind")
    if rows and ((known < 0) | (known >= [len(names) for names in classes])).any():
        raise Damage("a row belongs to a class that does not exist")


def _check_neighbours(value: Any) -> None:
    data, order, nodes, bounds, *_, metric, weights = value.__getstate__()
    rows, features, count = len(data), data.shape[1], value.__getstate__()[6]
    if len(order) != rows or not rows or order.min() < 0 or order.max() >= rows:
        raise Damage("its neighbours are not its rows")
    if len(nodes) != count or not count or bounds.shape[1:] != (count, features):
        raise Damage("its tree of neighbours does not have the nodes that are announced")
    starts, ends = nodes["idx_start"], nodes["idx_end"]
    if ((starts < 0) | (ends < starts) | (ends > rows)).any():
        raise Damage("its tree of neighbours refers to rows that do not exist")
    inner = nodes["is_leaf"] == 0
    if (2 * np.flatnonzero(inner) + 2 >= count).any():
        raise Damage("its tree of neighbours refers to nodes that do not exist")
    if weights is not None and len(weights) != rows:
        raise Damage("its neighbours and their weights are not equally many")
    kept = metric.__getstate__()
    if type(metric).__name__.startswith(WEIGHTED) and features not in (np.shape(kept[1])[0], np.shape(kept[2])[0]):
        raise Damage("its distance was made for another number of features")


def _check_svm(value: Any) -> None:
    wrong = Damage("the arrays of its support vectors do not fit together")
    count, classes = len(value.support_), len(value._n_support)
    classifies = value._impl in ("c_svc", "nu_svc")
    groups = classes if classifies else 2
    pairs = groups * (groups - 1) // 2
    if np.shape(value._dual_coef_) != (groups - 1, count) or len(value._intercept_) != pairs:
        raise wrong
    if value._n_support.min() < 0 or int(value._n_support.sum() if classifies else value._n_support[0]) != count:
        raise wrong
    if any(len(chances) not in (0, 1, pairs) for chances in (value._probA, value._probB)):
        raise wrong
    if value.kernel == "precomputed":
        if count and not 0 <= value.support_.min() <= value.support_.max() < value.shape_fit_[1]:
            raise wrong
    elif np.shape(value.support_vectors_) != (count, value.n_features_in_) or value.shape_fit_[1] != value.n_features_in_:
        raise wrong
