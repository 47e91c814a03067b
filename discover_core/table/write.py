"""Tables for people who open them in a spreadsheet."""

from __future__ import annotations

import codecs
import datetime
import io
import math
import re
from collections.abc import Mapping
from numbers import Number
from typing import Any

import openpyxl  # type: ignore[import-untyped]
import pandas as pd
import pyarrow as pa
from openpyxl.utils import get_column_letter  # type: ignore[import-untyped]
from pandas.api import types
from pyarrow import csv

from ..errors import sound
from .values import is_text, plain_values

# what shows nothing: blanks, control and format characters, fillers, variation selectors
UNSEEN = (
    "\\s\\x00-\\x20\\x7f-\\xa0\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202f"
    "\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\U000e0000-\\U000e0fff"
)
BEGINS = "=+\\-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋−"  # a formula, in whatever width
FORMULA = re.compile(f"['{UNSEEN}]*[{BEGINS}]|'*[\\t\\r\\n]")
REFUSED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # characters that no Excel file can hold
WIDEST = 80  # characters a sheet's column is made wide for
MEASURED = 200  # lines that are looked at for it


def to_csv(table: pd.DataFrame) -> bytes:
    """CSV in which no text cell or heading can act as a formula: such text gets a leading apostrophe.

    Arrow writes it: pandas takes four times as long, which is seconds for 5,000 people over 300 iterations.
    """
    cells = [_csv_cells(table.iloc[:, i]) for i in range(table.shape[1])]
    names = [str(_csv_text(str(name))) for name in table.columns]
    content = io.BytesIO()
    content.write(codecs.BOM_UTF8)  # tells a spreadsheet that this is UTF-8
    csv.write_csv(pa.Table.from_arrays(cells, names=names), content)
    return content.getvalue()


def to_excel(sheets: Mapping[str, pd.DataFrame]) -> bytes:
    """An .xlsx file with a sheet per table, as harmless as `to_csv`; its headings stay in sight."""
    book = openpyxl.Workbook(write_only=True)
    for title, table in sheets.items():
        sheet = book.create_sheet(title)
        sheet.freeze_panes = "A2"
        heading = [_excel_cell(str(name)) for name in table.columns]
        columns = [[_excel_cell(value) for value in table.iloc[:, i].tolist()] for i in range(len(heading))]
        for i, (name, cells) in enumerate(zip(heading, columns, strict=True), 1):
            longest = max(len(str(cell)) for cell in [name, *cells[:MEASURED]])
            sheet.column_dimensions[get_column_letter(i)].width = min(longest, WIDEST) + 2
        sheet.append(heading)
        for line in zip(*columns, strict=True):
            sheet.append(line)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def harmless(value: object) -> object:
    """Text that a spreadsheet may take for a formula, be it behind blanks, gets an apostrophe; different texts stay different."""
    return f"'{value}" if isinstance(value, str) and FORMULA.match(value) else value


def as_was(value: object) -> object:
    """What `harmless` was given: for a file of ours that comes back."""
    return value[1:] if isinstance(value, str) and value[:1] == "'" and FORMULA.match(value, 1) else value


def _csv_cells(series: pd.Series[Any]) -> pa.Array:
    """Numbers to the last bit, all else as text."""
    series = plain_values(series)
    if types.is_numeric_dtype(series.dtype) and not types.is_bool_dtype(series.dtype):
        return pa.array(series, from_pandas=True)
    if is_text(series):
        series = series.map(_csv_text, na_action="ignore")
    return pa.array(series.astype("string"), pa.string(), from_pandas=True)


def _csv_text(value: object) -> object:
    """Whatever is no number is text by the time it is written."""
    return value if isinstance(value, Number) else harmless(sound(_text(value)))


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _excel_cell(value: Any) -> Any:
    """What Excel can hold of a value: nothing for a missing one, text for what it has no type for."""
    if isinstance(value, bool | int):
        return value
    if value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and not math.isfinite(value)):
        return None
    if isinstance(value, float) or (isinstance(value, datetime.datetime) and value.tzinfo is None):
        return value
    return harmless(REFUSED.sub("", _text(value)))
