"""What happened, in one sentence, and what one can do next."""

from __future__ import annotations

from typing import Any

import streamlit as st

from discover_core.figures import limits
from discover_core.runs.store import Run
from discover_core.runs.watched import Watched
from discover_core.runs.words import outcome

from . import running, session
from .text import plain

RESUMABLE = ("stopped", "failed")


def ending(watched: Watched) -> None:
    run, answer = watched.run, running.answered(watched)
    since = feasible_since(watched)
    trouble(run)
    if watched.done < 0:
        _next(watched)
        return
    if run.over:
        said = plain(outcome(run, len(watched.outputs), watched.scenario.bounds.band, answer, since))
        verdict(watched, said, answer)
        if answer is not None:
            st.markdown(plain(answer["sentence"]))
    _next(watched)


def trouble(run: Run) -> None:
    """Why a run came to no end of its own, if nobody wished it."""
    if run.state == "failed":
        st.error(plain(run.sentence or "The run failed."))
    elif run.state == "stopped" and run.sentence and run.sentence != "Stopped by hand.":
        st.warning(plain(run.sentence))


def verdict(watched: Watched, said: str, answer: dict[str, Any] | None) -> None:
    """Green only what is certified by a band that holds at every group size."""
    certified = answer is not None and answer["certified"] and watched.scenario.bounds.band != "bootstrap"
    (st.success if certified else st.info)(said, icon=":material/verified:" if certified else ":material/info:")


def feasible_since(watched: Watched) -> int | None:
    """The first iterate within both bounds."""
    bounds = watched.scenario.bounds
    within = limits.feasible(watched.numbers("ucl_x"), watched.numbers("ucl_y"), bounds.u_x, bounds.u_y)
    return int(within.argmax()) if within.any() else None


def _next(watched: Watched) -> None:
    run = watched.run
    if not run.over:
        return
    runner = running.runner()
    unfinished = run.state in RESUMABLE and run.done < run.iterations
    with st.container(horizontal=True, vertical_alignment="bottom", key="run-next"):
        if watched.done >= 0 and st.button("See the results", icon=":material/query_stats:", type="primary", key="to-results"):
            st.switch_page("pages/results.py")
        if unfinished and st.button("Continue from here", icon=":material/play_arrow:", key="continue-run"):
            session.attempt(lambda: runner.go_on(run.id))
            st.rerun()
        if watched.done >= 0:
            with st.popover("Go on for more iterations", icon=":material/add:", key="more-popover"):
                more = st.number_input("Iterations", 1, 10_000, max(20, run.iterations), 10, key=f"more-{run.id}")
                if st.button("Go on", type="primary", key="more-run"):
                    session.attempt(lambda: runner.go_on(run.id, more=int(more)))
                    st.rerun()
        with st.popover("Try again with …", icon=":material/replay:", key="again-popover"):
            _again(watched)
        if st.button("Change the question", icon=":material/edit:", key="edit-question", help="Open its scenario to edit it."):
            session.attempt(lambda: running.open_question(run))
            st.rerun()


def _again(watched: Watched) -> None:
    settings = watched.scenario.settings
    other = "joint" if settings.selection == "rowwise" else "rowwise"
    words = {"joint": "one choice for all people at once", "rowwise": "the best choice for each person"}
    choices = {
        f"Another seed ({settings.seed + 1})": {"seed": settings.seed + 1},
        f"Twice as many tries per iteration ({2 * settings.candidates:,})": {"candidates": 2 * settings.candidates},
        f"Twice as many people per iteration ({2 * settings.k:,})": {"k": 2 * settings.k},
        f"Another way of choosing: {words[other]}": {"selection": other},
    }
    for i, (label, changes) in enumerate(choices.items()):
        if st.button(label, key=f"again-{i}", width="stretch"):
            session.attempt(lambda changes=changes: running.try_again(watched.run, **changes))
            st.rerun()
