"""Numbers and words a user gives, checked once, each refusal with a sentence."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError

Values = NDArray[np.float64]


def number(
    name: str, value: Any, low: float = -math.inf, high: float = math.inf, above: bool = False, below: bool = False
) -> None:
    """A finite number from `low` to `high`; `above` and `below` exclude the ends."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real) or not _finite(value):
        raise InputError(f"“{name}” must be a finite number, not {brief(value)}.")
    amount = float(value)
    if not (amount > low if above else amount >= low) or not (amount < high if below else amount <= high):
        parts = [f"{'above' if above else 'at least'} {low:g}"] if math.isfinite(low) else []
        parts += (
            [f"{'below' if below else 'at most'} {f'{high:,.0f}' if high >= 1e6 else f'{high:g}'}"] if math.isfinite(high) else []
        )
        raise InputError(f"“{name}” must be {' and '.join(parts)}, not {amount:g}.")


def whole(name: str, value: Any, least: int, most: int | None = None) -> None:
    """A whole number, at least and at most so large."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Integral) or int(value) < least:
        raise InputError(f"“{name}” must be a whole number of at least {least}, not {brief(value)}.")
    if most is not None and int(value) > most:
        raise InputError(f"“{name}” can be {most:,} at most, not {brief(value)}: choose a smaller number.")


def _finite(value: Any) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number that no float can hold
        return False


def brief(value: Any) -> str:
    """The value as it was written, unless that is very long."""
    if isinstance(value, Integral) and not isinstance(value, bool) and abs(int(value)) >= 10**30:
        return f"a number of more than {math.floor(int(value).bit_length() * math.log10(2)):,} digits"
    try:
        text = repr(value)
    except ValueError:  # such a number inside something else
        return f"this {type(value).__name__}"
    return text if len(text) <= 100 else text[:99] + "…"


def choice(name: str, value: Any, known: Sequence[str]) -> None:
    """One of the known words."""
    if value not in known:
        raise InputError(f"“{name}” cannot be {brief(value)}: use one of {', '.join(known)}.")


def finite_values(values: ArrayLike, what: str) -> Values:
    """At least one number, all of them finite, in a fresh one-dimensional array."""
    try:
        numbers = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{what} must be numbers, one after the other: remove what is no number.") from error
    if numbers.ndim != 1:
        raise InputError(f"{what} must be a plain list of numbers, not a table or a single value.")
    if not len(numbers):
        raise InputError(f"{what} are missing: give at least one number.")
    bad = np.flatnonzero(~np.isfinite(numbers))
    if len(bad):
        raise InputError(f"{what} must be finite numbers, but number {bad[0] + 1} is {numbers[bad[0]]:g}: remove it.")
    return numbers + 0.0  # no negative zeros: equal values have equal bits


def known_fields(kind: type, data: Any, what: str, required: Collection[str] = ()) -> dict[str, Any]:
    """The stored fields of a dataclass; a name it does not have, or lacks, gets a sentence."""
    if not isinstance(data, Mapping):
        raise InputError(f"The {what} must be stored as names with values.")
    names = [f.name for f in fields(kind)]
    for name in data:
        if name not in names:
            raise InputError(f"There is no “{name}” among the {what}: use some of {', '.join(names)}.")
    for name in required:
        if name not in data:
            raise InputError(f"“{name}” is missing from the {what}.")
    return dict(data)
