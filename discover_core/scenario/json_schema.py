"""What a JSON file holds, checked against the fields of a dataclass while it is built: each refusal is a sentence."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from ..errors import InputError, said

Kind = TypeVar("Kind")
WORDS: dict[Any, str] = {str: "text", bool: "true or false", int: "a whole number", float: "a number", NoneType: "null"}
UNIONS = (Union, UnionType)


def plain(value: Any) -> Any:
    """Nothing but what JSON has: tuples become lists, NumPy's numbers plain ones, infinite and missing numbers null."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


def build(kind: type[Kind], data: Any, what: str) -> Kind:
    """A dataclass from stored names with values, and the dataclasses inside it; what it lacks has its default."""
    hints, known = _hints(kind), [f for f in fields(kind) if f.init]  # type: ignore[arg-type]
    check_names(data, [f.name for f in known], what, [f.name for f in known if f.default is f.default_factory is MISSING])
    given = {name: _made(value, hints[name], f"“{name}” of the {what}") for name, value in data.items()}
    try:
        return kind(**given)
    except InputError:
        raise
    except (ArithmeticError, TypeError, ValueError) as error:
        raise InputError(f"The {what} cannot be used: {said(error)}.") from error


@cache
def _hints(kind: type[Any]) -> dict[str, Any]:
    return get_type_hints(kind)


def check_names(data: Any, known: list[str], what: str, required: list[str]) -> None:
    """Names with values: no unknown name, none missing."""
    if not isinstance(data, dict):
        raise InputError(f"The {what} must be names with values, not {_short(data)}.")
    for name in data:
        if name not in known:
            raise InputError(f"There is no “{name}” in the {what}: use some of {', '.join(known)}.")
    for name in required:
        if name not in data:
            raise InputError(f"“{name}” is missing from the {what}.")


def _made(value: Any, hint: Any, what: str) -> Any:
    if not _fits(value, hint):
        raise InputError(f"{what[0].upper()}{what[1:]} must be {_words(hint)}, not {_short(value)}.")
    if get_origin(hint) in UNIONS:
        hint = next(arm for arm in get_args(hint) if _fits(value, arm))
    if isinstance(hint, type) and is_dataclass(hint):
        return build(hint, value, what)
    if get_origin(hint) is tuple:
        arms = get_args(hint)
        each = [arms[0]] * len(value) if arms[-1] is Ellipsis else arms
        return tuple(_made(item, arm, f"entry {i + 1} of {what}") for i, (item, arm) in enumerate(zip(value, each, strict=True)))
    return value


def _fits(value: Any, hint: Any) -> bool:
    """Whether a JSON value can become what the hint says; what is inside a list or a dataclass is looked at later."""
    origin, arms = get_origin(hint), get_args(hint)
    if origin in UNIONS:
        return any(_fits(value, arm) for arm in arms)
    if origin is Literal:
        return isinstance(value, str) and value in arms
    if origin is tuple:
        return isinstance(value, list) and (arms[-1] is Ellipsis or len(value) == len(arms))
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if isinstance(hint, type) and hint in WORDS:
        return isinstance(value, hint)
    return isinstance(value, dict)


def _words(hint: Any) -> str:
    origin, arms = get_origin(hint), get_args(hint)
    if origin in UNIONS:
        return " or ".join(dict.fromkeys(_words(arm) for arm in arms if not (arm is int and float in arms)))
    if origin is Literal:
        return f"one of {', '.join(arms)}"
    if origin is tuple:
        return "a list" if arms[-1] is Ellipsis else f"a list of {len(arms)}"
    return WORDS.get(hint, "names with values")


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:39] + "…"
