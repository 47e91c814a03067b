"""Open a sample or an upload, from whichever page the user is on."""

from __future__ import annotations

import streamlit as st

from discover_core.problem import samples
from discover_core.table.known import KnownTable, known_tables
from discover_core.workers.page_results import OpenTable

from . import open_tables, page_jobs, session
from .text import count, plain

TYPES = ["csv", "tsv", "tab", "psv", "txt", "dat", "data", "gz", "parquet", "pq", "xlsx", "xlsm"]


def demos() -> list[KnownTable]:
    """The data sets we ship, the ready demos."""
    by_name = {known.name: known for known in known_tables()}
    return [by_name[name] for name in samples()]


def start_sample(name: str, stay: bool = False) -> None:
    """Open a demo, and go to its data unless the user is to `stay` where they are."""
    known = next((k for k in demos() if k.name == name), None)
    if known is None:
        session.say("error", "The address names a demo that does not exist: choose one below.")
        return

    def done(opened: OpenTable) -> None:
        session.keep(session.Work.of(opened, open_tables.dataset(opened)))
        if not stay:
            st.session_state["go_to"] = "data"
        session.say("success", f"**{plain(known.title)}** is open, and its model is trained.")

    page_jobs.start(f"Opening {plain(known.title)}", "open_sample", name, done=done)


def uploader(key: str, label: str = "Your table") -> None:
    """A file becomes the current work once it has been read; until then, and if it cannot be read, nothing changes."""
    st.file_uploader(
        label,
        type=TYPES,
        key=key,
        on_change=_uploaded,
        args=(key,),
        help="CSV (any separator, also .gz), Parquet or Excel; up to 200 MB and 1,000,000 rows. It stays on this server.",
    )


def _uploaded(key: str) -> None:
    file = st.session_state.get(key)
    if file is None or file.file_id == st.session_state.get("last_upload"):
        return
    st.session_state["last_upload"] = file.file_id
    session.take(file, _read)


def _read(path: str, name: str) -> None:
    def done(opened: OpenTable) -> None:
        work = session.Work.of(opened, open_tables.dataset(opened))
        session.keep(work)
        st.session_state["go_to"] = "data"
        said = f"**{plain(name)}** was read: {count(len(work.dataset.raw), 'row')}."
        if opened.known:
            said += f" We know these columns: **{plain(opened.known.title)}**."
        elif work.schema.outcome:
            said += f" **{plain(work.schema.outcome)}** looks like the outcome; choose another one if it is not."
        session.say("success", said)

    page_jobs.start(f"Reading {plain(name)}", "open_file", path, name, done=done, path=path)
