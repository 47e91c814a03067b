"""Nothing needless: numbers go back towards the factual value, and changed cells to it, as far as the goal allows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..cells import Cells
from ..fence import Fence
from .attempt import Attempt

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
HALVINGS = 7  # of the way between a value that is enough and one that is not
PASSES = 12  # of undoing and moving back, at the most; each that goes on saves somebody effort


def bisect(
    attempt: Attempt, fence: Fence, who: Indices, feature: Indices, cells: Cells, near: Floats, spare: bool = False
) -> None:
    """Versions `cells[item]` of some people come as far as their goals; between `near[item]`, which does not, and the value
    there, look for the nearest value of that feature that still does."""
    at, now = np.arange(len(who)), attempt.factual[who, feature]
    far, near, efforts = cells[at, feature].copy(), near.copy(), attempt.efforts
    others = efforts.squared(attempt.factual[who], cells) - efforts.one(feature, now, far)
    for _ in range(HALVINGS):
        middle = np.empty(len(at))
        for j in np.unique(feature[at]).tolist():
            mine = at[feature[at] == j]
            middle[feature[at] == j] = fence.nearest(j, attempt.people[who[mine]], (near[mine] + far[mine]) / 2)
        gains = ~attempt.reached[who[at]] | (others[at] + efforts.one(feature[at], now[at], near[at]) < attempt.squared[who[at]])
        moves = (middle != near[at]) & (middle != far[at]) & gains
        at, middle = at[moves], middle[moves]
        if not len(at):
            return
        tried = cells[at].copy()
        tried[np.arange(len(at)), feature[at]] = middle
        passes = attempt.passes(who[at], attempt.offer(who[at], tried, spare=spare))
        far[at[passes]], near[at[~passes]] = middle[passes], middle[~passes]


def undo(attempt: Attempt, sets: Sequence[tuple[int, ...]] = ()) -> bool:
    """Try each changed cell at its factual value, and all cells of each of the `sets` that change together; whether anybody was
    spared one."""
    who, feature = np.nonzero(attempt.cells != attempt.factual)
    if not len(who):
        return False
    if attempt.goals.past is not None:  # there, a single change undone is nothing at all
        several = np.bincount(who, minlength=len(attempt.people)) > 1
        who, feature = who[several[who]], feature[several[who]]
    tried = attempt.cells[who].copy()
    tried[np.arange(len(who)), feature] = attempt.factual[who, feature]
    before = attempt.squared.copy()
    attempt.offer(who, tried, spare=True)
    for features in map(list, sets):
        changed = attempt.cells != attempt.factual
        who = np.flatnonzero(changed[:, features].all(axis=1) & (changed.sum(axis=1) > len(features)))
        tried = attempt.cells[who].copy()
        tried[:, features] = attempt.factual[who][:, features]
        attempt.offer(who, tried, spare=True)
    return bool((attempt.squared < before).any())


def retreat(attempt: Attempt, fence: Fence, sets: Sequence[tuple[int, ...]] = ()) -> None:
    """Until no single cell can be undone and no number be moved back without breaking somebody's goal."""
    for _ in range(PASSES):
        spared = undo(attempt, sets)
        before = attempt.squared.copy()
        moved = (attempt.cells != attempt.factual) & ~fence.nominal & attempt.reached[:, None]
        who, feature = np.nonzero(moved)
        if len(who):
            bisect(attempt, fence, who, feature, attempt.cells[who].copy(), attempt.factual[who, feature], spare=True)
        if not spared and not (attempt.squared < before).any():
            return
