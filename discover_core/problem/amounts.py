"""Numbers as people read them: about three digits that matter, whole percent, never an exponent."""

from __future__ import annotations

import math


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


def percent(share: float, digits: int = 0) -> str:
    """A share as percent; a share that is neither 0 nor 1 never reads 0% or 100%."""
    text = f"{100 * share:.{digits}f}%"
    if digits == 0 and 0 < share < 0.005:
        return "under 1%"
    if digits == 0 and 0.995 <= share < 1:
        return "over 99%"
    return text
