"""The matrix of numbers that a model without column types reads from a prepared table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..table.schema import MISSING, Column, Schema
from .codes import numeric_levels
from .columns import Match

Lookup = tuple[float, ...]


@dataclass(frozen=True)
class Reader:
    """One number per wanted feature and row. A category's number stands in its feature's lookup, by level.

    `assumed` are the features whose lookup is our guess, because the model's file does not give it.
    """

    columns: tuple[str, ...]
    lookups: tuple[Lookup | None, ...]
    assumed: frozenset[int] = frozenset()

    def __call__(self, table: pd.DataFrame) -> NDArray[np.float64]:
        out = np.empty((len(table), len(self.columns)))
        groups: dict[str, list[int]] = {}
        for place, (name, lookup) in enumerate(zip(self.columns, self.lookups, strict=True)):
            if lookup is None:
                out[:, place] = table[name].to_numpy(dtype=np.float64)
            else:
                groups.setdefault(name, []).append(place)
        for name, places in groups.items():
            numbers = np.array([self.lookups[place] for place in places]).T
            out[:, places] = numbers[table[name].cat.codes.to_numpy()]
        return out

    def whole_numbers(self, table: pd.DataFrame) -> bool:
        """Nothing but integer columns, which LightGBM reads in single precision."""
        return all(lookup is None for lookup in self.lookups) and all(table[name].dtype.kind == "i" for name in self.columns)


def reader(
    matches: Sequence[Match],
    schema: Schema,
    categories: Mapping[int, Sequence[Any] | None] | None = None,
    ranks: bool = False,
) -> tuple[Reader, tuple[str, ...]]:
    """The reader of these features, and notes on what it gives to a model that wants something else.

    `categories` gives, by feature, the model's own list of categories (None: it has one that we do not know). `ranks`:
    ordinal columns count 0, 1, 2 even when their levels are numbers, as in models we trained.
    """
    lookups: list[Lookup | None] = []
    assumed: list[int] = []
    notes: list[str] = []
    for place, match in enumerate(matches):
        column = schema[match.column]
        if not column.categorical:
            lookups.append(None)
        elif match.level is not None:
            lookups.append(tuple(float(level == match.level) for level in column.levels))
        elif categories and categories.get(place) is not None:
            lookups.append(_codes(column, categories[place] or ()))
        else:
            lookups.append(_guess(column, ranks, bool(categories and place in categories), notes))
            assumed += [] if ranks else [place]
    made = Reader(tuple(m.column for m in matches), tuple(lookups), frozenset(assumed))
    return made, tuple(dict.fromkeys(notes))


def _codes(column: Column, categories: Sequence[Any]) -> Lookup:
    """Each level's place in the model's list; NaN for one the model does not know."""
    place = {_word(value): float(code) for code, value in enumerate(categories)}
    return tuple(place.get(_word(level), math.nan) for level in column.levels)


def _word(value: Any) -> str:
    """Text by which 1, 1.0 and "1" are the same."""
    try:
        return repr(float(value))
    except (TypeError, ValueError):
        return str(value)


def _guess(column: Column, ranks: bool, coded: bool, notes: list[str]) -> Lookup:
    numbers = None if (ranks and column.role == "ordinal") else numeric_levels(column)
    if numbers is not None:
        if coded and MISSING not in column.levels and any(v < 0 or not v.is_integer() for v in numbers):
            notes.append(f"{column.name}: the model wants category numbers; the column's own numbers are given to it.")
        return tuple(numbers)
    return tuple(map(float, range(len(column.levels))))
