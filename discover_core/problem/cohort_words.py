"""Who is meant by a cohort, in plain words."""

from __future__ import annotations

from ..table.cohort import Cohort, Rule
from ..table.values import as_text
from .amounts import amount


def cohort_words(cohort: Cohort) -> str:
    """Who is meant: rules, score, sample."""
    join = " and " if cohort.match == "all" else " or "
    rules = join.join(rule_words(rule) for rule in cohort.rules)
    if cohort.rules and cohort.score_side is not None and len(cohort.rules) > 1 and cohort.match == "any":
        rules = f"({rules})"
    score = score_words(cohort)
    who = " and ".join(part for part in (rules, score) if part) or "everybody in the table"
    return who if cohort.sample is None else f"{who}; at most {cohort.sample:,} of them, drawn at random"


def score_words(cohort: Cohort) -> str:
    """Which scores are meant; nothing if they do not matter."""
    return "" if cohort.score_side is None else f"score {cohort.score_side} {amount(cohort.score_value)}"


def rule_words(rule: Rule) -> str:
    """One condition: Age below 30."""
    values = rule.value if isinstance(rule.value, tuple) else (rule.value,)
    said = [amount(value) if isinstance(value, float) else as_text(value) for value in values]
    if rule.comparison == "between":
        return f"{rule.column} between {said[0]} and {said[1]}"
    words = {"<": "below", "<=": "at most", ">": "above", ">=": "at least"}
    return f"{rule.column} {words.get(rule.comparison, rule.comparison)} {' or '.join(said)}"
