"""Check the trees and boosters in a skops file before skops makes them: what they are made with is believed without looking."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from .damage import Damage, refuse_damage
from .lightgbm_text import check_text
from .loaded import Origin
from .tree_nodes import check_trees, first
from .xgboost_structure import check_memory

FIELDS = ("left_child", "right_child", "feature")
MOST_OUTPUTS = 10_000
ADVICE = "save the model again with skops.io.dump(…)"
Node = Mapping[str, Any]


def check_parts(origin: Origin) -> None:
    """InputError unless every decision tree and every booster in the file fits together."""

    def check() -> None:
        with zipfile.ZipFile(io.BytesIO(origin.data)) as archive:
            content = json.loads(archive.read("schema.json"))
            Parts(archive, list(nodes_of(content))).check()

    refuse_damage(check, origin, "skops", ADVICE)


def nodes_of(content: Any) -> Iterator[dict[str, Any]]:
    """Every dictionary of the file that skops may take for a node."""
    waiting = [content]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            if isinstance(item.get("__loader__"), str):
                yield item
            waiting += item.values()
        elif isinstance(item, list):
            waiting += item


class Parts:
    """The nodes of a file. One that stands for another, which was given before, is found by its id."""

    def __init__(self, archive: zipfile.ZipFile, nodes: list[dict[str, Any]]) -> None:
        self._archive = archive
        self._nodes = nodes
        self._known = {node.get("__id__"): node for node in nodes if node["__loader__"] != "CachedNode"}

    def check(self) -> None:
        trees = []
        for node in self._nodes:
            name = f"{node.get('__module__')}.{node.get('__class__')}"
            if node["__loader__"] == "TreeNode":
                trees.append(node)
            elif node["__loader__"] == "CachedNode" or not name.endswith(".Booster"):
                continue
            elif name.startswith("xgboost."):
                self._check_xgboost(node)
            elif name.startswith("lightgbm."):
                self._check_lightgbm(node)
        self._check_trees(trees)

    def _check_xgboost(self, node: Node) -> None:
        memory = self._one(self._one(node["content"])["content"]["handle"])
        if memory["__loader__"] == "BytearrayNode":
            check_memory(self._archive.read(memory["file"]))
        elif self._plain(memory) is not None:
            raise Damage("its booster is kept in another way than XGBoost keeps it")

    def _check_lightgbm(self, node: Node) -> None:
        kept = self._one(node["content"])["content"]
        for name in ("_handle", "handle"):
            text = self._plain(kept[name]) if name in kept else None
            if text is not None:
                check_text(text.encode())

    def _check_trees(self, trees: list[dict[str, Any]]) -> None:
        found = [self._tree(number, node) for number, node in enumerate(trees)]
        if not found:
            return
        sizes = np.array([len(nodes) for nodes, _ in found])
        left, right, feature = (np.concatenate([nodes[name] for nodes, _ in found]).astype(np.int64) for name in FIELDS)
        inner = left != -1
        check_trees(left, right, inner, sizes)
        wrong = inner & ((feature < 0) | (feature >= np.repeat([features for _, features in found], sizes)))
        if wrong.any():
            tree = np.repeat(np.arange(len(sizes)), sizes)
            raise Damage(f"tree {first(tree, wrong)} asks for a feature that does not exist")

    def _tree(self, number: int, node: Node) -> tuple[Any, int]:
        """A tree's nodes and how many features it knows, once all sizes agree."""
        features, classes, outputs = self._one(node["__reduce__"]["args"])["content"]
        features, outputs, classes = self._plain(features), self._plain(outputs), self._array(classes)
        state = self._one(node["content"])["content"]
        nodes, values, count = self._array(state["nodes"]), self._array(state["values"]), self._plain(state["node_count"])
        if any(type(size) is not int for size in (features, outputs, count)) or classes.dtype.kind not in "iu":
            raise Damage(f"the sizes of tree {number} are no whole numbers")
        if nodes.shape != (count,):
            raise Damage(f"tree {number} has {nodes.size:,} nodes where {count:,} are announced")
        most = int(classes.max(initial=0))
        if classes.shape != (outputs,) or outputs > MOST_OUTPUTS or not 1 <= classes.min() <= most <= MOST_OUTPUTS:
            raise Damage(f"tree {number} does not know how many outputs it has")
        if values.shape != (count, outputs, most):
            raise Damage(f"the values of tree {number} are not those of its nodes")
        if nodes.dtype.names is None or any(nodes.dtype[name].kind != "i" for name in FIELDS):
            raise Damage(f"the nodes of tree {number} are of another kind than scikit-learn's")
        return nodes, features

    def _one(self, node: Node) -> Node:
        return self._known[node.get("__id__")] if node["__loader__"] == "CachedNode" else node

    def _plain(self, node: Node) -> Any:
        node = self._one(node)
        if node["__loader__"] != "JsonNode":
            raise Damage(f"something stands in it as {node['__loader__']} that should be plain")
        return json.loads(node["content"])

    def _array(self, node: Node) -> Any:
        node = self._one(node)
        if node["__loader__"] != "NdArrayNode" or node.get("type") != "numpy":
            raise Damage("something else stands where an array of numbers should")
        return np.load(io.BytesIO(self._archive.read(node["file"])), allow_pickle=False)
