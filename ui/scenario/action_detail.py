"""A closer look at what one feature may do: its picture, and every rule with words around it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import streamlit as st

from discover_core.errors import InputError
from discover_core.figures.column import column_figure
from discover_core.figures.config import chart_config
from discover_core.figures.palette import FACTUAL
from discover_core.problem.actionability import Allowed
from discover_core.problem.words import weight_words
from discover_core.table import Column
from discover_core.table.values import as_text, decimals_of

from ..app import session
from ..app.column_words import ACTION_WORDS
from ..app.text import plain
from .action_lines import changed_rule, day, ends, range_words

WEIGHTS = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)
FINEST = 5  # decimals that a field shows
SAFE = 2**53  # whole numbers that a browser can hold


def action_detail(work: session.Work) -> None:
    names = work.schema.feature_names
    name = st.selectbox("Look closer at", names, key=f"closer-action-{work.id}", persist_state="session")
    if name is None:
        return
    column, rule = work.schema[name], work.actions[name]
    seen = st.session_state.get("action_seen")
    if seen != rule:  # changed elsewhere: the widgets start anew
        st.session_state["action_seen"] = rule
        st.session_state["action_version"] = st.session_state.get("action_version", 0) + 1
    key = f"{work.id}-{st.session_state['action_version']}-{name}"
    picture, form = st.columns([3, 2], gap="large")
    with picture:
        _picture(work, column, rule)
    with form:
        _mode(column, rule, key)
        _reasons(column)
        locked = rule.mode == "locked"
        if column.categorical:
            _categories(column, rule, key, locked)
        elif column.date:
            _dates(column, rule, key, locked)
        else:
            _numbers(column, rule, key, locked)
        if not column.categorical and not locked:
            _reach(column, rule, key)
        _weight(column, rule, key, locked)


def problem() -> None:
    """Why the last edit was undone."""
    sentence = st.session_state.get("actions_problem")
    if sentence:
        st.error(f"{plain(sentence)} The rule stays as it was.")


def group_key(work: session.Work) -> tuple[object, ...]:
    """Changes with the rows of the group and with what the columns mean."""
    return (work.id, work.cohort, work.schema, id(work.scored))


def _picture(work: session.Work, column: Column, rule: Allowed) -> None:
    """What everybody and the group have; grey lies over what no new value may be."""
    key = (*group_key(work), column.name)
    figure = session.memo("action-figure", key, lambda: column_figure(work.dataset, column, work.group))
    shaded = []
    if column.low is not None and column.high is not None and rule.mode != "locked":
        low, high = ends(column, rule.low, rule.high)
        shaded = [(start, end) for start, end in ((column.low, low), (high, column.high)) if start < end]
    figure.layout.shapes = [
        {
            "type": "rect",
            "yref": "paper",
            "x0": x0,
            "x1": x1,
            "y0": 0,
            "y1": 1,
            "fillcolor": FACTUAL,
            "opacity": 0.25,
            "line": {"width": 0},
        }
        for x0, x1 in shaded
    ]
    st.plotly_chart(figure, key=f"action-{work.id}", width="stretch", config=chart_config())
    if shaded:
        st.caption("New values lie outside the grey areas.")


def _mode(column: Column, rule: Allowed, key: str) -> None:
    modes = [mode for mode in ACTION_WORDS if column.directed or mode in ("free", "locked")]
    st.segmented_control(
        "May change",
        modes,
        format_func=ACTION_WORDS.__getitem__,
        default=rule.mode,
        required=True,
        key=f"mode-{key}",
        on_change=_take,
        args=(column, "mode", f"mode-{key}"),
    )


def _reasons(column: Column) -> None:
    """Why a person can or cannot act on it, and which way is up where only some of its categories have an order."""
    if column.lever:
        st.caption(plain(column.lever))
    if column.order:
        order = " → ".join(as_text(level) for level in column.order)
        outside = [as_text(level) for level in column.choices if level not in column.order]
        apart = (
            f" Outside the order: {', '.join(outside)}; going up or down leads neither there nor away from there."
            if outside
            else ""
        )
        st.caption(plain(f"Up is: {order}.{apart}"))


def _numbers(column: Column, rule: Allowed, key: str, locked: bool) -> None:
    low, high = ends(column, rule.low, rule.high)
    step = rule.step if rule.step is not None else column.step
    shown = [number for number in (low, high, step) if number is not None]
    whole = column.integer and all(float(number).is_integer() and abs(number) < SAFE for number in shown)
    kind: Any = int if whole else float
    needed = [decimals_of(number) for number in shown]
    form = None if whole else f"%.{min(max(FINEST if places is None else places for places in needed), FINEST)}f"
    unit = f" ({plain(column.unit)})" if column.unit else ""
    fine = 1 if whole else step or (high - low) / 100 or 1.0
    left, right = st.columns(2)
    for place, label, part, value in ((left, "From", "low", low), (right, "To", "high", high)):
        place.number_input(
            label + unit,
            value=kind(value),
            step=kind(fine),
            format=form,
            disabled=locked,
            key=f"{part}-{key}",
            help="No new value lies outside. A value that is outside today may stay.",
            on_change=_take,
            args=(column, part, f"{part}-{key}"),
        )
    st.number_input(
        f"Step{unit}",
        value=None if step is None else kind(step),
        step=None if step is None else kind(step),
        format=form,
        placeholder="any number",
        disabled=locked,
        key=f"step-{key}",
        help="New values lie on this grid, counted from the lowest. 0: as in the table.",
        on_change=_take,
        args=(column, "step", f"step-{key}"),
    )


def _dates(column: Column, rule: Allowed, key: str, locked: bool) -> None:
    low, high = ends(column, rule.low, rule.high)
    left, right = st.columns(2)
    for place, label, part, value in ((left, "From", "low", low), (right, "To", "high", high)):
        place.date_input(
            label,
            value=day(value),
            min_value=date.min,
            max_value=date.max,
            disabled=locked,
            key=f"{part}-{key}",
            help="No new date lies outside. A date that is outside today may stay.",
            on_change=_take,
            args=(column, part, f"{part}-{key}"),
        )


def _reach(column: Column, rule: Allowed, key: str) -> None:
    """What is usual, in words, and one click to what the table has, or back."""
    said = range_words(column, rule)
    if not said:
        return
    st.caption(plain(said))
    usual = ends(column, rule.low, rule.high) == column.offered
    whole = (column.low, column.high) if usual else (None, None)
    st.button(
        "Allow all that the table has" if usual else "Back to the usual range",
        key=f"reach-{key}",
        type="tertiary",
        icon=":material/unfold_more:" if usual else ":material/unfold_less:",
        help="The usual range leaves out the lowest and the highest 1% of the table, among which mistakes hide.",
        on_click=_set,
        args=(column, replace(rule, low=whole[0], high=whole[1])),
    )


def _categories(column: Column, rule: Allowed, key: str, locked: bool) -> None:
    st.multiselect(
        "May become",
        range(len(column.choices)),
        default=[i for i, level in enumerate(column.choices) if level in rule.levels],
        format_func=lambda i: as_text(column.choices[i]),
        placeholder=f"any of its {len(column.choices):,} categories",
        disabled=locked,
        key=f"levels-{key}",
        help="Only these categories may be chosen; everybody may keep their own. Empty for all of them.",
        on_change=_take,
        args=(column, "levels", f"levels-{key}"),
    )


def _weight(column: Column, rule: Allowed, key: str, locked: bool) -> None:
    st.select_slider(
        "Weight of a change",
        sorted({*WEIGHTS, rule.weight}),
        value=rule.weight,
        format_func=weight_words,
        disabled=locked,
        key=f"weight-{key}",
        help="Changes that count more are made less often. Normal unless you say otherwise.",
        on_change=_take,
        args=(column, "weight", f"weight-{key}"),
    )


def _take(column: Column, part: str, key: str) -> None:
    """Make one part of the rule what its widget shows; an impossible one is undone with a sentence."""
    work = session.current()
    if work is None:
        return
    st.session_state.pop("actions_problem", None)
    value = st.session_state[key]
    try:
        rule = changed_rule(work.actions[column.name], column, part, value)
        _set(column, rule)
        st.session_state["action_seen"] = None if part == "step" and not value else rule
    except InputError as error:
        st.session_state["actions_problem"] = str(error)
        st.session_state["action_seen"] = None


def _set(column: Column, rule: Allowed) -> None:
    work = session.current()
    if work is not None:
        session.update(actions=replace(work.actions, allowed=tuple(rule if r.name == column.name else r for r in work.actions)))
