"""Name, save, duplicate, open and export: the tools above a scenario, and the list of those that were saved."""

from __future__ import annotations

import json
import time

import streamlit as st

from discover_core.errors import InputError
from discover_core.runs.scenario import Scenario
from discover_core.runs.shelf import Saved, Shelf
from discover_core.runs.sources import Kept

from . import asking, importing, running, session, work
from .deleting import delete_button
from .text import plain

SHOWN = 30
MANY = 8
# The only words about saving: a message of its own could still stand there when the scenario has been changed or copied.
SAVED = {
    "same": ":green[Saved.] Everybody who uses this server can open it.",
    "changed": "Changed since it was saved.",
    "new": "Not saved yet: it lives in this tab only.",
}


def shelf() -> Shelf:
    return Shelf(running.store())


def toolbar(current: session.Work) -> None:
    draft = current.draft
    with st.container(horizontal=True, vertical_alignment="bottom", key="scenario-tools"):
        name = st.text_input(
            "Name",
            value=draft.name,
            max_chars=100,
            placeholder=default_name(current),
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
            help="Keep it on this server. Everybody who uses this server can then open it.",
        ):
            _save(current)
            st.rerun()
        if st.button("Duplicate", icon=":material/content_copy:", key="duplicate-scenario", help="Go on with a copy of it."):
            session.ask(name=f"{current.draft.name or default_name(current)} (copy)", saved=None)
            session.renew()
            st.rerun()
        with st.popover("Open", icon=":material/folder_open:", key="open-popover"):
            saved_list("popover")
        with st.popover("Import", icon=":material/upload:", key="import-popover"):
            importing.uploader("scenario_upload")
        _export(current)
    st.caption(SAVED[saved])
    importing.ask_for_table()


def default_name(current: session.Work) -> str:
    return f"{current.dataset.title}, {len(current.group):,} people"


def saved_list(place: str) -> None:
    """Saved scenarios, the last changed first, each with a button to open it."""
    found = shelf().all()
    if not found:
        st.caption("Nothing has been saved yet.")
        return
    if len(found) > MANY:
        wanted = st.text_input("Find", key=f"find-{place}", placeholder="Name or data set").casefold()
        found = [item for item in found if wanted in item.name.casefold() or wanted in item.data_title.casefold()]
    saved_lines(found[:SHOWN], place)
    if len(found) > SHOWN:
        st.caption(f"The last {SHOWN} of {len(found):,}.")


def saved_lines(items: list[Saved], place: str) -> None:
    for item in items:
        with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"saved-{place}-{item.id}"):
            when = time.strftime("%d %b %Y, %H:%M", time.localtime(item.changed))
            st.markdown(
                f"**{plain(item.name)}** · {plain(item.data_title)} · {plain(item.model_title)} · {when}", width="stretch"
            )
            if st.button("Open", key=f"open-{place}-{item.id}", disabled=work.busy()):
                session.attempt(lambda item=item: open_saved(item))
                st.rerun()
            if delete_button(f"{place}-{item.id}", f"Delete {plain(item.name)} for everybody"):
                session.attempt(lambda item=item: shelf().delete(item.id))
                st.rerun()


def open_saved(item: Saved) -> None:
    scenario = Scenario.from_dict(json.loads(item.scenario))
    titles, saved = (item.data_title, item.model_title), (item.id, item.changed)
    asking.open_scenario(scenario, item.name, titles, Kept.from_json(item.kept), saved)


def _saved(current: session.Work) -> str:
    """Whether the scenario as it stands is on the shelf: "same", "changed" or "new"."""
    item = None if current.draft.saved is None else shelf().get(current.draft.saved)
    if item is None:
        return "new"
    try:
        now = json.loads(json.dumps(asking.scenario_of(current).to_dict()))
    except InputError:
        return "changed"
    same = now == json.loads(item.scenario) and (current.draft.name or default_name(current)) == item.name
    return "same" if same else "changed"


def _save(current: session.Work) -> None:
    assert current.scored is not None
    name = current.draft.name or default_name(current)
    try:
        titles = (current.dataset.title, current.scored.model.title)
        known = (current.draft.saved, current.draft.seen)
        item = shelf().save(name, asking.scenario_of(current), current.scored.kept, *titles, *known)
    except InputError as error:
        session.say("error", plain(error))
        return
    session.ask(saved=item.id, seen=item.changed)
    if item.name == name:
        return
    session.ask(name=item.name)
    session.renew()
    session.say("info", f"**{plain(name)}** was saved by somebody else meanwhile, so yours is now **{plain(item.name)}**.")


def _export(current: session.Work) -> None:
    try:
        content = asking.exported(current)
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
