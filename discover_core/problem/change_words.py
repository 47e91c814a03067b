"""A changed cell in words and as a cell of a file, in the units of the user's table."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..table.schema import Column
from ..table.values import as_text, grid_of
from .words import HUGE, number_words

DAY = 86_400_000_000  # microseconds
FINE = 4  # digits of a continuous feature's range that people read


def change_words(column: Column, before: Any, after: Any, unknown: bool = False) -> str:
    """One changed cell: Duration 24 → 18 months; or, if `before` only stands for what is unknown: Duration unknown (taken as 24)
    → 18 months."""
    old, new = value_text(column, before), value_text(column, after)
    if old == new:  # only digits that people would not read tell them apart
        old, new = as_text(file_value(column, before)), as_text(file_value(column, after))
    old = f"unknown (taken as {old})" if unknown else old
    return f"{column.name} {old} → {new}{unit_text(column)}"


def value_text(column: Column, value: Any) -> str:
    """A value without its unit: a level as it is called, a date, a number with the digits that matter in its column."""
    if column.categorical:
        return as_text(value)
    if column.date:
        return _moment(value)[:10]
    spread = (column.high or 0) - (column.low or 0)
    if grid_of(column) is not None or spread <= 0 or abs(value) >= HUGE:
        return number_words(value)
    places = min(max(FINE - 1 - math.floor(math.log10(spread)), 0), 12)
    text = f"{value:,.{places}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def unit_text(column: Column) -> str:
    """What follows a number of this column, its blank included."""
    return f" {column.unit}" if column.unit and not column.categorical and not column.date else ""


def difference(column: Column, before: float, after: float) -> float:
    """After minus before, without the dust that floating point leaves on a grid."""
    grid = grid_of(column)
    return float(after - before if grid is None else round(after - before, grid[2]))


def file_value(column: Column, value: Any) -> Any:
    """The value as a cell of a file: numbers to the last bit, dates and levels as text."""
    if column.categorical:
        return as_text(value)
    return _moment(value).removesuffix("T00:00:00.000000") if column.date else value


def _moment(days: float) -> str:
    """Days since 1970-01-01 as a time of the calendar, to the microsecond."""
    return str(np.datetime64(round(days * DAY), "us"))
