"""CSV and its cousins: find the encoding and the delimiter, then read every cell as text, then the numbers among them."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv

from ..errors import InputError
from .limits import MAX_CELLS, MAX_ROWS, check_shape, check_unpacked
from .numerals import MISSING_TEXTS, blank_to_missing, is_exact, looks_numeric, plain_type, to_numbers

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}
SAMPLE_BYTES = 2**20
_SAMPLE_ROWS = 200
_BLOCK = 2**23  # Arrow reads this much at a time, so a row must fit into it
PADDED_MISSING = [before + text + after for text in MISSING_TEXTS for before in ("", " ") for after in ("", " ")]
_SCAN = 2**18
_PIECE = 2**22  # bytes that are decoded at a time
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CONTROL = bytes(set(range(32)) - set(b"\t\n\r\f\x1a\x1b"))


def read_delimited(data: bytes, shown: str) -> tuple[list[str], pd.DataFrame]:
    """The header's names and, with numbered columns, the rows below it."""
    data = _as_utf8(data, shown)
    if not data or data.isspace():
        raise InputError(f"{shown} is empty: it needs a header line and rows below it.")
    complete = len(data) <= SAMPLE_BYTES
    sample = data[:SAMPLE_BYTES].decode("utf-8", "ignore")
    delimiter, rows = find_delimiter(sample, complete, shown)
    header = rows[0]
    if all(map(looks_numeric, header)):
        raise InputError(
            f"The first line of {shown} looks like data, it has only numbers: add a header line with the columns' names."
        )
    check_shape(0, len(header), shown)
    if complete and len(rows) == 1:
        raise InputError(f"{shown} has a header line but no rows below it: add rows.")
    _check_rows(data, delimiter, len(header), shown)
    columns = _plain(data, rows) if delimiter == "," else None
    if columns is None:
        try:
            texts = _cells(data, delimiter, [pa.string()] * len(header))
        except pa.ArrowInvalid:
            raise _uneven(data, delimiter, len(header), shown) from None
        if all(cell[:1] == " " for row in rows for cell in row[1:]):  # "a, b, c"
            texts = [pc.utf8_trim_whitespace(text) for text in texts]
        columns = to_numbers(texts, delimiter)
    columns = [blank_to_missing(column) if column.type == pa.string() else column for column in columns]
    _check_last_row(columns, data, shown)
    check_shape(len(columns[0]), len(columns), shown)
    return header, pa.table(columns, names=list(map(str, range(len(columns))))).to_pandas()


def _check_rows(data: bytes, delimiter: str, width: int, shown: str) -> None:
    """Refuse too many rows before they take memory. Line ends are at least as many; only where they are too many, rows count."""
    lines = max(data.count(b"\n"), data.count(b"\r"))
    if lines <= MAX_ROWS and lines * width <= MAX_CELLS:
        return
    if b'"' not in data and lines > 1.5 * MAX_ROWS:  # then lines are rows
        check_shape(lines - data.count(b"\n\n") - data.count(b"\n\r\n") - data.count(b"\r\r") - 1, width, shown)
    names = [f"f{i}" for i in range(width)]
    rows = 0
    try:
        with arrow_csv.open_csv(
            pa.BufferReader(data),
            arrow_csv.ReadOptions(column_names=names, skip_rows_after_names=1, block_size=_BLOCK),
            arrow_csv.ParseOptions(delimiter=delimiter, newlines_in_values=b'"' in data),
            arrow_csv.ConvertOptions(column_types={"f0": pa.string()}, include_columns=["f0"], check_utf8=False),
        ) as batches:
            for batch in batches:
                rows += len(batch)
                check_shape(rows, width, shown)
    except pa.ArrowInvalid:  # the reader that follows says where
        return


def _as_utf8(data: bytes, shown: str) -> bytes:
    if data[:2] in _UTF16:
        try:
            data = _recoded(data, "utf-16", shown)
        except UnicodeError:
            raise InputError(f"{shown} begins like UTF-16 text but breaks off: save it again as UTF-8.") from None
    if b"\0" in data:
        raise InputError(f"{shown} is a binary file, not text (a zero byte at position {data.index(0) + 1:,}): save it as CSV.")
    if data.isascii():
        return data
    try:
        _check_utf8(data)
    except UnicodeDecodeError:
        if any(byte in _CONTROL for byte in data[:4096]):
            raise InputError(f"{shown} is a binary file, not text: save it as CSV.") from None
        try:
            return _recoded(data, "cp1252", shown)
        except UnicodeDecodeError:
            return _recoded(data, "latin-1", shown)
    return data.removeprefix(codecs.BOM_UTF8)


def _check_utf8(data: bytes) -> None:
    """UnicodeDecodeError unless it is UTF-8; some at a time, because a text takes up to four times its bytes."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    for at in range(0, len(data), _PIECE):
        decoder.decode(data[at : at + _PIECE])
    decoder.decode(b"", True)


def _recoded(data: bytes, encoding: str, shown: str) -> bytes:
    decoder, out = codecs.getincrementaldecoder(encoding)(), bytearray()
    for at in range(0, len(data), _PIECE):
        out += decoder.decode(data[at : at + _PIECE]).encode()
        check_unpacked(len(out), shown)
    decoder.decode(b"", True)
    return bytes(out)


def find_delimiter(sample: str, complete: bool, shown: str) -> tuple[str, list[list[str]]]:
    """The delimiter that splits most lines as it splits the header, and the first rows split by it."""
    split = {delimiter: _split(sample, complete, delimiter) for delimiter in DELIMITERS}
    broken = not all(split.values())
    split = {delimiter: rows for delimiter, rows in split.items() if rows and len(rows[0]) > 1}
    if not split and broken and '"' in sample:
        raise InputError(f"{shown} cannot be split into rows: look near its beginning for a quotation mark that is not closed.")
    if not split:
        tried = ", ".join(DELIMITERS.values())
        raise InputError(f"{shown} has only one column: line 1 holds no delimiter (tried {tried}), so check how it was saved.")

    def quality(delimiter: str) -> tuple[float, int, int]:
        header, *rows = split[delimiter]
        even = sum(len(row) == len(header) for row in rows) / max(len(rows), 1)
        return even, len(header), sum(looks_numeric(cell) for row in rows for cell in row)

    best = max(split, key=quality)
    return best, split[best]


def _split(sample: str, complete: bool, delimiter: str) -> list[list[str]]:
    try:
        rows = [row for row in islice(csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter), _SAMPLE_ROWS) if row]
    except csv.Error:
        return []
    return rows if complete or len(rows) in (1, _SAMPLE_ROWS) else rows[:-1]


def _plain(data: bytes, rows: list[list[str]]) -> list[Any] | None:
    """The fast way, for a file whose numbers are plain: typed from a sample. None when the careful way is needed."""
    if len(rows) < 2 or len(set(map(len, rows))) > 1 or data[:1] in b"\r\n" or may_hold_codes(data):
        return None
    if all(cell[:1] == " " for row in rows for cell in row[1:]):
        return None
    try:
        columns = _cells(data, ",", [plain_type(list(cells)) for cells in zip(*rows[1:], strict=True)])
    except pa.ArrowInvalid:  # a later value has another type, or a row is uneven
        return None
    texts = [i for i, column in enumerate(columns) if column.type == pa.string()]
    if not all(is_exact(column) for i, column in enumerate(columns) if i not in texts):
        return None
    for i, column in zip(texts, to_numbers([columns[i] for i in texts], ","), strict=True):
        columns[i] = column
    return columns


def may_hold_codes(data: bytes) -> bool:
    """Some cell seems to begin with a zero and another digit, such as 007; finds too many rather than too few."""
    everything = np.frombuffer(data, np.uint8)
    for start in range(0, len(data), _SCAN):
        block = everything[start : start + _SCAN + 2]
        begins = block[:-2] <= ord(",")  # a delimiter, quotation mark, blank or line end
        if np.any(begins & (block[1:-1] == ord("0")) & (block[2:] >= ord("0"))):
            return True
    return False


def _cells(data: bytes, delimiter: str, types: list[Any]) -> list[Any]:
    """Every column below the header in its Arrow type; ArrowInvalid when a value or a row does not fit."""
    names = [f"f{i}" for i in range(len(types))]
    blank = len(data) - len(data.lstrip(b"\r\n")) if data[:1] in b"\r\n" else 0
    table = arrow_csv.read_csv(
        pa.BufferReader(pa.py_buffer(data).slice(blank)),
        read_options=arrow_csv.ReadOptions(column_names=names, skip_rows_after_names=1, block_size=_BLOCK),
        parse_options=arrow_csv.ParseOptions(delimiter=delimiter, newlines_in_values=b'"' in data),
        convert_options=arrow_csv.ConvertOptions(
            column_types=dict(zip(names, types, strict=True)),
            strings_can_be_null=True,
            null_values=PADDED_MISSING,
            check_utf8=False,
        ),
    )
    return list(table.columns)


def _uneven(data: bytes, delimiter: str, width: int, shown: str) -> InputError:
    """Where the first row is that has more or fewer fields than the header."""
    held = 0

    def lines() -> Iterator[str]:
        nonlocal held
        text = io.TextIOWrapper(io.BytesIO(data), "utf-8", newline="")
        while found := text.readline(_BLOCK):
            held += len(found)
            if held >= _BLOCK:  # a row that is longer than any
                raise csv.Error
            yield found

    reader = csv.reader(lines(), delimiter=delimiter)
    line = 1
    try:
        for row in reader:
            held = 0
            if row and len(row) != width:
                quote = " and its quotation marks" if reader.line_num > line else ""
                return InputError(
                    f"Line {line:,} of {shown} has {len(row):,} fields where the header has {width:,} "
                    f"(delimiter: {DELIMITERS[delimiter]}): correct that line{quote}."
                )
            line = reader.line_num + 1
    except csv.Error:
        pass
    return InputError(
        f"{shown} cannot be split into rows near line {line:,}: look there for a quotation mark that is not closed."
    )


def _check_last_row(columns: list[Any], data: bytes, shown: str) -> None:
    """An odd number of quotation marks and a last cell of several lines: the file ended inside quotes."""
    last = [column[-1].as_py() for column in columns if column.type == pa.string()]
    lines = max((cell.count("\n") for cell in last if cell is not None), default=0)
    if lines and data.count(b'"') % 2:
        line = data.count(b"\n") - lines + 1
        raise InputError(f"Line {line:,} of {shown} opens a quotation mark that is never closed: close or remove it.")
