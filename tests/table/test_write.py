"""What leaves for a spreadsheet."""

import csv
import io
from decimal import Decimal

import numpy as np
import openpyxl
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discover_core.table.write import as_was, harmless, to_csv, to_excel


def test_no_cell_and_no_heading_is_a_formula():
    table = pd.DataFrame({"=cmd": ["=1+1", "@x", "fine"], "n": [-1.5, 2, 3], "c": pd.Categorical(["+a", "b", "b"])})
    back = pd.read_csv(io.BytesIO(to_csv(table)), encoding="utf-8-sig")
    assert list(back.columns) == ["'=cmd", "n", "c"]
    assert list(back["'=cmd"]) == ["'=1+1", "'@x", "fine"]
    assert list(back["n"]) == [-1.5, 2, 3]
    assert list(back["c"]) == ["'+a", "b", "b"]


class Formula:
    def __str__(self):
        return "=own"


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (b"=1", "'=1"),
        (b"fine", "fine"),
        (b"\xff", "\ufffd"),
        (b"\xff=1", "\ufffd=1"),
        (Formula(), "'=own"),
        (Decimal("-1"), "-1"),
        (-2, "-2"),
    ],
)
def test_bytes_and_other_objects_are_no_formulas_either(value, cell):
    for values in (pd.Series([value, "x", None], dtype=object), pd.Series([value, "x"], dtype=object).astype("category")):
        back = list(csv.reader(io.StringIO(to_csv(pd.DataFrame({"a": values})).decode("utf-8-sig"))))
        assert back[1] == [cell]
        (sheet,) = openpyxl.load_workbook(io.BytesIO(to_excel({"s": pd.DataFrame({"a": values})}))).worksheets
        assert sheet["A2"].data_type != "f"
        assert str(sheet["A2"].value) == (cell if not isinstance(value, Decimal) else "'-1")


BLANKS = [
    "",
    " ",
    "\n",
    "\t",
    "\r\n",
    "\x0b",
    "\x00",
    "\xa0",
    "\u200b",
    "\u2028",
    "\u3000",
    "\ufeff",
    "\u202e",
    "\U000e0041",
    "' ",
]


@pytest.mark.parametrize("blank", BLANKS)
@pytest.mark.parametrize("begin", "=+-@＝＋－＠")
def test_nothing_before_a_formula_hides_it(blank: str, begin: str):
    text = f"{blank}{begin}1"
    table = pd.DataFrame({text: [text, "fine"], "n": [1, 2]})
    (name, _), (cell, _) = list(csv.reader(io.StringIO(to_csv(table).decode("utf-8-sig"), newline="")))[:2]
    assert (name, cell) == (f"'{text}", f"'{text}")
    assert all(line[0].startswith("'") for line in sheet(table)[:2])


@given(st.text(st.sampled_from("'=+-@＝ \n\t\u200bab1"), max_size=6))
def test_what_was_made_harmless_is_found_again(text: str):
    assert as_was(harmless(text)) == text
    assert not str(harmless(text)).lstrip("\t\n\u200b ").startswith(tuple("=+-@＝"))


def test_half_a_character_is_marked():
    cells = pd.DataFrame({0: pd.Series(["b\udfff", "c"], dtype=object)})
    held = to_csv(cells.set_axis(pd.Index(["a\ud800"], dtype=object), axis=1))
    assert held.decode("utf-8-sig").splitlines() == ['"a\ufffd"', '"b\ufffd"', '"c"']


def test_every_kind_of_column_comes_back_from_csv():
    when = pd.to_datetime(["2024-02-29", None, "2025-01-01"])
    table = pd.DataFrame(
        {
            "whole": [1.0, np.nan, -3.0],
            "fine": np.array([0.1, 1 / 3, 1e-300]),
            "short": np.array([0.1, 1 / 3, 7e-9], dtype=np.float32),
            "few": pd.Categorical([10, None, 20]),
            "none": pd.array([1, None, 3], dtype="Int64"),
            "truth": [True, False, True],
            "day": when,
            "time": when + pd.Timedelta(hours=6),
            "mixed": [-1.5, "-a", None],
            "text": ['say "x"', "a,b\nc", "ä"],
        }
    )
    content = to_csv(table)
    assert content.startswith(b"\xef\xbb\xbf")
    back = pd.read_csv(io.BytesIO(content), dtype=str, keep_default_na=False)
    cells = {
        "whole": ["1", "", "-3"],
        "few": ["10", "", "20"],
        "none": ["1", "", "3"],
        "truth": ["True", "False", "True"],
        "day": ["2024-02-29", "", "2025-01-01"],
        "time": ["2024-02-29 06:00:00", "", "2025-01-01 06:00:00"],
        "mixed": ["-1.5", "'-a", ""],
        "text": ['say "x"', "a,b\nc", "ä"],
    }
    assert {name: list(back[name]) for name in cells} == cells
    for name in ("fine", "short"):
        np.testing.assert_array_equal(back[name].to_numpy(dtype=table[name].dtype), table[name])


def test_csv_of_two_columns_with_one_name_and_of_no_rows():
    assert to_csv(pd.DataFrame([[1, "a"]], columns=["x", "x"])).splitlines()[1] == b'1,"a"'
    assert len(to_csv(pd.DataFrame({"a": pd.Series([], dtype=object)})).splitlines()) == 1


def sheet(table):
    return [list(line) for line in openpyxl.load_workbook(io.BytesIO(to_excel({"One": table})))["One"].values]


def test_an_excel_file_is_as_harmless():
    table = pd.DataFrame({"=cmd": ["=1+1", "@x", "fine"], "n": [-1.5, 2, 3], "c": pd.Categorical(["+a", "b", "\tb"])})
    assert sheet(table) == [["'=cmd", "n", "c"], ["'=1+1", -1.5, "'+a"], ["'@x", 2, "b"], ["fine", 3, "'\tb"]]


def test_what_excel_cannot_hold():
    when = pd.Timestamp("2024-02-29 12:00")
    table = pd.DataFrame({"a": ["x\x00y\ud800", "\x01=1", None, np.nan, np.inf, True, 7, pd.NA, when, when.tz_localize("UTC")]})
    held = [line[0] for line in sheet(table)]
    assert held == ["a", "xy", "'=1", None, None, None, True, 7, None, when, "2024-02-29 12:00:00+00:00"]


def test_sheets_in_their_order_and_empty_ones():
    book = openpyxl.load_workbook(io.BytesIO(to_excel({"B": pd.DataFrame({"x": []}), "A": pd.DataFrame({"y": [1]})})))
    assert {name: list(book[name].values) for name in book.sheetnames} == {"B": [("x",)], "A": [("y",), (1,)]}
