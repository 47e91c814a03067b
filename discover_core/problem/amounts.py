"""Numbers as people read them: about three digits that matter, whole percent, never an exponent."""

from __future__ import annotations

import math
from collections.abc import Callable

DUST = 1e-9  # what the arithmetic of rounding may be off by


def amount(value: float, unit: str = "") -> str:
    """A number with about three digits that matter, thousands separated, never with an exponent; its unit behind it."""
    text = f"{value:,.{decimals(value)}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return f"{'0' if text == '-0' else text} {unit}".strip()


def decimals(value: float) -> int:
    """How many it takes for about three digits that matter."""
    return 0 if value == 0 else max(0, min(6, 2 - math.floor(math.log10(abs(value)))))


def limit_words(value: float, most: str = "at most ") -> str:
    """A limit above 0, which never reads as 0."""
    said = amount(value)
    return f"{most}{said}" if said != "0" else "less than 0.000001"


def fixed(value: float, digits: int) -> str:
    """A number with so many decimals, for numbers that are compared; never minus zero."""
    return f"{round(value, digits) + 0.0:,.{digits}f}"


def people(count: int) -> str:
    return f"{count:,} {'person' if count == 1 else 'people'}"


def amount_above(value: float) -> str:
    """A limit that holds as it is said: never less than it is."""
    if not math.isfinite(value):
        return amount(value)
    digits = decimals(value)
    return amount(math.ceil(value * 10**digits - DUST) / 10**digits)


def percent_below(share: float) -> str:
    """A lower limit of a share that holds as it is said: whole percent, rounded down, finer only near the ends."""
    return _whole_percent(share, math.floor, DUST)


def percent_above(share: float) -> str:
    """An upper limit of a share, rounded up."""
    return _whole_percent(share, math.ceil, -DUST)


def _whole_percent(share: float, rounded: Callable[[float], int], slack: float) -> str:
    for digits in range(4):
        said = rounded(100 * share * 10**digits + slack) / 10**digits
        if share in (0, 1) or said not in (0, 100):
            break
    return f"{said:g}%"


def percent(share: float, digits: int = 0) -> str:
    """A share as percent; a share that is neither 0 nor 1 never reads 0% or 100%."""
    text = f"{100 * share:.{digits}f}%"
    if digits == 0 and 0 < share < 0.005:
        return "under 1%"
    if digits == 0 and 0.995 <= share < 1:
        return "over 99%"
    return text
