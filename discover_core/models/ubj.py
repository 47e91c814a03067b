"""Universal Binary JSON, as far as XGBoost writes it: read with every length checked against the file."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from .damage import Damage

DEEPEST = 40
NUMBERS = {
    marker: np.dtype(kind) for marker, kind in zip(b"iUIlLdD", ("i1", "u1", ">i2", ">i4", ">i8", ">f4", ">f8"), strict=True)
}
SINGLE: dict[int, tuple[Callable[..., Any], int]] = {
    marker: (struct.Struct(form).unpack_from, struct.calcsize(form))
    for marker, form in zip(b"iUIlLdD", (">b", ">B", ">h", ">i", ">q", ">f", ">d"), strict=True)
}
WORDS = {ord("T"): True, ord("F"): False, ord("Z"): None}
LENGTH = struct.Struct(">q").unpack_from
OBJECT, ARRAY, TEXT, LONG, COUNT, KIND, END_OBJECT, END_ARRAY = b"{[SL#$}]"


def read_ubj(data: bytes) -> Any:
    """The content: dictionaries, lists, text and numbers; a typed array is a NumPy array."""
    try:
        content, end = _value(data, 0, 0)
    except (IndexError, struct.error) as error:
        raise Damage("it ends in the middle") from error
    if end != len(data):
        raise Damage("something follows its end")
    return content


def _value(data: bytes, at: int, depth: int) -> tuple[Any, int]:
    marker = data[at]
    single = SINGLE.get(marker)
    if single is not None:
        return single[0](data, at + 1)[0], at + 1 + single[1]
    if marker == TEXT:
        return _text(data, at + 1)
    if depth > DEEPEST:
        raise Damage("it is nested deeper than any model")
    if marker == OBJECT:
        return _object(data, at + 1, depth + 1)
    if marker == ARRAY:
        return _array(data, at + 1, depth + 1)
    if marker in WORDS:
        return WORDS[marker], at + 1
    raise Damage(f"nothing known begins at its byte {at:,}")


def _object(data: bytes, at: int, depth: int) -> tuple[dict[str, Any], int]:
    content: dict[str, Any] = {}
    while data[at] != END_OBJECT:
        name, at = _text(data, at)
        if name in content:
            raise Damage(f"it says “{name[:50]}” twice")
        content[name], at = _value(data, at, depth)
    return content, at + 1


def _array(data: bytes, at: int, depth: int) -> tuple[Any, int]:
    if data[at] == KIND:
        kind = NUMBERS.get(data[at + 1])
        if kind is None or data[at + 2] != COUNT:
            raise Damage(f"the array at its byte {at:,} is of no known kind")
        count, at = _count(data, at + 3)
        end = at + count * kind.itemsize
        if end > len(data):
            raise Damage("an array is longer than the file")
        return np.frombuffer(data, kind, count, at), end
    content: list[Any] = []
    if data[at] == COUNT:
        count, at = _count(data, at + 1)
        if count > len(data) - at:
            raise Damage("an array is longer than the file")
        for _ in range(count):
            item, at = _value(data, at, depth)
            content.append(item)
        return content, at
    while data[at] != END_ARRAY:
        item, at = _value(data, at, depth)
        content.append(item)
    return content, at + 1


def _text(data: bytes, at: int) -> tuple[str, int]:
    length, at = _count(data, at)
    if length > len(data) - at:
        raise Damage("a text is longer than the file")
    return data[at : at + length].decode("utf-8", "surrogateescape"), at + length


def _count(data: bytes, at: int) -> tuple[int, int]:
    if data[at] != LONG:
        raise Damage(f"a length is missing at its byte {at:,}")
    count: int = LENGTH(data, at + 1)[0]
    if count < 0:
        raise Damage("an array has a negative length")
    return count, at + 9
