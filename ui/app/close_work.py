"""Let go of pieces of work that are open in this tab, and of what was found out about them."""

from __future__ import annotations

import streamlit as st

from . import open_files, session


def close(works: list[session.Work]) -> None:
    ids = {work.id for work in works}
    st.session_state["recent"] = [work for work in session.recent() if work.id not in ids]
    if (work := session.current()) is not None and work.id in ids:
        del st.session_state["work"]
    st.session_state.pop("worked_out", None)
    open_files.let_go(ids)
