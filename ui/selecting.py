"""The people picked in a chart: every other chart marks them, and the plan shows only them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from discover_core.figures.data import figure_data
from discover_core.table.write import to_csv

from . import running
from .text import count, plain


def picked() -> tuple[int, ...]:
    """Their places in the group of the run this tab looks at."""
    run_id, people = st.session_state.get("picked", (None, ()))
    return tuple(people) if run_id == running.current() else ()


def pick(people: Sequence[int]) -> None:
    st.session_state["picked"] = (running.current(), tuple(dict.fromkeys(int(person) for person in people)))


def chart(figure: Any, name: str, caption: str, selectable: bool = False) -> None:
    """A figure with its caption and its numbers. In a selectable one a click or a box picks people."""
    key = f"result-{name}-{running.current()}"
    kind = st.session_state.get("picture", "svg")
    config = {"displaylogo": False, "toImageButtonOptions": {"format": kind, "filename": f"discover-{name}", "scale": 2}}
    if selectable:
        st.plotly_chart(
            figure, key=key, width="stretch", config=config, on_select=_chosen(key), selection_mode=("points", "box", "lasso")
        )
    else:
        st.plotly_chart(figure, key=key, width="stretch", config=config)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(plain(caption), width="stretch")
        st.download_button(
            "Data",
            lambda: to_csv(figure_data(figure)),
            f"discover-{name}.csv",
            "text/csv",
            key=f"data-{key}",
            on_click="ignore",
            type="tertiary",
            icon=":material/download:",
            help="The numbers of this figure (CSV). Its toolbar saves it as a picture.",
        )


def _chosen(key: str) -> Any:
    """Only what a person does counts: a chart that is drawn anew has no selection, which must not undo another's."""

    def chosen() -> None:
        points = st.session_state[key]["selection"]["points"]
        pick([person for point in points if (person := _person(point)) is not None])

    return chosen


def _person(point: dict[str, Any]) -> int | None:
    given = point.get("customdata")
    given = given[0] if isinstance(given, list | tuple) and given else given
    if isinstance(given, dict):
        given = next(iter(given.values()), None)
    return int(given) if isinstance(given, int | float) else None


def picked_bar(total: int) -> None:
    """Who is picked, and a way out."""
    people = picked()
    with st.container(horizontal=True, vertical_alignment="center", key="picked"):
        if not people:
            st.caption("Pick people in a chart, by a click or a box, to see only them in the plan and to mark them everywhere.")
            return
        st.badge(f"{count(len(people), 'person', 'people')} of {total:,} picked", icon=":material/person_pin:", color="blue")
        if st.button("Show everybody", key="unpick", type="tertiary"):
            pick([])
            st.rerun()
