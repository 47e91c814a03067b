"""From the cells of a raw column to numbers or levels, the same way for guessing and for preparing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api import types

from .schema import Level

Numbers = NDArray[np.float64]
DAY = 86_400_000_000_000  # nanoseconds


def is_text(series: pd.Series[Any]) -> bool:
    return types.is_string_dtype(series.dtype) or series.dtype == object


def as_numbers(series: pd.Series[Any], missing_codes: tuple[Level, ...] = (), date: bool = False) -> Numbers:
    """Every cell as a float, NaN where there is no number; dates as days since 1970-01-01."""
    if isinstance(series.dtype, pd.CategoricalDtype):
        series = series.astype(series.cat.categories.dtype)
    if types.is_datetime64_any_dtype(series.dtype) or date:
        if not types.is_datetime64_any_dtype(series.dtype):
            if types.is_numeric_dtype(series.dtype):
                return _without(series.to_numpy(dtype=np.float64, na_value=np.nan), missing_codes)
            series = pd.to_datetime(series, errors="coerce", format="mixed")
        stamps = series.dt.tz_localize(None) if series.dt.tz is not None else series
        days = stamps.astype("datetime64[ns]").to_numpy().astype(np.int64) / DAY
        return np.where(series.isna().to_numpy(), np.nan, days)
    if is_text(series):
        series = pd.to_numeric(series, errors="coerce")
    return _without(series.to_numpy(dtype=np.float64, na_value=np.nan), missing_codes)


def _without(numbers: Numbers, missing_codes: tuple[Level, ...]) -> Numbers:
    """Infinite values and the codes that stand for "missing" become NaN."""
    bad = ~np.isfinite(numbers)
    for code in missing_codes:
        if not isinstance(code, str):
            bad |= numbers == float(code)
    return np.where(bad, np.nan, numbers) if bad.any() else numbers


def as_level(value: Any) -> Level:
    """A NumPy or pandas scalar as the plain Python value a level is."""
    if isinstance(value, np.generic):
        value = value.item()
    return value if isinstance(value, str | bool | int | float) else str(value)


def as_text(value: Any) -> str:
    """A number-like level as a person would write it: 1.0 is "1"."""
    if isinstance(value, bool | np.bool_ | str):
        return str(value)
    if isinstance(value, int | float | np.integer | np.floating):
        return str(int(value)) if float(value).is_integer() else repr(float(value))
    return str(value)


def decimals_of(step: float) -> int | None:
    """How many decimals a step of 10^-d or a whole number has; None if it is neither."""
    for places in range(13):
        if round(step, places) == step:
            return places
    return None
