"""Bring a table into the form its schema describes, and say what had to be done."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types

from ..errors import InputError
from .schema import MISSING, Column, Schema
from .values import as_numbers, as_text, level_codes, plain_values, without_codes


@dataclass(frozen=True)
class Prepared:
    """The clean table and one plain sentence for everything that was filled in."""

    table: pd.DataFrame
    notes: tuple[str, ...]


def prepare(table: pd.DataFrame, schema: Schema) -> Prepared:
    """Only the schema's used columns, in its order: numbers without gaps, categories with exactly the schema's levels.

    No row is ever dropped. A missing outcome stays missing: nobody can fill in what happened.
    """
    check_columns(table.columns, schema)
    notes: list[str] = []
    ready: dict[str, Any] = {}
    for column in schema:
        if column.role != "excluded" and column.name in table.columns:
            ready[column.name], said = prepare_column(table[column.name], column, keep_gaps=column.name == schema.outcome)
            notes += said
    return Prepared(pd.DataFrame(ready, index=table.index), tuple(notes))


def check_columns(names: Collection[str], schema: Schema) -> None:
    """InputError unless a table with columns of these names has all that is needed."""
    absent = [c.name for c in schema.features if c.name not in names]
    if absent:
        shown = ", ".join(f"“{name}”" for name in absent[:5]) + (" …" if len(absent) > 5 else "")
        raise InputError(f"The table lacks {len(absent)} of the columns that are needed: {shown}.")


def prepare_column(series: pd.Series[Any], column: Column, keep_gaps: bool = False) -> tuple[Any, list[str]]:
    """The column's values in their final type, and what was filled in. `keep_gaps` leaves missing values missing."""
    notes: list[str] = []
    make = _numbers if column.role == "numeric" else _levels
    return make(series, column, keep_gaps, notes), notes


def _numbers(series: pd.Series[Any], column: Column, keep_gaps: bool, notes: list[str]) -> Any:
    plain = types.is_numeric_dtype(series.dtype) and not types.is_extension_array_dtype(series.dtype)
    if plain and types.is_integer_dtype(series.dtype) and column.integer and not column.missing_codes:
        return series.to_numpy(dtype=np.int64)
    numbers = as_numbers(series, column)
    gaps = np.isnan(numbers)
    if gaps.any() and not keep_gaps:
        fill = float(column.fill) if column.fill is not None else float(np.nanmedian(numbers))
        numbers = np.where(gaps, fill, numbers)
        notes.append(f"{column.name}: {_rows(int(gaps.sum()))} without a number got the median, {as_text(fill)}.")
    if column.integer and not np.isnan(numbers).any() and np.array_equal(np.rint(numbers), numbers):
        return numbers.astype(np.int64)
    return numbers


def level_type(column: Column) -> pd.CategoricalDtype:
    """The pandas type whose categories are exactly the column's levels, in their order."""
    return pd.CategoricalDtype(pd.Index(list(column.levels)), ordered=column.role == "ordinal")


def _levels(series: pd.Series[Any], column: Column, keep_gaps: bool, notes: list[str]) -> Any:
    wanted = level_type(column)
    if series.dtype == wanted:
        codes = series.cat.codes.to_numpy()
        if keep_gaps or not (codes < 0).any():
            return series.array
    series = without_codes(plain_values(series), column.missing_codes)
    if types.is_datetime64_any_dtype(series.dtype):
        series = series.map(str, na_action="ignore")
    codes = level_codes(series, column.levels)
    gaps = codes < 0
    if gaps.any() and not keep_gaps:
        fill = MISSING if MISSING in column.levels else column.fill if column.fill is not None else column.levels[0]
        blank = int(series.isna().sum())
        unknown = int(gaps.sum()) - blank
        codes = np.where(gaps, column.levels.index(fill), codes)
        if blank:
            how = (
                "are a category of their own"
                if fill == MISSING
                else f"got the {'middle' if column.role == 'ordinal' else 'most common'} value, {fill}"
            )
            notes.append(f"{column.name}: {_rows(blank)} without a value {how}.")
        if unknown:
            notes.append(f"{column.name}: {_rows(unknown)} with a value outside its categories count as {fill}.")
    return pd.Categorical.from_codes(codes, dtype=wanted)


def _rows(count: int) -> str:
    return f"{count:,} row" + ("" if count == 1 else "s")
