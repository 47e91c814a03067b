"""Check a LightGBM text file before LightGBM's C++ reader sees it: on a damaged file that reader may end the process."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .damage import Damage, refuse_damage
from .loaded import Origin
from .tree_nodes import check_trees, first

NEEDED = ("version", "num_class", "num_tree_per_iteration", "max_feature_idx", "feature_names", "feature_infos", "tree_sizes")

PER_NODE = (
    "split_feature",
    "split_gain",
    "threshold",
    "decision_type",
    "left_child",
    "right_child",
    "internal_value",
    "internal_weight",
    "internal_count",
)
PER_LEAF = ("leaf_value", "leaf_weight", "leaf_count")
OF_TREE = ("num_leaves", "num_cat", "leaf_value", *PER_NODE[:7], "internal_count", "leaf_count", "shrinkage")
CATEGORICAL = ("cat_boundaries", "cat_threshold")
LINEAR = ("leaf_const", "num_features", "leaf_features", "leaf_coeff")
KNOWN = {*OF_TREE, *PER_NODE, *PER_LEAF, *CATEGORICAL, *LINEAR, "is_linear", "Tree"}  # LightGBM reads no more lines than these
BARE = ("tree", "average_output")  # what stands in the first lines without a value
WITH_EQUALS = ("feature_names", "monotone_constraints")
WHOLE = re.compile(rb"[-0-9 ]*")
LONGEST = 11  # letters of a whole number
PARAMETER = re.compile(rb"\[[^:\]]+: [^\n]*\]")
FLOATS = re.compile(rb"[-+.0-9eEinfa ]*")  # inf and nan, too
LONGEST_FLOAT = 40
SMALLEST = 2.3e-308  # below it std::stod, which reads the lines at the leaves, gives up
MOST_CLASSES = 10_000
MOST_FEATURES = 1_000_000
MOST_LEAVES = 10_000_000


def header(data: bytes) -> dict[str, str]:
    """The file's first block: one "name=value" per line, in the lines that LightGBM takes for such."""
    head: dict[str, str] = {}
    for line in data.split(b"\nTree=", 1)[0].decode("utf-8").split("\n"):
        name, _, value = line.partition("=")
        if line and not name.replace("_", "").isalnum():
            raise Damage(f"“{line[:50]}” stands in its first lines")
        if name in head:
            raise Damage(f"its first lines say {name} twice")
        if "=" in value and name not in WITH_EQUALS:
            raise Damage(f"its first lines say two things of {name}")
        if "=" in line:
            head[name] = value
        elif line and line not in BARE:
            raise Damage(f"its first lines say nothing of {name}")
    return head


def check_lightgbm(origin: Origin) -> None:
    """InputError unless every tree stands where the header says, and points only to features and nodes that exist."""
    if not origin.data.startswith(b"tree"):
        raise InputError(f"“{origin.title}” is not a LightGBM model: save yours with booster.save_model(…) as .txt.")
    refuse_damage(lambda: check_text(origin.data), origin, "LightGBM", "save it again with booster.save_model(…)")


def check_text(data: bytes) -> None:
    if b"\0" in data:
        raise Damage("it holds bytes that are no text")
    if b"\r" in data:
        raise Damage("its lines do not end as LightGBM ends them")
    head = header(data)
    absent = [name for name in NEEDED if name not in head]
    if absent:
        raise Damage(f"its first lines lack {absent[0]}")
    features = _number(head["max_feature_idx"], 0, MOST_FEATURES) + 1
    for name in ("feature_names", "feature_infos"):
        if len(head[name].split(" ")) != features:
            raise Damage(f"its {name} are not {features:,}")
    classes = _number(head["num_class"], 1, MOST_CLASSES)
    if _number(head["num_tree_per_iteration"], 1, MOST_CLASSES) != classes:
        raise Damage("its number of classes cannot be right")
    if not head.get("objective", "custom").strip():
        raise Damage("its objective has no name")
    said = re.search(r"num_class:(\S+)", head.get("objective", ""))
    if said is not None and _number(said[1], 1, MOST_CLASSES) != classes:
        raise Damage("its objective has another number of classes than its trees")
    trees = _trees(data, [_number(size, 1, len(data)) for size in head["tree_sizes"].split(" ") if size])
    if len(trees) % classes:
        raise Damage(f"its {len(trees):,} trees are not as many for each of {classes:,} classes")
    _check_trees(trees, features)
    _check_parameters(data)


def _check_parameters(data: bytes) -> None:
    """The settings of the training, which stand behind the trees, one `[name: value]` per line."""
    said = data.partition(b"\nparameters:\n")[2].partition(b"\nend of parameters")[0]
    if not all(PARAMETER.fullmatch(line) for line in said.split(b"\n") if line):
        raise Damage("the settings behind its trees are cut off")


def _trees(data: bytes, sizes: Sequence[int]) -> list[dict[str, bytes]]:
    """The lines of each tree, which stands as long as the header says."""
    if not sizes:
        raise Damage("it has no trees")
    trees = []
    start = data.find(b"\nTree=") + 1
    for number, size in enumerate(sizes):
        chunk = data[start : start + size]
        if start == 0 or not chunk.startswith(b"Tree=%d\n" % number):
            raise Damage(f"tree {number} is not where it should be")
        trees.append(_lines(chunk, number))
        start += size
    if not data[start:].lstrip().startswith(b"end of trees"):
        raise Damage("its trees do not end where they should")
    return trees


def _lines(chunk: bytes, number: int) -> dict[str, bytes]:
    text = chunk.rstrip(b"\n")
    if not chunk.endswith(b"\n\n") or b"\n\n" in text:  # a blank line is where LightGBM ends a tree
        raise Damage(f"tree {number} does not end where it should")
    pairs = [line.split(b"=", 1) for line in text.split(b"\n")]
    tree = {pair[0].decode("ascii", "replace"): pair[1] for pair in pairs if len(pair) == 2}
    if len(tree) < len(pairs):
        raise Damage(f"tree {number} says something twice, or not at all")
    absent = [name for name in OF_TREE if name not in tree]
    if absent:
        raise Damage(f"tree {number} lacks its {absent[0]}")
    unknown = [name for name in tree if name not in KNOWN]
    if unknown:
        raise Damage(f"tree {number} says “{unknown[0][:50]}”, which no tree does")
    return tree


def _check_trees(trees: Sequence[Mapping[str, bytes]], features: int) -> None:
    leaves = np.array([_number(tree["num_leaves"].decode(), 1, MOST_LEAVES) for tree in trees])
    nodes = leaves - 1
    for number, (tree, count) in enumerate(zip(trees, leaves.tolist(), strict=True)):
        _check_counts(tree, number, count)
    split, left, right, kinds = (
        _whole([tree[name] for tree in trees], nodes) for name in ("split_feature", "left_child", "right_child", "decision_type")
    )
    of = np.repeat(np.arange(len(trees)), nodes)
    wrong = (split < 0) | (split >= features)
    if wrong.any():
        raise Damage(f"tree {first(of, wrong)} asks for a feature that does not exist")
    wrong = (~left >= leaves[of]) | (~right >= leaves[of])
    if wrong.any():
        raise Damage(f"tree {first(of, wrong)} refers to a leaf that does not exist")
    wrong = (left >= nodes[of]) | (right >= nodes[of])
    if wrong.any():
        raise Damage(f"tree {first(of, wrong)} refers to a node that does not exist")
    _check_shape(left, right, nodes, leaves, of)
    ends = np.cumsum(nodes)
    categorical = (kinds & 1) == 1
    for number, tree in enumerate(trees):
        mine = slice(int(ends[number] - nodes[number]), int(ends[number]))
        if categorical[mine].any() or _number(tree["num_cat"].decode(), 0, MOST_LEAVES):
            _check_categories(tree, number, categorical[mine])
        if _linear(tree):
            _check_linear(tree, number, int(leaves[number]), features)


def _check_shape(
    left: NDArray[np.int64], right: NDArray[np.int64], nodes: NDArray[np.int64], leaves: NDArray[np.int64], of: NDArray[np.intp]
) -> None:
    """The leaves, which LightGBM counts by themselves, stand behind the inner nodes of their tree."""
    sizes = nodes + leaves
    inner = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes) < np.repeat(nodes, sizes)
    children = np.full((2, len(inner)), -1)
    for row, child in enumerate((left, right)):
        children[row, inner] = np.where(child >= 0, child, nodes[of] + ~child)
    check_trees(children[0], children[1], inner, sizes)


def _linear(tree: Mapping[str, bytes]) -> bool:
    return _number(tree.get("is_linear", b"0").decode(), 0, 1) == 1


def _check_counts(tree: Mapping[str, bytes], number: int, leaves: int) -> None:
    """Each line has as many numbers as LightGBM will read, and nothing else: it ends the process where it cannot read one."""
    for name, line in tree.items():
        if name in PER_LEAF or name in PER_NODE:
            count, right = len(_floats(line, number, name)), leaves if name in PER_LEAF else leaves - 1
            if count != right and (leaves > 1 or name == "leaf_value" or _linear(tree)):
                raise Damage(f"tree {number} has {count:,} numbers of {name}, not {right:,}")
    if len(_floats(tree["shrinkage"], number, "shrinkage")) != 1:
        raise Damage(f"tree {number} has not one number as its shrinkage")


def _floats(line: bytes, number: int, name: str) -> NDArray[np.float64]:
    parts = line.split()
    wrong = Damage(f"tree {number} has something else than numbers as its {name}")
    if FLOATS.fullmatch(line) is None or max(map(len, parts), default=0) > LONGEST_FLOAT:
        raise wrong
    try:
        return np.array(parts, dtype=f"S{LONGEST_FLOAT}").astype(np.float64)
    except ValueError as error:
        raise wrong from error


def _check_categories(tree: Mapping[str, bytes], number: int, categorical: NDArray[np.bool_]) -> None:
    wrong = Damage(f"tree {number} asks for categories that do not exist")
    if "cat_boundaries" not in tree or "cat_threshold" not in tree:
        raise wrong
    count = _number(tree["num_cat"].decode(), 0, MOST_LEAVES)
    borders, words = (_all_whole(tree[name]) for name in ("cat_boundaries", "cat_threshold"))
    sets = np.array([float(part) for part in tree["threshold"].split()])[categorical]
    if len(borders) != count + 1 or borders[0] != 0 or (np.diff(borders) < 0).any() or borders[-1] != len(words):
        raise wrong
    if len(sets) and not (sets.min() >= 0 and sets.max() < count):
        raise wrong


def _check_linear(tree: Mapping[str, bytes], number: int, leaves: int, features: int) -> None:
    wrong = Damage(f"the lines at the leaves of tree {number} do not fit its features")
    if not set(LINEAR) <= tree.keys():
        raise wrong
    counts, asked = _all_whole(tree["num_features"]), _all_whole(tree["leaf_features"])
    starts, slopes = (_floats(tree[name], number, name) for name in ("leaf_const", "leaf_coeff"))
    if len(counts) != leaves or len(starts) != leaves or (counts < 0).any():
        raise wrong
    if counts.sum() != len(asked) or len(asked) != len(slopes) or (len(asked) and not 0 <= asked.min() <= asked.max() < features):
        raise wrong
    sizes = np.abs(np.concatenate([starts, slopes]))
    digits = b" ".join((tree["leaf_const"], tree["leaf_coeff"])).lower().split()
    tiny = any(re.search(rb"[1-9]", part.split(b"e")[0]) for part, size in zip(digits, sizes, strict=True) if size < SMALLEST)
    endless = any(b"inf" not in part for part, size in zip(digits, sizes, strict=True) if size == np.inf)
    if tiny or endless:
        raise Damage(f"the lines at the leaves of tree {number} have numbers that are too large or too small")


def _number(text: str, low: int, high: int) -> int:
    if re.fullmatch(r"[0-9]{1,18}", text) is None or not low <= int(text) <= high:
        raise Damage(f"“{text[:50]}” stands where a number from {low:,} to {high:,} should")
    return int(text)


def _whole(lines: Sequence[bytes], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    numbers = _all_whole(b" ".join(line for line, count in zip(lines, counts.tolist(), strict=True) if count))
    if len(numbers) != counts.sum():
        raise Damage("its trees have the wrong number of nodes")
    return numbers


def _all_whole(line: bytes) -> NDArray[np.int64]:
    parts = line.split()
    if WHOLE.fullmatch(line) is None or max(map(len, parts), default=0) > LONGEST:
        raise Damage(f"“{line[:30].decode('utf-8', 'replace')}” stands where whole numbers should")
    return np.array(parts, dtype=f"S{LONGEST}").astype(np.int64)
