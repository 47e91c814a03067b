"""What may change, said in plain words."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..table.schema import Action, Column
from ..table.values import as_text, decimals_of
from .actionability import Actionability, Allowed

LISTED = 6  # names said one by one; more are counted
EXAMPLES = 3  # names said of those that are counted
CHOICES = 4  # categories said one by one
RULES = 6  # different rules said one by one
HUGE = 1e15  # from here on digits say less than an exponent
FREELY = "may change freely"
VERBS: dict[Action, str] = {"free": "may change", "increase": "may only go up", "decrease": "may only go down"}


def allowed_sentences(actions: Actionability) -> list[str]:
    """Every feature in exactly one sentence: what stays, what may change only so far, and the rest."""
    names = [rule.name for rule in actions]
    if not names:
        return ["The table has no features, so nothing can change."]
    locked = [rule.name for rule in actions if rule.mode == "locked"]
    if len(locked) == len(names):
        return ["Nothing can change, because every feature is locked: allow at least one to change."]
    by_phrase: dict[str, list[str]] = {}
    for rule in actions:
        if rule.mode != "locked":
            by_phrase.setdefault(_phrase(rule, actions.schema[rule.name]), []).append(rule.name)
    free = by_phrase.pop(FREELY, [])
    said = [f"{_who(locked)} {'stays as it is' if len(locked) == 1 else 'stay as they are'}{_among(locked)}."] if locked else []
    said += _rules(by_phrase)
    if free:
        said.append(f"{_rest(free, len(names))} {FREELY}.")
    return said


def value_words(column: Column, value: float) -> str:
    """A value of a numeric column as a person would write it: 18,424 DM, 0.25, 2024-02-29."""
    if column.date:
        return str(np.datetime64("1970-01-01") + np.timedelta64(math.floor(value), "D"))
    return f"{number_words(value)} {column.unit}".strip()


def number_words(value: float) -> str:
    """A number with its thousands separated and no needless decimals."""
    places = decimals_of(value)
    if abs(value) >= HUGE or places is None:
        return f"{value:.6g}"
    return f"{value:,.{places}f}"


def weight_words(weight: float) -> str:
    """How hard a change counts, against the usual."""
    return {0.5: "half", 1.0: "normal", 2.0: "double"}.get(weight, f"{number_words(weight)} times")


def _rules(by_phrase: dict[str, list[str]]) -> list[str]:
    """A sentence per rule, plain directions first; when there are too many, the last ones are only counted."""
    ordered = sorted(by_phrase, key=lambda phrase: phrase not in VERBS.values())
    full = ordered if len(ordered) <= RULES else ordered[: RULES - 1]
    said = [f"{_who(by_phrase[phrase])} {phrase}{_among(by_phrase[phrase])}." for phrase in full]
    left = [name for phrase in ordered[len(full) :] for name in by_phrase[phrase]]
    return [*said, f"{_who(left, 'more ')} have rules of their own{_among(left)}."] if left else said


def _phrase(rule: Allowed, column: Column) -> str:
    """What may happen to one feature, without its name: features with the same rule share a sentence."""
    goals = [_categories(rule, column) if column.categorical else _limits(rule, column)]
    if rule.step is not None:
        goals.append(f"in steps of {number_words(rule.step)} {'days' if column.date else column.unit}".strip())
    goals = [goal for goal in goals if goal]
    text = ", ".join([VERBS[rule.mode], *goals])
    if rule.mode == "free":
        text = text.replace(",", "", 1) if goals else FREELY
    return text if rule.weight == 1 else f"{text}, at {weight_words(rule.weight)} the weight"


def _limits(rule: Allowed, column: Column) -> str:
    least, most = ("no earlier than", "no later than") if column.date else ("no less than", "no more than")
    if rule.low is not None and rule.high is not None:
        if rule.low == rule.high:
            return f"to exactly {value_words(column, rule.low)}"
        low = value_words(column, rule.low) if column.date else number_words(rule.low)
        return f"to between {low} and {value_words(column, rule.high)}"
    if rule.low is not None:
        return f"to {least} {value_words(column, rule.low)}"
    return "" if rule.high is None else f"to {most} {value_words(column, rule.high)}"


def _categories(rule: Allowed, column: Column) -> str:
    admitted = [level for level in column.levels if level in rule.levels]
    others = [level for level in column.levels if level not in rule.levels]
    if not admitted or not others:
        return ""
    if len(admitted) <= CHOICES:
        return f"to {_series([f'“{as_text(level)}”' for level in admitted], 'or')}"
    if len(others) <= CHOICES:
        return f"to anything but {_series([f'“{as_text(level)}”' for level in others], 'or')}"
    return f"to {len(admitted)} of its {len(column.levels):,} categories"


def _who(names: Sequence[str], more: str = "") -> str:
    return _series(names) if len(names) <= LISTED else f"{len(names):,} {more}features"


def _among(names: Sequence[str]) -> str:
    return "" if len(names) <= LISTED else f", among them {_series(names[:EXAMPLES])}"


def _rest(names: Sequence[str], total: int) -> str:
    """Those without any rule: they need no names unless they are few."""
    if len(names) <= EXAMPLES:
        return _series(names)
    return f"All {total:,} features" if len(names) == total else f"The other {len(names):,} features"


def _series(words: Sequence[str], last: str = "and") -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"
