"""Rules that nobody could keep: alone, or together with others, within the ranges of the columns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..table.schema import Column
from .rule_parts import DUST, OPPOSITE, Always, Comparison, Levels, Rule, Sums

LOOSE = 1e-9  # of a rule's largest weight: what rounding in the linear program may not decide
STRICT = 1e-12  # less room than this is none


def impossible(rule: Rule, columns: Sequence[Column]) -> bool:
    """Whether no values within the columns' ranges keep it."""
    if not isinstance(rule, Always):
        return False
    return _never(rule.comparison, columns) and all(_never(_opposite(part), columns) for part in rule.conditions)


def conflict(rules: Sequence[Rule], columns: Sequence[Column]) -> tuple[int, ...]:
    """The places of rules without conditions that no values keep together, none of them to spare; empty if there are none."""
    kept = [i for i, rule in enumerate(rules) if isinstance(rule, Always) and not rule.conditions]
    parts = {i: rule.comparison for i in kept if isinstance(rule := rules[i], Always)}
    if len(kept) < 2 or _possible([parts[i] for i in kept], columns):
        return ()
    for i in list(kept):
        others = [j for j in kept if j != i]
        if not _possible([parts[j] for j in others], columns):
            kept = others
    return tuple(kept)


def box(column: Column) -> tuple[float, float]:
    """Where a numeric column's values lie, those of people and those that may be new."""
    lows = [end for end in (column.low, column.new_low) if end is not None]
    highs = [end for end in (column.high, column.new_high) if end is not None]
    return min(lows, default=-math.inf), max(highs, default=math.inf)


def _opposite(part: Comparison) -> Comparison:
    if isinstance(part, Sums):
        return replace(part, operator=OPPOSITE[part.operator])
    return replace(part, fits=tuple(not fit for fit in part.fits))


def _never(part: Comparison, columns: Sequence[Column]) -> bool:
    if isinstance(part, Levels):
        return not any(part.fits)
    low = high = part.constant
    size = part.size
    for j, weight in part.weights.items():
        ends = [weight * end for end in box(columns[j])]
        low, high, size = low + min(ends), high + max(ends), size + max(map(abs, ends))
    dust = DUST * size if math.isfinite(size) else 0.0
    match part.operator:
        case "<=":
            return low > dust
        case "<":
            return low >= 0
        case ">=":
            return high < -dust
        case ">":
            return high <= 0
        case "=":
            return low > dust or high < -dust
        case _:
            return low == high == 0


def _possible(parts: Sequence[Comparison], columns: Sequence[Column]) -> bool:
    """Whether levels, and numbers anywhere in their ranges, on the grid or off it, keep all of them."""
    levels: dict[int, np.ndarray] = {}
    for part in parts:
        if isinstance(part, Levels):
            levels[part.feature] = np.logical_and(levels.get(part.feature, True), part.fits)
    if not all(fits.any() for fits in levels.values()):
        return False
    return _solvable([part for part in parts if isinstance(part, Sums) and part.operator != "!="], columns)


def _solvable(sums: Sequence[Sums], columns: Sequence[Column]) -> bool:
    """Two linear programs over the ranges as unit intervals: one as if nothing were strict, one for the room left to what is."""
    places = {j: place for place, j in enumerate(sorted({j for part in sums for j in part.columns}))}
    if not places:
        return True
    ends = [box(columns[j]) for j in places]
    finite = [math.isfinite(low) and math.isfinite(high) for low, high in ends]
    start = np.array([low if known else 0.0 for (low, _), known in zip(ends, finite, strict=True)])
    width = np.array([high - low if known else 1.0 for (low, high), known in zip(ends, finite, strict=True)])
    bounds = [(0.0, 1.0) if known else end for end, known in zip(ends, finite, strict=True)]
    lines, limits, strict = [], [], []
    for part in sums:
        weights = np.zeros(len(places))
        for j, weight in part.weights.items():
            weights[places[j]] = weight
        line, limit = weights * width, -(part.constant + float(weights @ start))
        largest = float(np.abs(line).max())
        if largest == 0:  # only columns of one value: judged alone
            continue
        for sign in (1, -1) if part.operator == "=" else (-1,) if ">" in part.operator else (1,):
            lines.append(sign * line / largest)
            limits.append(sign * limit / largest)
            strict.append(part.operator in ("<", ">"))
    if not lines:
        return True
    from scipy.optimize import linprog

    aim = np.append(np.zeros(len(places)), -1.0)
    room = np.column_stack([np.array(lines), np.array(strict, dtype=np.float64)])
    most = linprog(aim[:-1], A_ub=room[:, :-1], b_ub=np.array(limits) + LOOSE, bounds=bounds, method="highs")
    if most.status == 2:
        return False
    if not any(strict):
        return True
    most = linprog(aim, A_ub=room, b_ub=np.array(limits), bounds=[*bounds, (0.0, 1.0)], method="highs")
    return not (most.status == 0 and most.x[-1] <= STRICT)
