"""Tables for people who open them in a spreadsheet."""

from __future__ import annotations

import pandas as pd
from pandas.api import types

FORMULA = ("=", "+", "-", "@", "\t", "\r")


def to_csv(table: pd.DataFrame) -> bytes:
    """CSV in which no text cell or heading can act as a formula: such text gets a leading apostrophe."""
    safe = table.copy()
    for name in safe.columns:
        series = safe[name]
        if isinstance(series.dtype, pd.CategoricalDtype):
            series = series.astype(series.cat.categories.dtype)
        if types.is_string_dtype(series.dtype) or series.dtype == object:
            safe[name] = series.map(harmless, na_action="ignore")
    safe.columns = pd.Index([harmless(str(name)) for name in safe.columns])
    return safe.to_csv(index=False).encode("utf-8-sig")


def harmless(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
