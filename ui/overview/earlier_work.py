"""Earlier work: the runs of this browser and the scenarios saved on this server, with one field to search both."""

from __future__ import annotations

from functools import partial

import streamlit as st

from discover_core.outcome.run_words import STATES
from discover_core.store.raw_rows import raw_run
from discover_core.store.run import Run

from ..app import browser_memory, page_registry, saved_scenarios, scenario_import, session, tab_runs
from ..app.damaged_box import export_button
from ..app.delete_button import delete_button
from ..app.run_line import asked_words, run_line
from ..app.text import plain
from .everything_of_mine import everything_of_mine

FEW = 5  # up to so many need no search
SHOWN = 12  # of each kind


def earlier() -> None:
    runs, saved = browser_memory.runs(), saved_scenarios.shared().all()
    st.subheader("Earlier runs and saved scenarios")
    wanted = ""
    if len(runs) + len(saved) > FEW:
        wanted = st.text_input(
            "Find", key="find-earlier", placeholder="A name, a data set, what was asked", persist_state="session"
        ).strip().casefold()  # fmt: skip
    words = session.memo("asked", tuple(run.id for run in runs), lambda: {run.id: asked_words(run) for run in runs})
    found = [run for run in runs if wanted in f"{run.name}\n{run.titles[0]}\n{STATES[run.state]}\n{words[run.id]}".casefold()]
    st.markdown("**Runs of this browser**", help="Runs that you started or opened in this browser. Nobody else sees this list.")
    if not found:
        st.caption("None of them has this in it." if runs else "Nothing has been run yet.")
    for run in found[:SHOWN]:
        _line(run, words[run.id])
    _rest(len(found))
    st.markdown("**Saved scenarios**", help="Questions that somebody saved on this server. Everybody who uses it can open them.")
    kept = [item for item in saved if wanted in f"{item.name}\n{item.titles[0]}\n{item.titles[1]}".casefold()]
    if not kept:
        st.caption("None of them has this in it." if saved else "Nothing has been saved yet.")
    saved_scenarios.saved_lines(kept[:SHOWN], "overview")
    _rest(len(kept))
    with st.popover("Import a scenario", icon=":material/upload:", key="import-overview"):
        scenario_import.uploader("overview_scenario_upload")
    scenario_import.ask_for_table()
    everything_of_mine(runs, saved)


def _line(run: Run, asked: str) -> None:
    with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"earlier-run-{run.id}"):
        st.markdown(run_line(run, asked), width="stretch")
        if run.damage is not None:
            export_button(partial(raw_run, tab_runs.store(), run.id), "run", f"run-{run.id}")
        elif st.button("Show", key=f"show-run-{run.id}"):
            tab_runs.look_at(run.id)
            page_registry.go("solve")
        if not run.working and delete_button(f"earlier-{run.id}", f"Delete {plain(run.name)} and all its steps"):
            session.attempt(partial(tab_runs.delete, [run.id]))
            st.rerun()


def _rest(count: int) -> None:
    if count > SHOWN:
        st.caption(f"The last {SHOWN} of {count:,}: search to find the others.")
