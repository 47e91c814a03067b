"""Workbooks that are small as a file and endless as a table: refused before they take time or memory."""

from __future__ import annotations

import datetime as dt
import io
import struct
import tracemalloc
import zipfile

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discover_core.errors import InputError
from discover_core.scenario.target_file import target_values
from discover_core.table import archive, excel, limits, sheet
from discover_core.table.excel import sheet_rows
from discover_core.table.read import read_table

from .test_read_refusals import refusal
from .workbooks import HEADER, line, number, word, workbook_of

GOOD = line(2, number("A2", 1), number("B2", 2))
SHARED = '<c t="s"><v>0</v></c>'
MEGABYTE = 2**20


def test_a_row_far_below_is_not_waited_for():
    far = workbook_of(HEADER + line(2_000_000_000, number("A2000000000", 1), number("B2000000000", 2)))
    assert len(far) < 5_000
    assert "row 2,000,000,000" in refusal(far, "far.xlsx")
    with pytest.raises(InputError, match="2,000,000,000"):
        target_values(far, "far.xlsx")
    last = HEADER + line(1_048_576, number("A1048576", 1), number("B1048576", 2))
    assert read_table(workbook_of(last)).to_dict("list") == {"a": [1], "b": [2]}  # as Excel itself could have written it


def test_cells_far_to_the_right_take_no_memory():
    rows = HEADER + "".join(line(i, number(f"XFD{i}", 1)) for i in range(2, 2_000))
    wide = workbook_of(rows)
    tracemalloc.start()
    assert "16,384 columns" in refusal(wide)
    assert tracemalloc.get_traced_memory()[1] < 15 * MEGABYTE
    tracemalloc.stop()
    assert "no name" in refusal(workbook_of(HEADER + line(2, number("BXX2", 1))))
    assert "damaged" in refusal(workbook_of(HEADER + line(2, number("ZZZZ2", 1))))


def test_rows_times_columns_are_counted_as_they_come(monkeypatch: pytest.MonkeyPatch):
    for module in (limits, excel):
        monkeypatch.setattr(module, "MAX_CELLS", 100)
    rows = [HEADER, *(line(i, number(f"A{i}", 1), number(f"K{i}", 1)) for i in range(2, 15_000)), "<row"]
    assert "10 rows of 11 columns" in refusal(workbook_of(rows))  # the end, which is broken, is never reached


@pytest.mark.parametrize(
    "rows",
    [
        HEADER + line(5, number("A5", 1), number("B5", 1)) + GOOD,  # out of order
        HEADER + GOOD + GOOD,
        HEADER + line(2, "<c/>" * 20_000),
        HEADER + "<a>" * 100,
        HEADER + "".join(f"<a{i}/>" for i in range(20_000)),  # names, all of which the parser keeps
        HEADER + line(2, f'<c {"x" * 5_000_000}="1"/>'),
        HEADER + line(2, number("A2", "9" * 5_000), number("B2", 1)),
        HEADER + line(2, number("A2", 1), '<c r="B2" t="s"><v>-1</v></c>'),
        HEADER + line(2, number("A2", 1), '<c r="B2" t="s"><v>7</v></c>'),
        '<row r="1e999"><c/></row>',
    ],
)
def test_what_no_program_writes(rows: str):
    tracemalloc.start()
    assert "damaged" in refusal(workbook_of(rows), "odd.xlsx")
    assert tracemalloc.get_traced_memory()[1] < 60 * MEGABYTE
    tracemalloc.stop()


def test_entities_are_never_opened():
    entities = '<!DOCTYPE a [<!ENTITY k "kkkkkkkkkk"><!ENTITY l "&k;&k;&k;&k;"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
    for name in "klf":
        assert "damaged" in refusal(workbook_of(HEADER + line(2, word("A2", f"&{name};"), number("B2", 1)), before=entities))


def test_one_text_for_all_cells_is_counted_for_each(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "MAX_UNPACKED", 3_000_000)
    rows = HEADER + "<row>" + 2 * SHARED + "</row>"
    assert len(read_table(workbook_of(rows, texts=f"<si><t>{'x' * 1_000_000}</t></si>"))) == 1
    rows += 10_000 * ("<row>" + 2 * SHARED + "</row>")
    tracemalloc.start()
    assert "unpacks" in refusal(workbook_of(rows, texts=f"<si><t>{'x' * 1_000_000}</t></si>"))
    assert tracemalloc.get_traced_memory()[1] < 20 * MEGABYTE
    tracemalloc.stop()


@pytest.mark.parametrize("parts", [{"rows": "<x/>" * 400_000}, {"texts": "<si/>" * 300_000}, {"after": "<x/>" * 300_000}])
def test_bombs_in_every_part(parts: dict[str, str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(archive, "SLACK", 2**18)
    assert "100 times its size" in refusal(workbook_of(**{"rows": HEADER + GOOD, **parts}), "odd.xlsx")


def test_more_styles_than_excel_has():
    assert "damaged" in refusal(workbook_of(HEADER + GOOD, styles="<cellXfs>" + "<xf/>" * 200_000 + "</cellXfs>"), "odd.xlsx")


def test_an_archive_that_lies_about_sizes_and_files():
    good = workbook_of(HEADER + "".join(line(i, number(f"A{i}", 1), number(f"B{i}", 1)) for i in range(2, 30_000)))
    at = good.rindex(b"PK\x01\x02")  # the sheet's entry comes last
    short = bytearray(good)
    struct.pack_into("<I", short, at + 24, 50)  # 50 bytes, it says
    assert "damaged" in refusal(bytes(short), "odd.xlsx")
    packed = bytearray(good)
    struct.pack_into("<H", packed, at + 10, zipfile.ZIP_LZMA)
    assert "damaged" in refusal(bytes(packed), "odd.xlsx")
    many = io.BytesIO()
    with zipfile.ZipFile(many, "w") as made:
        made.writestr(archive.BOOK, "")
        made.filelist *= archive.MAX_PARTS + 1
    tracemalloc.start()
    assert "damaged" in refusal(many.getvalue(), "odd.xlsx")
    assert tracemalloc.get_traced_memory()[1] < 4 * MEGABYTE
    tracemalloc.stop()


def test_cells_are_counted_filled_or_not(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sheet, "MAX_CELLS", 100)
    assert "more than the 100 cells" in refusal(workbook_of(HEADER + "<row>" + "<c/>" * 120 + "</row>"))


def test_values_as_other_programs_write_them():
    styles = '<numFmts><numFmt numFmtId="170" formatCode="[h]:mm"/></numFmts><cellXfs><xf numFmtId="0"/>'
    styles += '<xf numFmtId="14"/><xf numFmtId="170"/></cellXfs>'
    rows = (
        '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>'
        + line(7, number("A7", 45292, 1), number("B7", 0.5, 2), '<c r="D7" s="1"/>')
        + line(9, '<c r="A9" t="d"><v>2024-01-02T00:00:00</v></c>', '<c r="B9" t="e"><v>#N/A</v></c>')
        + line(10, number("B10", "1e400"), '<c r="A10" t="b"><v>1</v></c>')
        + line(11, number("B11", "9" * 30), '<c r="A11" t="str"><f>1+1</f><v>2</v></c>')
    )
    texts = "<si><r><t>w</t></r><r><t>hen</t></r><rPh><t>WEN</t></rPh></si><si><t>a_x005F_b</t></si>"
    found = list(sheet_rows(workbook_of(rows, texts, styles), "x"))
    assert found == [
        {0: "when", 1: "a_b"},
        {0: dt.datetime(2024, 1, 1), 1: dt.timedelta(hours=12)},
        {0: dt.datetime(2024, 1, 2), 1: "#N/A"},
        {0: True, 1: float("inf")},
        {0: "2", 1: 1e30},
    ]
    early = list(sheet_rows(workbook_of(rows, texts, styles, book='<workbookPr date1904="1"/>'), "x"))
    assert early[1][0] == dt.datetime(2028, 1, 2)


cells = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**40), 2**40),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="￾￿"), max_size=9),
    st.datetimes(dt.datetime(1901, 1, 1), dt.datetime(2100, 1, 1)).map(lambda moment: moment.replace(microsecond=0)),
    st.dates(dt.date(1901, 1, 1)),
    st.timedeltas(dt.timedelta(hours=1), dt.timedelta(days=300)).map(lambda time: dt.timedelta(seconds=time.seconds + 1)),
)


@settings(max_examples=40)
@given(st.lists(st.lists(cells, max_size=5), min_size=1, max_size=6))
def test_the_values_are_those_that_openpyxl_reads(rows: list[list[object]]):
    book, out = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(["'" + cell if isinstance(cell, str) and cell.startswith("=") else cell for cell in row])
    book.save(out)
    read = openpyxl.load_workbook(io.BytesIO(out.getvalue()), data_only=True).active.iter_rows(values_only=True)
    wanted = [{place: value for place, value in enumerate(row) if value is not None} for row in read]
    assert list(sheet_rows(out.getvalue(), "x")) == [row for row in wanted if row]
