"""The people a policy was learnt from, as far as it keeps them: how many, their scores, and what they are like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..solver.cells import Cells
from ..table.schema import Schema
from ..transport.usual import reference_sample
from .ground import People
from .score_map import MOST

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
CLOSE = 1e-6  # how far scores of the same model may be apart on another machine


@dataclass(frozen=True, eq=False)
class Design:
    """How many they are, some of their scores, how many change, and how far the wish is met.

    `scores` are all of them, or of very many evenly spread ones, in ascending order, both ends among them. `cells` are what they
    are like, of very many 2,000 of them; `seen[feature]` are the lowest and the highest number that anybody has, or the places of
    all levels that occur. Files of before kept neither.
    """

    people: int
    scores: Floats
    changed: int
    reached: float
    cells: Cells | None = None
    seen: tuple[Floats, ...] | None = None

    @classmethod
    def of(cls, people: People, changed: int, reached: float) -> Self:
        cells, ordered = people.cells, np.sort(people.scores)
        if len(ordered) > MOST:
            ordered = ordered[np.linspace(0, len(ordered) - 1, MOST).round().astype(np.int64)]
        schema = people.ground.known.schema
        return cls(len(people), ordered, changed, reached, cells[reference_sample(len(cells))], seen_of(cells, schema))

    def beyond(self, scores: Floats) -> Mask:
        """Who scores below all of them, or above."""
        low, high = (end + sign * CLOSE * (1 + abs(end)) for end, sign in ((self.scores[0], -1), (self.scores[-1], 1)))
        return np.asarray((scores < low) | (scores > high))


def seen_of(cells: Cells, schema: Schema) -> tuple[Floats, ...]:
    columns = zip(schema.features, cells.T, strict=True)
    return tuple(
        np.unique(values) if column.categorical else np.array([values.min(), values.max()]) for column, values in columns
    )


def unseen(cells: Cells, seen: tuple[Floats, ...], schema: Schema) -> Mask:
    """`[person, feature]`: levels that do not occur, and numbers below the lowest or above the highest."""
    found = np.zeros(cells.shape, dtype=bool)
    for j, (column, known) in enumerate(zip(schema.features, seen, strict=True)):
        values = cells[:, j]
        found[:, j] = ~np.isin(values, known) if column.categorical else (values < known[0]) | (values > known[-1])
    return found
