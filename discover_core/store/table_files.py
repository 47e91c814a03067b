"""Tables of the data folder, each also kept as Parquet: a file is parsed once and then read by whoever needs its table."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import parquet

from ..table.read import read_table

TABLE_COPY = ".table.parquet"  # behind the name of a file: what was read of it


def read_once(path: Path) -> pd.DataFrame:
    """The table as `read_table` gives it: from its copy if there is a sound one, else from the file, which then gets one.

    Only for files named by their content, which never changes.
    """
    try:
        table = _read(copy_of(path))
        os.utime(path)  # it is in use, so it is not swept
        return table
    except Exception:  # none, a damaged one, or one whose file is gone: what is wrong with the file, it says itself
        table = read_table(path, path.name)
    keep_copy(table, path)
    return table


def keep_copy(table: pd.DataFrame, path: Path) -> None:
    """Keep what was read of a file. No copy is kept if it would not give back exactly the same table."""
    copy = copy_of(path)
    unfinished = copy.with_name(f".{copy.name}.{os.getpid()}.{time.monotonic_ns()}")
    try:
        parquet.write_table(pa.Table.from_pandas(table), unfinished, write_page_checksum=True)
        if same(_read(unfinished), table):
            unfinished.replace(copy)
    except (OSError, pa.ArrowException):
        pass  # the table can be read without
    finally:
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)


def copy_of(path: Path) -> Path:
    return path.with_name(f"{path.name}{TABLE_COPY}")


def same(one: pd.DataFrame, other: pd.DataFrame) -> bool:
    """Equal in values, types and names. Columns of Python objects never are: pandas calls different gaps in them equal."""
    return (
        one.index.identical(other.index)
        and type(one.index) is type(other.index)
        and one.columns.identical(other.columns)
        and one.columns.dtype == other.columns.dtype
        and one.dtypes.tolist() == other.dtypes.tolist()
        and not any(isinstance(kind, np.dtype) and kind.kind == "O" for kind in one.dtypes)
        and one.equals(other)
    )


def _read(path: Path) -> pd.DataFrame:
    table: pd.DataFrame = parquet.read_table(path, page_checksum_verification=True, memory_map=True).to_pandas()
    pa.default_memory_pool().release_unused()  # as much again as the table, which Arrow would keep for the next
    return table
