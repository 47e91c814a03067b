"""The address in the browser: it names the demo and the run, so that a reload, a copy of it and Back find them again."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from .assets import ASSETS

_history = st.components.v2.component("history", js=(ASSETS / "history.js").read_text(encoding="utf-8"))


def came_back() -> bool:
    """Whether Back or Forward led here: then the address says what to show."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def keep(demo: str | None, run: str | None) -> None:
    """Write into the address what is shown. All at once and always in this order: the browser keeps what it has been given."""
    shown = st.query_params.to_dict()
    wanted = {name: value for name, value in shown.items() if name not in ("demo", "run")}
    wanted |= {name: value for name, value in (("demo", demo), ("run", run)) if value}
    if shown != wanted:
        st.query_params.from_dict(wanted)


def one_step_back() -> None:
    """Let the browser keep one entry per page, and one per run, instead of one per change of the address."""
    _history(key="history")
