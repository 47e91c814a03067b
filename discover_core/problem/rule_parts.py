"""What rules between columns are made of: comparisons of sums, comparisons with levels, and columns that change together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..table.values import as_text

Cells = NDArray[np.float64]
Mask = NDArray[np.bool_]
Operator = Literal["<=", "<", ">=", ">", "=", "!="]
DUST = 1e-13  # of the sum of all sizes: what rounding may add to a sum of a few numbers
OPPOSITE: dict[Operator, Operator] = {"<=": ">", ">": "<=", ">=": "<", "<": ">=", "=": "!=", "!=": "="}
EPOCH = date(1970, 1, 1)


@dataclass(frozen=True)
class Term:
    """A number, or so many times a feature or a day (counted from 1970-01-01)."""

    number: float
    feature: int | None = None
    day: int | None = None

    @property
    def value(self) -> float:
        """What it adds to the constant of its sum."""
        return self.number if self.day is None else self.number * self.day

    def words(self, names: tuple[str, ...]) -> str:
        """Without its sign."""
        size = abs(self.number)
        if self.day is not None:
            return (EPOCH + timedelta(days=self.day)).isoformat()
        if self.feature is None:
            return as_text(size)
        return names[self.feature] if size == 1 else f"{as_text(size)} * {names[self.feature]}"


@dataclass(frozen=True)
class Sums:
    """One sum compared with another."""

    left: tuple[Term, ...]
    operator: Operator
    right: tuple[Term, ...]

    @cached_property
    def weights(self) -> dict[int, float]:
        """What each feature counts in left minus right; what cancels out is left out."""
        parts: dict[int, list[float]] = {}
        for term in self._terms:
            if term.feature is not None:
                parts.setdefault(term.feature, []).append(term.number)
        return {j: sum(n) for j, n in sorted(parts.items()) if abs(sum(n)) > DUST * sum(map(abs, n))}

    @cached_property
    def constant(self) -> float:
        return float(sum(term.value for term in self._terms if term.feature is None))

    @cached_property
    def size(self) -> float:
        """How large the numbers behind the constant are."""
        return float(sum(abs(term.value) for term in self._terms if term.feature is None))

    @property
    def columns(self) -> tuple[int, ...]:
        return tuple(self.weights)

    @property
    def _terms(self) -> tuple[Term, ...]:
        return (*self.left, *(replace(term, number=-term.number) for term in self.right))

    def holds(self, cells: Cells) -> Mask:
        difference, size = np.full(cells.shape[:-1], self.constant), np.full(cells.shape[:-1], self.size)
        for j, weight in self.weights.items():
            part = weight * cells[..., j]
            difference += part
            size += np.abs(part)
        dust = DUST * size
        if self.operator in ("=", "!="):
            same = np.abs(difference) <= dust
            return np.asarray(same if self.operator == "=" else ~same)
        if self.operator in (">=", ">"):
            difference = -difference
        return np.asarray(difference <= dust if "=" in self.operator else difference < -dust)

    def edge(self, feature: int, cells: Cells) -> Cells:
        """The value of this feature at which both sums are equal, with all others as they are."""
        difference = np.full(cells.shape[:-1], self.constant)
        for j, weight in self.weights.items():
            if j != feature:
                difference += weight * cells[..., j]
        return np.asarray(-difference / self.weights[feature])

    def words(self, names: tuple[str, ...], levels: dict[int, tuple[str, ...]]) -> str:
        return f"{_sum(self.left, names)} {self.operator} {_sum(self.right, names)}"


@dataclass(frozen=True)
class Levels:
    """A category compared with levels: `fits` says of each level whether it fulfils this, `named` which ones were written."""

    feature: int
    operator: Operator | Literal["in"]
    named: tuple[int, ...]
    fits: tuple[bool, ...]

    @property
    def columns(self) -> tuple[int, ...]:
        return (self.feature,)

    def holds(self, cells: Cells) -> Mask:
        return np.asarray(np.array(self.fits)[cells[..., self.feature].astype(np.int64)])

    def words(self, names: tuple[str, ...], levels: dict[int, tuple[str, ...]]) -> str:
        written = ", ".join(levels[self.feature][place] for place in self.named)
        return f"{names[self.feature]} {self.operator} {f'({written})' if self.operator == 'in' else written}"


Comparison = Sums | Levels


@dataclass(frozen=True)
class Always:
    """A comparison that must hold, wherever all `conditions` do."""

    comparison: Comparison
    conditions: tuple[Comparison, ...] = ()

    @cached_property
    def columns(self) -> tuple[int, ...]:
        return tuple(sorted({j for part in (self.comparison, *self.conditions) for j in part.columns}))

    def edges(self, feature: int, cells: Cells) -> list[Cells]:
        """Where a comparison begins or ceases to hold if this number alone changes."""
        parts = (self.comparison, *self.conditions)
        return [part.edge(feature, cells) for part in parts if isinstance(part, Sums) and feature in part.weights]

    def broken(self, cells: Cells) -> Mask:
        out = ~self.comparison.holds(cells)
        for condition in self.conditions:
            out &= condition.holds(cells)
        return np.asarray(out)

    def violated(self, before: Cells, after: Cells) -> Mask:
        """Where none of its columns changed, it holds after just where it held before: only changes can violate it."""
        changed = np.zeros(np.broadcast_shapes(before.shape, after.shape)[:-1], dtype=bool)
        for j in self.columns:
            changed |= before[..., j] != after[..., j]
        return np.asarray(changed & self.broken(after))

    def words(self, names: tuple[str, ...], levels: dict[int, tuple[str, ...]]) -> str:
        then = self.comparison.words(names, levels)
        if not self.conditions:
            return then
        return f"if {' and '.join(part.words(names, levels) for part in self.conditions)} then {then}"


@dataclass(frozen=True)
class Together:
    """Whoever changes one of these columns must change all of them."""

    columns: tuple[int, ...]

    def edges(self, feature: int, cells: Cells) -> list[Cells]:
        return []

    def broken(self, cells: Cells) -> Mask:
        return np.zeros(cells.shape[:-1], dtype=bool)

    def violated(self, before: Cells, after: Cells) -> Mask:
        shape = np.broadcast_shapes(before.shape, after.shape)[:-1]
        some, all_of_them = np.zeros(shape, dtype=bool), np.ones(shape, dtype=bool)
        for j in self.columns:
            changed = before[..., j] != after[..., j]
            some |= changed
            all_of_them &= changed
        return np.asarray(some & ~all_of_them)

    def words(self, names: tuple[str, ...], levels: dict[int, tuple[str, ...]]) -> str:
        *first, last = (names[j] for j in self.columns)
        return f"{', '.join(first)} and {last} change together"


Rule = Always | Together


def _sum(terms: tuple[Term, ...], names: tuple[str, ...]) -> str:
    out = ("-" if terms[0].number < 0 else "") + terms[0].words(names)
    return out + "".join(f" {'-' if term.number < 0 else '+'} {term.words(names)}" for term in terms[1:])
