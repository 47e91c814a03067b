"""Which pages there are, and the way in."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st


def pages() -> dict[str, st.Page]:
    return {
        "overview": st.Page("pages/overview.py", title="Overview", icon=":material/home:", default=True),
        "data": st.Page("pages/data.py", title="Data", icon=":material/table_chart:"),
        "model": st.Page("pages/model.py", title="Model", icon=":material/insights:"),
        "scenario": st.Page("pages/scenario.py", title="Scenario", icon=":material/tune:"),
        "solve": st.Page("pages/solve.py", title="Solve", icon=":material/play_circle:"),
        "results": st.Page("pages/results.py", title="Results", icon=":material/query_stats:"),
    }


def dress() -> None:
    """Title and icon of the tab. Without an icon of ours the browser would fetch the page's from a server of Google's."""
    st.set_page_config(page_title="DISCOVER", page_icon="assets/icon.svg", layout="wide")


def enter() -> None:
    """The front door has been passed: pages may draw themselves."""
    st.session_state["entered"] = True


def show(page: Callable[[], None]) -> None:
    """Draw a page. A fresh server that is asked for a page first runs its file alone, because of the folder's name: then in by
    the front door, after telling Streamlit which pages there are."""
    if st.session_state.get("entered"):
        page()
    else:
        dress()
        st.navigation(list(pages().values()), position="top")
        st.rerun()
