"""How far the scores of a population may be from a target, from a sample of them: the DKW band against the target."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from ..problem.checks import finite_values
from ..problem.target import Target
from .bands import Pieces, half_width
from .exact import exact_limit

Floats = NDArray[np.float64]
Ends = tuple[float, float]
Cut = Callable[[int, int, float, float], Pieces]


def output_limit(
    scores: ArrayLike, target: Target, level: float, interval: Ends | None, delta: float = 0.0, beyond: bool = True
) -> float:
    """What W^2 of the population to the target, trimmed by `delta` at each end, exceeds with probability at most `level`.

    The scores are independent draws, in any order. Untrimmed, the limit is finite only where the scores' `interval` is known. A
    target that was sampled has a band of its own, and each of the two may fail with probability level/2. With `beyond`, a score
    past the threshold of a target that has one is as good as on it.
    """
    ordered = np.sort(finite_values(scores, "The scores"))
    if not 0 < level < 1:
        raise InputError(f"The level of a limit lies between 0 and 1, and is not {level}.")
    if not 0 <= delta < 0.5:
        raise InputError(f"The share that is left out at each end lies between 0 and .5, and is not {delta}.")
    known = [ordered[0], ordered[-1], *((target.lowest, target.highest) if target.sampled else ())]
    if interval is not None and not (interval[0] <= min(known) and max(known) <= interval[1]):
        raise InputError(f"Scores from {min(known):g} to {max(known):g} do not lie between {interval[0]:g} and {interval[1]:g}.")

    def cut(n: int, m: int, eps_x: float, eps_y: float) -> Pieces:
        return Pieces.cut(n, eps_x, m, eps_y, delta)

    return sorted_limit(ordered, target, level, interval, delta, beyond, cut)


def sorted_limit(
    scores: Floats, target: Target, level: float, interval: Ends | None, delta: float, beyond: bool, cut: Cut
) -> float:
    """The same of sorted scores, with pieces from `cut`, which may keep them."""
    n, m = len(scores), len(target.left)
    eps = half_width(n, level if target.exact else level / 2)
    if target.size is None:
        return float(exact_limit(scores[None], eps, target.knots, target.left, target.right, delta, interval)[0])
    pieces = cut(n, m, eps, 0.0 if target.exact else half_width(m, level / 2))
    found = float(pieces.limit(scores[None], target.left[None], interval, target.wanted(beyond))[0])
    return found if math.isfinite(found) else math.inf
