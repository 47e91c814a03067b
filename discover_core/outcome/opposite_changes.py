"""Features that are asked to go up for some people and down for others, which often makes no sense one of the two ways."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..problem.amounts import people
from ..table.schema import Column
from .outcome import Outcome

NAMED = 3  # features named; more are counted


class OppositeChange(NamedTuple):
    """How many people go either way."""

    column: Column
    up: int
    down: int

    @property
    def words(self) -> str:
        """Down for 32 people and up for 31; the way of most people first."""
        ways = ("later", "earlier") if self.column.date else ("up", "down")
        (more, most), (fewer, fewest) = sorted(zip((self.up, self.down), ways, strict=True), key=lambda way: -way[0])
        return f"{most} for {people(more)} and {fewest} for {fewer:,}"


def opposite_changes(outcome: Outcome) -> list[OppositeChange]:
    """Features with an order that go both ways, those with the most people on the smaller side first."""
    before, after, found = outcome.group.cells[outcome.movers], outcome.cells[outcome.movers], []
    for j, column in enumerate(outcome.schema.features):
        ranks = _ranks(column)
        was, now = (cells[:, j] if ranks is None else ranks[cells[:, j].astype(np.int64)] for cells in (before, after))
        up, down = int((now > was).sum()), int((now < was).sum())  # a place outside the order is neither
        if up and down:
            found.append(OppositeChange(column, up, down))
    return sorted(found, key=lambda change: -min(change.up, change.down))


def opposite_words(outcome: Outcome) -> str:
    """A warning, with what to do about it; nothing if every feature goes one way."""
    found = opposite_changes(outcome)
    if not found:
        return ""
    if len(found) == 1:
        said, it = f"{found[0].column.name} goes {found[0].words}", "it"
    else:
        told = [f"{change.column.name} ({change.words})" for change in found[:NAMED]]
        told += [f"{len(found) - NAMED:,} more"] if len(found) > NAMED else []
        said, it = (
            f"Some features go up for some people and down for others: {', '.join(told[:-1])} and {told[-1]}",
            "they",
        )
    return f"{said}. Say on the Scenario page which way {it} may go, if one of the two makes no sense."


def _ranks(column: Column) -> NDArray[np.float64] | None:
    """The place of each level of a nominal column in its order, from least to most; NaN outside it. Other cells are ranks."""
    if column.role != "nominal":
        return None
    order = list(getattr(column, "order", ()))
    return np.array([order.index(level) if level in order else np.nan for level in column.levels], dtype=np.float64)
