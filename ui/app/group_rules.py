"""One rule that picks people, as widgets; and the button that says everybody."""

from __future__ import annotations

from typing import Any

import streamlit as st

from discover_core.table import Column, Rule
from discover_core.table.cohort import COMPARISONS, Comparison
from discover_core.table.values import as_text

from . import session
from .text import count

NOMINAL: tuple[Comparison, ...] = ("is", "is not")


def everybody_button(place: str) -> None:
    """Say in so many words that a table of one's own is about everybody in it."""
    work = session.current()
    if work is not None:
        label = f"Everybody, all {count(len(work.dataset.raw), 'row')}"
        st.button(label, icon=":material/groups:", key=f"everybody-{place}-{work.id}", type="primary", on_click=_everybody)


def _everybody() -> None:
    session.update(everybody=True)


def rule_fields(rule: Rule, usable: list[Column], key: str) -> Rule:
    """One rule as three widgets. Another column starts with that column's first comparison."""
    names = [c.name for c in usable]
    name = st.selectbox(
        "Column", names, index=names.index(rule.column) if rule.column in names else 0, key=f"{key}-column", width=220
    )
    column = usable[names.index(name)]
    if name != rule.column:
        rule = first_rule(column)
    comparisons = NOMINAL if column.role == "nominal" else COMPARISONS
    at = comparisons.index(rule.comparison) if rule.comparison in comparisons else 0
    comparison = st.selectbox("Comparison", comparisons, index=at, key=f"{key}-{name}-how", width=130)
    given = rule.value if isinstance(rule.value, tuple) else (rule.value,)
    if column.role == "numeric":
        return Rule(name, comparison, _numbers(column, comparison, given, f"{key}-{name}-{comparison}"))
    return Rule(name, comparison, _levels(column, comparison, given, f"{key}-{name}-{comparison}"))


def _numbers(column: Column, comparison: str, given: tuple[Any, ...], key: str) -> Any:
    unit = f" ({column.unit})" if column.unit else ""
    shape: dict[str, Any] = {"step": 1, "format": "%d"} if column.integer else {"step": column.step, "format": "%g"}
    cast = int if column.integer else float

    def ask(label: str, value: Any) -> Any:
        return st.number_input(label + unit, value=cast(value), key=f"{key}-{label}", width=180, **shape)

    if comparison == "between":
        low, high = (given[0], given[1]) if len(given) == 2 else (column.low, column.high)
        return (ask("From", low), ask("To", high))
    return ask("Value", given[0])


def _levels(column: Column, comparison: str, given: tuple[Any, ...], key: str) -> Any:
    levels = list(column.levels)
    chosen = [level for level in given if level in levels]
    if comparison in NOMINAL:
        values = tuple(st.multiselect("Values", levels, default=chosen, format_func=as_text, key=f"{key}-values", width=320))
        if not values:
            st.caption("Choose at least one value: without any, nobody matches.")
        return values
    if comparison == "between":
        low = st.selectbox(
            "From", levels, index=levels.index(chosen[0]) if chosen else 0, format_func=as_text, key=f"{key}-from", width=180
        )
        high = st.selectbox(
            "To", levels, index=levels.index(chosen[1]) if len(chosen) > 1 else len(levels) - 1, key=f"{key}-to", width=180
        )
        return (low, high)
    return st.selectbox(
        "Value", levels, index=levels.index(chosen[0]) if chosen else 0, format_func=as_text, key=f"{key}-value", width=180
    )


def first_rule(column: Column) -> Rule:
    """A rule to begin with: the middle of the numbers, or the first level."""
    if column.role == "numeric":
        middle = column.fill if column.fill is not None else column.low
        return Rule(column.name, ">=", middle if middle is not None else 0)
    return Rule(column.name, "is", (column.levels[0],))
