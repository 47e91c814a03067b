"""Who is helped first: people's places by a column of their rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..errors import InputError
from ..table.schema import Column, Schema
from ..table.values import as_numbers, level_codes


def places(rows: pd.DataFrame, schema: Schema, name: str | None) -> NDArray[np.int64]:
    """Everybody's place by a column, the highest values first; equal values share a place, and whoever has none comes last.

    0 for everybody if no column is named, or if nobody has a value.
    """
    if name is None:
        return np.zeros(len(rows), dtype=np.int64)
    if name not in rows.columns:
        raise InputError(f"People cannot be helped first by “{name}”: the rows have no such column.")
    column = schema[name] if name in schema else Column(name, "excluded")
    if column.ranking:
        codes = level_codes(rows[name], column.ranking)
        values = np.where(codes < 0, np.nan, codes)
    else:
        values = as_numbers(rows[name], column)
    known = np.unique(values[~np.isnan(values)])
    if not len(known) and not column.directed and (column.categorical or rows[name].notna().any()):
        raise InputError(f"People cannot be helped first by “{name}”: it holds neither numbers nor an ordered scale.")
    return np.where(np.isnan(values), len(known), len(known) - 1 - np.searchsorted(known, values))
