"""Who may change what: a line per feature, actions on many lines at once, and in words what they allow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from discover_core.errors import InputError
from discover_core.problem.actionability import Actionability
from discover_core.problem.words import allowed_sentences

from ..app import session
from ..app.column_words import ACTION_WORDS, ACTIONS
from ..app.text import plain
from .action_detail import action_detail, group_key, problem
from .action_lines import NUMBERS, admitted, cells, edited_rule, now_words
from .quick_pass import invitation, quick_pass_button

MANY = 12  # from here on a feature has to be looked for
TALL = 460  # pixels


@dataclass(frozen=True)
class Table:
    """What the editor was given, and what its edits have made of it since. It is given anew only when others change that."""

    key: str
    names: tuple[str, ...]
    given: Actionability
    made: Actionability
    lines: pd.DataFrame


@st.fragment
def actions_editor() -> None:
    work = session.current()
    if work is None:
        return
    _tell_others(work)
    now: dict[str, str] = session.memo("actions-now", group_key(work), lambda: _today(work))
    if work.known is None:
        invitation(work, now)
    with st.container(horizontal=True, vertical_alignment="bottom", key="actions-many"):
        names = _found(work)
        _many_at_once(work, names)
        if work.known is not None:
            quick_pass_button(work, now, "One by one", quiet=True)
    with st.container():
        if names:
            _table(work, names, now)
        else:
            st.info("No feature is called that.")
    with st.container():
        problem()
    with st.container(key="actions-allowed"):
        said = " ".join(plain(sentence) for sentence in allowed_sentences(work.actions))
        if work.actions.editable:
            st.markdown(said)
        else:
            st.warning(said)
        if any(_narrowed(work, name) for name in work.actions.editable):
            st.caption(
                "New numbers stay in the usual range, without the lowest and highest 1% of the table. Widen From and To for more."
            )
    action_detail(work)


def _narrowed(work: session.Work, name: str) -> bool:
    """Whether what is usual, and no limit of the user's, decides how far a feature goes."""
    column, rule = work.schema[name], work.actions[name]
    return column.role == "numeric" and None in (rule.low, rule.high) and column.offered != (column.low, column.high)


def _tell_others(work: session.Work) -> None:
    """The advice on the bounds and the tools above depend on what may change: after an edit the whole page is drawn."""
    before = st.session_state.get("actions_drawn")
    st.session_state["actions_drawn"] = work.actions
    if before is not None and before.schema == work.schema and before != work.actions:
        st.rerun()


def _found(work: session.Work) -> tuple[str, ...]:
    """The features that the filter shows: all of a small table."""
    columns = work.schema.features
    if len(columns) <= MANY:
        return tuple(c.name for c in columns)
    wish = st.text_input(
        "Find a feature",
        key=f"find-action-{work.id}",
        type="search",
        live=True,
        placeholder=f"among {len(columns)}, by a part of its name",
        width=330,
    )
    part = (wish or "").strip().casefold()
    return tuple(c.name for c in columns if part in c.name.casefold() or part in c.label.casefold())


def _many_at_once(work: session.Work, names: tuple[str, ...]) -> None:
    """Buttons that act on the lines shown."""
    whole = len(names) == len(work.actions.allowed)
    which = "all" if whole else f"these {len(names)}"
    categories = tuple(name for name in names if work.schema[name].categorical)
    todo: tuple[tuple[str, str, tuple[str, ...], Callable[..., Actionability], str], ...] = (
        (f"Lock {which}", "lock", names, Actionability.lock, "They stay as they are."),
        ("Lock categories", "category", categories, Actionability.lock, "Features that are no numbers stay as they are."),
        (f"Allow {which}", "lock_open", names, Actionability.allow, "They may change in both directions."),
        ("As suggested", "restart_alt", names, _suggested, "As suggested for each feature (see Why), at normal weight."),
    )
    for label, icon, concerned, change, why in todo:
        st.button(
            label,
            icon=f":material/{icon}:",
            help=why,
            disabled=not concerned,
            key=f"{icon}-actions-{work.id}",
            on_click=_changed,
            args=(change, concerned),
        )


def _changed(change: Callable[..., Actionability], names: tuple[str, ...]) -> None:
    work = session.current()
    if work is not None:
        st.session_state.pop("actions_problem", None)
        session.update(actions=change(work.actions, *names))


def _suggested(actions: Actionability, *names: str) -> Actionability:
    first = Actionability.default(actions.schema)
    rules = zip(actions, first, strict=True)
    return replace(actions, allowed=tuple(new if new.name in names else old for old, new in rules))


def _table(work: session.Work, names: tuple[str, ...], now: dict[str, str]) -> None:
    table: Table | None = st.session_state.get("actions_table")
    left = table is not None and table.key not in st.session_state  # a key goes with its widget when the page is left
    if left:
        st.session_state.pop("actions_problem", None)
    if table is None or left or table.made is not work.actions or table.names != names:
        made = st.session_state["actions_made"] = st.session_state.get("actions_made", 0) + 1
        table = Table(f"actions-{work.id}-{made}", names, work.actions, work.actions, _lines(work, names, now))
        st.session_state["actions_table"] = table
    st.data_editor(
        table.lines,
        key=table.key,
        on_change=_edited,
        args=(table.key,),
        hide_index=True,
        height=min(35 * (len(names) + 1) + 3, TALL),
        disabled=["Feature", "Now", "Categories", "Why"],
        placeholder="",
        alt="One line per feature: whether and how far it may change, and what it is now.",
        column_config={
            "Feature": st.column_config.TextColumn(pinned=True, width=170),
            "May change": st.column_config.SelectboxColumn(
                options=list(ACTIONS), required=True, width=110, help="Up and down need an order: numbers, or ordered categories."
            ),
            "Now": st.column_config.TextColumn(width=270, help="What the people of the group have today."),
            "From": st.column_config.NumberColumn(
                width=95, format="localized", help="The lowest new value. Empty: where the usual range begins."
            ),
            "To": st.column_config.NumberColumn(
                width=95, format="localized", help="The highest new value. Empty: where the usual range ends."
            ),
            "Step": st.column_config.NumberColumn(
                width=75, format="localized", help="New values lie on this grid, counted from the lowest. Empty: any number."
            ),
            "Categories": st.column_config.TextColumn(
                width=200, help="What a category may become. Choose under “Look closer at”, below the table."
            ),
            "Weight": st.column_config.NumberColumn(
                width=75, required=True, help="How hard a change counts: 1 is normal, 2 twice as hard, 0.5 half as hard."
            ),
            "Why": st.column_config.TextColumn(width=420, help="Why it is suggested that a person can or cannot act on it."),
        },
    )


def _lines(work: session.Work, names: tuple[str, ...], now: dict[str, str]) -> pd.DataFrame:
    pairs = [(work.schema[name], work.actions[name]) for name in names]
    numbers = [cells(column, rule) for column, rule in pairs]
    return pd.DataFrame(
        {
            "Feature": list(names),
            "May change": [ACTION_WORDS[rule.mode] for _, rule in pairs],
            "Now": [now[name] for name in names],
            **{name: np.array([line[name] for line in numbers], dtype=np.float64) for name in NUMBERS},
            "Categories": [admitted(column, rule) for column, rule in pairs],
            "Weight": [float(rule.weight) for _, rule in pairs],
            "Why": [column.lever for column, _ in pairs],
        }
    )


def _today(work: session.Work) -> dict[str, str]:
    """What the group has, feature by feature."""
    ready, group = work.dataset.ready, work.group
    said: dict[str, str] = {}
    for column in work.schema.features:
        cells = ready[column.name]
        values = cells.to_numpy(dtype=np.float64) if column.role == "numeric" else cells.cat.codes.to_numpy()
        said[column.name] = now_words(column, values[group])
    return said


def _edited(key: str) -> None:
    """Take over what the edits changed since the last time; what others changed meanwhile stays."""
    work, table = session.current(), st.session_state.get("actions_table")
    if work is None or table is None or table.key != key:
        return
    st.session_state.pop("actions_problem", None)
    edits: dict[int, dict[str, Any]] = st.session_state[key]["edited_rows"]
    try:
        made = _with_edits(table, edits)
    except InputError as error:
        st.session_state["actions_problem"] = str(error)
        st.session_state["actions_table"] = None
        return
    alone = work.actions is table.made
    session.update(actions=made if alone else _merged(work.actions, table.made, made))
    emptied = any(cells.get(name, 0) is None for cells in edits.values() for name in NUMBERS)
    # an emptied cell shows what holds instead
    st.session_state["actions_table"] = None if emptied else replace(table, made=made)


def _with_edits(table: Table, edits: dict[int, dict[str, Any]]) -> Actionability:
    """What the table shows. An edit that returns to where it began is no edit for the widget."""
    schema = table.given.schema
    changed = {table.names[row]: cells for row, cells in edits.items()}
    return replace(
        table.given,
        allowed=tuple(edited_rule(r, schema[r.name], changed[r.name]) if r.name in changed else r for r in table.given),
    )


def _merged(current: Actionability, before: Actionability, after: Actionability) -> Actionability:
    """The current rules with those that changed from `before` to `after`."""
    rules = zip(current, before, after, strict=True)
    return replace(current, allowed=tuple(new if new != old else now for now, old, new in rules))
