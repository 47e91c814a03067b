"""The people marked in a chart: every other chart shows them, and the plan shows only them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal

import pandas as pd
import streamlit as st

from discover_core.figures.config import chart_config
from discover_core.figures.picture import pictured
from discover_core.figures.selection import Selection
from discover_core.table.write import to_csv

from ..app import tab_runs
from ..app.text import count, plain

TOOLS_LEFT_OUT = ["zoomIn2d", "zoomOut2d", "autoScale2d"]  # a box and the house do it, and a short bar leaves the legend free
Choose = Callable[[Selection], Iterable[int]]  # people's places in the group

MODES: tuple[Literal["points", "box", "lasso"], ...] = ("points", "box", "lasso")  # ways to mark people


def marked() -> tuple[int, ...]:
    """Their places in the group of the run this tab looks at."""
    run_id, people = st.session_state.get("marked", (None, ()))
    return tuple(people) if run_id == tab_runs.current() else ()


def mark(people: Iterable[int]) -> None:
    st.session_state["marked"] = (tab_runs.current(), tuple(dict.fromkeys(int(person) for person in people)))


def chart(
    figure: Any,
    name: str,
    caption: str,
    table: Callable[[], pd.DataFrame],
    choose: Choose | None = None,
    clicked: Callable[[Selection], None] | None = None,
) -> None:
    """A figure with its caption. A click, a box or a lasso in it picks the people that `choose` finds in the selection; where
    a click means something else, `clicked` is told.

    `table` is the full data behind it, made when somebody asks: outside a session, so it must not look into one.
    """
    key = f"result-{name}-{tab_runs.current()}"
    kind = st.session_state.get("picture", "svg")
    picture = {"format": kind, "filename": f"discover-{name}", "scale": 2}
    config = chart_config(modeBarButtonsToRemove=TOOLS_LEFT_OUT, toImageButtonOptions=picture)
    figure = pictured(figure, _ground())
    if choose is not None:
        st.plotly_chart(figure, key=key, width="stretch", config=config, on_select=_chosen(key, choose), selection_mode=MODES)
    elif clicked is not None:
        st.plotly_chart(figure, key=key, width="stretch", config=config, on_select=_told(key, clicked), selection_mode="points")
    else:
        st.plotly_chart(figure, key=key, width="stretch", config=config)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(plain(caption), width="stretch")
        st.download_button(
            "Data",
            lambda: to_csv(table()),
            f"discover-{name}.csv",
            "text/csv",
            key=f"data-{key}",
            on_click="ignore",
            type="tertiary",
            icon=":material/download:",
            help="All the data behind this figure (CSV), drawn or not. The figure's toolbar saves it as a picture.",
        )


def _ground() -> str:
    """The page's colour."""
    dark = st.context.theme.type == "dark"
    return str(st.get_option(f"theme.{'dark' if dark else 'light'}.backgroundColor") or ("#0e1117" if dark else "#ffffff"))


def _chosen(key: str, choose: Choose) -> Callable[[], None]:
    """Only what a person does counts: a chart that is drawn anew has no selection, which must not undo another's."""

    def chosen() -> None:
        mark(choose(st.session_state[key]["selection"]))

    return chosen


def _told(key: str, clicked: Callable[[Selection], None]) -> Callable[[], None]:
    return lambda: clicked(st.session_state[key]["selection"])


def marked_bar(total: int) -> None:
    """Who is marked, and a way out."""
    people = marked()
    with st.container(horizontal=True, vertical_alignment="center", key="picked"):
        if not people:
            st.caption("Mark people in a chart, by a click or a box: the plan then lists only them, and every chart shows them.")
            return
        st.badge(f"{count(len(people), 'person', 'people')} of {total:,} marked", icon=":material/person_pin:", color="blue")
        if st.button("Show everybody", key="unpick", type="tertiary"):
            mark([])
            st.rerun()
