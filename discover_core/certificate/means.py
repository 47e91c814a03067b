"""Upper confidence limits for the mean of independent values that are known to lie in [0, top], valid at every sample size.

Betting (Waudby-Smith and Ramdas 2023, "Estimating means of bounded random variables by betting", their one-sided capital
process with predictable plug-in bets for a sample of known size). In units of `top`, the capital of somebody who bets that
the mean is less than m is

    K_t(m) = product over i <= t of (1 + b_i(m) (m - x_i)),   b_i(m) = min(sqrt(2 ln(1/level) / (n v_(i-1))), CAP / (1 - m)),

where v_(i-1) estimates the variance from the i - 1 values before. If the mean is m, K is a martingale that is never
negative, so it ever reaches 1/level with probability at most `level` (Ville); the limit is the least m for which it did.
K_t(m) rises with m: for a fixed b this is plain, and at the cap the factor is 1 - CAP + CAP (1 - x)/(1 - m).

The values are taken in the order they come in, which must not depend on them. Taking the mean capital at the end over several
fixed orders would be valid, too, but forgets how far the capital had come in between, and was wider in every case tried.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq

from ..errors import InputError

Floats = NDArray[np.float64]
Method = Literal["betting", "hoeffding", "empirical_bernstein"]
CAP = 0.9  # a bet risks at most this share of the capital: all of it would be lost on one value at the top
LARGE, STRIDE = 65_536, 16  # in a sample larger than that, the capital is looked at after every so many values
NEAREST = 1e-9  # no mean closer to the top than this is told from it
EXACT = 1e-13  # how closely the limit is solved for; it is then rounded up
SLACK = 1e-9  # by how much, relatively, rounding may carry a value past the top


def mean_limit(values: ArrayLike, top: float, level: float, method: Method = "betting") -> float:
    """What the mean of the population exceeds with probability at most `level`, from the sample mean to `top`."""
    x = _shares_of_top(values, top)
    if not 0 < level < 1:
        raise InputError(f"The level of a limit lies between 0 and 1, and is not {level}.")
    if method not in METHODS:
        raise InputError(f"There is no method {method!r} for the limit of a mean: take one of {', '.join(METHODS)}.")
    if top == 0:
        return 0.0
    mean = float(x.mean())
    return float(top * min(1.0, max(mean, METHODS[method](x, level))))


def hoeffding(x: Floats, level: float) -> float:
    """mean + sqrt(ln(1/level) / (2n)), for values in [0, 1]."""
    return float(x.mean() + math.sqrt(math.log(1 / level) / (2 * len(x))))


def empirical_bernstein(x: Floats, level: float) -> float:
    """Maurer and Pontil 2009, Theorem 4, for values in [0, 1]: mean + sqrt(2 V L/n) + 7 L/(3 (n - 1)), L = ln(2/level)."""
    n, log = len(x), math.log(2 / level)
    if n == 1:
        return 1.0
    return float(x.mean() + math.sqrt(2 * x.var(ddof=1) * log / n) + 7 * log / (3 * (n - 1)))


def betting(x: Floats, level: float) -> float:
    """The least m in [mean, 1] at which the capital ever reached 1/level, for values in [0, 1]."""
    stakes, wanted, low = bets(x, level), math.log(1 / level), float(x.mean())
    near = min(hoeffding(x, level), empirical_bernstein(x, level))  # where the search begins, no part of the limit
    if len(x) > LARGE:
        x, stakes = (np.pad(v, (0, -len(v) % STRIDE)) for v in (x, stakes))

    def short(m: float) -> float:
        return _most_capital(x, stakes, m) - wanted

    if low >= 1 - NEAREST:
        return 1.0
    if short(low) >= 0:
        return low
    high = next((m for m in (near, 1 - NEAREST) if low < m <= 1 - NEAREST and short(m) >= 0), None)
    if high is None:
        return 1.0
    return float(brentq(short, low, high, xtol=EXACT, rtol=4 * EXACT)) + 2 * EXACT


def bets(x: Floats, level: float) -> Floats:
    """Each value's bet before it is capped, made of the values before it: sqrt(2 ln(1/level) / (n v))."""
    n, count = len(x), np.arange(2, len(x) + 2)
    centres = (0.5 + np.cumsum(x)) / count
    variances = (0.25 + np.cumsum((x - centres) ** 2)) / count
    return np.sqrt(2 * math.log(1 / level) / (n * np.concatenate([[0.25], variances[:-1]])))


def _most_capital(x: Floats, stakes: Floats, m: float) -> float:
    """The logarithm of the most capital at any time one looks at it."""
    if len(x) <= LARGE:
        return float(np.cumsum(np.log1p(np.minimum(stakes, CAP / (1 - m)) * (m - x))).max())
    gains = np.empty(len(x) // STRIDE)
    for start in range(0, len(x), LARGE):  # pieces that fit into the processor's cache
        part = slice(start, start + LARGE)
        factors = np.minimum(stakes[part], CAP / (1 - m))
        factors *= m - x[part]
        factors += 1
        np.multiply.reduce(factors.reshape(-1, STRIDE).T, axis=0, out=gains[start // STRIDE : (start + LARGE) // STRIDE])
    return float(np.cumsum(np.log(gains)).max())


METHODS: dict[str, Callable[[Floats, float], float]] = {
    "betting": betting,
    "hoeffding": hoeffding,
    "empirical_bernstein": empirical_bernstein,
}


def _shares_of_top(values: ArrayLike, top: float) -> Floats:
    """The values in units of their top, checked."""
    x = np.asarray(values, dtype=np.float64)
    if x.ndim != 1 or not len(x):
        raise InputError("The limit of a mean needs a list of at least one value.")
    if not (math.isfinite(top) and top >= 0):
        raise InputError(f"The most that a value can be is a number of at least 0, and is not {top}.")
    if not (x.min() >= 0 and x.max() <= top * (1 + SLACK)):  # false for NaN, too
        raise InputError(f"The limit of a mean needs values from 0 to {top:g}, and got {x.min():g} to {x.max():g}.")
    return np.minimum(x / top, 1.0) if top else np.zeros(len(x))
