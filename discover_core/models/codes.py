"""Numbers for the levels of a column: how they are written down, and the orders in which programs count."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd

from ..errors import InputError
from ..table.schema import MISSING, Column, Level
from .model import Codes

LARGEST = 1e9  # a number beyond this is a slip of the hand, and single precision could not tell it from its neighbour


@dataclass(frozen=True)
class Better:
    """Codes of the columns that should change, and how well the model fits the known outcomes now and then."""

    codes: Codes
    measure: Literal["AUC", "R²"]
    now: float
    then: float


def check_codes(codes: Codes) -> None:
    """InputError unless these are columns with a number, or None, for each level's text."""
    for name, given in codes.items():
        if not isinstance(given, dict) or not all(isinstance(level, str) for level in given):
            raise InputError(f"The codes of “{name}” must give a number for each of its values, such as {{“low”: 0, “high”: 1}}.")
        for level, number in given.items():
            fine = isinstance(number, int | float) and not isinstance(number, bool) and abs(number) <= LARGEST
            if number is not None and not fine:
                raise InputError(f"The code of “{level}” in “{name}” must be a number, at most {LARGEST:,.0f} in size.")


def numeric_levels(column: Column) -> list[float] | None:
    """The levels as numbers (a missing value is NaN), or None if they are words."""
    numbers = []
    for level in column.levels:
        try:
            numbers.append(math.nan if level == MISSING else float(level))
        except ValueError:
            return None
        if level != MISSING and not math.isfinite(numbers[-1]):
            return None
    return numbers


def natural_orders(column: Column, values: pd.Series[Any]) -> dict[str, tuple[Level, ...]]:
    """The orders in which programs number the levels of a column, by name; `values` are the column, prepared.

    Two names may mean the same order. Missing values are left out: see `in_order`."""
    levels = [level for level in column.levels if level != MISSING]
    numbers = dict(zip(column.levels, numeric_levels(column) or (), strict=False))
    if numbers:
        return {"by size": tuple(sorted(levels, key=lambda level: numbers[level]))}
    seen = [level for level in values.drop_duplicates() if level in levels]
    count = values.value_counts()
    return {
        "as listed on the Data page": tuple(levels),
        "alphabetical": tuple(sorted(levels, key=str)),
        "most frequent first": tuple(sorted(levels, key=lambda level: -int(count.get(level, 0)))),
        "as they first appear in the table": (*seen, *(level for level in levels if level not in seen)),
        "as listed, the other way round": tuple(levels[::-1]),
        "alphabetical, the other way round": tuple(sorted(levels, key=str, reverse=True)),
    }


def in_order(column: Column, order: tuple[Level, ...], start: int = 0, missing: float | None = None) -> dict[str, float | None]:
    """Codes that count from `start` in this order; missing values get `missing` unless the order has them."""
    place = {level: float(start + i) for i, level in enumerate(order)}
    return {str(level): place.get(level, missing) for level in column.levels}
