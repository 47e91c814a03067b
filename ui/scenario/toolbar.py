"""Name, save, duplicate, open and export: the tools above a scenario."""

from __future__ import annotations

import streamlit as st

from discover_core.errors import InputError

from ..app import scenario_import, scenario_io, session
from ..app.maker import maker
from ..app.saved_scenarios import saved_list, shared
from ..app.text import plain

# The only words about saving: a message of its own could still stand there when the scenario has been changed or copied.
SAVED = {
    "same": ":green[Saved.] Everybody who uses this server can open it.",
    "changed": "Changed since it was saved.",
    "new": "Not saved yet: it lives in this tab only.",
}


def toolbar(current: session.Work) -> None:
    draft = current.draft
    with st.container(horizontal=True, vertical_alignment="bottom", key="scenario-tools"):
        name = st.text_input(
            "Name",
            value=draft.name,
            max_chars=100,
            placeholder=scenario_io.default_name(current),
            key=f"name-{current.id}-{session.version()}",
            help="So that you find it again. Runs of this scenario are called the same.",
        )
        if name != draft.name:
            session.ask(name=name)
            current = session.current() or current
        saved = _saved(current)
        if st.button(
            "Save",
            icon=":material/save:",
            key="save-scenario",
            help="Keep it on this server. Everybody who uses this server can then open it; only you can change or delete it.",
        ):
            _save(current)
            st.rerun()
        if st.button("Duplicate", icon=":material/content_copy:", key="duplicate-scenario", help="Go on with a copy of it."):
            session.ask(name=f"{scenario_io.name_of(current)} (copy)", saved=None)
            session.renew()
            st.rerun()
        with st.popover("Open", icon=":material/folder_open:", key="open-popover"):
            saved_list("popover")
        with st.popover("Import", icon=":material/upload:", key="import-popover"):
            scenario_import.uploader("scenario_upload")
        _export(current)
    st.caption(SAVED[saved])
    scenario_import.ask_for_table()


def _saved(current: session.Work) -> str:
    """Whether the scenario as it stands is saved: "same", "changed" or "new"."""
    item = None if current.draft.saved is None else shared().get(current.draft.saved)
    if item is None:
        return "new"
    try:
        same = item.question.asks(scenario_io.scenario_of(current)) and scenario_io.name_of(current) == item.name
    except InputError:
        return "changed"
    return "same" if same else "changed"


def _save(current: session.Work) -> None:
    name = scenario_io.name_of(current)
    try:
        item = shared().save(scenario_io.question_of(current), current.draft.seen, maker())
    except InputError as error:
        session.say("error", plain(error))
        return
    session.ask(saved=item.id, seen=item.changed)
    if item.name == name:
        return
    session.ask(name=item.name)
    session.renew()
    session.say("info", f"**{plain(name)}** is somebody else's, or was changed meanwhile: yours is **{plain(item.name)}**.")


def _export(current: session.Work) -> None:
    try:
        content = scenario_io.exported(current)
    except InputError:
        content = b""
    st.download_button(
        "Export",
        content,
        "scenario.json",
        "application/json",
        key="export-scenario",
        icon=":material/download:",
        on_click="ignore",
        disabled=not content,
        help="As a file that can be imported here, or run from the command line.",
    )
