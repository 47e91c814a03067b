"""Workbooks made by hand, so that they may hold what no program writes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable

SPACE = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
LINK = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
KINDS = {"worksheet": "worksheets/sheet1.xml", "sharedStrings": "sharedStrings.xml", "styles": "styles.xml"}


def workbook_of(
    rows: str | Iterable[str] = "", texts: str = "", styles: str = "", before: str = "", after: str = "", book: str = ""
) -> bytes:
    """A workbook whose first sheet has these rows, whose table of shared texts and whose styles have this content."""
    links = "".join(f'<Relationship Id="{kind}" Type="{LINK}/{kind}" Target="{part}"/>' for kind, part in KINDS.items())
    types = "".join(
        f'<Override PartName="/xl/{part}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.{kind}+xml"/>'
        for kind, part in {**KINDS, "sheet.main": "workbook.xml"}.items()
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", f'<Types xmlns="{PACKAGE}/content-types">{types}</Types>')
        archive.writestr("xl/_rels/workbook.xml.rels", f'<Relationships xmlns="{PACKAGE}/relationships">{links}</Relationships>')
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook {SPACE} xmlns:r="{LINK}">{book}<sheets><sheet name="a" r:id="worksheet"/></sheets></workbook>',
        )
        archive.writestr("xl/sharedStrings.xml", f"<sst {SPACE}>{texts}</sst>")
        archive.writestr("xl/styles.xml", f"<styleSheet {SPACE}>{styles}</styleSheet>")
        with archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet:
            sheet.write(f"{before}<worksheet {SPACE}><sheetData>".encode())
            for part in [rows] if isinstance(rows, str) else rows:
                sheet.write(part.encode())
            sheet.write(f"</sheetData>{after}</worksheet>".encode())
    return out.getvalue()


def line(number: int, *cells: str) -> str:
    return f'<row r="{number}">{"".join(cells)}</row>'


def word(place: str, text: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


def number(place: str, value: object, style: int = 0) -> str:
    return f'<c r="{place}" s="{style}"><v>{value}</v></c>'


HEADER = line(1, word("A1", "a"), word("B1", "b"))
