"""Whether a row of the store is what this program writes. A damaged one becomes what can be shown, so that it spoils no list."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from ..errors import InputError

YEAR_9999 = 253_370_764_800.0  # seconds: later than any moment that can be shown
Check = tuple[Callable[[Any], bool], Any]  # what holds for a sound value, and what stands for one that is not


class Damaged(InputError):
    """What is stored cannot be read. It can be exported as it is, and deleted."""


def text(value: Any) -> bool:
    return isinstance(value, str)


def text_or_none(value: Any) -> bool:
    return value is None or isinstance(value, str)


def moment(value: Any) -> bool:
    return isinstance(value, int | float) and 0 <= value < YEAR_9999


def span(value: Any) -> bool:
    return isinstance(value, int | float) and 0 <= value < math.inf


def from_on(least: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, int) and value >= least


def one_of(*values: str | None) -> Callable[[Any], bool]:
    return lambda value: (value is None or isinstance(value, str)) and value in values


QUESTION: dict[str, Check] = {
    **dict.fromkeys(("name", "data_title", "model_title", "scenario", "model_copy"), (text, "")),
    "saved": (text_or_none, None),
}


def sound(row: Mapping[str, Any], checks: Mapping[str, Check]) -> tuple[dict[str, Any], list[str]]:
    """The values of a row, those that cannot be used replaced; and the columns that they were in."""
    odd = [name for name, (holds, _) in checks.items() if name in row and not holds(row[name])]
    return {**row, **{name: checks[name][1] for name in odd}}, odd


def damage(what: str, columns: list[str]) -> str:
    """The sentence about a row with such columns."""
    return f"The store's entry of this {what} is damaged ({', '.join(columns)}): export it to have it repaired, or delete it."
