"""The iterate as one array: numbers as they are, ordinal and nominal values as codes; to tables and into R^d and back."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..table.encoding import ONE_HOT, Encoding
from ..table.prepare import level_type

Cells = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Layout:
    """How the columns of a cell array stand for the features of an encoding."""

    encoding: Encoding

    @cached_property
    def types(self) -> tuple[pd.CategoricalDtype | None, ...]:
        """The pandas type of each categorical feature; to build one is dear."""
        return tuple(level_type(block.column) if block.column.categorical else None for block in self.encoding.blocks)

    @property
    def width(self) -> int:
        return len(self.encoding.blocks)

    def cells(self, table: pd.DataFrame) -> Cells:
        """A prepared table as cells."""
        out = np.empty((len(table), self.width))
        for j, block in enumerate(self.encoding.blocks):
            series = table[block.column.name]
            out[:, j] = series.cat.codes if block.column.categorical else series.to_numpy(dtype=np.float64)
        return out

    def table(self, cells: Cells) -> pd.DataFrame:
        """Cells as a prepared table."""
        out: dict[str, Any] = {}
        for j, block in enumerate(self.encoding.blocks):
            column = block.column
            values = cells[:, j]
            kind = self.types[j]
            if kind is not None:
                out[column.name] = pd.Categorical.from_codes(values.astype(np.int64), dtype=kind)
            else:
                whole = column.integer and bool(np.all(values == np.rint(values)))
                out[column.name] = values.astype(np.int64) if whole else values.copy()
        return pd.DataFrame(out)

    def encode(self, cells: Cells) -> Cells:
        """Points of R^d for cells of any leading shape."""
        points = np.zeros((*cells.shape[:-1], self.encoding.width))
        flat = points.reshape(-1, self.encoding.width)
        rows = np.arange(len(flat))
        for j, block in enumerate(self.encoding.blocks):
            values = cells[..., j].ravel()
            if block.one_hot:
                flat[rows, block.start + values.astype(np.int64)] = ONE_HOT * block.weight
            else:
                flat[:, block.start] = (values - block.centre) / block.scale * block.weight
        return points
