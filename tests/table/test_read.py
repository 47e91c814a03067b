"""Whatever a user uploads becomes the table they meant, or one sentence about why not."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from discover_core.table.numerals import MISSING_TEXTS, looks_numeric
from discover_core.table.read import read_table

from .test_read_refusals import refusal


def read_text(text: str, encoding: str = "utf-8") -> pd.DataFrame:
    return read_table(text.encode(encoding), "loans.csv")


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters(delimiter: str) -> None:
    table = read_text(delimiter.join("abc") + "\n" + delimiter.join(["1", "x y", "2.5"]) + "\n")
    assert table.to_dict("list") == {"a": [1], "b": ["x y"], "c": [2.5]}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1"])
def test_encodings(encoding: str) -> None:
    assert read_text("größe,ort\n1,Köln\n2,Orléans\n", encoding).to_dict("list") == {"größe": [1, 2], "ort": ["Köln", "Orléans"]}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a;b\n3,14;x\n2;y\n", [3.14, 2.0]),
        ("a\tb\n1.234,56\tx\n2\ty\n", [1234.56, 2.0]),
        ("a;b\n1 234,5;x\n2,5;y\n", [1234.5, 2.5]),
        ("a;b\n1\u00a0234;x\n1\u202f000\u00a0000;y\n", [1234, 1_000_000]),
        ('a,b\n"1,234.56",x\n7,y\n', [1234.56, 7.0]),
        ('a,b\n"1,234,567",x\n"-1,000",y\n', [1_234_567, -1000]),
        ("a;b\n1.234;3,5\n12.000;0,5\n", [1234, 12000]),  # the other column proves the decimal comma
        ("a;b\n1.234;3.5\n12.000;0.5\n", [1.234, 12.0]),
        ("a,b\n1.234,x\n12.000,y\n", [1.234, 12.0]),
        ("a;b\n1,234;x\n0,5;y\n", [1.234, 0.5]),
        ("a\tb\n1,234\t2.5\n5,000\t1.5\n", [1234, 5000]),
        ("a,b\n 5,x\n6 ,y\n", [5, 6]),
        ("a,b\n1e3,x\n.5,y\n", [1000.0, 0.5]),
        ("a,b\n+5,x\n-6,y\n", [5, -6]),
        ("a,b\nTrue,x\nFalse,y\n", [True, False]),
    ],
)
def test_numbers(text: str, expected: list[float]) -> None:
    column = read_text(text)["a"]
    assert column.tolist() == expected
    assert column.dtype != "str"


@pytest.mark.parametrize(
    "values",
    [
        ["007", "123"],
        ["12", "01234"],
        ["0x10", "5"],
        ["1.2.3", "1.2.4"],
        ["1.234.567", "10.000.000"],
        ["12,5,1", "3,4"],
        ["110 001", "560 034"],
        ["12345678901234567890", "12345678901234567891"],
        ["9007199254740993", ""],
        ["12", "twelve"],
        ["2020-01-02", "2021-03-04"],
    ],
)
@pytest.mark.parametrize("delimiter", [",", "|"])
def test_codes_stay_text(values: list[str], delimiter: str) -> None:
    text = "".join(f'"{value}"{delimiter}x\n' for value in values)
    assert read_text(f"a{delimiter}b\n{text}")["a"].fillna("").tolist() == values


@pytest.mark.parametrize("odd", ["n.a.", "007", "1,5", "12345678901234567890"])
def test_a_late_value_decides_the_column(odd: str) -> None:
    rows = [str(i) for i in range(100_000)] + [odd]
    table = read_table(("a,b,c\n" + "".join(f'"{value}",1.5,some text\n' for value in rows)).encode())
    assert table["a"].tolist() == rows
    assert table["b"].dtype == "float64"


def test_a_late_decimal_makes_floats() -> None:
    table = read_text("a,b\n" + "1,x\n" * 1000 + "1.5,y\n")
    assert table["a"].tolist() == [1.0] * 1000 + [1.5]


@pytest.mark.parametrize("token", ["", "NA", "null", "NaN", "N/A", "?", "None", " ? ", "   NA   "])
def test_missing(token: str) -> None:
    table = read_text(f"a,b,c\n1,x,p q\n{token},{token},{token}\n3,y, r\n")
    assert table.isna().to_numpy().tolist() == [[False] * 3, [True] * 3, [False] * 3]
    assert table["a"].dtype == "float64"
    assert table["c"].iloc[2] == " r"


def test_a_column_without_values() -> None:
    assert read_text("a,b\n1,\n2,\n")["b"].dtype == "float64"


def test_quotes_blank_lines_and_padding() -> None:
    table = read_text('a,b\r\n"x, ""y""\nz",1\r\n\r\nw,2\r\n')
    assert table.to_dict("list") == {"a": ['x, "y"\nz', "w"], "b": [1, 2]}
    assert read_text("a, b, c\n39, Private, ?\n40, State, 1\n")["b"].tolist() == ["Private", "State"]
    assert read_text("\n\na,b\n1,2\n").to_dict("list") == {"a": [1], "b": [2]}


def test_names_are_stripped_text() -> None:
    assert read_text(" a , b\n1,2\n").columns.tolist() == ["a", "b"]
    assert read_text("id,2019\n1,2\n").columns.tolist() == ["id", "2019"]


def test_the_index_pandas_writes() -> None:
    table = pd.DataFrame({"a": [1.5, 2.5], "b": ["x", "y"]})
    assert read_text(table.to_csv()).columns.tolist() == ["index", "a", "b"]
    assert "column 1" in refusal(b",a\nx,1\ny,2\n")


def test_sources(tmp_path: Path) -> None:
    data = b"a,b\n1,2\n"
    path = tmp_path / "t.csv"
    path.write_bytes(data)
    for source in (data, io.BytesIO(data), path, str(path)):
        assert read_table(source).to_dict("list") == {"a": [1], "b": [2]}
    assert read_table(gzip.compress(data), "t.csv.gz").shape == (1, 2)
    table = read_table(data)
    table.loc[0, "a"] = 5  # not read-only
    assert table["a"].tolist() == [5]


texts = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc"), include_characters='\n",;|\t'), min_size=1, max_size=8
)
texts = texts.filter(
    lambda t: t == t.strip() and t not in MISSING_TEXTS and not looks_numeric(t) and t.lower() not in ("true", "false")
)
floats = st.floats(-1e9, 1e9).map(lambda x: round(x, 3) + 0.0)


@settings(deadline=None, max_examples=150)
@given(
    rows=st.lists(st.tuples(st.integers(-(2**53) + 1, 2**53 - 1), floats, texts), min_size=1, max_size=6),
    form=st.sampled_from([(",", "."), (";", "."), ("\t", "."), ("|", "."), (";", ","), ("\t", ","), ("|", ",")]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
@example(rows=[(1, 1234.5, 'a"b;c')], form=(";", ","), encoding="utf-8")
def test_what_is_written_is_read(rows: list[tuple[int, float, str]], form: tuple[str, str], encoding: str) -> None:
    delimiter, decimal_mark = form
    table = pd.DataFrame(rows, columns=["whole", "float", "text"])
    table["anchor"] = 0.5  # shows which decimal mark the file has
    text = table.to_csv(index=False, sep=delimiter, decimal=decimal_mark, lineterminator="\n")
    back = read_text(text, encoding)
    pd.testing.assert_frame_equal(back, table, check_dtype=False)
    assert back["whole"].dtype == "int64"
