"""The sets of categories that the nodes of XGBoost's trees ask for, and the words of these categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .damage import Damage
from .tree_nodes import Whole, first

MOST_CATEGORIES = 1_000_000
MOST_BYTES = 2**28  # of all sets: XGBoost keeps a bit for each category up to the highest


def check_categories(
    trees: Sequence[Mapping[str, Any]], inner: NDArray[np.bool_], nodes: Whole, tree: NDArray[np.intp], kinds: Whole
) -> None:
    """Every node that asks for categories has its set, and no other node has one."""
    if len(kinds) != len(tree) or ((kinds < 0) | (kinds > 1)).any():
        raise Damage("the kinds of its splits are not one per node")
    if not kinds.any() and not any(len(one.get("categories_nodes", ())) for one in trees):
        return
    asked, total = kinds == 1, 0
    if (asked & ~inner).any():
        raise Damage(f"tree {first(tree, asked & ~inner)} has a leaf that asks for categories")
    starts = np.cumsum(nodes) - nodes
    for i, one in enumerate(trees):
        places, begins, sizes, sets = (
            np.array(one[name], dtype=np.int64)
            for name in ("categories_nodes", "categories_segments", "categories_sizes", "categories")
        )
        known = np.flatnonzero(asked[starts[i] : starts[i] + nodes[i]])
        if not np.array_equal(places, known) or len(begins) != len(places) or len(sizes) != len(places):
            raise Damage(f"the sets of categories of tree {i} are not those of its nodes")
        if not len(places):
            continue
        if begins.min() < 0 or sizes.min() < 0 or (begins > len(sets) - sizes).any():
            raise Damage(f"tree {i} asks for categories that do not exist")
        if len(sets) and (sets.min() < 0 or sets.max() >= MOST_CATEGORIES):
            raise Damage(f"tree {i} asks for categories beyond {MOST_CATEGORIES:,}")
        total += len(places) * int(sets.max(initial=0) + 8) // 8
        if total > MOST_BYTES:
            raise Damage("its sets of categories would take too much memory")


def check_words(words: Mapping[str, Any], features: int) -> None:
    """The categories of each feature, and in which order they stand when sorted."""
    stored = words["enc"]
    ends, order = (np.array(words[name], dtype=np.int64) for name in ("feature_segments", "sorted_idx"))
    if not len(stored):
        if len(ends) > 0 and ends.any():
            raise Damage("it lacks the categories of its features")
        return
    counts = np.array([_count(one) for one in stored], dtype=np.int64)
    if len(stored) != features or not np.array_equal(ends, np.concatenate([[0], np.cumsum(counts)])):
        raise Damage("its categories are not those of its features")
    if len(order) not in (0, ends[-1]) or (len(order) and (order.min() < 0 or (order >= np.repeat(counts, counts)).any())):
        raise Damage("the order of its categories is not one of them")


def _count(one: Mapping[str, Any]) -> int:
    if "offsets" not in one:
        return len(one["values"])
    offsets = np.array(one["offsets"], dtype=np.int64)
    if len(offsets) and (offsets[0] != 0 or (np.diff(offsets) < 0).any() or offsets[-1] > len(one["values"])):
        raise Damage("the words of its categories overlap")
    return max(len(offsets) - 1, 0)
