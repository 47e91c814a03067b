"""Comparisons of sums as lines: weights times values is at most a limit. Whether values within ranges keep several of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from ..table.schema import Column
from .rule_parts import Sums

Ends = dict[int, tuple[float, float]]
LOOSE = 1e-9  # of a rule's largest weight: what rounding in the linear program may not decide
ROUNDING = 1e-12  # of all sizes in a sum: how much wider a narrowed range is left
ROUNDS = 4
THIN = 1e-6  # of all sizes in a sum: a range so much narrower is left to the narrowing of ranges
STRICT = 1e-6  # less room than this may be none: numbers as they are written decide
SHARES = 1_000_000  # the largest denominator of a share
DOUBT = 1e-6  # as near to a whole number as this is as good as there, where that leaves more room
COUNTED = 1e9  # units up to which sums of whole numbers are looked at as such
SPAN = 1e5  # the widest range, and the largest ratio of weights, of whole numbers that are looked for
NODES, SECONDS = 200, 1.0  # of the search for whole numbers


@dataclass(frozen=True)
class Line:
    """`size` is how large the numbers behind the limit are; a `strict` line must be less than its limit."""

    weights: dict[int, float]
    limit: float
    size: float
    strict: bool


def whole(column: Column) -> bool:
    """Whether all values are whole numbers, also what stands for missing ones."""
    return column.integer and (column.fill is None or float(column.fill).is_integer())


def box(column: Column) -> tuple[float, float]:
    """Where a numeric column's values lie, those of people and those that may be new; whole numbers from one to another."""
    lows = [end for end in (column.low, column.new_low) if end is not None]
    highs = [end for end in (column.high, column.new_high) if end is not None]
    low, high = min(lows, default=-math.inf), max(highs, default=math.inf)
    if whole(column) and math.ceil(low) <= math.floor(high):
        return float(math.ceil(low)), float(math.floor(high))
    return low, high


def lines_of(part: Sums, columns: Sequence[Column]) -> list[Line]:
    """One line, two for an equality. What whole numbers cannot add up to is taken off a limit."""
    signs = (1, -1) if part.operator == "=" else (-1,) if ">" in part.operator else (1,)
    unit = _unit(part, columns)
    made = []
    for sign in signs:
        weights = {j: sign * weight for j, weight in part.weights.items()}
        line = Line(weights, -sign * part.constant, part.size, part.operator in ("<", ">"))
        made.append(line if unit is None else _counted(line, unit))
    return made


def _unit(part: Sums, columns: Sequence[Column]) -> float | None:
    """What all sums of whole numbers with these weights are multiples of; None if there is no such thing, or in doubt."""
    if not all(whole(columns[j]) for j in part.weights):
        return None
    exact = [Fraction(weight).limit_denominator(10_000) for weight in part.weights.values()]
    if any(abs(float(near) / weight - 1) > ROUNDING for near, weight in zip(exact, part.weights.values(), strict=True)):
        return None
    below = math.lcm(*(near.denominator for near in exact))
    unit = math.gcd(*(int(near * below) for near in exact)) / below
    largest = part.size + sum(abs(weight) * max(map(abs, box(columns[j]))) for j, weight in part.weights.items())
    return unit if largest <= COUNTED * unit else None


def _counted(line: Line, unit: float) -> Line:
    steps = line.limit / unit
    near = round(steps)
    if _written(line.limit) == near * _written(unit):
        last = near - line.strict
    else:
        last = near if abs(steps - near) <= DOUBT else math.floor(steps)
    return replace(line, limit=last * unit, size=max(line.size, abs(last * unit)), strict=False)


def narrowed(lines: Sequence[Line], ends: Ends, columns: Sequence[Column]) -> Ends | None:
    """The ranges that each line leaves when all other columns help it most; None where nothing is left.

    Small numbers in wide columns are lost on a linear program, but not here.
    """
    ends = dict(ends)
    for _ in range(ROUNDS):
        before = dict(ends)
        for line in lines:
            least = {j: min(weight * end for end in ends[j]) for j, weight in line.weights.items()}
            size = line.size + sum(map(abs, least.values()))
            if not math.isfinite(size):
                continue
            total = sum(least.values())
            for j, weight in line.weights.items():
                end = (line.limit - (total - least[j]) + ROUNDING * size) / weight
                if whole(columns[j]) and abs(end) < COUNTED:
                    end = math.floor(end + DOUBT) if weight > 0 else math.ceil(end - DOUBT)
                low, high = ends[j]
                ends[j] = (low, min(high, end)) if weight > 0 else (max(low, end), high)
                if ends[j][0] > ends[j][1]:
                    return None
        if ends == before:
            break
    return ends


def solvable(lines: Sequence[Line], left: Ends, ends: Ends) -> bool:
    """First as if nothing were strict, in the ranges `left`; then whether there is room for what is strict within all `ends`."""
    used = {j: left[j] for line in lines for j in line.weights}
    if _room(lines, used, strict=False)[0] < 0:
        return False
    if not any(line.strict for line in lines):
        return True
    wide = {j: ends[j] for j in used}
    room, shares = _room(lines, wide, strict=True)
    return room > STRICT or not _no_room(lines, shares, wide)


def _room(lines: Sequence[Line], ends: Ends, strict: bool) -> tuple[float, list[float]]:
    """A linear program over the ranges as unit intervals: by how much strict lines can be kept, -1 if none can, 1 if in doubt;
    and how much each line counts in that."""
    finite = [math.isfinite(low) and math.isfinite(high) for low, high in ends.values()]
    start = np.array([low if known else 0.0 for (low, _), known in zip(ends.values(), finite, strict=True)])
    width = np.array([high - low if known else 1.0 for (low, high), known in zip(ends.values(), finite, strict=True)])
    bounds = [(0.0, 1.0) if known else end for end, known in zip(ends.values(), finite, strict=True)]
    rows, limits, places = [], [], []
    for place, line in enumerate(lines):
        weights = np.array([line.weights.get(j, 0.0) for j in ends])
        largest = float(np.abs(weights * width).max())
        if largest > THIN * (line.size + float(np.abs(weights) @ np.maximum(np.abs(start), width))):
            rows.append([*(weights * width / largest), float(strict and line.strict)])
            limits.append((line.limit - float(weights @ start)) / largest + (0.0 if strict else LOOSE))
            places.append((place, largest))
    shares = [0.0] * len(lines)
    if not rows:
        return 1.0, shares
    from scipy.optimize import linprog

    aim = np.append(np.zeros(len(ends)), -1.0)
    found = linprog(aim, A_ub=np.array(rows), b_ub=np.array(limits), bounds=[*bounds, (0.0, 1.0)], method="highs")
    if found.status != 0:
        return (-1.0 if found.status == 2 and not strict else 1.0), shares
    for (place, largest), marginal in zip(places, found.ineqlin.marginals, strict=True):
        shares[place] = max(0.0, -float(marginal)) / largest
    return float(found.x[-1]), shares


def _no_room(lines: Sequence[Line], shares: Sequence[float], ends: Ends) -> bool:
    """Whether the lines, each times its share, add up to what cannot be: worked out in fractions, without any rounding."""
    most = max(shares)
    if most <= 0:
        return False
    total: dict[int, Fraction] = {}
    limit, strict = Fraction(0), False
    for line, share in zip(lines, shares, strict=True):
        times = Fraction(share / most).limit_denominator(SHARES)
        if not times:
            continue
        limit, strict = limit + times * _written(line.limit), strict or line.strict
        for j, number in line.weights.items():
            total[j] = total.get(j, Fraction(0)) + times * _written(number)
    least = Fraction(0)
    for j, weight in total.items():
        nearest = ends[j][0 if weight > 0 else 1]
        if weight != 0:
            if not math.isfinite(nearest):
                return False
            least += weight * _written(nearest)
    return strict and least >= limit


def _written(number: float) -> Fraction:
    """As people write it: .1 is a tenth."""
    return Fraction(repr(float(number)))


def whole_numbers(lines: Sequence[Line], left: Ends, columns: Sequence[Column]) -> bool:
    """Whether whole numbers, and any numbers in the other columns, keep all lines as if none were strict; True if in doubt."""
    lines = [line for line in lines if len(line.weights) > 1]
    used = sorted({j for line in lines for j in line.weights})
    counted = np.array([whole(columns[j]) for j in used], dtype=bool)
    if sum(counted) < 2:
        return True
    low, high = (np.array([left[j][end] for j in used]) for end in (0, 1))
    weights = np.array([[line.weights.get(j, 0.0) for j in used] for line in lines])
    sizes = np.abs(weights).max(axis=1)
    least = np.where(weights != 0, np.abs(weights), np.inf).min(axis=1)
    if not (np.isfinite(low).all() and np.isfinite(high).all()) or max((high - low).max(), (sizes / least).max()) > SPAN:
        return True
    from scipy.optimize import Bounds, LinearConstraint, milp

    limits = (np.array([line.limit for line in lines]) - weights @ low) / sizes + LOOSE
    found = milp(
        np.zeros(len(used)),
        integrality=counted.astype(np.int64),
        bounds=Bounds(0.0, high - low),
        constraints=LinearConstraint(weights / sizes[:, None], -np.inf, limits),
        options={"node_limit": NODES, "time_limit": SECONDS},
    )
    return bool(found.status != 2)
