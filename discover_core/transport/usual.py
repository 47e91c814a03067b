"""How usual a row is: how near its nearest real people are, as a rank among real people."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..problem.problem import Problem
from ..table.encoding import Encoding
from .one_core import one_core

Points = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]

MOST = 2_000  # people one is compared with; of a larger table so many are drawn
SEED = 104_729  # of that draw: the same people for everybody who asks
NEIGHBOURS = 10  # how many people must be near; fewer in a small table
DIGITS = 9  # decimals of a distance: less than this tells nobody apart, however the sum was rounded
ORDINARY = 0.95  # whoever is no more unusual than this share of real people
ROUGH = 2e-5  # of the squared lengths of two points: what single precision may get wrong about their squared distance
FIRST = 300  # people, about, among whom enough are looked for first
SLACK = 1e-8  # of a distance: more than its decimals leave out
AT_ONCE = 4_000_000  # numbers held at a time


@dataclass(frozen=True, eq=False)
class Usual:
    """Real people as points, in an encoding that knows no weights: they say what a change costs, not who is like whom.

    Somebody is as unusual as the distance to their k-th nearest of these people, themselves left out.
    """

    encoding: Encoding
    points: Points

    @classmethod
    def of(cls, problem: Problem) -> Self:
        """Among the people of the reference table, or 2,000 of them."""
        encoding = Encoding.fit(problem.reference, problem.schema)
        return cls(encoding, encoding.encode(problem.reference.iloc[reference_sample(len(problem.reference))]))

    @property
    def k(self) -> int:
        return max(1, min(NEIGHBOURS, math.isqrt(len(self.points))))

    def percentile(self, points: Points, before: Points | None = None) -> Points:
        """The share of real people who are less unusual: .95 is “more unusual than 95% of people”.

        `before` are the same people as they are today: whoever of them is in the reference is not their own neighbour, neither
        as they are nor once they have changed.
        """
        less = np.searchsorted(self._ranked, self.distances(points, before), side="left")
        return np.asarray(less / max(len(self._ranked), 1))

    def at_most(self, shares: Points, points: Points, before: Points) -> Mask:
        """Whether each percentile is at most its share: most people are told by a glance, in single precision."""
        reach = self._reach(shares)
        found, open_ = self._glance(points, reach)
        found[open_] = self.percentile(points[open_], before[open_]) <= shares[open_]
        return found

    def _reach(self, shares: Points) -> Points:
        """The largest distance whose percentile is at most each share."""
        count = max(len(self._ranked), 1)
        place = np.floor(shares * count).astype(np.int64)
        place -= place / count > shares
        place += (place + 1) / count <= shares
        return np.append(self._ranked, np.inf)[np.clip(place, 0, len(self._ranked))]

    def _glance(self, points: Points, reach: Points) -> tuple[Mask, Mask]:
        """Who surely has enough people within reach, themselves not counted; and of whom that must be looked at closely.

        Most have enough among a few of the people, so that the others are counted only for those who have not.
        """
        within, beyond = np.zeros(len(points), dtype=np.int64), np.zeros(len(points), dtype=np.int64)
        own = np.square(points).sum(axis=1)
        with one_core(), np.errstate(over="ignore", invalid="ignore"):  # what is no number decides nothing
            inner = (np.maximum(reach - SLACK, 0.0) ** 2 - own * (1 + ROUGH)).astype(np.float32)[:, None]
            outer = ((reach + SLACK) ** 2 - own * (1 - ROUGH)).astype(np.float32)[:, None]
            doubled = (-2 * points).astype(np.float32)
            for rows in _pieces(len(points), 2 * len(self.points)):
                left = np.arange(len(points))[rows]
                for others, farther, nearer in self._rough:
                    products = doubled[left] @ others.T
                    within[left] += np.count_nonzero(products + farther < inner[left], axis=1)
                    few = within[left] <= self.k
                    left = left[few]
                    beyond[left] += np.count_nonzero(products[few] + nearer > outer[left], axis=1)
        near = within > self.k
        return near, ~near & (len(self.points) - beyond >= self.k)

    @cached_property
    def _rough(self) -> list[tuple[NDArray[np.float32], ...]]:
        """A few of the people, and the others: their points in single precision, their squared lengths at most and at least."""
        first = np.arange(len(self.points)) % (len(self.points) // FIRST + 1) == 0
        lengths = np.square(self.points).sum(axis=1)
        with np.errstate(over="ignore"):
            whole = [part.astype(np.float32) for part in (self.points, lengths * (1 + ROUGH), lengths * (1 - ROUGH))]
        return [tuple(part[some] for part in whole) for some in (first, ~first)]

    def distances(self, points: Points, before: Points | None = None) -> Points:
        """The distance to the k-th nearest person of the reference."""
        if len(self.points) < 2:
            before = None  # nobody would be left
        asked = self.k if before is None else self.k + 1
        found = np.empty(len(points))
        for rows in _pieces(len(points), asked * max(self.encoding.width, 1) + len(self.points)):
            near = self._near(points[rows], asked)
            found[rows] = near[:, self.k - 1]
            if before is not None:
                own = np.round(np.linalg.norm(points[rows] - before[rows], axis=1), DIGITS)
                among = self._known(before[rows]) & (own <= near[:, self.k - 1])
                found[rows] = np.where(among, near[:, -1], found[rows])
        return found

    @cached_property
    def _ranked(self) -> Points:
        """How unusual the people of the reference are, sorted."""
        return np.sort(self.distances(self.points, self.points))

    def _near(self, points: Points, count: int) -> Points:
        """The distances to the nearest people, sorted: found by a product of matrices, then measured without its rounding."""
        count = min(count, len(self.points))
        with one_core():
            rough = np.square(self.points).sum(axis=1) - 2 * (points @ self.points.T)
        places = np.argpartition(rough, count - 1, axis=1)[:, :count]
        far = np.linalg.norm(points[:, None] - self.points[places], axis=2)
        return np.asarray(np.sort(np.round(far, DIGITS), axis=1))

    def _known(self, points: Points) -> NDArray[np.bool_]:
        """Who of these is in the reference."""
        return np.fromiter((_key(point) in self._keys for point in points), dtype=bool, count=len(points))

    @cached_property
    def _keys(self) -> frozenset[bytes]:
        return frozenset(_key(point) for point in self.points)


def reference_sample(rows: int) -> Indices:
    """The places of those whom everybody is compared with: all of up to 2,000 rows, else 2,000 drawn once and for all."""
    if rows <= MOST:
        return np.arange(rows)
    return np.sort(np.random.default_rng(SEED).choice(rows, MOST, replace=False))


def _key(point: Points) -> bytes:
    return bytes((point + 0.0).tobytes())  # -0 is 0


def _pieces(rows: int, numbers: int) -> Iterator[slice]:
    """Rows in pieces that hold a bounded amount of numbers, so many for each row."""
    step = max(1, AT_ONCE // max(numbers, 1))
    yield from (slice(start, start + step) for start in range(0, rows, step))
