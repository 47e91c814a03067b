"""Solve: one button, and then the group moves."""

import streamlit as st

from discover_core.errors import InputError
from discover_core.figures.text import amount
from discover_core.problem.words import allowed_sentences
from discover_core.runs.words import STATES, target_words
from ui import asking, door, running, session, work
from ui.deleting import delete_button
from ui.live import live, preview
from ui.text import count, plain


def page() -> None:
    run = running.shown()
    current = session.current()
    st.title(plain(run.name) if run is not None else "Solve")
    if run is None and (current is None or current.scored is None):
        if not work.busy():
            st.markdown("There is nothing to solve yet. Open a demo, or bring your own table and model.")
        st.page_link("pages/overview.py", label="Open a demo", icon=":material/home:")
        return
    with st.container():
        if current is not None and current.scored is not None:
            ask(current, first=run is None)
            if run is None and not session.problem_of(lambda: current.target(current.draft.target)):
                preview(current.scores[current.group], current.target(current.draft.target))
    if run is not None:
        live(run)
    others(None if run is None else run.id)


def ask(current: session.Work, first: bool) -> None:
    """The question in a few sentences, and the button."""
    try:
        scenario = asking.scenario_of(current)
    except InputError as error:
        st.warning(plain(error))
        st.page_link("pages/scenario.py", label="Look at the scenario", icon=":material/tune:")
        return
    same = not first and running.same_question(scenario)
    with st.container(border=True, key="question"):
        words, button = st.columns([3, 1], gap="large", vertical_alignment="center")
        with words:
            bounds, settings = scenario.bounds, scenario.settings
            who = count(len(current.group), "person", "people")
            st.markdown(f"**Change the group of {who} so that {plain(target_words(scenario.target))}.**")
            st.caption(
                plain(" ".join(allowed_sentences(scenario.actions)))
                + f" Inputs within {amount(bounds.u_x)}, scores within {amount(bounds.u_y)}; "
                + f"{count(settings.iterations, 'iteration')} of {count(settings.candidates, 'try', 'tries')}."
            )
        with button:
            label = "Solve again" if same else "Solve"
            kind = "secondary" if same else "primary"
            if st.button(label, icon=":material/play_arrow:", type=kind, key="solve", width="stretch", disabled=work.busy()):
                session.attempt(lambda: running.start(current))
                st.rerun()


def others(shown: str | None) -> None:
    """The runs of this tab, to go back to."""
    runs = [run for run in running.mine() if run.id != shown]
    if not runs:
        return
    st.subheader(
        "Other runs", help="Runs you have started or opened in this tab. Each has an address of its own that you can keep."
    )
    for run in runs:
        with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"run-{run.id}"):
            done = f"iteration {max(run.done, 0):,} of {run.iterations:,}"
            st.markdown(f"**{plain(run.name)}** · {STATES[run.state]} · {done} · {plain(run.model_title)}", width="stretch")
            if st.button("Show", key=f"show-{run.id}"):
                running.look_at(run.id)
                st.rerun()
            if not run.working and delete_button(f"run-{run.id}", f"Delete {plain(run.name)} and all its steps"):
                session.attempt(lambda run=run: running.store().forget(run.id))
                st.rerun()


door.show(page)
