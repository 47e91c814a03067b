"""A line of the editor: the rule of one feature as cells and words, and back."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discover_core.errors import InputError
from discover_core.figures.text import percent
from discover_core.problem.actionability import DIRECTIONS, Allowed, reach
from discover_core.problem.words import value_words
from discover_core.table import Column
from discover_core.table.values import as_text

from ..app.column_words import ACTIONS

NUMBERS = ("From", "To", "Step")
COMMON = 2  # categories that a line names
DAY_ZERO = date(1970, 1, 1)


def ends(column: Column, low: float | None, high: float | None) -> tuple[float, float]:
    """Two limits, those of the usual range where none is given."""
    return reach(column, low, high)


def range_words(column: Column, rule: Allowed) -> str:
    """How far new numbers go, whether that is usual, and how far the table goes."""
    low, high = ends(column, rule.low, rule.high)
    whole = (float(column.low or 0), float(column.high or 0))
    bare = replace(column, unit="")
    if low > high or column.offered == whole:
        return ""
    said = f"New values lie between {value_words(bare, _short(low))} and {value_words(column, _short(high))}"
    table = f"the table goes from {value_words(bare, _short(whole[0]))} to {value_words(bare, _short(whole[1]))}."
    if (low, high) == column.offered:
        return f"{said}, the usual range; {table}"
    usual = " to ".join(value_words(bare, _short(end)) for end in column.offered)
    return f"{said}; usual is {usual}, and {table}"


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
    """The categories it may become; of a category with an order that goes one way, the order."""
    if not column.categorical:
        return ""
    if column.order and rule.mode in DIRECTIONS and not rule.levels:
        return " → ".join(map(as_text, column.order if rule.mode == "increase" else column.order[::-1]))
    return ", ".join(map(as_text, rule.levels)) if rule.levels else f"all {len(column.choices):,}"


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
    return value if float(value).is_integer() else float(f"{value:.4g}")


def with_limits(rule: Allowed, column: Column, low: float | None, high: float | None) -> Allowed:
    """The rule between these limits. One where the usual range ends anyway is no limit; between them must be something."""
    least, most = ends(column, low, high)
    if least > most:
        raise InputError(
            f"“{column.name}” cannot go from {value_words(column, least)} to {value_words(column, most)}: "
            "the lower limit must not be above the upper one."
        )
    kept = None if least == ends(column, None, most)[0] else least
    return replace(rule, low=kept, high=None if most == ends(column, kept, None)[1] else most)


def edited_rule(rule: Allowed, column: Column, edits: dict[str, Any]) -> Allowed:
    """A rule with the edited cells of its line; an InputError says what cannot be."""
    mode = ACTIONS[edits["May change"]] if "May change" in edits else rule.mode
    if mode in DIRECTIONS and not column.directed:
        raise InputError(
            f"“{column.name}” has no order, so it has no up and down: say Yes, and choose its categories under “Look closer at”."
        )
    weight = float(edits.get("Weight", rule.weight))
    if weight <= 0:
        raise InputError(f"The weight of “{column.name}” must be above 0; say No to keep it as it is.")
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
            # the end of the column, or of what is usual, may lie within a day
            at = 0 if part == "low" else 1
            known = (column.offered[at], float((column.low, column.high)[at] or 0))
            value = next((end for end in known if day(end) == value), float((value - DAY_ZERO).days))
        low, high = (value, rule.high) if part == "low" else (rule.low, value)
        return with_limits(rule, column, low, high)
    if part == "step":
        return replace(rule, step=None if value in (None, 0, column.step) else value)
    if part == "levels":
        chosen = tuple(column.choices[i] for i in sorted(value))
        return replace(rule, levels=() if len(chosen) == len(column.choices) else chosen)
    return replace(rule, **{part: value})
