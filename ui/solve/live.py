"""A run as it happens: its score chart first, the verdict beside it, and the other pictures below. Never computed here."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from discover_core.errors import InputError
from discover_core.figures import outputs
from discover_core.figures.replay import frames
from discover_core.outcome.run_words import STATES
from discover_core.store.run import Run
from discover_core.store.run_progress import RunProgress

from ..app import question, run_end, session, tab_runs
from ..app.chart import live_chart
from ..app.text import count, plain
from .live_pictures import pictures

EVERY = 0.4  # seconds between two looks at a run at work
TALL = 520  # pixels of the score chart where the window has room for them
STAGE = [7, 4]  # the chart, and beside it verdict and controls
BADGES: dict[str, tuple[Literal["gray", "blue", "orange", "green", "red"], str]] = {
    "queued": ("gray", ":material/hourglass_empty:"),
    "running": ("blue", ":material/play_arrow:"),
    "paused": ("orange", ":material/pause:"),
    "stopping": ("orange", ":material/stop:"),
    "finished": ("green", ":material/check:"),
    "stopped": ("gray", ":material/stop:"),
    "failed": ("red", ":material/error:"),
    "refused": ("gray", ":material/block:"),
    "damaged": ("red", ":material/broken_image:"),
}


def live(run: Run) -> None:
    """Follow a run: polled while something may happen by itself, drawn once when it rests. Its question stands still."""
    progress = tab_runs.progress()
    question.question(progress.run.question, _people(progress))
    question.say_of_draft(run)
    st.fragment(_panel, run_every=EVERY if run.working else None)(run.working)


def _panel(polled: bool) -> None:
    try:
        progress = tab_runs.progress()
    except InputError as error:
        if tab_runs.current() is not None and tab_runs.gone():
            tab_runs.look_at(None)
            session.say("error", plain(error))
            st.rerun()
        st.error(plain(error))
        return
    run = progress.run
    if run.working != polled:
        st.rerun()
    left, right = st.columns(STAGE, gap="medium")
    with left:
        _scores(progress)
    with right:
        with st.container():
            if not run.working:
                run_end.reached(progress)
        with st.container():
            _state(progress)
        with st.container():
            if not run.working:
                run_end.next_steps(progress)
    with st.container():
        if progress.head is not None and progress.done >= 0:
            pictures(progress)


def _people(progress: RunProgress) -> int | None:
    """How many it is about; before the run has begun only the page that asked may know."""
    if progress.head is not None:
        return len(progress.head.rows)
    work = session.current()
    return None if work is None or question.draft_differs(progress.run) else len(work.group)


def _scores(progress: RunProgress) -> None:
    """Before, now and the target. While the run is being prepared, what the page itself knows of them."""
    dark = st.context.theme.type == "dark"
    head, work = progress.head, session.current()
    if head is not None and progress.done >= 0:
        tau = None if head.target.past is None else head.target.past.tau
        best = progress.best if progress.run.over else progress.done  # what the verdict speaks of
        now = progress.iterate(best)[1] if progress.run.over else progress.outputs
        figure = outputs.outputs_figure(head.outputs, head.target, now, dark=dark, height=TALL, threshold=tau)
        film = frames(head.outputs, progress.edits[: best + 1]) if progress.run.over else None
        live_chart(figure, "live-outputs", film, fit=True)
    elif work is not None and work.scored is not None and not question.draft_differs(progress.run):
        preview(work)
    elif progress.run.working:
        st.caption("The group and the model are being prepared: its scores show here in a moment.")


def preview(work: session.Work) -> None:
    """Before the run: where the scores are, and where they should be."""
    dark = st.context.theme.type == "dark"
    scores, target = work.study.group_scores, work.study.target(work.draft.target)
    tau = None if target.past is None else target.past.tau
    figure = outputs.outputs_figure(scores, target, dark=dark, height=TALL, threshold=tau)
    figure.update_traces(showlegend=False, selector={"name": "Now"})  # there is no run yet
    live_chart(figure, "live-outputs", fit=True)


def _state(progress: RunProgress) -> None:
    run = progress.run
    colour, icon = BADGES[run.state]
    if progress.done >= 0 and not run.over:
        so_far = progress.wish.sentence(progress.wish.reached(progress.outputs), "so far")
        st.markdown(f"**{plain(so_far)}**")
    with st.container(key="run-state", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.badge("Pausing" if run.request == "pause" else STATES[run.state], icon=icon, color=colour)
            st.markdown(_pace(progress), width="stretch")
        if not run.over:
            st.progress(min(1.0, max(run.done, 0) / run.iterations))
    if run.over:
        return
    with st.container(horizontal=True):
        may_pause = run.state in ("queued", "running") and run.request is None
        if may_pause and st.button("Pause", icon=":material/pause:", key="pause-run"):
            session.attempt(lambda: tab_runs.runner().pause(run.id))
            st.rerun()
        if run.state == "paused" and st.button("Resume", icon=":material/play_arrow:", key="resume-run", type="primary"):
            session.attempt(lambda: tab_runs.runner().go_on(run.id))
            st.rerun()
        if run.state in ("queued", "running", "paused") and st.button("Stop", icon=":material/stop:", key="stop-run"):
            session.attempt(lambda: tab_runs.runner().stop(run.id))
            st.rerun()


def _pace(progress: RunProgress) -> str:
    run = progress.run
    if run.state == "queued":
        at_work, before = tab_runs.store().before(run)
        if at_work < tab_runs.runner().at_once:
            return "Starting"
        others = f"{count(before, 'run')} before it in the queue" if before else "next in the queue"
        return f"Waiting for one of {count(at_work, 'run')} at work to end: {others}."
    if run.state == "running" and run.sentence:
        return plain(run.sentence)
    if progress.done < 0:
        return "Preparing the group and the model" if run.working else ""
    parts = [f"Iteration **{progress.done:,}** of {run.iterations:,}"]
    if run.state in ("running", "stopping") and progress.pace is not None:
        parts.append(f"{progress.pace:.3g} per second")
    parts.append(f"{count(int(progress.numbers('model_rows')[-1]), 'row')} scored")
    if run.state == "running" and progress.seconds_left is not None:
        parts.append(f"at most {_duration(progress.seconds_left)} left")
    else:
        parts.append(f"{_duration(run.seconds)} of work")
    return " · ".join(parts)


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"
