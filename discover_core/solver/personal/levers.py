"""Features that change together by a rule: one lever, of which all parts are tried at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ...problem.column_rules import ColumnRules
from ...problem.rule_parts import Together
from ..cells import Cells
from .attempt import Attempt
from .combinations import Bases, Singles, best_versions, combine, gain_of

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]
Interval = tuple[float, float] | None
VERSIONS, ALONG = 200, 12  # of a lever that are tried: in all, and of one with so many parts that all of them go the same way
FURTHER = 4  # times the squared effort that is worth a try: from there a number may still be moved back


@dataclass(frozen=True)
class Levers:
    """`sets` of features, each of which changes as a whole or not at all."""

    sets: tuple[tuple[int, ...], ...] = ()

    @classmethod
    def of(cls, rules: ColumnRules) -> Self:
        """Rules that share a feature make one lever."""
        sets: list[set[int]] = []
        for rule in rules.rules:
            if isinstance(rule, Together):
                mine = [one for one in sets if one & set(rule.columns)]
                sets = [one for one in sets if one not in mine] + [set(rule.columns).union(*mine)]
        return cls(tuple(tuple(sorted(one)) for one in sets))

    def without(self, singles: Singles) -> Singles:
        """Single changes that may be combined: no part of a lever is any use alone."""
        tied = [j for one in self.sets for j in one]
        return replace(singles, gain=np.where(np.isin(singles.feature, tied), 0.0, singles.gain)) if tied else singles

    def pull(self, attempt: Attempt, options: tuple[Floats, Indices, Mask], singles: Singles, h: int, interval: Interval) -> None:
        """Every lever of at most h parts for everybody, then with single features, then two levers."""
        found = [(one, _pulled(attempt, one, options, interval)) for one in self.sets if len(one) <= h]
        for one, bases in found:
            combine(attempt, singles, h, interval, bases, len(one))
        for (one, first), (other, second) in combinations(found, 2):
            if len(one) + len(other) <= h:
                _both(attempt, first, other, second)


def _pulled(attempt: Attempt, parts: Sequence[int], options: tuple[Floats, Indices, Mask], interval: Interval) -> Bases:
    """Versions with all parts changed, each to some of its options; the best of them are returned."""
    value, feature, fine = options
    count = int(VERSIONS ** (1 / len(parts)) + 1e-9)
    same = count < 2  # too many parts to try them against each other
    count = ALONG if same else count
    grid = np.array([(k,) * len(parts) for k in range(count)] if same else list(product(range(count), repeat=len(parts))))
    allowed, squared, values = np.ones((len(value), len(grid)), dtype=bool), np.zeros((len(value), len(grid))), []
    for place, j in enumerate(parts):
        chosen, there = _spread(value[:, feature == j], fine[:, feature == j], count)
        allowed &= there[:, grid[:, place]]
        squared += attempt.efforts.one(j, attempt.factual[:, j][:, None], chosen)[:, grid[:, place]]
        values.append(chosen[:, grid[:, place]])
    who, at = np.nonzero(allowed & (squared < FURTHER * attempt.most[:, None]))
    cells = attempt.factual[who].copy()
    for j, chosen in zip(parts, values, strict=True):
        cells[:, j] = chosen[who, at]
    scores = attempt.offer(who, cells)
    made = (who, cells, gain_of(attempt, who, scores, interval), squared[who, at])
    return best_versions([made], len(value), cells.shape[1])


def _spread(value: Floats, fine: Mask, count: int) -> tuple[Floats, Mask]:
    """So many of each person's own options `[person, option]`, from the first to the last, and where there are as many."""
    if not value.shape[1]:
        return np.zeros((len(value), count)), np.zeros((len(value), count), dtype=bool)
    own = np.argsort(~fine, axis=1, kind="stable")
    have = fine.sum(axis=1)[:, None]
    take, place = np.minimum(have, count), np.arange(count)[None, :]
    at = np.clip(np.rint(place * (have - 1) / np.maximum(take - 1, 1)).astype(np.int64), 0, value.shape[1] - 1)
    return np.take_along_axis(value, np.take_along_axis(own, at, axis=1), axis=1), place < take


def _both(attempt: Attempt, first: Bases, parts: Sequence[int], second: Bases) -> None:
    """The best of one lever with the best of another, whose parts these are."""
    good = (first.gain[:, :, None] > 0) & (second.gain[:, None, :] > 0) & ~attempt.reached[:, None, None]
    who, left, right = np.nonzero(good)
    cells: Cells = first.cells[who, left].copy()
    cells[:, list(parts)] = second.cells[who, right][:, list(parts)]
    attempt.offer(who, cells)
