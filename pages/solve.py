"""Solve: one button, and then the group moves."""

from functools import partial

import streamlit as st

from discover_core.errors import InputError
from discover_core.outcome.run_words import STATES
from discover_core.store.run import Run
from ui.app import page_jobs, page_registry, question, scenario_io, session, tab_runs
from ui.app.damaged_box import damaged_box
from ui.app.delete_button import delete_button
from ui.app.run_line import run_line
from ui.app.text import count, plain
from ui.solve.live import STAGE, live, preview


def page() -> None:
    run = tab_runs.shown()
    current = session.current()
    if run is None and (current is None or current.scored is None):
        st.title("Solve")
        if not page_jobs.busy():
            st.markdown("There is nothing to solve yet. Open a demo, or bring your own table and model.")
        st.page_link("pages/overview.py", label="Open a demo", icon=":material/home:")
        return
    if run is not None and (tab_runs.looked_at(run) or not question.draft_differs(run)):
        damage = tab_runs.damage(run)
        if damage is None:
            live(run)
        else:
            damaged_box(run, damage)
    elif current is not None:
        ask(current)
        if run is not None:
            earlier(run)
    others(None if run is None else run.id)


def ask(current: session.Work) -> None:
    """The draft in a few sentences, its scores before and wished for, and the button."""
    assert current.scored is not None
    try:
        asked = scenario_io.question_of(current)
    except InputError as error:
        st.title("Solve")
        st.warning(plain(error))
        st.button(
            "Solve", icon=":material/play_arrow:", type="primary", key="solve", disabled=True, help=plain(error), width="content"
        )
        st.page_link("pages/scenario.py", label="Look at the scenario", icon=":material/tune:")
        return
    question.question(asked, len(current.group))
    left, right = st.columns(STAGE, gap="medium")
    with left:
        preview(current)
    with right:
        st.markdown(f"**{plain(current.wish.today)}**")
        if current.beyond:
            st.warning(plain(current.beyond))
        elif current.to_help:
            most = current.draft.budget.people
            short = most is not None and most < current.to_help
            only = f", and at most {most:,} may" if short else ""
            st.caption(f"About {count(current.to_help, 'person has', 'people have')} to change for this{only}.")
        else:
            st.caption("The wish is met as it is: nobody has to change for this.")
        if st.button(
            "Solve", icon=":material/play_arrow:", type="primary", key="solve", width="stretch", disabled=page_jobs.busy()
        ):
            session.attempt(lambda: tab_runs.start(current))
            st.rerun()
        st.page_link("pages/scenario.py", label="Change the question", icon=":material/tune:")


def earlier(run: Run) -> None:
    """The run this tab looked at before the draft was changed."""
    with st.container(horizontal=True, vertical_alignment="center", key="earlier-answer"):
        st.caption(
            f":material/info: Your last answer, **{plain(run.name)}** ({STATES[run.state].lower()}), was to another question.",
            width="stretch",
        )
        if st.button("Show it", key="show-earlier", type="tertiary", icon=":material/history:"):
            tab_runs.look_at(run.id)
            st.rerun()


def others(shown: str | None) -> None:
    """The runs of this tab, to go back to."""
    runs = [run for run in tab_runs.mine() if run.id != shown]
    if not runs:
        return
    st.subheader(
        "Other runs", help="Runs you have started or opened in this tab. Each has an address of its own that you can keep."
    )
    for run in runs:
        with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"run-{run.id}"):
            st.markdown(run_line(run), width="stretch")
            if st.button("Show", key=f"show-{run.id}"):
                tab_runs.look_at(run.id)
                st.rerun()
            if not run.working and delete_button(f"run-{run.id}", f"Delete {plain(run.name)} and all its steps"):
                session.attempt(partial(tab_runs.delete, [run.id]))
                st.rerun()


page_registry.show(page)
