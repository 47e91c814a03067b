"""The nodes of decision trees, as they stand in the files of several libraries: each library follows them without looking."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .damage import Damage

DEEPEST = 10_000  # levels of a tree: some functions of the libraries call themselves for each
Whole = NDArray[np.int64]


def check_trees(left: Whole, right: Whole, inner: NDArray[np.bool_], sizes: Whole) -> None:
    """Every tree is one, from its first node to its leaves. The trees' nodes stand one after the other, `sizes` of each.

    `left` and `right` count within a tree and matter where a node is `inner`. If every child exists, is no root and has a
    single parent, then whoever starts at a root comes to an end: a circle would need a node with two ways in.
    """
    if not len(sizes):
        return
    if sizes.min() < 1:
        raise Damage(f"tree {int(np.argmin(sizes))} has no nodes")
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    tree = np.repeat(np.arange(len(sizes)), sizes)
    parents = np.flatnonzero(inner)
    children = np.stack([left[parents], right[parents]])
    tree_of = tree[parents]
    wrong: NDArray[np.bool_] = np.any((children < 1) | (children >= sizes[tree_of]), axis=0)
    if wrong.any():
        raise Damage(f"tree {first(tree_of, wrong)} refers to a node that does not exist")
    children += starts[tree_of]
    ways = np.bincount(children.ravel(), minlength=len(tree)) > 1
    if ways.any():
        raise Damage(f"tree {first(tree, ways)} has a node with two parents")
    _check_depth(children, parents, inner, starts, tree)


def _check_depth(children: Whole, parents: Whole, inner: NDArray[np.bool_], starts: Whole, tree: NDArray[np.intp]) -> None:
    place = np.cumsum(inner) - 1  # of an inner node among `parents`
    level = starts
    for _ in range(DEEPEST):
        level = level[inner[level]]
        if not len(level):
            return
        level = children[:, place[level]].ravel()
    raise Damage(f"tree {int(tree[level[0]])} is deeper than {DEEPEST:,} levels")


def first(tree: Any, wrong: NDArray[np.bool_]) -> int:
    """The tree of the first node that is wrong."""
    return int(tree[int(np.argmax(wrong))])
