"""Once a threshold has the people it asked for: somebody who needs less takes the place of somebody who needs more."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...problem.wish import Wish
from .attempt import LESS, Attempt

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]
OTHERS = 2  # people looked at for each one who has to change, at the most, in place of whom they might change
IN_VAIN = 3  # rounds in a row without any exchange, after which it is given up: the nearest come first


def others(wish: Wish, before: Floats, scores: Floats, visited: Mask, editable: Mask, still: int, squared: Floats) -> Indices:
    """Who might take somebody's place, the nearest to the threshold first: people on its wrong side whom nobody has visited."""
    past = wish.past
    if past is None or still >= IN_VAIN or not squared.any():
        return np.empty(0, dtype=np.int64)
    left = (1 + OTHERS) * wish.needed(before) - int(visited.sum())
    waiting = np.flatnonzero(~past.right(scores) & editable & ~visited)
    return waiting[np.argsort(np.abs(scores[waiting] - past.goal), kind="stable")][: max(0, left)]


def exchanges(attempt: Attempt, squared: Floats, far: Floats | None) -> tuple[Indices, Indices]:
    """Who of an attempt (by their places in it) takes whose place (in the group): the cheapest new ones those of the dearest.

    `squared` is what everybody spends now. Each pair lowers both the sum of the efforts and that of their squares. While the wish
    is missed, because no more may be spent, `far` is how far off everybody was at first: then nobody goes back who was further
    off than who takes the place.
    """
    new = np.flatnonzero(attempt.reached)
    new = new[np.argsort(attempt.squared[new], kind="stable")]
    dear = np.argsort(-squared, kind="stable")[: len(new)]
    pays = attempt.squared[new] < squared[dear] * (1 - LESS)
    if far is not None:
        pays &= far[dear] <= far[attempt.people[new]]
    return new[pays], dear[pays]
