"""The table of columns: what is in each, and how it is to be used. Profile and schema editor in one."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from discover_core.errors import InputError
from discover_core.table import Column, Schema, describe

from ..app import session
from ..app.column_words import ACTION_WORDS, ACTIONS, ROLE_WORDS, ROLES
from ..app.text import plain


def columns_table(work: session.Work) -> None:
    """One line per column. Edits become part of the schema at once; an impossible one is undone with a sentence."""
    version = st.session_state.setdefault("columns_version", 0)
    if st.session_state.get("columns_of") != (work.id, version):
        st.session_state["columns_of"] = (work.id, version)
        st.session_state["columns_base"] = _lines(work)
    key = f"columns-{work.id}-{version}"
    st.data_editor(
        st.session_state["columns_base"],
        key=key,
        on_change=_edited,
        args=(key,),
        hide_index=True,
        height=min(35 * (len(work.schema.columns) + 1) + 3, 640),
        disabled=["Column", "In it", "Values", "Missing", "Why"],
        alt="One line per column of the table, with its use, its values and the reason for the guess.",
        column_config={
            "Column": st.column_config.TextColumn(pinned=True, width=160),
            "Use as": st.column_config.SelectboxColumn(
                options=list(ROLES),
                required=True,
                width=100,
                help="Number: distances count. Ordered: categories with an order. Category: no order. Left out: not used at all.",
            ),
            "May change": st.column_config.SelectboxColumn(
                options=list(ACTIONS), required=True, width=125, help="The default for later: may this be changed for a person?"
            ),
            "Values": st.column_config.BarChartColumn(
                width=150, color="#0f6fde", y_min=0, help="Numbers: a histogram. Otherwise: the most common values."
            ),
            "In it": st.column_config.TextColumn(width=300),
            "Missing": st.column_config.NumberColumn(width=80, format="localized", help="Cells without a value."),
            "Why": st.column_config.TextColumn(width=420, help="What the column means, and why we think so."),
        },
    )


def _lines(work: session.Work) -> pd.DataFrame:
    profiles = [work.dataset.profiles[c.name] for c in work.schema]
    return pd.DataFrame(
        {
            "Column": [p.column.name for p in profiles],
            "Use as": [ROLE_WORDS[p.column.role] for p in profiles],
            "May change": [ACTION_WORDS[p.column.action] for p in profiles],
            "Values": [list(p.bars) for p in profiles],
            "In it": [p.summary for p in profiles],
            "Missing": [p.missing for p in profiles],
            "Why": [_why(p.column) for p in profiles],
        }
    )


def _why(column: Column) -> str:
    return f"{column.label}. {column.reason}" if column.label else column.reason


def _edited(key: str) -> None:
    """Make the schema what the table shows: an edit that returns to where it began is no edit for the widget."""
    work = session.current()
    if work is None:
        return
    edits = st.session_state[key]["edited_rows"]
    schema = work.schema
    try:
        for row, line in enumerate(st.session_state["columns_base"].to_dict("records")):
            schema = _apply(work, schema, schema.columns[row], {**line, **edits.get(row, {})})
        session.keep(work.with_schema(schema))
    except InputError as error:
        session.say("error", plain(error))
        session.refresh_columns()


def _apply(work: session.Work, schema: Schema, column: Column, shown: dict[str, Any]) -> Schema:
    role, action = ROLES[shown["Use as"]], ACTIONS[shown["May change"]]
    if role != column.role:
        if column.name == schema.outcome:
            raise InputError(f"“{column.name}” is the outcome: choose another outcome first.")
        kept: dict[str, Any] = {
            "unit": column.unit,
            "label": column.label,
            "lever": column.lever,
            "missing_codes": column.missing_codes,
            "dayfirst": column.dayfirst,
            "date": column.date,
        }
        levels = column.levels if column.categorical and role == "ordinal" else ()
        column = describe(work.dataset.raw[column.name], role, reason="Your choice.", action=action, levels=levels, **kept)
        schema = schema.with_column(column)
    return schema if action == column.action else schema.replace(column.name, action=action)


def outcome_picker(work: session.Work) -> None:
    """What the model predicts, and which of its values is the risk."""
    names = [c.name for c in work.schema]
    left, right = st.columns(2)
    chosen = left.selectbox(
        "Outcome",
        names,
        index=names.index(work.schema.outcome) if work.schema.outcome else None,
        placeholder="Choose the column the model predicts",
        key=f"outcome-{work.id}",
        help="What really happened to each person. A model learns to predict it from the other columns.",
    )
    if chosen is not None and chosen != work.schema.outcome:
        _change(lambda: _with_outcome(work, chosen))
    if work.schema.outcome is None:
        return
    levels = list(work.schema[work.schema.outcome].levels)
    if not levels:
        right.text_input(
            "Predicted", "the number itself", disabled=True, help="The outcome is a number, so its value is predicted."
        )
        return
    positive = right.selectbox(
        "Value that is the risk",
        levels,
        index=levels.index(work.schema.positive) if work.schema.positive in levels else None,
        placeholder="Choose one of its values",
        key=f"positive-{work.id}-{work.schema.outcome}",
        help="The score of a person is the probability of this value.",
    )
    if positive is not None and positive != work.schema.positive:
        _change(lambda: work.schema.with_outcome(work.schema.outcome, positive))


def _with_outcome(work: session.Work, name: str) -> Schema:
    """The old outcome is guessed again as a plain column, the new one described as an outcome."""
    from discover_core.table.describe import describe_outcome
    from discover_core.table.infer import guess
    from discover_core.table.names import adverse_level

    schema = work.schema.with_outcome(None)
    if work.schema.outcome is not None:
        schema = schema.with_column(guess(work.dataset.raw[work.schema.outcome]))
    schema = schema.with_column(describe_outcome(work.dataset.raw[name]))
    return schema.with_outcome(name, adverse_level(schema[name]))


def _change(make: Any) -> None:
    work = session.current()
    if work is None:
        return
    try:
        session.keep(work.with_schema(make()))
    except InputError as error:
        session.say("error", plain(error))
    session.refresh_columns()
    st.rerun()
