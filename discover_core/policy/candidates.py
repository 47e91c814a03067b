"""Which shared actions are worth a try: what the personal search found useful, and pairs that promise most."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..solver.personal.combinations import link
from .actions import Action, Change
from .ground import People
from .versions import Versions

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]
SHARES = (0.25, 0.5, 0.75, 1.0)  # of the changes people needed, how large a shared one is tried
COARSE = 2  # a shared number is a multiple of something that is no more than the spread of its feature over this


def single_changes(people: People, versions: Versions) -> list[Change]:
    """What one could ask of many, in one feature: what the personal search found more often comes first."""
    counts: Counter[Change] = Counter()
    before, after = people.cells, versions.cells
    changed = before != after
    for j in np.flatnonzero(changed.any(axis=0)).tolist():
        who = changed[:, j]
        for change, count in _shared(people, j, before[who, j], after[who, j]):
            counts[change] += count
    return [change for change, _ in counts.most_common()]


def found_pairs(people: People, versions: Versions, changes: Sequence[Change], most: int) -> list[Action]:
    """Pairs of features that the personal search changed together, each with the most common changes of both."""
    together: Counter[tuple[int, int]] = Counter()
    changed = versions.cells != people.cells
    for i in np.flatnonzero(changed.any(axis=1)):
        together.update(combinations(np.flatnonzero(changed[i]).tolist(), 2))
    mine: dict[int, list[Change]] = {}
    for change in changes:
        mine.setdefault(change.feature, []).append(change)
    each = max(2, math.isqrt(most // max(1, len(together))))
    return [
        Action((one, other))
        for (a, b), _ in together.most_common()
        for one in mine.get(a, [])[:each]
        for other in mine.get(b, [])[:each]
    ][:most]


@dataclass(frozen=True, eq=False)
class Effects:
    """What each single change does to each of some people, `[change, person]`: the squared effort, where it agrees with them, and
    how far it moves the score, on the scale of log odds where scores are probabilities."""

    changes: Sequence[Change]
    now: Floats
    interval: tuple[float, float] | None
    moves: Floats
    squared: Floats
    agrees: Mask

    @classmethod
    def of(cls, people: People, who: Indices, changes: Sequence[Change]) -> Self:
        ground, before = people.ground, people.cells[who]
        interval = ground.known.interval
        now = link(people.scores[who], interval)
        shape = (len(changes), len(who))
        moves, squared, agrees = np.zeros(shape), np.zeros(shape), np.zeros(shape, dtype=bool)
        for place, change in enumerate(changes):
            j = change.feature
            after, agrees[place] = change.after(people, who)
            squared[place] = ground.efforts.one(j, before[:, j], after)
            some = np.flatnonzero(agrees[place] & (after != before[:, j]))
            cells = before[some]
            cells[:, j] = after[some]
            moves[place, some] = link(ground.score(cells), interval) - now[some]
        return cls(changes, now, interval, moves, squared, agrees)

    def pairs(self, total: Callable[[Floats, Floats], Floats], most: int) -> list[Action]:
        """The pairs that promise most if their effects add up; `total` says what scores and squared efforts `[pair, person]` are
        worth, an infinite effort nothing."""
        first, second, worth = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)], [np.empty(0)]
        features = np.array([change.feature for change in self.changes])
        for one in range(len(self.changes)):
            others = one + 1 + np.flatnonzero(features[one + 1 :] != features[one])
            expected = self._score(self.now + self.moves[one] + self.moves[others])
            squared = np.where(self.agrees[one] & self.agrees[others], self.squared[one] + self.squared[others], np.inf)
            first.append(np.full(len(others), one))
            second.append(others)
            worth.append(total(expected, squared))
        a, b, all_ = (np.concatenate(part) for part in (first, second, worth))
        best = np.argsort(-all_, kind="stable")[:most]
        return [Action((self.changes[a[at]], self.changes[b[at]])) for at in best[all_[best] > 0].tolist()]

    def _score(self, linked: Floats) -> Floats:
        if self.interval is None:
            return linked
        low, high = self.interval
        return np.asarray(low + (high - low) / (1 + np.exp(-linked)))


def _shared(people: People, j: int, before: Floats, after: Floats) -> Iterator[tuple[Change, int]]:
    """For one feature the levels people took, or values, differences and factors as large as a share of them needed."""
    if people.fence.nominal[j]:
        for value, count in zip(*np.unique(after, return_counts=True), strict=True):
            yield Change(j, "set", float(value)), int(count)
        return
    step = 1.0 if j in people.fence.levels else float(people.fence.walls.step[j])
    spread = float(people.ground.scale[j])
    for up in (False, True):
        side = (after > before) == up
        if not side.any():
            continue
        a, b, count = after[side], before[side], int(side.sum())
        for value in _sayable(np.quantile(a, SHARES if up else [1 - s for s in SHARES]), spread, step):
            yield Change(j, "at_least" if up else "at_most", value), count
        if j in people.fence.levels:
            continue
        for size in _sayable(np.quantile(np.abs(a - b), SHARES), spread, step):
            if size > 0:
                yield Change(j, "add", size if up else -size), count
        if (b > 0).all() and (a > 0).all():
            factors = np.quantile(a / b, SHARES if up else [1 - s for s in SHARES])
            for factor in np.unique(np.round(factors * 20) / 20):  # in steps of 5%
                if 0 < factor != 1:
                    yield Change(j, "multiply", float(factor)), count


def _sayable(values: Floats, spread: float, step: float) -> list[float]:
    """What one could say to somebody in place of these: the whole multiples just below and above of 1 or 5 times a power of ten,
    which is small against the spread of the feature, and no finer than its grid."""
    unit = 10.0 ** math.floor(math.log10(spread / COARSE))
    unit *= 5 if 5 * unit <= spread / COARSE else 1
    if not math.isnan(step):
        unit = step * max(1, math.ceil(unit / step - 1e-9))
    ends = np.concatenate([np.floor(values / unit + 1e-9), np.ceil(values / unit - 1e-9)])
    return [float(f"{unit * end + 0.0:.12g}") for end in np.unique(ends)]
