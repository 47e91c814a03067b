"""The exact confidence limit of a share: how many of n independent people did it."""

from __future__ import annotations

from typing import Literal

from scipy.stats import beta

from ..errors import InputError


def share_limit(count: int, n: int, level: float, side: Literal["lower", "upper"] = "lower") -> float:
    """Clopper and Pearson's one-sided limit: the population's share lies beyond it with probability at most `level`.

    The lower limit is the share of which `count` or more out of n have probability `level`; none gives 0, and for the upper
    limit all give 1.
    """
    if n < 1 or not 0 <= count <= n:
        raise InputError(f"A share counts from 0 to n people, at least one in all, and not {count} of {n}.")
    if not 0 < level < 1:
        raise InputError(f"The level of a limit lies between 0 and 1, and is not {level}.")
    if side == "upper":
        return 1.0 if count == n else float(beta.isf(level, count + 1, n - count))
    if side != "lower":
        raise InputError(f"The limit of a share is its lower or its upper one, and not {side!r}.")
    return 0.0 if count == 0 else float(beta.ppf(level, count, n - count + 1))
