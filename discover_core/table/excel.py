"""The first sheet of an Excel workbook."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

import pandas as pd
import pyarrow as pa

from ..errors import InputError
from .archive import open_archive
from .limits import MAX_CELLS, MAX_ROWS, check_shape, check_unpacked
from .numerals import MISSING_TEXTS, to_numbers

_ERRORS = {"#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"}
_EMPTY = {*MISSING_TEXTS, *_ERRORS}


def sheet_rows(data: bytes, shown: str) -> Iterator[dict[int, Any]]:
    """The filled cells of the first sheet's rows, values by column; formulas as last calculated."""
    from .sheet import Sheet  # only who reads a spreadsheet waits for it
    from .workbook import Workbook

    try:
        with open_archive(data) as archive:
            yield from Sheet(Workbook(archive, shown)).rows()
    except InputError:
        raise
    except Exception as error:  # a damaged workbook fails in any of a dozen ways
        raise InputError(f"{shown} is a damaged Excel file: open it in Excel and save it again as .xlsx.") from error


def read_excel(data: bytes, shown: str) -> tuple[list[str], pd.DataFrame]:
    """The first row that is not blank as names and, with numbered columns, the rows below it."""
    header: dict[int, Any] = {}
    columns: list[list[Any]] = []
    count = 0
    for row in sheet_rows(data, shown):
        if not header:
            header = row
            columns = [[] for _ in range(max(row) + 1)]
            continue
        for place, value in row.items():
            if place >= len(columns):
                columns += [[] for _ in range(place + 1 - len(columns))]
            values = columns[place]
            if len(values) < count:
                values.extend([None] * (count - len(values)))
            values.append(value)
        count += 1
        if count > MAX_ROWS or count * len(columns) > MAX_CELLS:
            check_shape(count, len(columns), shown)
    if not header:
        raise InputError(f"The first sheet of {shown} is empty: put the table there, with a header row.")
    if not count:
        raise InputError(f"The first sheet of {shown} has a header row but no rows below it: add rows.")
    if len(columns) < 2:
        raise InputError(f"The first sheet of {shown} has only one column: a table needs at least two.")
    names = [header.get(place) for place in range(max(header) + 1)]
    if all(isinstance(name, int | float) for name in names):
        raise InputError(
            f"The first row of {shown} looks like data, it has only numbers: add a header row with the columns' names."
        )
    table: dict[str, Any] = {}
    for place in range(len(columns)):
        values, columns[place] = columns[place], []  # one column at a time is held twice
        table[str(place)] = _column(values + [None] * (count - len(values)), shown)
    return [_text(name) or "" for name in names] + [""] * (len(table) - len(names)), pd.DataFrame(table)


def _column(values: list[Any], shown: str) -> pd.Series[Any]:
    """One plain type per column; a column with any text in it is text, unless all of it are numbers."""
    values = [None if isinstance(value, str) and value.strip() in _EMPTY else value for value in values]
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int, float}:
        return pd.Series(values, dtype="float64" if None in values or kinds != {int} else None)
    if kinds == {bool} and None not in values:
        return pd.Series(values, dtype=bool)
    if kinds <= {dt.datetime, dt.date}:
        return pd.Series(pd.to_datetime(values))
    texts = [_text(value) for value in values]
    check_unpacked(sum(len(text) for text in texts if text is not None), shown)
    (column,) = to_numbers([pa.chunked_array([pa.array(texts, pa.string())])], "\t")
    return pd.Series(column.to_pandas())


def _text(value: Any) -> str | None:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return None if value is None else str(value)
