"""Whether a changed person still looks like somebody: no more unusual than most people, or than they were before."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..problem.problem import Problem
from ..problem.settings import Settings
from ..transport.usual import Usual
from .cells import Cells, Layout

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]
MOST_UNUSUAL = 0.95  # preferred where the user has set no wall: nobody more unusual than so many people
DEARER = 1.1  # times the effort may be spent to look like somebody: what is about as cheap and more usual is preferred


@dataclass(frozen=True, eq=False)
class Likeness:
    """`most` is the share of people than whom nobody should be more unusual; as a `wall` it forbids, else it only prefers."""

    usual: Usual
    factual: Cells
    most: float
    wall: bool

    @classmethod
    def of(cls, problem: Problem, settings: Settings, factual: Cells) -> Self:
        """The user's wall, or a preference where there is none."""
        most = MOST_UNUSUAL if settings.usual is None else settings.usual
        return cls(Usual.of(problem), factual, most, settings.usual is not None)

    @cached_property
    def _layout(self) -> Layout:
        return Layout(self.usual.encoding)

    @cached_property
    def _points(self) -> Floats:
        return self._layout.encode(self.factual)

    @cached_property
    def _before(self) -> Floats:
        """How unusual people are as they are, worked out when somebody asks for them."""
        return np.full(len(self.factual), np.nan)

    def before(self, people: Indices) -> Floats:
        """How unusual these people are as they are: nobody has to become more usual than that."""
        new = np.unique(people[np.isnan(self._before[people])])
        self._before[new] = self.usual.percentile(self._points[new], self._points[new])
        return np.asarray(self._before[people])

    def allowed(self, people: Indices, cells: Cells) -> Mask:
        """Which of these versions of people look like somebody."""
        points, own = self._layout.encode(cells), self._points[people]
        fine = self.usual.at_most(np.full(len(people), self.most), points, own)
        left = np.flatnonzero(~fine)
        left = left[self.before(people[left]) > self.most]
        fine[left] = self.usual.at_most(self._before[people[left]], points[left], own[left])
        return fine

    def factors(self, people: Indices, cells: Cells) -> Floats:
        """What the squared effort of these versions of people is multiplied by."""
        return np.where(self.allowed(people, cells), 1.0, np.inf if self.wall else DEARER**2)
