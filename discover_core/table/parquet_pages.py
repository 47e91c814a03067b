"""How much the pages of a Parquet file unpack to, by the headers that a reader takes memory by: the file's summary may lie.

A header is a Thrift struct in the compact protocol, of which only two numbers count here; all else is passed over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .limits import check_unpacked

MAX_PAGES = 500_000
MAX_DEPTH = 10  # of structs in a header
UNPACKED, PACKED = 2, 3  # fields of a header
TRUE, FALSE, BYTE, DOUBLE, BINARY, STRUCT = 1, 2, 3, 7, 8, 12


def check_pages(data: bytes, meta: Any, shown: str) -> None:
    """Follow the pages of every column as a reader does; ValueError or IndexError where there is none."""
    size = pages = 0
    for group in range(meta.num_row_groups):
        for place in range(meta.num_columns):
            column = meta.row_group(group).column(place)
            first, at = column.dictionary_page_offset or 0, column.data_page_offset
            at = first if 0 < first < at else at
            end = at + column.total_compressed_size
            while at < end:
                header = Header(data, at)
                unpacked, packed = header.sizes()
                size, pages, at = size + unpacked, pages + 1, header.at + packed
                check_unpacked(size, shown)
                if pages > MAX_PAGES:
                    raise ValueError("too many pages")


@dataclass
class Header:
    """The bytes from `at` on."""

    data: bytes
    at: int

    def sizes(self) -> tuple[int, int]:
        """Bytes of the page that follows, unpacked and as it is."""
        found = self._struct(0)
        unpacked, packed = found.get(UNPACKED, -1), found.get(PACKED, -1)
        if unpacked < 0 or packed < 0:
            raise ValueError("a page without a size")
        return unpacked, packed

    def _byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def _number(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
            if shift > 63:
                raise ValueError("a number without end")

    def _signed(self) -> int:
        value = self._number()
        return (value >> 1) ^ -(value & 1)

    def _struct(self, depth: int) -> dict[int, int]:
        """Its whole numbers by their fields."""
        if depth > MAX_DEPTH:
            raise ValueError("structs inside each other without end")
        found: dict[int, int] = {}
        name = 0
        while byte := self._byte():
            step, kind = byte >> 4, byte & 15
            name = name + step if step else self._signed()
            if BYTE < kind < DOUBLE:
                found[name] = self._signed()
            elif kind not in (TRUE, FALSE):
                self._pass(kind, depth)
        return found

    def _pass(self, kind: int, depth: int) -> None:
        if kind in (TRUE, FALSE, BYTE):
            self.at += 1
        elif kind < DOUBLE:
            self._number()
        elif kind == DOUBLE:
            self.at += 8
        elif kind == BINARY:
            length = self._number()
            self.at += length
        elif kind == STRUCT:
            self._struct(depth + 1)
        else:
            raise ValueError("what no header holds")
