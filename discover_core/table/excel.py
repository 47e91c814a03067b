"""The first sheet of an Excel workbook."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from typing import Any

import pandas as pd
import pyarrow as pa

from ..errors import InputError
from .limits import MAX_ROWS, check_shape, check_unpacked
from .numerals import MISSING_TEXTS, to_numbers

_ERRORS = {"#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"}
_EMPTY = {*MISSING_TEXTS, *_ERRORS}


def is_workbook(data: bytes) -> bool:
    """A zip archive with a workbook in it."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError):
        return False


def read_excel(data: bytes, shown: str) -> tuple[list[str], pd.DataFrame]:
    """The first non-blank row as names and, with numbered columns, the rows below it; formulas as last calculated."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        check_unpacked(sum(entry.file_size for entry in archive.infolist()), shown)
    try:
        header, rows = _rows(data, shown)
    except InputError:
        raise
    except Exception as error:  # a damaged workbook fails in any of a dozen ways
        raise InputError(f"{shown} is a damaged Excel file: open it in Excel and save it again as .xlsx.") from error
    if not header:
        raise InputError(f"The first sheet of {shown} is empty: put the table there, with a header row.")
    if not rows:
        raise InputError(f"The first sheet of {shown} has a header row but no rows below it: add rows.")
    width = max(len(header), max(map(len, rows)))
    check_shape(len(rows), width, shown)
    if width < 2:
        raise InputError(f"The first sheet of {shown} has only one column: a table needs at least two.")
    if all(isinstance(name, int | float) for name in header):
        raise InputError(
            f"The first row of {shown} looks like data, it has only numbers: add a header row with the columns' names."
        )
    names = [_text(name) or "" for name in header] + [""] * (width - len(header))
    columns = [[row[i] if i < len(row) else None for row in rows] for i in range(width)]
    return names, pd.DataFrame({str(i): _column(values, shown) for i, values in enumerate(columns)})


def _rows(data: bytes, shown: str) -> tuple[list[Any], list[list[Any]]]:
    """Header and rows without the blank ones, each cut after its last filled cell."""
    import openpyxl  # type: ignore[import-untyped]  # only who reads a spreadsheet waits for it

    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    try:
        sheet = book.worksheets[0]
        sheet.reset_dimensions()  # some programs write them wrongly
        header: list[Any] = []
        rows: list[list[Any]] = []
        for cells in sheet.iter_rows(values_only=True):
            row = list(cells)
            while row and row[-1] is None:
                row.pop()
            if not row:
                continue
            if header:
                rows.append(row)
            else:
                header = row
            if len(rows) > MAX_ROWS:
                check_shape(len(rows), len(header), shown)
        return header, rows
    finally:
        book.close()


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
