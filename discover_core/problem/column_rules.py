"""Rules between the columns of a person, such as `a <= b`: read from a line of text, checked on cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..table.schema import Schema

Cells = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class ColumnRules:
    """Cells are `[..., feature]` in the schema's order: numbers as they are, categories as the places of their levels."""

    texts: tuple[str, ...] = ()

    @classmethod
    def of(cls, texts: Sequence[str], schema: Schema) -> Self:
        if texts:
            raise InputError("Rules between columns cannot be read yet.")
        return cls()

    def __len__(self) -> int:
        return len(self.texts)

    def broken(self, cells: Cells) -> Mask:
        """`[..., rule]`: which rules these rows break as they stand; one about changes is broken by nobody."""
        return np.zeros((*cells.shape[:-1], len(self.texts)), dtype=bool)

    def violated(self, before: Cells, after: Cells) -> Mask:
        """`[..., rule]`: which rules a change breaks. One binds whoever changes a column of it, and whoever kept it before."""
        return np.zeros((*after.shape[:-1], len(self.texts)), dtype=bool)

    def allowed(self, before: Cells, after: Cells) -> Mask:
        """Which changes violate no rule."""
        return np.asarray(~self.violated(before, after).any(axis=-1))
