"""What each person could become: the best version found for everybody, each for themselves."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..problem.wish import Wish
from ..solver.cells import Cells
from ..solver.personal.attempt import Attempt
from ..solver.personal.goals import TIGHT, Goals, price_at
from ..solver.personal.levers import Levers
from ..solver.personal.options import Options
from ..solver.personal.visit import Visit
from .ground import People
from .score_map import ScoreMap

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]
AT_ONCE = 2_000  # people searched for at a time
STAGES = 3  # of the price of a gap
TIE = 1e-6  # effort that the whole gap of a score counts for at the most: it only tells apart who needs the same


@dataclass(frozen=True, eq=False)
class Aim:
    """The wished score of everybody, from `tolerance` below to as much above; for a shape `price` is what a squared gap costs."""

    wished: ScoreMap
    tolerance: float = 0.0
    price: float = 1.0

    @classmethod
    def of(cls, wish: Wish, wished: ScoreMap, stage: int) -> Aim:
        if wish.past is not None:
            return cls(wished)
        left = max(0.0, wish.asked**2 - wish.best**2)
        return cls(wished, TIGHT * math.sqrt(left), price_at(wish, stage))

    def goals(self, scores: Floats) -> Goals:
        past, n = self.wished.past, len(scores)
        if past is None:
            wished = self.wished(scores)
            gap = np.abs(scores - wished)
            return Goals(wished - self.tolerance, wished + self.tolerance, gap, gap > self.tolerance, None, self.price)
        wrong = ~past.right(scores)
        low = np.where(wrong, past.goal, -np.inf) if past.side == "above" else np.full(n, -np.inf)
        high = np.where(wrong, past.goal, np.inf) if past.side == "below" else np.full(n, np.inf)
        return Goals(low, high, np.where(wrong, np.abs(scores - past.goal), 0.0), wrong, past)


@dataclass(frozen=True, eq=False)
class Versions:
    """`cells[i]` is the best version of person i, who is as before if none is any good; `merit[i]` is how well it is worth it,
    -inf for those as before.

    For a threshold merit is less effort and, of equal efforts, a score that is nearer to it; for a shape what is saved, gap and
    effort together, for each unit of effort.
    """

    cells: Cells
    scores: Floats
    effort: Floats
    merit: Floats

    def above(self, cut: float, people: People) -> Versions:
        """Those whose merit is at least the cut; the others are as before."""
        keep = self.merit >= cut
        return Versions(
            np.where(keep[:, None], self.cells, people.cells),
            np.where(keep, self.scores, people.scores),
            np.where(keep, self.effort, 0.0),
            np.where(keep, self.merit, -np.inf),
        )


def personal_versions(people: People, aim: Aim, told: Callable[[int], None] | None = None) -> Versions:
    """By the personal search; `told` hears after each few thousand people how many of them were looked at."""
    cells, scores = people.cells.copy(), people.scores.copy()
    goals = aim.goals(people.scores)
    asked = np.flatnonzero(goals.asked & people.fence.walls.open.any(axis=1))
    ground = people.ground
    visit = Visit(
        Options(people.fence, ground.tried),
        ground.donors,
        ground.h,
        ground.known.interval,
        lambda some: (),
        people.uniform,
        levers=Levers.of(ground.known.column_rules),
    )
    for at in range(0, len(asked), AT_ONCE):
        some = asked[at : at + AT_ONCE]
        attempt = Attempt(
            some,
            people.cells[some],
            people.scores[some],
            people.cells[some],
            people.scores[some],
            goals,
            ground.efforts,
            ground.score,
            people.likeness,
            ground.cap**2,
            people.allowance,
        )
        visit.help(attempt)
        cells[some], scores[some] = attempt.cells, attempt.scores
        if told is not None:
            told(at + len(some))
    return judged(people, aim, cells, scores)


def judged(people: People, aim: Aim, cells: Cells, scores: Floats) -> Versions:
    """Versions with what they cost and are worth; who is not changed, or not for the better, is as before."""
    effort = np.sqrt(people.ground.efforts.squared(people.cells, cells))
    goals, everybody = aim.goals(people.scores), np.arange(len(people))
    if goals.past is not None:
        gap = goals.gap(everybody, people.scores)
        merit = np.where(goals.tier(everybody, scores) < 2, -effort - TIE * gap / (1 + gap), -np.inf)
    else:
        gained = goals.off(everybody, people.scores) ** 2 - goals.off(everybody, scores) ** 2
        saved = aim.price * gained - effort**2
        merit = np.where(saved > 0, saved / np.maximum(effort, 1e-12), -np.inf)
    merit = np.where((cells != people.cells).any(axis=1), merit, -np.inf)
    return Versions(cells, scores, effort, merit).above(-np.finfo(float).max, people)


def cut_for(versions: Versions, goals: Goals, share: float | None, most_people: int | None, most_effort: float | None) -> float:
    """The merit from which on people are worth changing: enough for a share past a threshold, within what a budget leaves."""
    order = np.argsort(-versions.merit, kind="stable")
    order = order[np.isfinite(versions.merit[order])]
    count = len(order)
    if share is not None and goals.past is not None:
        n = len(versions.merit)
        count = min(count, max(0, math.ceil(share * n - 1e-9) - int((~goals.asked).sum())))
    if most_people is not None:
        count = min(count, most_people)
    if most_effort is not None:
        count = min(count, int((np.cumsum(versions.effort[order]) <= most_effort * (1 + 1e-9)).sum()))
    if count == 0:
        return np.inf
    if count == len(order):
        return -np.finfo(float).max  # whoever can be helped
    cut = float(versions.merit[order[count - 1]])
    over = int((versions.merit >= cut).sum()) > count  # several of the same merit: rather too few than a budget broken
    if over and (most_people is not None or most_effort is not None):
        higher = versions.merit[versions.merit > cut]
        return float(higher.min()) if len(higher) else np.inf
    return cut
