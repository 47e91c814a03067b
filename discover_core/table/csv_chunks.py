"""A CSV file of any length, some rows at a time, with the values that `read_table` finds in it.

What a column is follows from all of its cells, so the file is gone through once before: only if it is plain can it be read in
pieces. A file in another notation, encoding or delimiter is left to `read_table`.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
from pyarrow import csv

from ..errors import InputError
from .delimited import PADDED_MISSING, SAMPLE_BYTES, find_delimiter, may_hold_codes
from .numerals import MISSING_TEXTS, is_exact, looks_numeric, plain_type
from .prepare import check_columns
from .read import TEXT_ENDINGS
from .schema import Column, Schema

BLOCK = 2**22  # bytes that are looked at together
TRUTH = ("true", "false")


@dataclass(frozen=True)
class CsvChunks:
    """The needed columns of a file; `kinds` are their Arrow types by their places in it."""

    path: Path
    names: tuple[str, ...]
    kinds: dict[int, Any]
    quoted: bool
    rows: int = 0

    def chunks(self, size: int) -> Iterator[pd.DataFrame]:
        """So many rows at a time, numbered as in the whole table."""
        held: list[Any] = []
        at = count = 0
        for batch in self._batches():
            while len(batch):
                some = batch.slice(0, size - count)
                held.append(some)
                count, batch = count + len(some), batch.slice(len(some))
                if count == size:
                    yield self._table(held, at)
                    at, count, held = at + size, 0, []
        if held:
            yield self._table(held, at)

    def _table(self, batches: list[Any], at: int) -> pd.DataFrame:
        table: pd.DataFrame = pa.Table.from_batches(batches).to_pandas()
        table.columns = pd.Index([self.names[i] for i in self.kinds], dtype="str")
        table.index = pd.RangeIndex(at, at + len(table))
        return table

    def _batches(self) -> Iterator[Any]:
        """All of the file; ArrowInvalid where a value or a row does not fit."""
        names = [f"f{i}" for i in range(len(self.names))]
        reader = csv.open_csv(
            self.path,
            read_options=csv.ReadOptions(column_names=names, skip_rows_after_names=1, block_size=BLOCK),
            parse_options=csv.ParseOptions(newlines_in_values=self.quoted),
            convert_options=csv.ConvertOptions(
                column_types={names[i]: kind for i, kind in self.kinds.items()},
                include_columns=[names[i] for i in self.kinds],
                strings_can_be_null=True,
                null_values=PADDED_MISSING,
            ),
        )
        with reader:
            yield from reader


def csv_chunks(path: Path, schema: Schema, name: str | None = None) -> CsvChunks | None:
    """The columns that the schema needs; None where `read_table` has to look at the whole file, or to say what is wrong.

    `name` is what the user calls the file."""
    if Path(name or path).suffix.lower().removeprefix(".") not in TEXT_ENDINGS or not path.is_file():
        return None
    with path.open("rb") as file:
        head = file.read(SAMPLE_BYTES)
    try:
        sample = codecs.getincrementaldecoder("utf-8-sig")().decode(head)
    except UnicodeDecodeError:
        return None
    rows = _plain_rows(sample, len(head) < SAMPLE_BYTES)
    quotes = _quotes(path) if rows else None
    if rows is None or quotes is None:
        return None
    names = tuple(name.strip() for name in rows[0])
    check_columns(names, schema)
    kinds = {
        names.index(column.name): _kind(column, [row[names.index(column.name)] for row in rows[1:]]) for column in schema.features
    }
    if not kinds or None in kinds.values():
        return None
    found = CsvChunks(path, names, kinds, quotes > 0)
    count = 0
    try:
        for batch in found._batches():
            if not all(is_exact(values) for values in batch.columns if pa.types.is_floating(values.type)):
                return None
            count += len(batch)
    except pa.ArrowInvalid:
        return None
    return CsvChunks(path, names, kinds, quotes > 0, count) if count else None


def _plain_rows(sample: str, complete: bool) -> list[list[str]] | None:
    """The header and the first rows, if they are even and split by commas, and every column has a name of its own."""
    if not sample.strip() or sample[0] in "\r\n" or "\0" in sample:
        return None
    try:
        delimiter, rows = find_delimiter(sample, complete, "The file")
    except InputError:
        return None
    names = [name.strip() for name in rows[0]]
    spaced = all(cell[:1] == " " for row in rows for cell in row[1:])
    if delimiter != "," or len(rows) < 2 or len(set(map(len, rows))) > 1 or spaced or all(map(looks_numeric, names)):
        return None
    return rows if all(names) and len(set(names)) == len(names) else None


def _quotes(path: Path) -> int | None:
    """How many quotation marks the file has; None for an odd number, for zero bytes and for what may be codes, such as 007."""
    count, end = 0, b""
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            if b"\0" in block or may_hold_codes(end + block):
                return None
            count, end = count + block.count(b'"'), block[-2:]
    return None if count % 2 else count


def _kind(column: Column, cells: list[str]) -> Any:
    """The Arrow type of a column by its first cells; None where only all of them can tell."""
    cells = [cell for cell in map(str.strip, cells) if cell not in MISSING_TEXTS]
    if plain_type(cells) != pa.string():
        return pa.float64()  # whole numbers, too: a column with gaps has them as floats anyway
    words = [cell for cell in cells if not looks_numeric(cell)]
    if not words or column.date or all(cell.lower() in TRUTH for cell in words):
        return None
    return pa.string()
