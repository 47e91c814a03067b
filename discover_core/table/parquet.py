"""Parquet files, with every column as a plain pandas type."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from ..errors import InputError
from .limits import check_shape, check_unpacked
from .parquet_pages import check_pages

MAGIC = b"PAR1"


def read_parquet(data: bytes, shown: str) -> tuple[list[str], pd.DataFrame]:
    """The columns' names and, with numbered columns, the rows."""
    table = packed_table(data, shown)
    if table.num_columns < 2:
        raise InputError(f"{shown} has only one column: a table needs at least two.")
    columns = [_plain(column, name, shown) for name, column in zip(table.column_names, table.columns, strict=True)]
    names = [
        "index" if name == "__index_level_0__" and "index" not in table.column_names else name for name in table.column_names
    ]
    return names, pa.table(columns, names=list(map(str, range(len(columns))))).to_pandas()


def packed_table(data: bytes, shown: str) -> Any:
    """All columns within the limits, repeated texts still packed."""
    damaged = f"{shown} is a damaged Parquet file: write it again."
    try:
        file = parquet.ParquetFile(pa.BufferReader(data))
        meta, schema = file.metadata, file.schema_arrow
    except Exception as error:  # Arrow reports damage in many types
        raise InputError(damaged) from error
    check_shape(meta.num_rows, len(schema), shown)
    check_unpacked(sum(meta.row_group(i).total_byte_size for i in range(meta.num_row_groups)), shown)
    try:
        check_pages(data, meta, shown)
    except InputError:
        raise
    except Exception as error:
        raise InputError(damaged) from error
    for field in schema:
        if pa.types.is_nested(_storage(field.type)):
            raise InputError(
                f"Column “{field.name}” of {shown} holds lists or records ({field.type}): split it into plain columns."
            )
    try:
        # Repeated texts stay packed until their full size is known.
        packed = [field.name for field in schema if _is_text(field.type)]
        table = parquet.ParquetFile(pa.BufferReader(data), read_dictionary=packed).read()
    except Exception as error:
        raise InputError(damaged) from error
    if not table.num_rows:
        raise InputError(f"{shown} has columns but no rows: add rows.")
    check_unpacked(sum(_text_size(column) for column in table.columns), shown)
    for name, column in zip(table.column_names, table.columns, strict=True):
        try:
            column.validate(full=True)
        except pa.ArrowInvalid:
            raise InputError(f"Column “{name}” of {shown} holds text that is not UTF-8: write the file again.") from None
    return table


def _storage(kind: Any) -> Any:
    """The type below extension and dictionary types."""
    while isinstance(kind, pa.BaseExtensionType) or pa.types.is_dictionary(kind):
        kind = kind.value_type if pa.types.is_dictionary(kind) else kind.storage_type
    return kind


def _is_text(kind: Any) -> bool:
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind)
    )


def _text_size(column: Any) -> int:
    """Bytes of a packed text column once unpacked."""
    if not (pa.types.is_dictionary(column.type) and _is_text(column.type.value_type)):
        return 0
    return sum(pc.sum(pc.binary_length(c.dictionary).cast(pa.int64()).take(c.indices)).as_py() or 0 for c in column.chunks)


def _plain(column: Any, name: str, shown: str) -> Any:
    """Dictionaries unpacked, decimals and durations (in seconds) as floats, dates as timestamps, the rest as text."""
    column = column.cast(_storage(column.type)) if not isinstance(column.type, pa.BaseExtensionType) else _unwrap(column)
    kind = column.type
    if pa.types.is_null(kind) or pa.types.is_decimal(kind) or pa.types.is_floating(kind):
        return column.cast(pa.float64())
    if pa.types.is_integer(kind):
        return column if pa.types.is_uint64(kind) else column.cast(pa.int64())
    if pa.types.is_boolean(kind) and not column.null_count:
        return column
    if pa.types.is_timestamp(kind):
        return column.cast(pa.timestamp(kind.unit))
    if pa.types.is_date(kind):
        return column.cast(pa.timestamp("ms"))
    if pa.types.is_duration(kind):
        return pc.divide(column.cast(pa.duration("us"), safe=False).cast(pa.int64()).cast(pa.float64()), 1e6)
    if pa.types.is_boolean(kind):
        return pc.if_else(column, "True", "False")
    try:
        return column.cast(pa.large_string())
    except pa.ArrowException:
        raise InputError(
            f"Column “{name}” of {shown} holds values of type {kind} that are no text: drop it or turn it into text."
        ) from None


def _unwrap(column: Any) -> Any:
    unwrapped = pa.chunked_array([chunk.storage for chunk in column.chunks], column.type.storage_type)
    return unwrapped.cast(_storage(unwrapped.type))
