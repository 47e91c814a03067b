"""The words of an XGBoost file's categories, also where XGBoost cut them wrongly."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from typing import Any

import numpy as np


def category_words(stored: Any, levels: Collection[str]) -> list[Any]:
    """The categories of one feature, from the Arrow array XGBoost gives.

    XGBoost 3 writes words beyond ASCII with lengths in letters where bytes are meant, so that they seem cut in the wrong places
    and the last ones lose their end. Both readings are tried, and the one that knows more of the table's `levels` counts.
    """
    kind = str(stored.type)
    if "string" not in kind:
        return list(stored.to_pylist())
    _, places, text = stored.buffers()
    offsets = np.frombuffer(places, dtype=np.int64 if kind.startswith("large") else np.int32)[: len(stored) + 1].tolist()
    data = bytes(text)[: offsets[-1]] if text is not None else b""
    as_bytes = [data[a:b].decode("utf-8", "replace") for a, b in pairwise(offsets)]
    if data.isascii():
        return as_bytes
    letters = data.decode("utf-8", "ignore")
    as_letters = [_whole(letters[a:b], b - a, levels) for a, b in pairwise(offsets)]
    return max(as_bytes, as_letters, key=lambda words: sum(word in levels for word in words))


def _whole(word: str, length: int, levels: Collection[str]) -> str:
    """A word that lost its end, completed if only one level begins like it and is as long."""
    fitting = [level for level in levels if len(level) == length and level.startswith(word)]
    return fitting[0] if len(word) < length and len(fitting) == 1 else word
