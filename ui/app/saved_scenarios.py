"""Name, save, duplicate, open and export: the tools above a scenario, and the list of those that were saved."""

from __future__ import annotations

import time
from functools import partial

import streamlit as st

from discover_core.store.raw_rows import raw_scenario
from discover_core.store.saved_scenarios import SavedScenario, SavedScenarios

from . import open_files, page_jobs, scenario_io, session, tab_runs
from .damaged_box import export_button
from .delete_button import delete_button
from .maker import maker
from .text import plain

SHOWN = 30
MANY = 8


def shared() -> SavedScenarios:
    return SavedScenarios(tab_runs.store())


def saved_list(place: str) -> None:
    """Saved scenarios, the last changed first, each with a button to open it."""
    found = shared().all()
    if not found:
        st.caption("Nothing has been saved yet.")
        return
    if len(found) > MANY:
        wanted = st.text_input("Find", key=f"find-{place}", placeholder="Name or data set").casefold()
        found = [item for item in found if wanted in item.name.casefold() or wanted in item.titles[0].casefold()]
    saved_lines(found[:SHOWN], place)
    if len(found) > SHOWN:
        st.caption(f"The last {SHOWN} of {len(found):,}.")


def saved_lines(items: list[SavedScenario], place: str) -> None:
    me = maker()
    for item in items:
        with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"saved-{place}-{item.id}"):
            when = time.strftime("%d %b %Y, %H:%M", time.localtime(item.changed))
            about = f"{plain(item.titles[0])} · {plain(item.titles[1])} · {when}"
            if item.damage is not None:
                about = f":red[damaged]  \n:small[{plain(item.damage)}]"
            st.markdown(f"**{plain(item.name) or 'A scenario'}** · {about}", width="stretch")
            if item.damage is not None:
                export_button(partial(raw_scenario, shared().store, item.id), "scenario", f"{place}-{item.id}")
            elif st.button("Open", key=f"open-{place}-{item.id}", disabled=page_jobs.busy()):
                session.attempt(partial(open_saved, item))
                st.rerun()
            if item.belongs_to(me) and delete_button(f"{place}-{item.id}", f"Delete {plain(item.name)} for everybody"):
                kept = open_files.held()
                session.attempt(partial(shared().delete, item.id, me, tab_runs.runner().files, kept))
                st.rerun()


def open_saved(item: SavedScenario) -> None:
    scenario_io.open_question(item.question, item.changed)
