"""What a skops file may make and keep: its types being known does not yet say what they are used for.

skops checks the names of types only. A known class can still be called with arguments of the file's choice: while the file is
read (`check_nodes`), or by an estimator that was given it as a function, or told to open files, while it scores (`check_uses`).
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer
from sklearn.feature_selection import f_classif, f_regression
from sklearn.preprocessing import FunctionTransformer

from ..errors import InputError
from .damage import refuse_damage
from .estimator_structure import check_estimator
from .loaded import Origin
from .skops_structure import ADVICE as SAVE_AGAIN
from .skops_structure import nodes_of

DATA = ("builtins.", "collections.", "numpy.", "scipy.")
CONTAINERS = ("DefaultDictNode", "ListNode", "SetNode", "BytesNode", "BytearrayNode", "SliceNode", "JsonNode", "TypeNode")
ARRAYS = ("NdArrayNode", "MaskedArrayNode", "DTypeNode", "RandomStateNode", "RandomGeneratorNode", "SparseMatrixNode")
MADE = {  # by skops' kind of node: how the names of what it makes may start
    **dict.fromkeys(CONTAINERS + ARRAYS, DATA),
    "DictNode": (*DATA, "sklearn.utils._bunch.Bunch"),
    "TupleNode": (*DATA, "sklearn."),
    "FunctionNode": (*DATA, "sklearn.feature_selection._univariate_selection.f_"),
    "TreeNode": ("sklearn.tree._tree.Tree",),
    "LossNode": ("sklearn._loss._loss.Cy", "sklearn.linear_model._sgd_fast."),
    "ObjectNode": ("",),  # made without calling anything
    "CachedNode": ("",),  # another node once more
}
SCORE_FUNCTIONS = (f_classif, f_regression)
TEXT_READERS = (CountVectorizer, HashingVectorizer)
PLAIN_TYPES = (bool, int, float, str, object)
ADVICE = "save a model made only of scikit-learn, XGBoost and LightGBM estimators without functions of its own"


def check_nodes(origin: Origin) -> None:
    """Refuse a file that would call anything but the makers of plain data, trees and losses while it is read."""
    with zipfile.ZipFile(io.BytesIO(origin.data)) as archive:
        content = json.loads(archive.read("schema.json"))
    if not content.get("protocol"):
        raise InputError(f"“{origin.title}” was written by a very old skops: save the model again with a current one.")
    for node in nodes_of(content):
        name = f"{node.get('__module__')}.{node.get('__class__')}"
        if not name.startswith(MADE.get(node["__loader__"], ())):
            raise InputError(f"“{origin.title}” would call “{name}” while it is opened, so it is never loaded: {ADVICE}.")


def check_uses(origin: Origin, loaded: Any) -> None:
    """Refuse a model that would open files, or call what the file gave it, while it scores."""
    seen: dict[int, Any] = {}
    waiting: list[tuple[str, Any]] = [("", loaded)]
    while waiting:
        attribute, value = waiting.pop()
        if callable(value) and hasattr(value, "__name__") and not isinstance(value, np.ufunc):  # a class or a function
            if not _may_keep(attribute, value):
                raise InputError(
                    f"“{origin.title}” keeps “{value.__name__}” as “{attribute}”, which it could call while scoring, "
                    f"so it is never loaded: {ADVICE}."
                )
            continue
        if id(value) in seen:
            continue
        seen[id(value)] = value
        _check_estimator(origin, value)
        refuse_damage(partial(check_estimator, value), origin, "skops", SAVE_AGAIN)
        waiting += _parts(attribute, value)


def _may_keep(attribute: str, value: Any) -> bool:
    if isinstance(value, type):
        return "dtype" in attribute and (value in PLAIN_TYPES or (issubclass(value, np.generic) and value.__module__ == "numpy"))
    return attribute == "score_func" and value in SCORE_FUNCTIONS


def _check_estimator(origin: Origin, value: Any) -> None:
    if isinstance(value, TEXT_READERS) and getattr(value, "input", None) != "content":
        raise InputError(
            f"“{origin.title}” holds a {type(value).__name__} that opens the files its cells name, so it is never loaded: "
            'make it with input="content".'
        )
    if isinstance(value, FunctionTransformer):
        for function in (getattr(value, "func", None), getattr(value, "inverse_func", None)):
            if function is not None and not isinstance(function, np.ufunc):
                raise InputError(
                    f"“{origin.title}” holds a FunctionTransformer that would call what the file gave it, so it is never "
                    "loaded: only NumPy's and SciPy's functions of single numbers, such as numpy.log1p, will do."
                )


def _parts(attribute: str, value: Any) -> Iterator[tuple[str, Any]]:
    """What an object is made of, each under the name of its attribute; what lies in a container keeps the container's."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield attribute, key
            yield (key if isinstance(key, str) and not attribute else attribute), item
    elif isinstance(value, list | tuple | set | frozenset):
        yield from ((attribute, item) for item in value)
    elif isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            yield from ((attribute, item) for item in np.asarray(value).ravel().tolist())
        return
    yield from getattr(value, "__dict__", {}).items()
    state = None if hasattr(value, "__dict__") else _compiled_state(value)
    if state is not None:
        yield attribute, state


def _compiled_state(value: Any) -> Any:
    """The state of a compiled scikit-learn object, such as a metric that keeps the function it asks."""
    return value.__getstate__() if type(value).__module__.startswith("sklearn.") else None
