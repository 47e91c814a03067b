"""Which pages there are, and the way in."""

from __future__ import annotations

from collections.abc import Callable, Collection

import streamlit as st

from .assets import ASSETS

JOURNEY = ("data", "model", "scenario", "solve", "results")


def pages(done: Collection[str] = ()) -> dict[str, st.Page]:
    """The journey, which is the navigation: its steps are numbered, and ticked when they are `done`. New people come after it."""
    found = {"overview": st.Page("pages/overview.py", title="Overview", icon=":material/home:", default=True)}
    for number, name in enumerate(JOURNEY, 1):
        icon = ":material/check_circle:" if name in done else f":material/counter_{number}:"
        found[name] = st.Page(f"pages/{name}.py", title=name.title(), icon=icon)
    found["apply"] = st.Page("pages/apply.py", title="Apply", icon=":material/group_add:")
    return found


def go(page: str) -> None:
    """Switch to a page. What the address names is kept, so that Back finds this page as it was."""
    st.switch_page(f"pages/{page}.py", query_params=st.query_params.to_dict())


def dress() -> None:
    """Title and icon of the tab. Without an icon of ours the browser would fetch the page's from a server of Google's."""
    st.set_page_config(page_title="DISCOVER", page_icon=ASSETS / "icon.svg", layout="wide")


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
