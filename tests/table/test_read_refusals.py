"""Parquet and Excel files, and every kind of file that is refused with a sentence."""

from __future__ import annotations

import datetime as dt
import decimal
import gzip
import io
import zipfile
from pathlib import Path

import numpy as np
import openpyxl
import pyarrow as pa
import pytest
from pyarrow import parquet

from discover_core.errors import InputError
from discover_core.table import delimited, limits, read
from discover_core.table.read import read_table


def refusal(source: object, name: str | None = "loans.csv") -> str:
    with pytest.raises(InputError) as caught:
        read_table(source, name)  # type: ignore[arg-type]
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


def workbook(*rows: tuple[object, ...]) -> bytes:
    book, out = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(out)
    return out.getvalue()


def parquet_bytes(table: pa.Table) -> bytes:
    out = io.BytesIO()
    parquet.write_table(table, out)
    return out.getvalue()


def test_parquet_types_become_plain() -> None:
    table = pa.table(
        {
            "level": pa.array(["x", "y", "x"]).dictionary_encode(),
            "price": pa.array([decimal.Decimal("1.50"), None, decimal.Decimal("2.25")]),
            "when": pa.array([dt.datetime(2020, 1, 2)] * 3, pa.timestamp("us", "UTC")),
            "day": pa.array([dt.date(2020, 1, 2)] * 3),
            "small": pa.array([1, 2, 3], pa.int8()),
            "flag": [True, None, False],
            "took": pa.array([dt.timedelta(seconds=90)] * 3),
            "none": pa.nulls(3),
        }
    )
    got = read_table(parquet_bytes(table), "mislabelled.csv")
    kinds = ["str", "float64", "datetime64[us]", "datetime64[ms]", "int64", "str", "float64", "float64"]
    assert got.dtypes.astype(str).tolist() == kinds
    assert got["took"].tolist() == [90.0] * 3
    assert got["flag"].fillna("-").tolist() == ["True", "-", "False"]


def test_parquet_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    nested = parquet_bytes(pa.table({"a": [1], "history": [[1, 2]]}))
    assert "“history”" in refusal(nested, "t.parquet")
    whole = parquet_bytes(pa.table({"a": range(1000), "b": ["long text"] * 1000}))
    assert "damaged" in refusal(whole[:-20], "t.parquet")
    assert "damaged" in refusal(whole[:4] + bytes(400) + whole[404:], "t.parquet")
    assert "Parquet" in refusal(b"a,b\n1,2\n", "t.parquet")
    assert "one column" in refusal(parquet_bytes(pa.table({"a": [1]})), "t.parquet")
    monkeypatch.setattr(limits, "MAX_UNPACKED", 8000)
    assert "unpacks" in refusal(parquet_bytes(pa.table({"a": range(50), "b": ["x" * 500] * 50})), "t.parquet")


def test_excel() -> None:
    day = dt.datetime(2020, 1, 2)
    data = workbook(
        ("n", "x", "text", "code", "comma", "day", "mixed"),
        (1, 1.5, "a", "007", "3,14", day, 1),
        (2, None, "NA", "008", "1.000,5", None, "b"),
        (),
        (3, "#DIV/0!", "c", "009", "2,0", day, 2.0),
    )
    table = read_table(data, "book.xlsx")
    assert table["n"].tolist() == [1, 2, 3]
    assert table["x"].isna().tolist() == [False, True, True]
    assert table["text"].isna().tolist() == [False, True, False]
    assert table["code"].tolist() == ["007", "008", "009"]
    assert table["comma"].tolist() == [3.14, 1000.5, 2.0]
    assert table["day"].dtype.kind == "M"
    assert table["mixed"].tolist() == ["1", "b", "2"]


def test_excel_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    data = workbook(("a", "b"), (1, 2))
    assert "damaged" in refusal(data[:-100], "book.xlsx")
    assert "Excel" in refusal(b"a,b\n1,2\n", "book.xlsx")
    assert "empty" in refusal(workbook(), "book.xlsx")
    assert "no rows" in refusal(workbook(("a", "b")), "book.xlsx")
    assert "one column" in refusal(workbook(("a",), (1,)), "book.xlsx")
    assert "column 2" in refusal(workbook(("Report",), ("a", "b"), (1, 2)), "book.xlsx")
    assert "header row" in refusal(workbook((1, 2), (3, 4)), "book.xlsx")
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for entry in old.namelist():
            new.writestr(entry, b"<broken" if "sheet1" in entry else old.read(entry))
    assert "damaged" in refusal(out.getvalue(), "book.xlsx")
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100)
    assert "password" in refusal(ole, "book.xls")
    assert "protected by a password" in refusal(ole + "EncryptedPackage".encode("utf-16-le"), "book.xlsx")
    monkeypatch.setattr(limits, "MAX_UNPACKED", 1000)
    assert "unpacks" in refusal(data, "book.xlsx")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", ["empty"]),
        (b" \n\n", ["empty"]),
        (b"\xef\xbb\xbf", ["empty"]),
        (b"a,b\n", ["no rows"]),
        (b"a,b", ["no rows"]),
        (b"a\n1\n2\n", ["one column", "comma, semicolon, tab, pipe"]),
        (b"a,b,a\n1,2,3\n", ["“a”", "more than once", "1 and 3"]),
        (b"a,b, a\n1,2,3\n", ["“a”", "more than once"]),
        (b"a,,c,\n1,2,3,4\n", ["no name", "2, 4"]),
        (b"a,b\n1,2\n3,4,5\n6,7\n", ["Line 3", "3 fields", "has 2"]),
        (b'a,b\n"x\ny",2\n3\n', ["Line 4", "1 fields", "has 2"]),
        (b'a,b\n1,2\n3,"4\n5,6\n', ["Line 3 ", "quotation mark"]),
        (b"1,2\n3,4\n", ["first line", "looks like data", "header"]),
        (b"\x89PNG\r\n\x1a\n" + bytes(50), ["PNG"]),
        (b"%PDF-1.7\n,", ["PDF"]),
        (b"a,b\n1,\x00\x01\n", ["binary"]),
        (b"\x81\x02\x03,\xfe\n\x01,\x02\n", ["binary"]),
        (b"\xff\xfea\x00,", ["UTF-16"]),
        (b"\x1f\x8b\x08garbage", ["gzip"]),
    ],
)
def test_refusals(data: bytes, words: list[str]) -> None:
    sentence = refusal(data)
    assert "“loans.csv”" in sentence
    for word in words:
        assert word in sentence


def test_zip_and_unknown_endings() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("loans.csv", "a,b\n1,2\n")
    assert "unpack" in refusal(out.getvalue())
    assert ".json" in refusal(b'{"a": 1}', "loans.json")


def test_paths_stay_private(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.csv", tmp_path):
        sentence = refusal(path, None)
        assert str(tmp_path.parent) not in sentence
    assert "does not exist" in refusal(str(tmp_path / "missing.csv"), None)
    assert "/etc" not in refusal(b"", "/etc/passwd.csv")
    assert "binary mode" in refusal(io.StringIO("a,b\n1,2\n"))


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge.csv"
    with path.open("wb") as file:
        file.truncate(2 * 2**30)  # sparse: takes no room
    assert "2,048 MB" in refusal(path, None)
    with path.open("rb") as file:
        assert "200 MB" in refusal(file)
        assert file.tell() == 0 or file.tell() == 2 * 2**30


def test_bombs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (limits, read):
        monkeypatch.setattr(module, "MAX_UNPACKED", 100_000)
    assert "unpacks" in refusal(gzip.compress(b"a,b\n" + b"1,2\n" * 100_000))


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_too_many_rows_columns_cells(monkeypatch: pytest.MonkeyPatch, delimiter: str) -> None:
    for module in (limits, delimited):
        monkeypatch.setattr(module, "MAX_ROWS", 100)
    monkeypatch.setattr(limits, "MAX_COLUMNS", 10)
    header, row = delimiter.join("ab") + "\n", delimiter.join("12") + "\n"
    assert len(read_table((header + row * 100).encode())) == 100
    assert "at least 101 rows" in refusal((header + row * 101).encode())
    assert "at least 1,000 rows" in refusal((header + row * 1000).encode())
    assert "at least 101 rows" in refusal((header + ('"x"' + delimiter + "2\n") * 101).encode())
    assert "11 columns" in refusal((delimiter.join("abcdefghijk") + "\n" + delimiter.join("12345678901") + "\n").encode())
    monkeypatch.setattr(limits, "MAX_CELLS", 100)
    assert "cells" in refusal((header + row * 51).encode())


def test_any_bytes_give_a_table_or_a_sentence() -> None:
    rng = np.random.default_rng(0)
    good = [b"a;b\n1,5;x\n" * 3, workbook(("a", "b"), (1, 2)), parquet_bytes(pa.table({"a": [1, 2], "b": ["x", "y"]}))]
    for data in good:
        for _ in range(40):
            broken = bytearray(data)
            for at in rng.integers(0, len(data), 5):
                broken[at] = rng.integers(0, 256)
            try:
                read_table(bytes(broken))
            except InputError:
                continue
