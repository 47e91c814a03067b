"""Rules that nobody could keep: alone, or together with others, within the ranges of the columns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..table.schema import Column
from .rule_parts import DUST, OPPOSITE, Always, Comparison, Levels, Rule, Sums

LOOSE = 1e-9  # of a rule's largest weight: what rounding in the linear program may not decide
ROUNDING = 1e-12  # of all sizes in a sum: how much wider a narrowed range is left
ROUNDS = 4
THIN = 1e-6  # of all sizes in a sum: a range so much narrower is left to the narrowing of ranges
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
    """First as if nothing were strict, in the ranges that the rules leave; then whether there is room for what is strict."""
    lines = [_Line(part, sign) for part in sums for sign in _signs(part) if part.weights]
    ends = {j: box(columns[j]) for line in lines for j in line.weights}
    left = _narrowed(lines, dict(ends))
    if left is None or _room(lines, left, strict=False) < 0:
        return False
    return not any(line.strict for line in lines) or _room(lines, ends, strict=True) > STRICT


def _room(lines: Sequence[_Line], ends: dict[int, tuple[float, float]], strict: bool) -> float:
    """A linear program over the ranges as unit intervals: by how much strict lines can be kept, -1 if none can; 1 if in doubt."""
    finite = [math.isfinite(low) and math.isfinite(high) for low, high in ends.values()]
    start = np.array([low if known else 0.0 for (low, _), known in zip(ends.values(), finite, strict=True)])
    width = np.array([high - low if known else 1.0 for (low, high), known in zip(ends.values(), finite, strict=True)])
    bounds = [(0.0, 1.0) if known else end for end, known in zip(ends.values(), finite, strict=True)]
    rows, limits = [], []
    for line in lines:
        weights = np.array([line.weights.get(j, 0.0) for j in ends])
        largest = float(np.abs(weights * width).max())
        if largest > THIN * (line.size + float(np.abs(weights) @ np.maximum(np.abs(start), width))):
            rows.append([*(weights * width / largest), float(strict and line.strict)])
            limits.append((line.limit - float(weights @ start)) / largest + (0.0 if strict else LOOSE))
    if not rows:
        return 1.0
    from scipy.optimize import linprog

    aim = np.append(np.zeros(len(ends)), -1.0)
    found = linprog(aim, A_ub=np.array(rows), b_ub=np.array(limits), bounds=[*bounds, (0.0, 1.0)], method="highs")
    if found.status == 0:
        return float(found.x[-1])
    return -1.0 if found.status == 2 and not strict else 1.0


class _Line:
    """A comparison of sums as one or two of the form: weights times values is at most a limit."""

    def __init__(self, part: Sums, sign: int) -> None:
        self.weights = {j: sign * weight for j, weight in part.weights.items()}
        self.limit = -sign * part.constant
        self.size = part.size
        self.strict = part.operator in ("<", ">")


def _signs(part: Sums) -> tuple[int, ...]:
    return (1, -1) if part.operator == "=" else (-1,) if ">" in part.operator else (1,)


def _narrowed(lines: Sequence[_Line], ends: dict[int, tuple[float, float]]) -> dict[int, tuple[float, float]] | None:
    """The ranges that each line leaves when all other columns help it most; None where nothing is left.

    Small numbers in wide columns are lost on a linear program, but not here.
    """
    for _ in range(ROUNDS):
        for line in lines:
            least = {j: min(weight * end for end in ends[j]) for j, weight in line.weights.items()}
            size = line.size + sum(map(abs, least.values()))
            if not math.isfinite(size):
                continue
            for j, weight in line.weights.items():
                others = sum(value for k, value in least.items() if k != j)
                end = (line.limit - others + ROUNDING * size) / weight
                low, high = ends[j]
                ends[j] = (low, min(high, end)) if weight > 0 else (max(low, end), high)
                if ends[j][0] > ends[j][1]:
                    return None
    return ends
