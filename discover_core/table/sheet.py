"""The rows of a sheet as they come, counted before they take room: a small file may stand for a table without end."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from openpyxl.utils.datetime import from_excel, from_ISO8601  # type: ignore[import-untyped]

from ..errors import InputError
from .archive import part_of
from .bounded_xml import Unusual, Walk
from .limits import MAX_COLUMNS, check_shape, check_unpacked
from .workbook import Workbook

LAST_ROW = 1_048_576  # of a sheet in Excel
ENDLESS = 10**15  # a row whose number says nothing to anybody
WIDTH = 16_384  # cells of its row
MAX_CELLS = 20_000_000  # cells that a sheet lists, filled or not
LONGEST_NUMBER = 400  # characters
INT64 = 2**63
LETTERS = {chr(ord("A") + place): place + 1 for place in range(26)}


class Sheet:
    """Its filled cells row by row: values by column, counted from 0. Rows without any are passed over."""

    def __init__(self, book: Workbook) -> None:
        self._book = book
        self._rows: list[dict[int, Any]] = []
        self._row: dict[int, Any] = {}
        self._number = self._column = self._in_row = self._cells = self._text_size = 0
        self._kind, self._style = "n", "0"
        self._pieces: list[str] = []
        self._inside = self._spoken = False
        self._columns: dict[str, int] = {}  # by the letters that name them

    def rows(self) -> Iterator[dict[int, Any]]:
        walk = Walk(self._start, self._end, self._text)
        for _ in walk.through(part_of(self._book.archive, self._book.sheet, self._book.shown)):
            yield from self._rows
            self._rows.clear()

    def _start(self, name: str, given: dict[str, str]) -> None:
        if name == "c":
            self._kind, self._style = given.get("t", "n"), given.get("s", "0")
            reference = given.get("r")
            self._column = self._column + 1 if reference is None else self._place(reference)
            self._pieces, self._spoken = [], False
            self._in_row, self._cells = self._in_row + 1, self._cells + 1
            if self._cells > MAX_CELLS:
                raise InputError(
                    f"The first sheet of {self._book.shown} has more than the {MAX_CELLS:,} cells that can be read from Excel: "
                    "save it as CSV or Parquet."
                )
            if self._in_row > WIDTH:
                raise Unusual("more cells in a row than there are columns")
        elif name == "v":
            self._inside = self._kind != "inlineStr"
        elif name == "t":
            self._inside = self._kind == "inlineStr" and not self._spoken
        elif name == "rPh":
            self._spoken = True
        elif name == "row":
            self._begin_row(given.get("r"))

    def _begin_row(self, said: str | None) -> None:
        number = self._number + 1 if said is None else int(float(said))
        if number > LAST_ROW:
            which = f"a row {number:,}," if number < ENDLESS else "a row far"
            raise InputError(
                f"The first sheet of {self._book.shown} has {which} beyond the {LAST_ROW:,} that a sheet can have: "
                "open it in Excel and save it again as .xlsx."
            )
        if number <= self._number:
            raise Unusual("rows out of order")
        self._number, self._column, self._in_row = number, 0, 0

    def _text(self, data: str) -> None:
        if self._inside:
            self._pieces.append(data)

    def _end(self, name: str) -> None:
        self._inside = False
        if name == "c":
            value = self._value("".join(self._pieces)) if self._pieces else None
            if value is not None:
                if self._column > MAX_COLUMNS:
                    check_shape(0, self._column, self._book.shown)
                self._row[self._column - 1] = value
        elif name == "rPh":
            self._spoken = False
        elif name == "row" and self._row:
            self._rows.append(self._row)
            self._row = {}

    def _value(self, text: str) -> Any:
        """What the cell shows; a formula as last calculated."""
        kind, book = self._kind, self._book
        if kind == "n":
            return self._numeric(text)
        if kind == "s":
            place = int(text)
            if place < 0:
                raise Unusual("a text before the first")
            self._count(book.sizes[place])
            return book.texts[place]
        if kind == "b":
            return bool(int(text))
        if kind == "d":
            return from_ISO8601(text)
        self._count(len(text))
        return text

    def _numeric(self, text: str) -> Any:
        if len(text) > LONGEST_NUMBER:
            raise Unusual("a number that is longer than any")
        number = float(text) if "." in text or "e" in text or "E" in text else int(text)
        style = int(self._style)
        if style in self._book.dates:
            try:
                return from_excel(number, self._book.epoch, timedelta=style in self._book.durations)
            except (OverflowError, ValueError):
                return "#VALUE!"
        if isinstance(number, int) and not -INT64 <= number < INT64:
            return float(number) if abs(number) < 1e308 else math.inf
        return number

    def _count(self, size: int) -> None:
        self._text_size += size
        check_unpacked(self._text_size, self._book.shown)

    def _place(self, reference: str) -> int:
        letters = reference.rstrip("0123456789")
        known = self._columns.get(letters)
        if known is not None:
            return known
        place = 0
        for letter in letters[:4].replace("$", "").upper():
            place = 26 * place + LETTERS[letter]
        if not 0 < place <= WIDTH or len(letters) > 4:
            raise Unusual("a column that no sheet has")
        self._columns[letters] = place
        return place
