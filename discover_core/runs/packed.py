"""Named arrays as one compact piece of bytes, and back. Nothing in them is ever unpickled."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]


def pack(**arrays: NDArray[Any]) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def unpack(data: bytes) -> Arrays:
    with np.load(io.BytesIO(data), allow_pickle=False) as content:
        return {name: content[name] for name in content.files}
