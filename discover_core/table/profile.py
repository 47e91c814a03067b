"""A few numbers per column that say what is in it: for the profile table and its small charts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api import types

from .schema import Column, Schema
from .values import as_numbers, as_text, short_number

BARS = 16
DRAWN = 50_000  # rows the small charts are drawn from


@dataclass(frozen=True)
class Profile:
    """`bars` are shares in percent: of equal-width bins for numbers, of the most common values otherwise."""

    column: Column
    missing: int
    distinct: int
    bars: tuple[float, ...]
    summary: str


def profile(table: pd.DataFrame, schema: Schema, seed: int = 0) -> tuple[Profile, ...]:
    """One profile per column, drawn from at most `DRAWN` rows; missing cells are counted in all of them."""
    drawn = sample_to_draw(table, seed)
    return tuple(profile_column(drawn[c.name], c, int(table[c.name].isna().sum())) for c in schema)


def sample_to_draw(table: pd.DataFrame, seed: int = 0) -> pd.DataFrame:
    """The rows that charts are drawn from: all of a small table, a seeded sample of a large one."""
    if len(table) <= DRAWN:
        return table
    return table.iloc[np.sort(np.random.default_rng(seed).choice(len(table), DRAWN, replace=False))]


def profile_column(series: pd.Series[Any], column: Column, missing: int) -> Profile:
    """What is in one column; `missing` is its count in the whole table."""
    values = series.dropna()
    distinct = int(values.nunique())
    bare = types.is_numeric_dtype(series.dtype) and not types.is_bool_dtype(series.dtype)
    number_like = column.role == "numeric" or (column.role == "excluded" and (column.date or bare))
    if number_like and len(values):
        numbers = as_numbers(values, column)
        numbers = numbers[~np.isnan(numbers)]
        missing = max(missing, column.missing)
        if not len(numbers):
            return Profile(column, missing, distinct, (), "no values")
        counts = _bars(numbers)
        low, middle, high = (float(v) for v in np.quantile(numbers, [0, 0.5, 1]))
        if column.date:
            low_text, middle_text, high_text = (
                str(np.datetime64("1970-01-01") + np.timedelta64(int(v), "D")) for v in (low, middle, high)
            )
        else:
            low_text, middle_text, high_text = (short_number(v) for v in (low, middle, high))
        unit = f" {column.unit}" if column.unit and not column.date else ""
        return Profile(column, missing, distinct, _shares(counts), f"{low_text} to {high_text}{unit}, median {middle_text}")
    if not len(values):
        return Profile(column, missing, distinct, (), "no values")
    counts_by_value = values.value_counts()
    top = counts_by_value.iloc[:BARS]
    if column.role == "ordinal":
        top = counts_by_value.reindex([level for level in column.levels if level in counts_by_value.index]).iloc[:BARS]
    words = ", ".join(f"{as_text(v)} {100 * int(n) / len(values):.0f}%" for v, n in counts_by_value.iloc[:3].items())
    bars = () if distinct > 0.9 * len(values) and distinct > BARS else _shares(top.to_numpy(), len(values))
    return Profile(column, missing, distinct, bars, words if bars else f"e.g. {as_text(values.iloc[0])[:40]}")


def _shares(counts: Any, total: int | None = None) -> tuple[float, ...]:
    whole = total or int(counts.sum()) or 1
    return tuple(round(100 * float(c) / whole, 2) for c in counts)


def _bars(numbers: NDArray[np.float64]) -> NDArray[np.int64]:
    """How many numbers lie in each of the equal parts from the lowest to the highest, however close or far these are."""
    half = numbers / 2  # the difference of the largest numbers there are is no number
    span = half.max() - half.min()
    share = (half - half.min()) / span if span > 0 else np.full(len(half), 0.5)
    return np.asarray(np.histogram(share, bins=BARS, range=(0, 1))[0])
