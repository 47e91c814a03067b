"""A closer look at one column: its picture, and the range, step or order the user may correct."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from discover_core.errors import InputError
from discover_core.figures.column import caption, column_figure
from discover_core.figures.config import chart_config
from discover_core.table import Column
from discover_core.table.usual import edited
from discover_core.table.values import as_text, check_grid

from ..app import session
from ..app.text import plain


def column_detail(work: session.Work) -> None:
    used = [c.name for c in work.schema if c.role != "excluded"]
    if not used:
        st.info("All columns are left out. Set “Use as” for at least one of them in the table above.")
        return
    name = st.selectbox("Look closer at", used, key=f"closer-{work.id}", persist_state="session")
    column = work.schema[name]
    picture, form = st.columns([3, 2], gap="large")
    with picture:
        group = None if session.problem_of(lambda: work.group) else work.group
        st.plotly_chart(
            column_figure(work.dataset, column, group), key=f"column-{work.id}", width="stretch", config=chart_config()
        )
        st.caption(plain(caption(work.dataset, column)))
    with form:
        _form(work, column)


def _form(work: session.Work, column: Column) -> None:
    if column.role == "nominal":
        st.markdown(
            "**Values**  \n" + ", ".join(plain(level) for level in column.levels[:40]) + (" …" if len(column.levels) > 40 else "")
        )
        st.caption("To give them an order, set “Use as” to Ordered in the table above.")
        return
    key = f"{work.id}-{column.name}-{column.role}-{st.session_state.get('columns_version', 0)}"
    with st.form(f"detail-{key}", border=False):
        if column.role == "numeric":
            low = st.number_input("Lowest value", value=float(column.low or 0), key=f"low-{key}", format="%g", help=_unit(column))
            high = st.number_input(
                "Highest value", value=float(column.high or 0), key=f"high-{key}", format="%g", help=_unit(column)
            )
            step = st.number_input(
                "Step",
                value=column.step,
                min_value=0.0,
                key=f"step-{key}",
                format="%g",
                placeholder="any number",
                help="The grid its values lie on: 1 for whole numbers. Empty for any number.",
            )
            changes: dict[str, Any] = {"low": low, "high": high, "step": step or None}
        else:
            words = st.text_area(
                "Order, lowest first",
                "\n".join(as_text(level) for level in column.levels),
                key=f"order-{key}",
                height=210,
                help="One value per line. Move the lines until the order is right.",
            )
            changes = {"order": words}
        if st.form_submit_button("Apply"):
            _apply(work, column, changes)


def _apply(work: session.Work, column: Column, changes: dict[str, Any]) -> None:
    try:
        if "order" in changes:
            changes = {"levels": _order(column, str(changes["order"]))}
        schema = work.schema.with_column(_changed(column, changes))
        if column.role == "numeric":
            check_grid(work.dataset.ready[column.name].to_numpy(dtype=float), schema[column.name])
        session.keep(work.with_schema(schema))
        session.refresh_columns()
    except InputError as error:
        session.say("error", plain(error))
    st.rerun()


def _changed(column: Column, changes: dict[str, Any]) -> Column:
    if column.role == "numeric":
        column = edited(column, changes.pop("low"), changes.pop("high"))
    return replace(column, reason="Your choice.", **changes)


def _order(column: Column, words: str) -> tuple[object, ...]:
    by_text = {as_text(level): level for level in column.levels}
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    if sorted(lines) != sorted(by_text):
        wrong = next((line for line in lines if line not in by_text), None) or next(text for text in by_text if text not in lines)
        raise InputError(f"The order of “{column.name}” must list each of its values once; look at “{wrong}”.")
    return tuple(by_text[line] for line in lines)


def _unit(column: Column) -> str | None:
    return f"In {column.unit}." if column.unit else None
