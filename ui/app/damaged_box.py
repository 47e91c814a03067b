"""What can be done with something in the store that cannot be read: take it out as it is, or delete it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from discover_core.store.raw_rows import raw_run
from discover_core.store.run import Run

from . import session, tab_runs
from .delete_button import delete_button
from .text import plain


def damaged_box(run: Run, damage: str) -> None:
    """In the place of a run."""
    st.title(plain(run.name) or "A damaged run", anchor=False)
    st.error(plain(damage))
    with st.container(horizontal=True):
        export_button(partial(raw_run, tab_runs.store(), run.id), "run", "damaged")
        if delete_button("damaged", f"Delete {plain(run.name) or 'it'} and all its steps"):
            session.attempt(partial(tab_runs.delete, [run.id]))
            st.rerun()


def export_button(content: Callable[[], bytes], what: str, key: str) -> None:
    st.download_button(
        "Export",
        content,
        f"damaged-{what}.json",
        "application/json",
        key=f"export-{key}",
        icon=":material/download:",
        on_click="ignore",
        help="What the store holds of it, as it is.",
    )
