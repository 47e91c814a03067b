"""What a run reached, and what one can do next."""

from __future__ import annotations

from functools import partial

import streamlit as st

from discover_core.solver.settings_words import setting_words
from discover_core.store.run import Run
from discover_core.store.run_progress import RunProgress

from . import page_registry, session, tab_runs
from .audit_box import audit_box
from .text import plain
from .verdict import details, verdict

RESUMABLE = ("stopped", "failed")
MOST_MORE = 10_000  # iterations that are added at once


def reached(progress: RunProgress) -> None:
    """Why a run came to no end of its own, and the verdict on what it reached."""
    trouble(progress.run)
    summary = tab_runs.summary(progress)
    if progress.run.over and summary is not None:
        if summary.audit is not None:
            audit_box(summary.audit)
        verdict(summary.verdict)


def next_steps(progress: RunProgress) -> None:
    """The buttons, and below them the certificate with its numbers."""
    summary = tab_runs.summary(progress)
    if progress.run.over:
        _next(progress)
    if progress.run.over and summary is not None:
        details(progress, summary)


def trouble(run: Run) -> None:
    """Why a run came to no end of its own, if nobody wished it."""
    if run.state == "failed":
        st.error(plain(run.sentence or "The run failed."))
    elif run.state == "refused":
        with st.container(border=True, key="verdict-grey"):
            st.markdown(f":material/info: **This cannot be solved.** {plain(run.sentence or '')}")
    elif run.state == "stopped" and run.sentence and run.sentence != "Stopped by hand.":
        st.warning(plain(run.sentence))


def _next(progress: RunProgress) -> None:
    run, runner = progress.run, tab_runs.runner()
    unfinished = run.state in RESUMABLE and run.done < run.iterations
    with st.container(horizontal=True, vertical_alignment="bottom", key="run-next"):
        if progress.done >= 0 and st.button("See the results", icon=":material/query_stats:", type="primary", key="to-results"):
            page_registry.go("results")
        if unfinished and st.button("Continue from here", icon=":material/play_arrow:", key="continue-run"):
            session.attempt(lambda: runner.go_on(run.id))
            st.rerun()
        if progress.done >= 0:
            with st.popover("Go on for more iterations", icon=":material/add:", key="more-popover"):
                first = min(max(20, run.iterations), MOST_MORE)
                more = st.number_input("Iterations", 1, MOST_MORE, first, 10, key=f"more-{run.id}")
                if st.button("Go on", type="primary", key="more-run"):
                    session.attempt(lambda: runner.go_on(run.id, more=int(more)))
                    st.rerun()
            with st.popover("Try again with …", icon=":material/replay:", key="again-popover"):
                _again(progress)
        if st.button("Change the question", icon=":material/edit:", key="edit-question", help="Open its scenario to edit it."):
            session.attempt(lambda: tab_runs.open_question(run))
            st.rerun()


def _again(progress: RunProgress) -> None:
    settings = progress.scenario.settings
    other = "joint" if settings.selection == "rowwise" else "rowwise"
    words = setting_words("selection").options
    choices: dict[str, dict[str, object]] = {
        f"Another seed ({settings.seed + 1})": {"seed": settings.seed + 1},
        f"Twice as many tries per iteration ({2 * settings.candidates:,})": {"candidates": 2 * settings.candidates},
        f"Twice as many people per iteration ({2 * settings.k:,})": {"k": 2 * settings.k},
        f"Another way of choosing: {words[other].lower()}": {"selection": other},
    }
    for i, (label, changes) in enumerate(choices.items()):
        if st.button(label, key=f"again-{i}", width="stretch"):
            session.attempt(partial(tab_runs.try_again, progress.run, **changes))
            st.rerun()
