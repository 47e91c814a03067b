"""Where a number usually lies, and which of its values look impossible."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from .schema import Column
from .values import Numbers, short_number

ENDS = (0.01, 0.99)  # the usual range ends at these quantiles
LOOKED_AT = 100_000  # values that tell the quantiles of a larger column
FEW_VALUES = 20  # a column with so few different values is a scale: each of them is ordinary
FEW = 0.02  # a larger share of the values is no mistake but a part of the column
FAR = 20  # quartile distances above the upper quartile
FAR_RATIO = 5  # the same, counted in ratios: what is merely lopsided, such as an income, does not look impossible
FAR_BELOW = 5  # quartile distances below the lower quartile, for a negative value where all others are positive
FAR_ANYWHERE = 100  # where ratios mean nothing


def usual_range(numbers: Numbers, column: Column) -> tuple[float, float] | None:
    """The 1st and 99th percentile of the numbers that do not look impossible; None when they leave nothing out.

    Both are values that occur, so they lie on the column's grid. A column with few different values keeps them all.
    """
    least, most = fences(numbers, column)
    whole = float(numbers.min()), float(numbers.max())
    sound = numbers if least <= whole[0] and whole[1] <= most else numbers[(numbers >= least) & (numbers <= most)]
    low, high = float(sound.min()), float(sound.max())
    seen = np.sort(_some(sound))
    if 1 + np.count_nonzero(np.diff(seen)) > FEW_VALUES:
        first, last = (float(seen[math.ceil(len(seen) * end) - 1]) for end in ENDS)
        low, high = (first, last) if first < last else (low, high)
    return None if (low, high) == whole else (low, high)


def fences(numbers: Numbers, column: Column) -> tuple[float, float]:
    """Between which values nothing looks impossible; infinite on a side where nothing is far off, or too much is."""
    seen = _some(numbers)
    lower, upper = (float(v) for v in np.quantile(_without_spike(seen), [0.25, 0.75]))
    apart = max(upper - lower, column.step or 0.0)
    if apart <= 0:
        return -math.inf, math.inf
    low, high = lower - FAR_ANYWHERE * apart, upper + FAR_ANYWHERE * apart
    if lower > 0 and not column.date:
        ratio = min(FAR_RATIO * math.log1p(apart / lower), 700.0)
        high = max(upper + FAR * apart, upper * math.exp(ratio))
        if np.mean(seen > 0) >= 1 - ENDS[0]:
            low = min(lower - FAR_BELOW * apart, 0.0)
    below = float(np.mean(numbers < low)) if numbers.min() < low else 0.0
    above = float(np.mean(numbers > high)) if numbers.max() > high else 0.0
    return low if 0 < below <= FEW else -math.inf, high if 0 < above <= FEW else math.inf


def extremes(numbers: Numbers, column: Column) -> str:
    """One sentence when some values look impossible, else nothing."""
    known = numbers[~np.isnan(numbers)]
    if not len(known):
        return ""
    low, high = fences(known, column)
    if math.isinf(low) and math.isinf(high):
        return ""
    below, above = int(np.sum(known < low)), int(np.sum(known > high))
    lowest, highest = (_words(float(v), column) for v in (known.min(), known.max()))
    where = f"from {lowest} to {highest}" if below and above else f"down to {lowest}" if below else f"up to {highest}"
    first, last = usual_range(known, column) or column.offered
    share = math.floor(100 * float(np.mean((known >= first) & (known <= last))))
    unit = f" {column.unit}" if column.unit and not column.date else ""
    verb = "value looks" if below + above == 1 else "values look"
    return (
        f"{column.name}: {below + above:,} {verb} impossible "
        f"({where}; {share}% lie between {_words(first, column)} and {_words(last, column)}{unit})."
    )


def edited(column: Column, low: float, high: float) -> Column:
    """The column with these ends. An end that a person moved is also where its usual range ends."""
    if column.usual is None:
        return replace(column, low=low, high=high)
    first, last = column.offered
    usual = (low if low != column.low else first, high if high != column.high else last)
    return replace(column, low=low, high=high, usual=usual if usual[0] <= usual[1] else None)


def _some(numbers: Numbers) -> Numbers:
    return numbers if len(numbers) <= LOOKED_AT else numbers[:: len(numbers) // LOOKED_AT]


def _without_spike(numbers: Numbers) -> Numbers:
    """Where one value hides how the others spread, such as the zeros of a capital gain, only the others."""
    lower, upper = np.quantile(numbers, [0.25, 0.75], method="inverted_cdf")
    if lower != upper and (lower != 0 or numbers.min() < 0):
        return numbers
    others = numbers[numbers != lower]
    return others if len(others) else numbers


def _words(value: float, column: Column) -> str:
    if column.date:
        return str(np.datetime64("1970-01-01") + np.timedelta64(math.floor(value), "D"))
    return short_number(value)
