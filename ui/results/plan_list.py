"""The lines of a plan as a list, and its downloads: for the whole plan and for a part of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from discover_core.outcome.list_of_changes import UNUSUAL, changes_table, filter_people, plan_excel, plan_json
from discover_core.outcome.outcome import Outcome
from discover_core.table.write import to_csv

MANY_ROWS = 1_000
EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
UNUSUAL_HELP = (
    "How rare people like this one are. 41% means: more unusual than 41% of all people of the table. Somebody is unusual "
    "whose ten most similar people are far away; a person near 100% looks like nobody."
)


def plan_list(shown: pd.DataFrame, named: bool, key: str, **more: Any) -> Any:
    """The first lines, in the order given; `named` people are called by a column, so their row is listed beside."""
    return st.dataframe(
        shown.head(MANY_ROWS),
        key=key,
        hide_index=True,
        height=min(35 * (len(shown) + 1) + 3, 460),
        alt="One line per person who changes, with the changes, the effort, how unusual the person is, and the scores.",
        column_config={
            "Person": st.column_config.TextColumn(width=160 if named else 90, pinned=True),
            "Row": st.column_config.NumberColumn(width=70, help="The row of your table, counted from 1.") if named else None,
            "Changes": st.column_config.TextColumn(width=310 if named else 370),
            "Features changed": st.column_config.NumberColumn(width=125),
            "Effort": st.column_config.NumberColumn(format="%.2f", width=70),
            "Score before": st.column_config.NumberColumn(format="%.3f", width=100),
            "Score after": st.column_config.NumberColumn(format="%.3f", width=100),
            **{heading: st.column_config.NumberColumn(format="percent", width=112, help=UNUSUAL_HELP) for heading in UNUSUAL},
        },
        **more,
    )


def the_rest(lines: int) -> str:
    """What a caption adds where not every line is listed."""
    return f"; the first {MANY_ROWS:,} are listed, downloads hold all" if lines > MANY_ROWS else ""


def downloads(
    found: Callable[[], Outcome],
    people: Sequence[int],
    key: str,
    file: str = "discover-plan",
    about: str = "Everybody who changes.",
) -> None:
    """What is listed as CSV, one line per changed cell; everything as Excel and JSON. Made when somebody asks."""
    files = (
        (
            "CSV",
            lambda: to_csv(filter_people(changes_table(found()), people)),
            "csv",
            "text/csv",
            "Those listed, one line per value.",
        ),
        ("Excel", lambda: plan_excel(found()), "xlsx", EXCEL, about),
        ("JSON", lambda: plan_json(found()), "json", "application/json", about),
    )
    for label, content, ending, kind, words in files:
        st.download_button(
            label,
            content,
            f"{file}.{ending}",
            kind,
            key=f"plan-{label}-{key}",
            on_click="ignore",
            icon=":material/download:",
            help=words,
        )
