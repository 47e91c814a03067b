"""Parquet files whose summary says less than their pages take."""

from __future__ import annotations

import datetime as dt
import io

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from discover_core.table import limits, parquet_pages
from discover_core.table.read import read_table

from .test_read_refusals import refusal

LONG = ["x" * 50_000] * 400


def written(table: pa.Table, **how: object) -> bytes:
    out = io.BytesIO()
    parquet.write_table(table, out, **how)
    return out.getvalue()


def varint(number: int, length: int = 0) -> bytes:
    """A whole number as Thrift's compact protocol has it, with so many bytes if need be."""
    number, out = number << 1, bytearray()
    while number or not out or len(out) < length:
        out.append((number & 127) | 128)
        number >>= 7
    out[-1] &= 127
    return bytes(out)


def lying(data: bytes) -> bytes:
    """The same file, in whose summary everything is ten bytes."""
    meta = parquet.ParquetFile(io.BytesIO(data)).metadata
    group = meta.row_group(0)
    sizes = {group.total_byte_size, *(group.column(i).total_uncompressed_size for i in range(meta.num_columns))}
    at = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    footer = data[at:]
    for size in sorted(sizes, reverse=True):
        footer = footer.replace(varint(size), varint(10, len(varint(size))))
    return data[:at] + footer


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("packed", ["zstd", "gzip", "snappy"])
def test_pages_are_counted_by_their_own_headers(monkeypatch: pytest.MonkeyPatch, packed: str, version: str):
    table = pa.table({"a": pa.array(LONG), "b": range(400)})
    good = written(table, use_dictionary=False, compression=packed, data_page_version=version)
    bad = lying(good)
    assert parquet.ParquetFile(io.BytesIO(bad)).metadata.row_group(0).total_byte_size == 10
    assert read_table(bad)["a"].tolist() == LONG  # a reader does not mind
    monkeypatch.setattr(limits, "MAX_UNPACKED", 19_000_000)
    assert "unpacks" in refusal(bad, "odd.parquet")


def test_the_sizes_are_those_of_the_summary(monkeypatch: pytest.MonkeyPatch):
    rng = np.random.default_rng(0)
    table = pa.table(
        {
            "n": rng.normal(size=5_000),
            "s": pa.array(rng.choice(["ä", "b", None], 5_000)),
            "t": [dt.datetime(2020, 1, 1)] * 5_000,
            "long": [str(i) * 9 for i in range(5_000)],
        }
    )
    seen: list[int] = []
    monkeypatch.setattr(parquet_pages, "check_unpacked", lambda size, shown: seen.append(size))
    for how in ({}, {"row_group_size": 700}, {"data_page_size": 512, "write_page_checksum": True}, {"compression": "none"}):
        data = written(table, write_statistics=True, write_page_index=True, **how)
        meta = parquet.ParquetFile(io.BytesIO(data)).metadata
        seen.clear()
        parquet_pages.check_pages(data, meta, "x")
        total = sum(meta.row_group(i).total_byte_size for i in range(meta.num_row_groups))
        assert 0.8 * total < seen[-1] <= total  # the summary counts the headers, too
        assert len(read_table(data)) == 5_000


def test_pages_without_end_and_without_sizes(monkeypatch: pytest.MonkeyPatch):
    data = written(pa.table({"a": range(50_000), "b": range(50_000)}), data_page_size=1_000, use_dictionary=False)
    assert len(read_table(data)) == 50_000
    for at in (4, 5, 6):
        assert "damaged" in refusal(data[:at] + b"\xff" * 40 + data[at + 40 :], "odd.parquet")
    monkeypatch.setattr(parquet_pages, "MAX_PAGES", 20)
    assert "damaged" in refusal(data, "odd.parquet")
