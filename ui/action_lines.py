"""A line of the editor: the rule of one feature as cells and words, and back."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discover_core.errors import InputError
from discover_core.figures.text import percent
from discover_core.problem.actionability import Allowed
from discover_core.problem.words import value_words
from discover_core.table import Column
from discover_core.table.values import as_text

from .columns import ACTIONS

NUMBERS = ("From", "To", "Step")
COMMON = 2  # categories that a line names
DAY_ZERO = date(1970, 1, 1)


def ends(column: Column, low: float | None, high: float | None) -> tuple[float, float]:
    """Two limits, the column's own where none is given."""
    return float(column.low or 0) if low is None else low, float(column.high or 0) if high is None else high


def day(value: float) -> date:
    """The date of a value of a column of dates."""
    return DAY_ZERO + timedelta(days=int(value // 1))


def cells(column: Column, rule: Allowed) -> dict[str, float | None]:
    """The three numbers of a line; None where a number says nothing: for categories, and for the ends of dates."""
    if column.categorical:
        return dict.fromkeys(NUMBERS)
    low, high = ends(column, rule.low, rule.high)
    step = rule.step if rule.step is not None else column.step
    return {"From": None, "To": None, "Step": step} if column.date else {"From": low, "To": high, "Step": step}


def admitted(column: Column, rule: Allowed) -> str:
    """The categories it may become."""
    if not column.categorical:
        return ""
    return ", ".join(map(as_text, rule.levels)) if rule.levels else f"all {len(column.levels):,}"


def now_words(column: Column, values: NDArray[Any]) -> str:
    """Range and median of numbers, or the most common categories, which come as codes."""
    if column.categorical:
        counts = np.bincount(values[values >= 0], minlength=len(column.levels))
        common = [i for i in np.argsort(-counts, kind="stable")[:COMMON] if counts[i]]
        more = " …" if np.count_nonzero(counts) > len(common) else ""
        return ", ".join(f"{as_text(column.levels[i])} {percent(counts[i] / len(values))}" for i in common) + more
    low, middle, high = float(values.min()), float(np.median(values)), float(values.max())
    if low == high:
        return f"{value_words(column, low)}, all of them"
    bare = replace(column, unit="")
    return f"{value_words(bare, _short(low))} to {value_words(column, _short(high))}, median {value_words(bare, _short(middle))}"


def _short(value: float) -> float:
    """With four digits that matter, unless it is whole."""
    return value if value.is_integer() else float(f"{value:.4g}")


def with_limits(rule: Allowed, column: Column, low: float | None, high: float | None) -> Allowed:
    """The rule between these limits. One at the column's own end is no limit; they must leave something between them."""
    least, most = ends(column, low, high)
    if least > most:
        raise InputError(
            f"“{column.name}” cannot go from {value_words(column, least)} to {value_words(column, most)}: "
            "the lower limit must not be above the upper one."
        )
    return replace(rule, low=None if least == column.low else least, high=None if most == column.high else most)


def edited_rule(rule: Allowed, column: Column, edits: dict[str, Any]) -> Allowed:
    """A rule with the edited cells of its line; an InputError says what cannot be."""
    mode = ACTIONS[edits["May change"]] if "May change" in edits else rule.mode
    if column.role == "nominal" and mode in ("increase", "decrease"):
        raise InputError(
            f"“{column.name}” has no order, so it has no up and down: say Yes, and choose its categories under “Look closer at”."
        )
    weight = float(edits.get("Effort", rule.weight))
    if weight <= 0:
        raise InputError(f"The effort of “{column.name}” must be above 0; say No to keep it as it is.")
    rule = replace(rule, mode=mode, weight=weight)
    given = {name: edits[name] for name in NUMBERS if edits.get(name) is not None}
    if column.categorical and given:
        raise InputError(f"“{column.name}” holds categories, not numbers: choose its categories under “Look closer at”.")
    if column.date and ("From" in given or "To" in given):
        raise InputError(f"“{column.name}” holds dates: choose the first and the last under “Look closer at”.")
    if "Step" in edits and not column.categorical:
        step = edits["Step"]
        rule = replace(rule, step=None if step == column.step else step)
    if ("From" in edits or "To" in edits) and not (column.categorical or column.date):
        low, high = (edits.get(name, end) for name, end in (("From", rule.low), ("To", rule.high)))
        rule = with_limits(rule, column, low, high)
    return rule


def changed_rule(rule: Allowed, column: Column, part: str, value: Any) -> Allowed:
    """A rule with one part as its widget shows it."""
    if part in ("low", "high"):
        if isinstance(value, date):
            # the column's own end may lie within a day
            own = column.low if part == "low" else column.high
            value = own if own is not None and day(own) == value else float((value - DAY_ZERO).days)
        low, high = (value, rule.high) if part == "low" else (rule.low, value)
        return with_limits(rule, column, low, high)
    if part == "step":
        return replace(rule, step=None if value in (None, 0, column.step) else value)
    if part == "levels":
        chosen = tuple(column.levels[i] for i in sorted(value))
        return replace(rule, levels=() if len(chosen) == len(column.levels) else chosen)
    return replace(rule, **{part: value})
