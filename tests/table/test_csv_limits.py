"""CSV files that stand for more than a table may be: refused before their cells take memory."""

from __future__ import annotations

import gzip
import io
import tracemalloc

import pytest

from discover_core.table import delimited, limits
from discover_core.table.read import read_table

from .test_read_refusals import refusal

MEGABYTE = 2**20


def cells_are_never_read(*_: object) -> list[object]:
    raise AssertionError("the cells were read")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'a,b\n"",\n' + b",\n" * 400, "rows, more than the 100"),
        (b"a,b\r" + b",\r" * 400, "at least 400 rows"),
        (b'a;b\r\n"x\r\ny";\r\n' + b"1;\r\n" * 400, "rows, more than the 100"),
        (gzip.compress(b'a,b\n"",\n' + b",\n" * 400), "rows, more than the 100"),
        (b",".join(b'"c%d"' % i for i in range(50)) + b"\n" + (b"," * 49 + b"\n") * 90, "50 columns, more than the 1,000 cells"),
    ],
    ids=["quoted", "carriage returns", "semicolons", "gzip", "wide"],
)
def test_rows_are_counted_before_they_are_read(monkeypatch: pytest.MonkeyPatch, data: bytes, words: str):
    for module in (limits, delimited):
        monkeypatch.setattr(module, "MAX_ROWS", 100)
        monkeypatch.setattr(module, "MAX_CELLS", 1_000)
    monkeypatch.setattr(delimited, "_BLOCK", 400)
    monkeypatch.setattr(delimited, "_cells", cells_are_never_read)
    assert words in refusal(data)


def test_lines_inside_quotes_are_no_rows(monkeypatch: pytest.MonkeyPatch):
    for module in (limits, delimited):
        monkeypatch.setattr(module, "MAX_ROWS", 100)
    cell = b'"' + b"x\n" * 9 + b'y",1\n'
    assert len(read_table(b"a,b\n" + cell * 100)) == 100
    assert "at least 101 rows" in refusal(b"a,b\n" + cell * 101)


@pytest.mark.parametrize(
    "data",
    [
        b"a,b\n" + b"1," * 2_000_000,
        b"a,b\n" + b'"a\nb",' * 500_000,
        b"a,b\n1,2\n" + b'1,"' + b"x,y\n" * 1_000_000,
    ],
    ids=["a row without end", "a row of many lines", "a quotation mark that stays open"],
)
def test_a_row_without_end_is_not_split(monkeypatch: pytest.MonkeyPatch, data: bytes):
    monkeypatch.setattr(delimited, "_BLOCK", 2**18)
    tracemalloc.start()
    assert "cannot be split into rows" in refusal(data)
    assert tracemalloc.get_traced_memory()[1] < 40 * MEGABYTE
    tracemalloc.stop()


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_other_encodings_are_bounded_as_they_are_turned_into_utf8(monkeypatch: pytest.MonkeyPatch, encoding: str):
    monkeypatch.setattr(limits, "MAX_UNPACKED", 1_000)
    monkeypatch.setattr(delimited, "_PIECE", 64)
    assert "unpacks" in refusal(("a,b\n" + "€,1\n" * 300).encode(encoding))
    monkeypatch.undo()
    monkeypatch.setattr(delimited, "_PIECE", 7)  # pieces end inside characters
    text = "größe,b\n" + "€😀x,1\n" * 20 if encoding == "utf-16" else "größe,b\n" + "€x,1\n" * 20
    table = read_table(io.BytesIO(text.encode(encoding)), "a.csv")
    assert list(table.columns) == ["größe", "b"]
    assert set(table["größe"]) == {text.splitlines()[1].split(",")[0]}
    assert read_table(text.encode()).equals(table)
