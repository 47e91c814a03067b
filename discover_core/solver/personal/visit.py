"""One round of the personal search: proposals for some people, the cheapest kind first, then nothing needless."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..cells import Cells
from .attempt import Attempt
from .combinations import Singles, combine
from .donors import Donors, Uniform
from .levers import FURTHER, Levers
from .options import Options
from .retreat import bisect, retreat

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]
Interval = tuple[float, float] | None


@dataclass(frozen=True, eq=False)
class Visit:
    """What proposals are made from: `h` features at the most change in one, `draw` gives a strategy's own for some people, in
    batches, `uniform` random numbers.

    Only a `thorough` visit ends with donors and draws: to those who are owed a change.
    """

    options: Options
    donors: Donors
    h: int
    interval: Interval
    draw: Callable[[Indices], Iterable[Cells]]
    uniform: Uniform
    thorough: bool = True
    levers: Levers = field(default_factory=Levers)

    def help(self, attempt: Attempt) -> None:
        """The best that is found for everybody: one feature, several, what changes together, donors, the strategy's draws."""
        value, feature, fine = self.options.of_people(attempt.people)
        if np.isfinite(attempt.most).any():
            fine &= attempt.efforts.one(feature, attempt.factual[:, feature], value) < FURTHER * attempt.most[:, None]
        scores = np.full(value.shape, np.nan)
        who, at = np.nonzero(fine)
        tried = attempt.factual[who].copy()
        tried[np.arange(len(who)), feature[at]] = value[who, at]
        scores[who, at] = attempt.offer(who, tried)
        self._nearer(attempt, value, feature, fine, scores)
        singles = Singles.of(attempt, feature, value, fine, scores, self.interval)
        if self.h > 1:
            useful = self.levers.without(singles)
            combine(attempt, useful, self.h, self.interval)
            self.levers.pull(attempt, (value, feature, fine), useful, self.h, self.interval)
            self._cheaper(attempt, value, feature, fine)
        if self.thorough:
            self._last_resorts(attempt, singles)
        retreat(attempt, self.options.fence, self.levers.sets)

    def _last_resorts(self, attempt: Attempt, singles: Singles) -> None:
        left = np.flatnonzero(attempt.helpless)
        if len(left):
            gain = np.zeros(attempt.factual.shape)
            np.maximum.at(gain, (np.arange(len(gain))[:, None], singles.feature), singles.gain)
            attempt.offer_fresh([self.donors.versions(attempt, self.options.fence, left, gain, self.h, self.uniform)])
        left = np.flatnonzero(attempt.helpless)
        if len(left):
            drawn = self.draw(attempt.people[left])
            attempt.offer_fresh((np.tile(left, len(block)), block.reshape(-1, block.shape[-1])) for block in drawn)

    def _nearer(self, attempt: Attempt, value: Floats, feature: Indices, fine: Mask, scores: Floats) -> None:
        """Numbers that are enough alone: between the last value that is not and the first that is, the nearest that still is."""
        items = [
            self._bracket(attempt, j, value[:, feature == j], fine[:, feature == j], scores[:, feature == j], side)
            for j in self.options.values
            if j not in self.options.fence.levels
            for side in (-1, 1)
        ]
        if items:
            who, at, far, near = (np.concatenate(part) for part in zip(*items, strict=True))
            cells = attempt.factual[who].copy()
            cells[np.arange(len(who)), at] = far
            bisect(attempt, self.options.fence, who, at, cells, near)

    @staticmethod
    def _cheaper(attempt: Attempt, value: Floats, feature: Indices, fine: Mask) -> None:
        """Where several features change, every value of each of them that costs less than the one it has."""
        changed = attempt.cells != attempt.factual
        several = changed & (changed.sum(axis=1) > 1)[:, None]
        costs = attempt.efforts.one(feature, attempt.factual[:, feature], value)
        now = attempt.efforts.one(feature, attempt.factual[:, feature], attempt.cells[:, feature])
        who, at = np.nonzero(fine & several[:, feature] & (costs < now))
        tried = attempt.cells[who].copy()
        tried[np.arange(len(who)), feature[at]] = value[who, at]
        attempt.offer(who, tried)

    @staticmethod
    def _bracket(
        attempt: Attempt, j: int, value: Floats, fine: Mask, scores: Floats, side: int
    ) -> tuple[Indices, Indices, Floats, Floats]:
        """On one side of the factual value: who, which feature, the first tried value that is enough, and the one before it."""
        now = attempt.factual[:, j]
        away = (value - now[:, None]) * side
        beside = fine & (away > 0)
        there = beside & attempt.passes(np.broadcast_to(np.arange(len(now))[:, None], value.shape), scores)
        who = np.flatnonzero(there.any(axis=1))
        first = np.where(there, away, np.inf).argmin(axis=1)[who]
        before = beside[who] & (away[who] < away[who, first][:, None])
        last = np.where(before, away[who], -1.0).argmax(axis=1)
        near = np.where(before.any(axis=1), value[who, last], now[who])
        worth = ~attempt.reached[who] | (attempt.efforts.one(j, now[who], near) < attempt.squared[who])
        who, first, near = who[worth], first[worth], near[worth]
        return who, np.full(len(who), j), value[who, first], near
