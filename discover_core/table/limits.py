"""How large a table may be, and the sentences about those that are larger."""

from __future__ import annotations

from ..errors import InputError

MAX_BYTES = 200 * 2**20  # a file as it is uploaded
MAX_UNPACKED = 500 * 2**20  # the same after gzip, the zip inside .xlsx, or Parquet's encodings
MAX_ROWS = 1_000_000
MAX_COLUMNS = 2_000
MAX_CELLS = 100_000_000  # rows times columns: what a million repeated values unpack to in memory


def megabytes(size: int) -> str:
    return f"{size / 2**20:,.0f} MB"


def check_bytes(size: int, shown: str) -> None:
    if size > MAX_BYTES:
        raise InputError(
            f"{shown} has {megabytes(size)}, more than the {megabytes(MAX_BYTES)} that can be read: "
            "sample its rows or drop columns."
        )


def check_unpacked(size: int, shown: str) -> None:
    """`size` may be a lower bound: nobody unpacks further than the limit to know."""
    if size > MAX_UNPACKED:
        raise InputError(
            f"{shown} unpacks to more than the {megabytes(MAX_UNPACKED)} that can be read: sample its rows or drop columns."
        )


def check_shape(rows: int, columns: int, shown: str) -> None:
    """`rows` may be a lower bound."""
    if columns > MAX_COLUMNS:
        raise InputError(f"{shown} has {columns:,} columns, more than the {MAX_COLUMNS:,} that can be read: drop some of them.")
    if rows > MAX_ROWS:
        raise InputError(
            f"{shown} has at least {rows:,} rows, more than the {MAX_ROWS:,} that can be read: draw a random sample of its rows."
        )
    if rows * columns > MAX_CELLS:
        raise InputError(
            f"{shown} has {rows:,} rows of {columns:,} columns, more than the {MAX_CELLS:,} cells that can be read: "
            "sample its rows or drop columns."
        )
