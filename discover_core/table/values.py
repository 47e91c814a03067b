"""From the cells of a raw column to numbers or levels, the same way for guessing and for preparing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api import types

from ..errors import InputError
from .dates import read_dates
from .schema import Column, Level

Numbers = NDArray[np.float64]
DAY, DAY_SECONDS = 86_400_000_000_000, 86_400  # nanoseconds, seconds


def is_text(series: pd.Series[Any]) -> bool:
    return types.is_string_dtype(series.dtype) or series.dtype == object


def plain_values(series: pd.Series[Any]) -> pd.Series[Any]:
    """A categorical series as the values it stands for; any other as it is."""
    if not isinstance(series.dtype, pd.CategoricalDtype):
        return series
    kind = series.cat.categories.dtype
    if types.is_numeric_dtype(kind) and not types.is_bool_dtype(kind):
        return series.astype(np.float64 if series.isna().any() else kind)
    return series.astype(object if series.isna().any() else kind)


def without_codes(series: pd.Series[Any], missing_codes: Sequence[Level]) -> pd.Series[Any]:
    """The series with the codes that stand for "missing" really missing."""
    if not missing_codes:
        return series
    coded = series.isin(list(missing_codes))
    return series.mask(coded) if bool(coded.any()) else series


def as_numbers(series: pd.Series[Any], column: Column) -> Numbers:
    """Every cell as a float, NaN where there is no number; dates as days since 1970-01-01, durations as days."""
    series = plain_values(series)
    if types.is_timedelta64_dtype(series.dtype):
        return np.asarray(series.dt.total_seconds().to_numpy(dtype=np.float64) / 86_400)
    if column.date and is_text(series):
        series = read_dates(series, column.dayfirst)
    if types.is_datetime64_any_dtype(series.dtype):
        stamps = series.dt.tz_localize(None) if series.dt.tz is not None else series
        return np.where(series.isna().to_numpy(), np.nan, _days(stamps))
    if is_text(series):
        series = pd.to_numeric(series, errors="coerce")
    numbers = series.to_numpy(dtype=np.float64, na_value=np.nan)
    bad = ~np.isfinite(numbers)
    for code in column.missing_codes:
        if not isinstance(code, str):
            bad |= numbers == float(code)
    return np.where(bad, np.nan, numbers) if bad.any() else numbers


def _days(stamps: pd.Series[Any]) -> Numbers:
    """Days since 1970-01-01; of the years that nanoseconds do not reach, to the second."""
    try:
        return np.asarray(stamps.astype("datetime64[ns]").to_numpy().astype(np.int64) / DAY)
    except pd.errors.OutOfBoundsDatetime:
        return np.asarray(stamps.astype("datetime64[s]").to_numpy().astype(np.int64) / DAY_SECONDS)


def level_codes(series: pd.Series[Any], levels: Sequence[Level]) -> NDArray[np.int64]:
    """The place of each cell's level, -1 for missing and unknown ones.

    The same value may come in another type (1, 1.0, "1", True, "True"): what counts is how a person would write it.
    """
    places = {word(level): code for code, level in enumerate(levels)}
    if all(isinstance(level, bool) for level in levels):
        places |= {str(int(level)): code for code, level in enumerate(levels)}
    codes, distinct = pd.factorize(series)
    found = [places.get(word(value), places.get(_number_word(value), -1)) for value in distinct]
    return np.asarray([*found, -1], dtype=np.int64)[codes]


def word(value: Any) -> str:
    """A level as it is compared: truth values in lower case, numbers without needless decimals."""
    text = as_text(value)
    return text.lower() if text in ("True", "False", "TRUE", "FALSE") else text


def _number_word(value: Any) -> str:
    """What a truth value or a number in text may also be called."""
    try:
        return as_text(float(value))
    except (TypeError, ValueError):
        return ""


def as_level(value: Any) -> Level:
    """A NumPy or pandas scalar as the plain Python value a level is."""
    if isinstance(value, np.generic):
        value = value.item()
    return value if isinstance(value, str | bool | int | float) else str(value)


def as_text(value: Any) -> str:
    """A number-like level as a person would write it: 1.0 is "1"."""
    if isinstance(value, bool | np.bool_ | str):
        return str(value)
    if isinstance(value, float | np.floating) and np.isfinite(value):
        return str(int(value)) if float(value).is_integer() else repr(float(value))
    return str(value)


def short_number(value: float) -> str:
    """A number with the digits that a reader needs to know where it lies."""
    return f"{value:,.0f}" if float(value).is_integer() or abs(value) >= 1000 else f"{value:,.4g}"


def decimals_of(number: float) -> int | None:
    """How many decimals a number has, None for more than 12."""
    return next((places for places in range(13) if round(number, places) == number), None)


def grid_of(column: Column) -> tuple[float, float, int] | None:
    """Lowest value, step and decimals of the grid that a numeric column's values lie on; None for a continuous one."""
    if column.step is None or column.low is None:
        return None
    places = [decimals_of(column.low), decimals_of(column.step)]
    known = [p for p in places if p is not None]
    return (column.low, column.step, max(known)) if len(known) == 2 else None


def check_grid(numbers: Numbers, column: Column) -> None:
    """InputError when a value lies off the column's grid: then the step is not the step of its values."""
    away = numbers[np.abs(on_grid(numbers, column) - numbers) > 1e-9 * np.maximum(1, np.abs(numbers))]
    if len(away):
        raise InputError(
            f"A step of {as_text(column.step)} from {as_text(column.low)} leaves out values of “{column.name}”, "
            f"such as {as_text(away[0])}: choose a finer step, or none."
        )


def on_grid(numbers: Numbers, column: Column) -> Numbers:
    """The nearest values of the column's grid; the numbers themselves for a continuous column."""
    grid = grid_of(column)
    if grid is None:
        return numbers
    low, step, places = grid
    return np.asarray(np.round(low + np.rint((numbers - low) / step) * step, places))
