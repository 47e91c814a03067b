"""Earlier work: the runs of this browser and the scenarios saved on this server, with one field to search both."""

from __future__ import annotations

import json
import time

import streamlit as st

from discover_core.errors import InputError
from discover_core.runs.recipe import recipe_from_dict
from discover_core.runs.store import Run
from discover_core.runs.words import STATES, target_words

from . import door, importing, remembered, running, scenarios, session
from .deleting import delete_button
from .text import plain

FEW = 5  # up to so many need no search
SHOWN = 12  # of each kind


def earlier() -> None:
    runs, saved = remembered.runs(), scenarios.shelf().all()
    st.subheader("Earlier runs and saved scenarios")
    wanted = ""
    if len(runs) + len(saved) > FEW:
        wanted = st.text_input(
            "Find", key="find-earlier", placeholder="A name, a data set, what was asked", persist_state="session"
        ).strip().casefold()  # fmt: skip
    words = session.memo("asked", tuple(run.id for run in runs), lambda: {run.id: _asked(run) for run in runs})
    found = [run for run in runs if wanted in f"{run.name}\n{run.data_title}\n{STATES[run.state]}\n{words[run.id]}".casefold()]
    st.markdown("**Runs of this browser**", help="Runs that you started or opened in this browser. Nobody else sees this list.")
    if not found:
        st.caption("None of them has this in it." if runs else "Nothing has been run yet.")
    for run in found[:SHOWN]:
        _line(run, words[run.id])
    _rest(len(found))
    st.markdown("**Saved scenarios**", help="Questions that somebody saved on this server. Everybody who uses it can open them.")
    kept = [item for item in saved if wanted in f"{item.name}\n{item.data_title}\n{item.model_title}".casefold()]
    if not kept:
        st.caption("None of them has this in it." if saved else "Nothing has been saved yet.")
    scenarios.saved_lines(kept[:SHOWN], "overview")
    _rest(len(kept))
    with st.popover("Import a scenario", icon=":material/upload:", key="import-overview"):
        importing.uploader("overview_scenario_upload")
    importing.ask_for_table()


def run_words(run: Run, asked: str | None = None) -> str:
    """A run in a list: its name, its data, how it is doing, when it began, and its verdict, or what it asked."""
    answer = {} if run.answer is None else json.loads(run.answer)
    asked = answer["verdict"]["sentence"] if "verdict" in answer else _asked(run) if asked is None else asked
    done = f"{STATES[run.state].lower()} at iteration {max(run.done, 0):,} of {run.iterations:,}"
    when = time.strftime("%d %b %Y, %H:%M", time.localtime(run.created))
    about = "" if run.data_title in run.name else plain(run.data_title)
    parts = [f"**{plain(run.name)}**", about, done, when]
    return " · ".join(part for part in parts if part) + (f"  \n:small[{plain(asked)}]" if asked else "")


def _line(run: Run, asked: str) -> None:
    with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"earlier-run-{run.id}"):
        st.markdown(run_words(run, asked), width="stretch")
        if st.button("Show", key=f"show-run-{run.id}"):
            running.look_at(run.id)
            door.go("solve")
        if not run.working and delete_button(f"earlier-{run.id}", f"Delete {plain(run.name)} and all its steps"):
            if running.current() == run.id:
                running.look_at(None)
            session.attempt(lambda: running.store().forget(run.id))
            st.rerun()


def _asked(run: Run) -> str:
    """What a run was to reach, as a sentence; nothing if its words are not known any more."""
    try:
        words = target_words(recipe_from_dict(json.loads(run.scenario)["target"]))
    except InputError:
        return ""
    return f"Asked: {words}."


def _rest(count: int) -> None:
    if count > SHOWN:
        st.caption(f"The last {SHOWN} of {count:,}: search to find the others.")
