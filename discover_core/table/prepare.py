"""Bring a table into the form its schema describes, and say what had to be done."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api import types

from ..errors import InputError
from .schema import MISSING, Column, Level, Schema
from .values import as_numbers, as_text, level_codes, plain_values, without_codes

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Gaps:
    """The rows of a column that got `fill`: `blank` had no value, or no number where one belongs, `unknown` no known category."""

    column: Column
    blank: Mask
    unknown: Mask
    fill: Level

    @property
    def notes(self) -> tuple[str, ...]:
        """A plain sentence for either kind."""
        name, fill = self.column.name, as_text(self.fill)
        blank, unknown = (int(rows.sum()) for rows in (self.blank, self.unknown))
        if not self.column.categorical:
            return (f"{name}: {_rows(blank)} without a number got the median, {fill}.",)
        said = []
        if blank:
            how = f"got the {'middle' if self.column.role == 'ordinal' else 'most common'} value, {fill}"
            said.append(f"{name}: {_rows(blank)} without a value {'are a category of their own' if fill == MISSING else how}.")
        if unknown:
            said.append(f"{name}: {_rows(unknown)} with a value outside its categories count as {fill}.")
        return tuple(said)


@dataclass(frozen=True, eq=False)
class Prepared:
    """The clean table and everything that was filled in."""

    table: pd.DataFrame
    gaps: tuple[Gaps, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """One plain sentence for everything that was filled in."""
        return tuple(note for gaps in self.gaps for note in gaps.notes)


def prepare(table: pd.DataFrame, schema: Schema) -> Prepared:
    """Only the schema's used columns, in its order: numbers without gaps, categories with exactly the schema's levels.

    No row is ever dropped. A missing outcome stays missing: nobody can fill in what happened.
    """
    check_columns(table.columns, schema)
    found: list[Gaps] = []
    ready: dict[str, Any] = {}
    for column in schema:
        if column.role != "excluded" and column.name in table.columns:
            ready[column.name], gaps = prepare_column(table[column.name], column, keep_gaps=column.name == schema.outcome)
            found += [] if gaps is None else [gaps]
    return Prepared(pd.DataFrame(ready, index=table.index), tuple(found))


def check_columns(names: Collection[str], schema: Schema) -> None:
    """InputError unless a table with columns of these names has all that is needed."""
    absent = [c.name for c in schema.features if c.name not in names]
    if absent:
        shown = ", ".join(f"“{name}”" for name in absent[:5]) + (" …" if len(absent) > 5 else "")
        raise InputError(f"The table lacks {len(absent)} of the columns that are needed: {shown}.")


def prepare_column(series: pd.Series[Any], column: Column, keep_gaps: bool = False) -> tuple[Any, Gaps | None]:
    """The column's values in their final type, and what was filled in, if anything. `keep_gaps` leaves missing values missing."""
    make = _numbers if column.role == "numeric" else _levels
    return make(series, column, keep_gaps)


def filling(column: Column) -> Level | None:
    """What missing and unknown values become; None where that is left to the rows, whose median it is."""
    if column.categorical and MISSING in column.levels:
        return MISSING
    return column.levels[0] if column.categorical and column.fill is None else column.fill


def _numbers(series: pd.Series[Any], column: Column, keep_gaps: bool) -> tuple[Any, Gaps | None]:
    plain = types.is_numeric_dtype(series.dtype) and not types.is_extension_array_dtype(series.dtype)
    if plain and types.is_integer_dtype(series.dtype) and column.integer and not column.missing_codes:
        return series.to_numpy(dtype=np.int64), None
    numbers = as_numbers(series, column)
    blank, gaps = np.isnan(numbers), None
    if blank.any() and not keep_gaps:
        given = filling(column)
        fill = float(np.nanmedian(numbers) if given is None else given)
        numbers = np.where(blank, fill, numbers)
        gaps = Gaps(column, blank, np.zeros_like(blank), fill)
    if column.integer and not np.isnan(numbers).any() and np.array_equal(np.rint(numbers), numbers):
        return numbers.astype(np.int64), gaps
    return numbers, gaps


def level_type(column: Column) -> pd.CategoricalDtype:
    """The pandas type whose categories are exactly the column's levels, in their order."""
    return pd.CategoricalDtype(pd.Index(list(column.levels)), ordered=column.role == "ordinal")


def _levels(series: pd.Series[Any], column: Column, keep_gaps: bool) -> tuple[Any, Gaps | None]:
    wanted = level_type(column)
    if series.dtype == wanted:
        codes = series.cat.codes.to_numpy()
        if keep_gaps or not (codes < 0).any():
            return series.array, None
    series = without_codes(plain_values(series), column.missing_codes)
    if types.is_datetime64_any_dtype(series.dtype):
        series = series.map(str, na_action="ignore")
    codes = level_codes(series, column.levels)
    none, gaps, fill = codes < 0, None, filling(column)
    if fill is not None and none.any() and not keep_gaps:
        codes = np.where(none, column.levels.index(fill), codes)
        blank = series.isna().to_numpy()
        gaps = Gaps(column, blank, none & ~blank, fill)
    return pd.Categorical.from_codes(codes, dtype=wanted), gaps


def _rows(count: int) -> str:
    return f"{count:,} row" + ("" if count == 1 else "s")
