"""ZIP archives from outside: how much is in one is known before memory is taken for it."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

from ..errors import InputError
from .limits import check_unpacked

BOOK = "xl/workbook.xml"
MAX_PARTS = 10_000  # files in an archive
ENTRY = b"PK\x01\x02"  # begins every line of an archive's list of files
CHUNK = 2**18
RATIO, SLACK = 100, 2**23  # a part may unpack to so many times the archive's size, and so many bytes more
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the others may unpack to any length at once


def open_archive(data: bytes) -> zipfile.ZipFile:
    """The archive; BadZipFile if it is none, or lists more files than any honest one."""
    if data.count(ENTRY) > MAX_PARTS:  # before a list of millions is made of them
        raise zipfile.BadZipFile("too many files")
    return zipfile.ZipFile(io.BytesIO(data))


def is_workbook(data: bytes) -> bool:
    """A ZIP archive with an Excel workbook in it."""
    try:
        with open_archive(data) as archive:
            return BOOK in archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError):
        return False


def part_of(archive: zipfile.ZipFile, name: str, shown: str) -> Iterator[bytes]:
    """A file of the archive in pieces, as long as all of it stays within the limit, whatever the archive says of its size."""
    if archive.getinfo(name).compress_type not in METHODS:
        raise zipfile.BadZipFile("a method that is not used here")
    size = 0
    with archive.open(name) as file:
        while piece := file.read(CHUNK):
            size += len(piece)
            check_unpacked(size, shown)
            if size > RATIO * archive.start_dir + SLACK:
                raise InputError(
                    f"{shown} unpacks to more than {RATIO} times its size, as no table does: save it again, or as CSV."
                )
            yield piece
