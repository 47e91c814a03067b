"""A column under a given role: its range, step, levels and fill, read off its values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types

from ..errors import InputError
from .dates import is_dayfirst
from .schema import MAX_LEVELS, MISSING, Column, Level, Role
from .usual import usual_range
from .values import Numbers, as_level, as_numbers, as_text, is_text, on_grid, plain_values, without_codes

SAMPLE = 10_000  # rows looked at before deciding whether a full count is worth it
EXACT_MEDIAN = 100_000  # up to so many rows the median is always exact


def describe_outcome(series: pd.Series[Any]) -> Column:
    """The outcome is never excluded: few distinct values are classes, many numbers are a quantity."""
    distinct = few(series, MAX_LEVELS)
    plain_number = types.is_numeric_dtype(series.dtype) and not types.is_bool_dtype(series.dtype)
    if plain_number and (distinct is None or len(distinct) > 10):
        return describe(series, "numeric", reason="The outcome: a number to predict.", action="locked")
    if distinct is None:
        raise InputError(f"The outcome column “{series.name}” has more than {MAX_LEVELS:,} different texts: choose another one.")
    if len(distinct) == 0:
        raise InputError(f"The outcome column “{series.name}” has no values: choose another one.")
    column = describe(series, "nominal", missing_level=False, reason="The outcome.", action="locked")
    return replace(column, reason=f"The outcome: {len(column.levels)} classes.")


def describe(
    series: pd.Series[Any], role: Role, missing_level: bool = True, counts: pd.Series[int] | None = None, **fixed: Any
) -> Column:
    """The column under a given role, its range or levels read off its values; `fixed` fields are kept as given.

    `counts` are the rows per value, for a caller that has them already.
    """
    name = str(series.name)
    if role == "numeric":
        return _describe_numbers(series, **fixed)
    series = without_codes(plain_values(series), fixed.get("missing_codes", ()))
    blank = int(series.isna().sum())
    fixed["missing"] = blank
    if role == "excluded":
        return Column(name, role, **fixed)
    text = role == "nominal" and blank > 0 and missing_level and not is_text(series)  # to stand beside "(missing)"
    if blank == len(series):
        raise InputError(f"Column “{name}” has no values: leave it out.")
    counts = series.value_counts(sort=False) if counts is None else counts
    if len(counts) > MAX_LEVELS:
        raise InputError(
            f"Column “{name}” has {len(counts):,} different values, too many for categories: leave it out or use it as a number."
        )
    seen: dict[Level, int] = {}
    for value, count in counts.items():
        level = as_text(value) if text else as_level(value)
        seen[level] = seen.get(level, 0) + int(count)
    given = tuple(fixed.pop("levels", ()))
    found = sorted(seen, key=lambda v: (isinstance(v, str), v)) if not text else sorted(seen, key=_by_number)
    levels = given + tuple(level for level in found if level not in given)
    if role == "nominal" and blank and missing_level:
        levels = (*(level for level in levels if level != MISSING), MISSING)
        fill: Level = MISSING
    elif role == "ordinal":
        ranks = np.repeat(np.arange(len(levels)), [seen.get(level, 0) for level in levels])
        fill = levels[int(ranks[len(ranks) // 2])]
    else:
        fill = max(seen, key=lambda level: seen[level])
    return Column(name, role, levels=levels, **{"fill": fill, "text": text, **fixed})


def _describe_numbers(series: pd.Series[Any], **fixed: Any) -> Column:
    name = str(series.name)
    date = fixed.pop("date", False) or types.is_datetime64_any_dtype(series.dtype)
    if date and is_text(series):
        fixed.setdefault("dayfirst", is_dayfirst(series.dropna()))
    reading = Column(
        name, "excluded", date=date, dayfirst=fixed.get("dayfirst", False), missing_codes=tuple(fixed.get("missing_codes", ()))
    )
    numbers = as_numbers(series, reading)
    known = numbers[~np.isnan(numbers)]
    if not len(known):
        raise InputError(f"Column “{name}” has no numbers: use it as a category, or leave it out.")
    low, high, step = float(known.min()), float(known.max()), step_of(known)
    # Only missing values need the exact median; without any, every so-manieth value tells enough.
    exact = len(known) < len(numbers) or len(known) <= EXACT_MEDIAN
    middle = float(np.median(known if exact else known[:: len(known) // EXACT_MEDIAN]))
    fixed["missing"] = len(numbers) - len(known)
    if date:
        fixed.setdefault("unit", "days since 1970-01-01")
    elif types.is_timedelta64_dtype(series.dtype):
        fixed.setdefault("unit", "days")
    column = Column(name, "numeric", date=date, **{"low": low, "high": high, "step": step, **fixed})
    if column.usual is None:
        column = replace(column, usual=usual_range(known, column))
    return column if column.fill is not None else replace(column, fill=float(on_grid(np.array([middle]), column)[0]))


def step_of(numbers: Numbers) -> float | None:
    """The coarsest of 1, .1, .01, ... on which all numbers lie, or None when that takes more than 13 digits."""
    largest = float(np.max(np.abs(numbers)))
    for places in range(7):
        if largest * 10**places > 1e13:
            return None
        if np.array_equal(np.round(numbers[:SAMPLE], places), numbers[:SAMPLE]) and np.array_equal(
            np.round(numbers, places), numbers
        ):
            return float(10**-places) if places else 1.0
    return None


def few(series: pd.Series[Any], limit: int) -> list[Any] | None:
    """The distinct values if there are at most `limit` of them. A sample with more saves the full count."""
    if series.iloc[:SAMPLE].nunique() > limit:
        return None
    unique = pd.Series(series.unique()).dropna()
    return list(unique) if len(unique) <= limit else None


def _by_number(level: Level) -> tuple[int, float, str]:
    try:
        return (0, float(level), "")
    except ValueError:
        return (1, 0.0, str(level))
