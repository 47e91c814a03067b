"""Whether anybody could keep several rules at once: conditions and inequalities are split into cases until one is left over."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ..table.schema import Column
from .rule_lines import Ends, Line, box, lines_of, narrowed, solvable, whole_numbers
from .rule_parts import DUST, OPPOSITE, Always, Comparison, Levels, Sums

Clause = tuple[Comparison, ...]  # at least one of them holds
WORK, ALL_WORK, PROGRAM = 600, 2_000, 5  # cases looked at for one question and for all, and as how many a linear program counts


class DoubtError(Exception):
    """There are too many cases to look at."""


@dataclass
class Work:
    """How many cases may still be looked at. Counted, not timed: the same rules get the same answer on every machine."""

    left: int = ALL_WORK


def clause_of(rule: Always) -> Clause:
    """The rule as alternatives: what must hold, or a condition that does not."""
    return (rule.comparison, *(opposite(part) for part in rule.conditions))


def possible(clauses: Iterable[Clause], columns: Sequence[Column], work: Work) -> bool:
    """Whether some levels and numbers within the columns' ranges keep one of each; True if in doubt."""
    cases = _Cases(columns, given := min(WORK, work.left))
    try:
        return cases.possible(Case(), list(clauses), solved=0)
    except DoubtError:
        return True
    finally:
        work.left -= given - max(0, cases.work)


def opposite(part: Comparison) -> Comparison:
    if isinstance(part, Sums):
        return replace(part, operator=OPPOSITE[part.operator])
    return replace(part, fits=tuple(not fit for fit in part.fits))


@dataclass(frozen=True, eq=False)
class Case:
    """What is taken for granted: `levels[feature]` are left, the `lines` hold, which leaves numbers within `ends[feature]`."""

    levels: dict[int, NDArray[np.bool_]] = field(default_factory=dict)
    lines: tuple[Line, ...] = ()
    ends: Ends = field(default_factory=dict)

    def assume(self, part: Comparison, columns: Sequence[Column]) -> Case | None:
        """With one more comparison (not `!=` of sums); None if nothing is left."""
        if isinstance(part, Levels):
            left = np.array(part.fits) & self.levels.get(part.feature, True)
            return replace(self, levels=self.levels | {part.feature: left}) if left.any() else None
        if not part.weights:
            return None if never(part, columns) else self
        lines = (*self.lines, *lines_of(part, columns))
        ends = narrowed(lines, {j: box(columns[j]) for j in part.weights} | self.ends, columns)
        return None if ends is None else replace(self, lines=lines, ends=ends)

    def never(self, part: Comparison, columns: Sequence[Column]) -> bool:
        return never(part, columns, self.levels, self.ends)

    def always(self, part: Comparison, columns: Sequence[Column]) -> bool:
        return never(opposite(part), columns, self.levels, self.ends)


def never(
    part: Comparison,
    columns: Sequence[Column],
    levels: dict[int, NDArray[np.bool_]] | None = None,
    ends: Ends | None = None,
) -> bool:
    """Whether no values within the columns' ranges keep it, or none of those that are left."""
    if isinstance(part, Levels):
        return not bool(np.any(np.array(part.fits) & (levels or {}).get(part.feature, True)))
    low = high = part.constant
    size = part.size
    for j, weight in part.weights.items():
        sides = [weight * end for end in (ends or {}).get(j) or box(columns[j])]
        low, high, size = low + min(sides), high + max(sides), size + max(map(abs, sides))
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


class _Cases:
    """One question; `work` is what may still be looked at."""

    def __init__(self, columns: Sequence[Column], work: int) -> None:
        self.columns, self.work = columns, work

    def possible(self, case: Case, clauses: list[Clause], solved: int) -> bool:
        """Whether a case leaves anything, `solved` being how many of its lines are known to hold together."""
        self._spend(1)
        found = self._settled(case, clauses)
        if found is None:
            return False
        case, clauses = found
        if len(case.lines) > solved:
            self._spend(PROGRAM)
            if not solvable(case.lines, case.ends, {j: box(self.columns[j]) for j in case.ends}):
                return False
            solved = len(case.lines)
        if not clauses:
            self._spend(PROGRAM)
            return whole_numbers(case.lines, case.ends, self.columns)
        clauses.sort(key=_effort)
        (first, *others), *rest = clauses
        if self.possible(case, [(first,), *rest], solved):
            return True
        return self.possible(case, [tuple(others), (opposite(first),), *rest], solved)

    def _settled(self, case: Case, clauses: list[Clause]) -> tuple[Case, list[Clause]] | None:
        """What follows without any choice, and the clauses that still leave one; None if nothing is left."""
        going = True
        while going:
            going, left = False, []
            for clause in clauses:
                if any(case.always(part, self.columns) for part in clause):
                    continue
                parts = tuple(part for part in clause if not case.never(part, self.columns))
                if not parts:
                    return None
                if len(parts) > 1:
                    left.append(parts)
                    continue
                going, part = True, parts[0]
                if isinstance(part, Sums) and part.operator == "!=":
                    left.append((replace(part, operator="<"), replace(part, operator=">")))
                    continue
                after = case.assume(part, self.columns)
                if after is None:
                    return None
                case = after
            clauses = left
        return case, clauses

    def _spend(self, work: int) -> None:
        self.work -= work
        if self.work < 0:
            raise DoubtError


def _effort(clause: Clause) -> tuple[int, bool]:
    """Short clauses first, those about levels before those about numbers."""
    return len(clause), isinstance(clause[0], Sums)
