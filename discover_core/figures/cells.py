"""The values of a feature, as figures and the files behind them hold them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..problem.words import value_words
from ..table.schema import Column
from ..table.values import as_text
from .text import amount, plain

LABEL = 24  # characters of a level's name
EPOCH = np.datetime64("1970-01-01", "ms")
Floats = NDArray[np.float64]


def numbers(series: pd.Series[Any], column: Column) -> Floats:
    """A prepared column as numbers: levels as their place in the column's levels."""
    return np.asarray(series.cat.codes if column.categorical else series, dtype=np.float64)


def value_text(column: Column, value: float) -> str:
    """A cell, given as `numbers` has it, in the user's own words or units."""
    if column.categorical:
        return as_text(column.levels[int(value)])
    return value_words(column, value) if column.date else amount(value, column.unit)


def from_to(column: Column, first: float, last: float) -> str:
    """Two values with their unit said once."""
    bare = value_text(column, first) if column.categorical or column.date else amount(first)
    return f"from {bare} to {value_text(column, last)}"


def short(text: str) -> str:
    """A name that fits beside an axis, safe in a figure."""
    return plain(text if len(text) <= LABEL else text[: LABEL - 1] + "…")


def heading(column: Column) -> str:
    """A feature and its unit, as over a column of a file."""
    return f"{column.name} ({column.unit})" if column.unit and not column.categorical and not column.date else column.name


def cells(series: pd.Series[Any], column: Column) -> Any:
    """A prepared column as a file holds it: numbers, dates, levels as text."""
    if not column.categorical:
        return on_axis(numbers(series, column), column)
    return np.array([as_text(level) for level in column.levels], dtype=object)[series.cat.codes]


def on_axis(values: Floats, column: Column) -> Any:
    """The values as the axis takes them: dates as dates."""
    if not column.date:
        return values
    days = np.rint(np.nan_to_num(values) * 86_400_000).astype("timedelta64[ms]")
    return np.where(np.isnan(values), np.datetime64("NaT"), EPOCH + days)


def off_axis(place: Any, column: Column) -> float:
    """A place on the axis, as Plotly tells it, as a value again."""
    return float((np.datetime64(place, "us") - EPOCH) / np.timedelta64(1, "D")) if column.date else float(place)
