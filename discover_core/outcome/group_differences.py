"""Who bears it: how often people change, how far, and with what success, group by group.

The intervals treat the people as independent draws. They speak of differences between groups, not of their causes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api import types
from scipy.special import ndtri, stdtrit

from ..errors import InputError
from ..problem.words import number_words, value_words
from ..table.schema import MISSING, Column
from ..table.values import as_numbers, as_text, plain_values, without_codes
from .outcome import Outcome

Measure = Literal["changed", "effort", "movers_effort", "success"]
MEASURES: tuple[Measure, ...] = get_args(Measure)
SHARES: tuple[Measure, ...] = ("changed", "success")
QUANTILES = 4  # groups that numbers are cut into
CATEGORIES = 8  # groups of their own; the rest is one group
FEWEST = 5  # values that a comparison or the interval of a mean needs
LEVEL = 0.95
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Difference:
    """One group against another in one measure. The interval allows for all the `pairs` of groups that could be compared."""

    measure: Measure
    column: str
    more: str
    less: str
    values: tuple[float, float]
    low: float
    high: float
    pairs: int

    @property
    def size(self) -> float:
        return self.values[0] - self.values[1]

    @property
    def clear(self) -> bool:
        """Whether chance alone is an unlikely reason."""
        return self.low > 0


def grouped(values: pd.Series[Any], column: Column) -> pd.Series[Any]:
    """Each person's group by one column: up to 4 quantile groups of a number, the 8 most common categories and the rest."""
    bare = types.is_numeric_dtype(values.dtype) and not types.is_bool_dtype(values.dtype)
    if column.role == "numeric" or (column.role == "excluded" and (column.date or bare)):
        codes, names = _cut(as_numbers(values, column), column)
    else:
        codes, names = _common(without_codes(plain_values(values), column.missing_codes), column)
    if (codes < 0).any():
        names = names if MISSING in names else [*names, MISSING]
        codes = np.where(codes < 0, names.index(MISSING), codes)
    return pd.Series(pd.Categorical.from_codes(codes, pd.Index(names, dtype=object), ordered=True), name=column.name)


def per_person(outcome: Outcome) -> pd.DataFrame:
    """Each measure for each person, NaN where it does not apply."""
    changed = outcome.changed.any(axis=1)
    return pd.DataFrame(
        {
            "changed": changed.astype(np.float64),
            "effort": outcome.effort,
            "movers_effort": np.where(changed, outcome.effort, np.nan),
            "success": outcome.success.astype(np.float64),
        }
    )


def group_differences(outcome: Outcome, groups: pd.Series[Any]) -> pd.DataFrame:
    """One row per group, in the groups' order: people, movers, and each measure with its 95% interval (`_low`, `_high`).

    Shares have Wilson's interval, means Student's; a mean of fewer than 5 values, or of equal ones, has none (NaN).
    """
    rows = {}
    for name, part in _parts(outcome, groups):
        row: dict[str, float] = {"people": len(part), "movers": int(part["changed"].sum())}
        for measure in MEASURES:
            values = part[measure].dropna().to_numpy()
            row[measure] = float(values.mean()) if len(values) else np.nan
            interval = wilson(values.sum(), len(values)) if measure in SHARES else _student(values)
            row[f"{measure}_low"], row[f"{measure}_high"] = interval
        rows[name] = row
    table = pd.DataFrame.from_dict(rows, orient="index").astype({"people": np.int64, "movers": np.int64})
    return table.rename_axis(str(groups.name))


def largest_difference(outcome: Outcome, groups: pd.Series[Any], measure: Measure) -> Difference | None:
    """The largest of the differences that are clear, or the largest at all if none is; None without two groups to compare.

    Each pair's interval has a level of 1 - .05 / pairs, so that picking the largest claims no more than 95% (Bonferroni).
    """
    parts = [(str(name), part[measure].dropna().to_numpy()) for name, part in _parts(outcome, groups)]
    able = [(name, values) for name, values in parts if len(values) >= FEWEST]
    pairs = len(able) * (len(able) - 1) // 2
    found = []
    for first, second in combinations(able, 2):
        (more, high), (less, low) = (first, second) if first[1].mean() >= second[1].mean() else (second, first)
        interval = (_newcombe if measure in SHARES else _welch)(high, low, 1 - (1 - LEVEL) / pairs)
        means = float(high.mean()), float(low.mean())
        found.append(Difference(measure, str(groups.name), more, less, means, *interval, pairs))
    return max(found, key=lambda difference: (difference.clear, difference.size), default=None)


def wilson(successes: float, n: int, level: float = LEVEL) -> tuple[float, float]:
    """Wilson's score interval of a share."""
    if not n:
        return np.nan, np.nan
    z, p = float(ndtri((1 + level) / 2)), successes / n
    centre, half = p + z * z / (2 * n), z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low, high = ((centre + sign * half) / (1 + z * z / n) for sign in (-1, 1))
    return (0.0 if successes == 0 else float(low)), (1.0 if successes == n else float(high))


def _parts(outcome: Outcome, groups: pd.Series[Any]) -> Iterable[tuple[Any, pd.DataFrame]]:
    people = per_person(outcome)
    if len(groups) != len(people):
        raise InputError(f"There are groups for {len(groups):,} people, but {len(people):,} are in the run.")
    return people.groupby(groups.array, observed=True)


def _student(values: Floats) -> tuple[float, float]:
    n, spread = len(values), float(values.std(ddof=1)) if len(values) > 1 else 0.0
    if n < FEWEST or spread == 0:
        return np.nan, np.nan
    half = float(stdtrit(n - 1, (1 + LEVEL) / 2)) * spread / np.sqrt(n)
    return max(float(values.mean()) - half, 0.0), float(values.mean()) + half


def _newcombe(more: Floats, less: Floats, level: float) -> tuple[float, float]:
    """The difference of two shares, from their Wilson intervals (Newcombe 1998, method 10)."""
    p, q = float(more.mean()), float(less.mean())
    (p_low, p_high), (q_low, q_high) = (wilson(part.sum(), len(part), level) for part in (more, less))
    return p - q - float(np.hypot(p - p_low, q_high - q)), p - q + float(np.hypot(p_high - p, q - q_low))


def _welch(more: Floats, less: Floats, level: float) -> tuple[float, float]:
    """The difference of two means with unequal variances; equal values are no proof of certainty, so they borrow the other's."""
    sizes = np.array([len(more), len(less)])
    variances = np.array([more.var(ddof=1), less.var(ddof=1)])
    variances[variances == 0] = variances.max()
    parts = variances / sizes
    difference = float(more.mean() - less.mean())
    if not parts.any():
        return -np.inf, np.inf
    freedom = parts.sum() ** 2 / (parts**2 / (sizes - 1)).sum()
    half = float(stdtrit(freedom, (1 + level) / 2) * np.sqrt(parts.sum()))
    return difference - half, difference + half


def _cut(numbers: Floats, column: Column) -> tuple[NDArray[np.int64], list[str]]:
    """Quantile groups named by their smallest and largest value; few different values are groups of their own."""
    known = numbers[~np.isnan(numbers)]
    if not len(known):
        return np.full(len(numbers), -1), []
    edges = np.unique(known)
    if len(edges) > QUANTILES:
        edges = np.unique(np.quantile(known, np.arange(1, QUANTILES + 1) / QUANTILES, method="inverted_cdf"))
    codes = np.where(np.isnan(numbers), -1, np.searchsorted(edges, numbers))
    ends = [(float(numbers[codes == i].min()), float(numbers[codes == i].max())) for i in range(len(edges))]
    for digits in (3, 4, 6, 9, 17):
        names = [_range_words(low, high, digits, column) for low, high in ends]
        if len(set(names)) == len(names):
            break
    return codes, names


def _range_words(low: float, high: float, digits: int, column: Column) -> str:
    """From the smallest to the largest; the unit is said once. Whole numbers are not rounded."""
    first, last = (value if float(value).is_integer() else float(f"{value:.{digits}g}") for value in (low, high))
    if first == last:
        return value_words(column, last)
    from_word = value_words(column, first) if column.date else number_words(first)
    return f"{from_word} to {value_words(column, last)}"


def _common(values: pd.Series[Any], column: Column) -> tuple[NDArray[np.int64], list[str]]:
    """The most common values, ordered ones in their order, and "other n" for the rest."""
    words = values.map(as_text, na_action="ignore")
    counts = words.value_counts()
    if column.role == "ordinal":
        counts = counts.reindex([word for word in map(as_text, column.levels) if word in counts.index])
    own = [str(word) for word in counts.index]
    if len(own) > CATEGORIES + 1:
        kept = set(counts.nlargest(CATEGORIES).index)
        own = [word for word in own if word in kept]
    place = {word: i for i, word in enumerate(own)}
    codes = words.map(lambda word: place.get(word, len(own)), na_action="ignore")
    rest = f"other {len(counts) - len(own):,}"
    while rest in place:
        rest += "…"
    return codes.fillna(-1).to_numpy(dtype=np.int64), own if len(own) == len(counts) else [*own, rest]
