"""`read_table`: a user's CSV, Parquet or Excel file into a DataFrame, or one sentence about why not."""

from __future__ import annotations

import gzip
import io
import os
import re
import stat
import zlib
from collections import Counter
from pathlib import Path, PurePosixPath
from typing import BinaryIO

import pandas as pd

from ..errors import InputError, sound
from .archive import is_workbook
from .delimited import read_delimited
from .excel import read_excel
from .limits import MAX_BYTES, MAX_UNPACKED, check_bytes, check_unpacked
from .parquet import MAGIC as PARQUET
from .parquet import read_parquet

TEXT_ENDINGS = ("csv", "tsv", "tab", "txt", "psv", "data", "dat")
PARQUET_ENDINGS = ("parquet", "pq")
EXCEL_ENDINGS = ("xlsx", "xlsm")
_GZIP = b"\x1f\x8b"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_FOREIGN = {
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"%PDF": "a PDF document",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
    b"7z\xbc\xaf": "a 7-Zip archive",
    b"Rar!": "a RAR archive",
    b"\x28\xb5\x2f\xfd": "a Zstandard archive",
    b"\x7fELF": "a program",
    b"MZ\x90": "a program",
    b"SQLite format 3": "a SQLite database",
    b"\x89HDF": "an HDF5 file",
}


def read_table(source: str | os.PathLike[str] | BinaryIO | bytes, name: str | None = None) -> pd.DataFrame:
    """Read a CSV (gzip too), Parquet or Excel file; `name` is what the user calls it and is never opened.

    Raises `InputError` with one sentence that says what is wrong, where, and what to do.
    """
    if name is None and isinstance(source, str | os.PathLike):
        name = os.fspath(source)
    base = PurePosixPath(re.sub(r"[\x00-\x1f]", "", sound(name or "")).replace("\\", "/")).name[-100:]
    shown = f"“{base}”" if base else "The file"
    try:
        names, table = _parse(_content(source, shown), base.lower(), shown)
        table.columns = pd.Index(_checked_names(names, table, shown), dtype="str")
        return table
    except InputError:
        raise
    except Exception as error:  # the edge of the house: whatever a reader throws, the user gets a sentence
        raise InputError(f"{shown} could not be read as a table: save it again as CSV, Parquet or .xlsx.") from error


def _content(source: str | os.PathLike[str] | BinaryIO | bytes, shown: str) -> bytes:
    """All bytes of the source, refused by its size before it is read where that can be known."""
    if isinstance(source, bytes | bytearray | memoryview):
        check_bytes(len(source), shown)
        return bytes(source)
    if isinstance(source, str | os.PathLike):
        try:
            path = Path(source)
            status = path.stat()
            if not stat.S_ISREG(status.st_mode):
                raise InputError(f"{shown} is not a file: name the file itself.")
            check_bytes(status.st_size, shown)
            with path.open("rb") as file:
                data = file.read(min(status.st_size, MAX_BYTES) + 1)  # one byte more shows a file that still grows
        except FileNotFoundError:
            raise InputError(f"{shown} does not exist: check its name and folder.") from None
        except (OSError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"{shown} cannot be opened: check its name and that you may read it.") from None
    else:
        if source.seekable():
            here = source.tell()
            check_bytes(source.seek(0, io.SEEK_END) - here, shown)
            source.seek(here)
        data = source.read(MAX_BYTES + 1)
        if isinstance(data, str):
            raise InputError(f"{shown} was opened as text: open it in binary mode.")
    check_bytes(len(data), shown)
    return data


def _parse(data: bytes, base: str, shown: str) -> tuple[list[str], pd.DataFrame]:
    """By what the bytes are first, by the name's ending second."""
    if data.startswith(_GZIP):
        data, base = _unpack(data, shown), base.removesuffix(".gz")
    ending = base.rpartition(".")[2] if "." in base else ""
    if not data:
        raise InputError(f"{shown} is empty: it needs a header line and rows below it.")
    if data.startswith(PARQUET):
        return read_parquet(data, shown)
    if data.startswith(_ZIP):
        if is_workbook(data):
            return read_excel(data, shown)
        if ending in EXCEL_ENDINGS:
            raise InputError(f"{shown} is a damaged Excel file: open it in Excel and save it again as .xlsx.")
        raise InputError(f"{shown} is a ZIP archive, not a table: unpack it and choose the CSV, Parquet or .xlsx file inside.")
    if data.startswith(_OLE):
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise InputError(f"{shown} is protected by a password: save it in Excel without one, as .xlsx.")
        raise InputError(
            f"{shown} is an old Excel file (.xls) or protected by a password: save it in Excel as .xlsx without one."
        )
    for magic, what in _FOREIGN.items():
        if data.startswith(magic):
            raise InputError(f"{shown} is {what}, not a table: choose a CSV, Parquet or .xlsx file.")
    if ending in PARQUET_ENDINGS:
        raise InputError(f"{shown} is damaged or no Parquet file, it does not begin as one: write it again.")
    if ending in EXCEL_ENDINGS:
        raise InputError(f"{shown} is damaged or no Excel file, it does not begin as one: save it again as .xlsx.")
    if ending and ending not in TEXT_ENDINGS:
        known = ", ".join(f".{e}" for e in (*TEXT_ENDINGS, *PARQUET_ENDINGS, *EXCEL_ENDINGS))
        raise InputError(f"{shown} ends in .{ending}, which is not supported: use one of {known}, or .csv.gz.")
    return read_delimited(data, shown)


def _unpack(data: bytes, shown: str) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            unpacked = file.read(MAX_UNPACKED + 1)
    except (OSError, EOFError, zlib.error):
        raise InputError(f"{shown} is a damaged gzip file: compress it again.") from None
    check_unpacked(len(unpacked), shown)
    return unpacked


def _checked_names(names: list[str], table: pd.DataFrame, shown: str) -> list[str]:
    """Stripped, none blank, none twice; a blank first name over unique whole numbers is pandas' index."""
    names = [name.strip() for name in names]
    if not names[0] and pd.api.types.is_integer_dtype(table.iloc[:, 0].dtype) and table.iloc[:, 0].is_unique:
        names[0] = "index" if "index" not in names else "row"
    blank = [i for i, name in enumerate(names, start=1) if not name]
    if blank:
        positions = ", ".join(map(str, blank[:5])) + (", …" if len(blank) > 5 else "")
        raise InputError(f"{shown} has no name for column {positions}: give every column a name in the header.")
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        every = [str(i) for i, name in enumerate(names, start=1) if name == twice[0]]
        places = " and ".join(every if len(every) <= 5 else [*every[:4], "others"])
        raise InputError(f"{shown} has the column name “{twice[0]}” more than once (columns {places}): rename one of them.")
    return names
