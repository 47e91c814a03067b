"""What people are called: which column of a table names them, and their names as text that is safe to show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types

from ..errors import InputError
from .names import is_identifier, is_person, is_postcode
from .schema import Column, Schema
from .values import as_text, is_text, plain_values

LONGEST = 60  # characters of a name
NOTE = (40, 4)  # characters and words, on average, past which texts are no names but notes
UNIQUE = 0.95  # share of the people who must have a value, and share of the values that must differ
OUT = 4  # the rank of a column that names nobody


def suggest_people(table: pd.DataFrame, schema: Schema) -> str | None:
    """The column that most likely says who somebody is: (nearly) no value twice, and called like an id or a name."""
    likely = [column for column in schema if column.name != schema.outcome and column.name in table.columns]
    ranked = sorted(((_rank(column), place) for place, column in enumerate(likely)))
    best = (likely[place] for rank, place in ranked if rank < OUT)
    return next((column.name for column in best if _tells_apart(table[column.name], column)), None)


def _rank(column: Column) -> int:
    """How little speaks for a column before its values are looked at: 0 is best."""
    if column.date or is_postcode(column.name):
        return OUT
    identifier, person = is_identifier(column.name), is_person(column.name)
    if column.role != "excluded":
        return 3 if identifier or person else OUT
    return 0 if identifier else 1 if person else 2


def _tells_apart(series: pd.Series[Any], column: Column) -> bool:
    """Whether nearly everybody has a value of their own. A column that is a feature, too, must tell all of them apart."""
    series, left_out = plain_values(series), column.role == "excluded"
    values, text = series.dropna(), is_text(series)
    if not text and not (types.is_numeric_dtype(series.dtype) and _whole(values)):
        return False
    if not text and not is_identifier(column.name) and not (left_out and is_person(column.name)):
        return False
    if len(values) < max(2, UNIQUE * len(series)) or values.nunique() < (UNIQUE if left_out else 1.0) * len(values):
        return False
    if not text:
        return True
    some = values.iloc[:1000].astype(str)
    return float(some.str.len().mean()) <= NOTE[0] and float(some.str.count(" ").mean()) < NOTE[1]


def _whole(values: pd.Series[Any]) -> bool:
    """Whether they are whole numbers; an id with gaps is read as numbers with a point."""
    numbers = values.to_numpy(dtype=np.float64)
    return bool(np.all(np.isfinite(numbers)) and np.array_equal(np.rint(numbers), numbers))


def row_names(rows: Iterable[int]) -> list[str]:
    """Everybody by their row in the user's table, counted from 1."""
    return [f"Row {row + 1}" for row in rows]


def check_column(table: pd.DataFrame, column: str) -> None:
    if column not in table.columns:
        raise InputError(f"The table has no column “{column}” to call people by: choose another one, or the row number.")


def people_names(rows: pd.DataFrame, column: str) -> list[str]:
    """What these rows of a table are called: one line of text each, no two alike. The index says which row of it each one is.

    Whoever has no name is called by the row, and so is, behind the name, whoever shares it.
    """
    check_column(rows, column)
    fallback = row_names(rows.index)
    named = [_line(value) or row for value, row in zip(plain_values(rows[column]), fallback, strict=True)]
    names = np.array(named, dtype=object)
    while (twice := pd.Series(names).duplicated(keep=False).to_numpy()).any():  # a name may end like this itself: look again
        names[twice] = [f"{names[i]} ({fallback[i].lower()})" for i in np.flatnonzero(twice)]
    return [str(name) for name in names]


def _line(value: Any) -> str:
    """A cell as one line without control characters; of a very long one the ends, where ids differ. Nothing for a gap."""
    if value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and not np.isfinite(value)):
        return ""
    text = as_text(value)
    if len(text) > 4 * LONGEST:
        text = f"{text[: 2 * LONGEST]}…{text[-2 * LONGEST :]}"
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST // 2]}…{line[1 - LONGEST // 2 :]}"
