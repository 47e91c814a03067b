"""Check a LightGBM text file before LightGBM's C++ reader sees it: on a damaged file that reader may end the process."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .loaded import Origin

NEEDED = ("version", "num_class", "num_tree_per_iteration", "max_feature_idx", "feature_names", "feature_infos", "tree_sizes")


def header(data: bytes) -> dict[str, str]:
    """The file's first block: one "name=value" per line."""
    top = data.split(b"\nTree=", 1)[0].split(b"\nend of trees", 1)[0].decode("utf-8")
    return dict(line.split("=", 1) for line in top.splitlines() if "=" in line)


def check_lightgbm(origin: Origin) -> None:
    """InputError unless every tree stands where the header says, and points only to features and nodes that exist."""
    if not origin.data.startswith(b"tree"):
        raise InputError(f"“{origin.title}” is not a LightGBM model: save yours with booster.save_model(…) as .txt.")
    try:
        _check(origin.data)
    except (ValueError, KeyError, IndexError) as error:
        raise InputError(
            f"“{origin.title}” is a damaged LightGBM model: {error if str(error) else 'it ends too early'}."
        ) from error


def _check(data: bytes) -> None:
    head = header(data)
    absent = [name for name in NEEDED if name not in head]
    if absent:
        raise ValueError(f"its first lines lack {absent[0]}")
    features = int(head["max_feature_idx"]) + 1
    for name in ("feature_names", "feature_infos"):
        if len(head[name].split(" ")) != features:
            raise ValueError(f"its {name} are not {features}")
    if not 1 <= int(head["num_class"]) <= 10_000 or int(head["num_tree_per_iteration"]) != int(head["num_class"]):
        raise ValueError("its number of classes cannot be right")
    sizes = [int(size) for size in head["tree_sizes"].split()]
    start = data.find(b"\nTree=0\n") + 1 if sizes else 0
    for number, size in enumerate(sizes):
        chunk = data[start : start + size]
        if size <= 0 or not chunk.startswith(b"Tree=%d\n" % number) or start == 0:
            raise ValueError(f"tree {number} is not where it should be")
        _check_tree(dict(line.split("=", 1) for line in chunk.decode("utf-8").splitlines() if "=" in line), number, features)
        start += size
    if not data[start:].lstrip().startswith(b"end of trees") and sizes:
        raise ValueError("its trees do not end where they should")


def _check_tree(tree: Mapping[str, str], number: int, features: int) -> None:
    leaves = int(tree["num_leaves"])
    if leaves < 1 or len(tree["leaf_value"].split()) != leaves:
        raise ValueError(f"tree {number} has the wrong number of leaves")
    if leaves == 1:
        return
    split, left, right, kinds = (_whole(tree[name]) for name in ("split_feature", "left_child", "right_child", "decision_type"))
    thresholds = tree["threshold"].split()
    if any(len(part) != leaves - 1 for part in (split, left, right, kinds, thresholds)):
        raise ValueError(f"tree {number} has the wrong number of nodes")
    if split.min() < 0 or split.max() >= features:
        raise ValueError(f"tree {number} asks for a feature that does not exist")
    nodes = np.arange(leaves - 1)
    for child in (left, right):
        inner = child >= 0
        if (child >= leaves - 1).any() or (~child[~inner] >= leaves).any() or (child[inner] <= nodes[inner]).any():
            raise ValueError(f"tree {number} points to a node that does not exist")
    categorical = (kinds & 1) == 1
    if categorical.any():
        borders, words = _whole(tree["cat_boundaries"]), len(tree["cat_threshold"].split())
        sets = np.array([float(t) for t in thresholds])[categorical]
        if (
            sets.min() < 0
            or sets.max() >= len(borders) - 1
            or (np.diff(borders) < 0).any()
            or borders[0] != 0
            or borders[-1] > words
        ):
            raise ValueError(f"tree {number} asks for categories that do not exist")


def _whole(text: str) -> NDArray[np.int64]:
    return np.array([int(part) for part in text.split()], dtype=np.int64)
