"""How usual a row is: how near its nearest real people are, as a rank among real people."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from ..problem.problem import Problem
from ..table.encoding import Encoding

if TYPE_CHECKING:
    from sklearn.neighbors import NearestNeighbors

Points = NDArray[np.float64]
Indices = NDArray[np.int64]

MOST = 2_000  # people one is compared with; of a larger table so many are drawn
SEED = 104_729  # of that draw: the same people for everybody who asks
NEIGHBOURS = 10  # how many people must be near; fewer in a small table
DIGITS = 9  # decimals of a distance: less than this tells nobody apart, however the sum was rounded
ORDINARY = 0.95  # whoever is no more unusual than this share of real people
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

    def distances(self, points: Points, before: Points | None = None) -> Points:
        """The distance to the k-th nearest person of the reference."""
        if len(self.points) < 2:
            before = None  # nobody would be left
        asked = self.k if before is None else self.k + 1
        found = np.empty(len(points))
        for rows in _pieces(len(points), asked * max(self.encoding.width, 1)):
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
        """The distances to the nearest people, sorted: found by scikit-learn, then measured again without its rounding."""
        places = self._neighbours.kneighbors(points, min(count, len(self.points)), return_distance=False)
        far = np.linalg.norm(points[:, None] - self.points[places], axis=2)
        return np.asarray(np.sort(np.round(far, DIGITS), axis=1))

    @cached_property
    def _neighbours(self) -> NearestNeighbors:
        from sklearn.neighbors import NearestNeighbors  # which takes a while to load

        return NearestNeighbors(algorithm="brute").fit(self.points)

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
