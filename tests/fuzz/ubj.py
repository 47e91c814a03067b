"""Universal Binary JSON, as XGBoost writes it: read and written with the types of its arrays, to change one number."""

from __future__ import annotations

import math
import struct
from typing import Any

from .json_changes import DEEP

INTEGERS = {"i": ">b", "U": ">B", "I": ">h", "l": ">i", "L": ">q"}
DECIMALS = {"d": ">f", "D": ">d"}
PLAIN: dict[str, Any] = {"T": True, "F": False, "Z": None, "N": None}
DEPTH = 100_000


class Numbers(list[Any]):
    """An array of numbers of one type."""

    mark = "l"


def read(data: bytes) -> Any:
    return _value(data, 1, chr(data[0]))[0]


def _value(data: bytes, at: int, mark: str) -> tuple[Any, int]:
    """What is at this place, behind its mark, and the place after it."""
    if mark in PLAIN:
        return PLAIN[mark], at
    if form := (INTEGERS | DECIMALS).get(mark):
        return struct.unpack_from(form, data, at)[0], at + struct.calcsize(form)
    if mark == "S":
        return _text(data, at)
    return _object(data, at) if mark == "{" else _array(data, at)


def _text(data: bytes, at: int) -> tuple[str, int]:
    size, at = _value(data, at + 1, chr(data[at]))
    return data[at : at + size].decode(), at + size


def _object(data: bytes, at: int) -> tuple[dict[str, Any], int]:
    found: dict[str, Any] = {}
    while data[at : at + 1] != b"}":
        name, at = _text(data, at)
        found[name], at = _value(data, at + 1, chr(data[at]))
    return found, at + 1


def _array(data: bytes, at: int) -> tuple[list[Any], int]:
    found: list[Any] = []
    if data[at : at + 1] == b"$":
        found = Numbers()
        found.mark, at = chr(data[at + 1]), at + 2
    if data[at : at + 1] != b"#":
        while data[at : at + 1] != b"]":
            item, at = _value(data, at + 1, chr(data[at]))
            found.append(item)
        return found, at + 1
    count, at = _value(data, at + 2, chr(data[at + 1]))
    for _ in range(count):
        mark, at = (found.mark, at) if isinstance(found, Numbers) else (chr(data[at]), at + 1)
        item, at = _value(data, at, mark)
        found.append(item)
    return found, at


def written(value: Any) -> bytes:
    if value == DEEP:
        return b"[" * DEPTH + b"]" * DEPTH
    if isinstance(value, bool) or value is None:
        return {True: b"T", False: b"F", None: b"Z"}[value]
    if isinstance(value, str):
        return b"S" + _sized(value)
    if isinstance(value, int | float):
        mark = "L" if isinstance(value, int) else "d"
        return mark.encode() + _number(value, mark)
    if isinstance(value, dict):
        return b"{" + b"".join(_sized(str(name)) + written(item) for name, item in value.items()) + b"}"
    size = b"#L" + struct.pack(">q", len(value))
    if isinstance(value, Numbers) and all(isinstance(item, int | float) for item in value):
        return b"[$" + value.mark.encode() + size + b"".join(_number(item, value.mark) for item in value)
    return b"[" + size + b"".join(map(written, value))


def _sized(text: str) -> bytes:
    content = text.encode("utf-8", "surrogatepass")
    return b"L" + struct.pack(">q", len(content)) + content


def _number(value: float, mark: str) -> bytes:
    """As far as the type can hold it: whole numbers lose their upper bits, decimal ones become infinite."""
    if form := INTEGERS.get(mark):
        whole = int(value) if isinstance(value, int) or math.isfinite(value) else -1
        size = struct.calcsize(form)
        return (whole & (2 ** (8 * size) - 1)).to_bytes(size, "big")
    try:
        return struct.pack(DECIMALS[mark], value)
    except OverflowError:
        return struct.pack(DECIMALS[mark], math.copysign(math.inf, value))
