"""JSON from outside: small enough, not deeper than it need be, each name once, numbers that are numbers, text that is text."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

from ..errors import HALF, InputError, said

MOST = 5 * 2**20  # bytes of a scenario
DEPTH = 50  # lists and names inside each other
DIGITS = 300  # of a whole number


def read_json(path: Path, most: int = MOST) -> Any:
    """The content of a JSON file."""
    shown = f"“{path.name}”"
    try:
        if not path.is_file():
            raise InputError(f"{shown} does not exist or is not a file: check its name and folder.")
        with path.open("rb") as file:
            content = file.read(most + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{shown} cannot be opened: check that you may read it.") from error
    return parse_json(content, path.name, most)


def parse_json(content: bytes, name: str, most: int = MOST) -> Any:
    """The content of a JSON file that is at hand."""
    shown = f"“{name}”"
    if len(content) > most:
        raise InputError(f"{shown} has more than the {most / 2**20:.0f} MB that can be read: choose the file as it was saved.")
    try:
        found = json.loads(
            content.decode("utf-8-sig"),
            parse_constant=_refuse,
            parse_float=_finite,
            parse_int=_whole,
            object_pairs_hook=_once,
        )
    except RecursionError:
        raise _deep(shown) from None
    except ValueError as error:
        if isinstance(error, InputError):
            raise InputError(f"{shown} cannot be used: {error}") from error
        raise InputError(f"{shown} is not a JSON file: {said(error)}.") from error
    _check(found, shown)
    return found


def write_json(path: Path, content: Any) -> None:
    text = json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    if half := HALF.search(text):
        around = text[max(0, half.start() - 20) : half.end() + 20].strip()
        raise InputError(f"“{path.name}” cannot be written, because half a character stands in “{around}”: correct it.")
    path.write_text(text, encoding="utf-8")


def _check(found: Any, shown: str) -> None:
    """Level by level, so that depth takes no stack."""
    level: list[Any] = [found]
    for _ in range(DEPTH):
        below: list[Any] = []
        for value in level:
            if isinstance(value, str):
                if HALF.search(value):
                    raise InputError(f"{shown} cannot be used: it holds half a character (\\ud800 to \\udfff) in a text.")
            elif isinstance(value, list):
                below += value
            elif isinstance(value, dict):
                below += [*value, *value.values()]
        if not below:
            return
        level = below
    raise _deep(shown)


def _deep(shown: str) -> InputError:
    return InputError(f"{shown} cannot be used: its lists and names lie more than {DEPTH} deep inside each other.")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise InputError(f"“{twice[:100]}” is said more than once in one place: leave one of them out.")
    return made


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise InputError(f"the number {text[:20]} is larger than any that can be used: write a smaller one.")
    return number


def _whole(text: str) -> int:
    if len(text) > DIGITS:
        raise InputError(f"a number of {len(text):,} digits is larger than any that can be used: write a smaller one.")
    return int(text)


def _refuse(constant: str) -> Any:
    raise InputError(f"it holds {constant}, which JSON does not have: write a finite number or null.")
