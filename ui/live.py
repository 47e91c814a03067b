"""A run as it happens: its charts, its pace, and the buttons that steer it. Redrawn from the store, never computed here."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from discover_core.errors import InputError
from discover_core.figures import distances, eta, impact, limits, outputs
from discover_core.figures.text import amount
from discover_core.problem.target import Target
from discover_core.runs.store import Run
from discover_core.runs.watched import Watched
from discover_core.runs.words import STATES

from . import ending, running, session
from .chart import live_chart
from .text import count, plain

EVERY = 0.4  # seconds between two looks at a run at work
HEATMAP_ROWS = 30
SCORES = "For every score, the share of people who have at most that score."
BADGES = {
    "queued": ("gray", ":material/hourglass_empty:"),
    "running": ("blue", ":material/play_arrow:"),
    "paused": ("orange", ":material/pause:"),
    "stopping": ("orange", ":material/stop:"),
    "finished": ("green", ":material/check:"),
    "stopped": ("gray", ":material/stop:"),
    "failed": ("red", ":material/error:"),
}


def live(run: Run) -> None:
    """Follow a run: polled while something may happen by itself, drawn once when it rests."""
    st.fragment(_panel, run_every=EVERY if run.working else None)(run.working)


def _panel(polled: bool) -> None:
    try:
        watched = running.watched()
    except InputError as error:
        if running.current() is not None and running.gone():
            running.look_at(None)
            session.say("error", plain(error))
            st.rerun()
        st.error(plain(error))
        return
    run = watched.run
    if run.working != polled:
        st.rerun()
    with st.container():
        _state(watched)
    with st.container():
        if not run.working:
            ending.ending(watched)
    if watched.head is None:
        return
    with st.container():
        _charts(watched)


def _state(watched: Watched) -> None:
    run = watched.run
    colour, icon = BADGES[run.state]
    with st.container(horizontal=True, vertical_alignment="center", key="run-state"):
        st.badge("Pausing" if run.wish == "pause" else STATES[run.state], icon=icon, color=colour)
        st.markdown(_pace(watched), width="stretch")
        may_pause = run.state in ("queued", "running") and run.wish is None
        if may_pause and st.button("Pause", icon=":material/pause:", key="pause-run"):
            session.attempt(lambda: running.runner().pause(run.id))
            st.rerun()
        if run.state == "paused" and st.button("Resume", icon=":material/play_arrow:", key="resume-run", type="primary"):
            session.attempt(lambda: running.runner().go_on(run.id))
            st.rerun()
        if run.state in ("queued", "running", "paused") and st.button("Stop", icon=":material/stop:", key="stop-run"):
            session.attempt(lambda: running.runner().stop(run.id))
            st.rerun()
    st.progress(min(1.0, max(run.done, 0) / run.iterations))


def _pace(watched: Watched) -> str:
    run = watched.run
    if run.state == "queued":
        at_work, before = running.store().before(run)
        if at_work < running.runner().at_once:
            return "Starting"
        others = f"{count(before, 'run')} before it in the queue" if before else "next in the queue"
        return f"Waiting for one of {count(at_work, 'run')} at work to end: {others}."
    if watched.done < 0:
        return "Preparing the group and the model" if run.working else ""
    parts = [f"Iteration **{watched.done:,}** of {run.iterations:,}"]
    if run.state in ("running", "stopping") and watched.pace is not None:
        parts.append(f"{watched.pace:.3g} per second")
    parts.append(f"{count(int(watched.numbers('model_rows')[-1]), 'row')} scored")
    if run.state == "running" and watched.seconds_left is not None:
        parts.append(f"about {_duration(watched.seconds_left)} left")
    else:
        parts.append(f"{_duration(run.seconds)} of work")
    return " · ".join(parts)


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"


def preview(outputs_now: NDArray[np.float64], wanted: Target) -> None:
    """Before the run: where the scores are, and where they should be."""
    st.subheader("Scores", help=SCORES)
    live_chart(outputs.outputs_figure(outputs_now, wanted, dark=st.context.theme.type == "dark"), "preview-outputs")
    st.caption(plain(outputs.caption(outputs_now, wanted)))


def _charts(watched: Watched) -> None:
    head = watched.head
    assert head is not None
    dark = st.context.theme.type == "dark"
    iterations, total = watched.numbers("iteration"), watched.run.iterations
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("Scores", help=SCORES)
        live_chart(outputs.outputs_figure(head.outputs, head.target, watched.outputs, dark=dark, height=420), "live-outputs")
        st.caption(plain(outputs.caption(head.outputs, head.target, watched.outputs)))
    with right:
        st.subheader(
            "Limits against bounds",
            help="The upper confidence limits of both distances. Yellow: both are within their bounds. Purple: not yet.",
        )
        with st.container():
            u_x, u_y, ucl_x, ucl_y = _what_if(watched)
        live_chart(limits.limits_figure(iterations, ucl_x, ucl_y, u_x, u_y, total=total), "live-limits")
        st.caption(plain(limits.caption(iterations, ucl_x, ucl_y, u_x, u_y)))
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader(
            "Distances",
            help="OT(x): how far the people are from who they were. OT(y): how far the scores are from the target. "
            "Q: both together, weighted.",
        )
        q_x, q_y = watched.numbers("q_x"), watched.numbers("q_y")
        live_chart(distances.distances_figure(iterations, q_x, q_y, watched.numbers("q"), total=total), "live-distances")
        st.caption(plain(distances.caption(iterations, q_x, q_y)))
    with right:
        st.subheader("Balance (eta)", help="How much weight the search gives to reaching the target, between its shrinking ends.")
        parts = (watched.numbers("eta"), watched.numbers("low"), watched.numbers("high"))
        live_chart(eta.eta_figure(iterations, *parts, total=total), "live-eta")
        st.caption(plain(eta.caption(iterations, *parts)))
    st.subheader(
        "Who weighs most",
        help="Each person's share of Q (the paper's q_i). White dots: the people picked for change in that iteration.",
    )
    order = "initial" if watched.run.working else "frequency"
    matrix = np.array(watched.impact)
    shown: Any = {"order": order, "rows": HEATMAP_ROWS, "labels": head.names}
    live_chart(impact.impact_figure(iterations, matrix, watched.selected, **shown), "live-impact")
    st.caption(plain(impact.caption(iterations, matrix, watched.selected, **shown)))


def _what_if(watched: Watched) -> tuple[float, float, Any, Any]:
    """Other bounds and levels over the same iterates: nothing is solved again."""
    bounds, run_id = watched.scenario.bounds, watched.run.id
    with st.popover("What if the bounds were …", icon=":material/tune:"):
        st.caption(
            "Which iterations would have been within other bounds? Nothing is solved again. This is a look back: a certificate "
            "needs bounds that were chosen before."
        )
        first = (watched.numbers("ucl_x")[0], watched.numbers("ucl_y")[0])
        u_x = _bound("Inputs may differ by (U_x)", bounds.u_x, first[0], f"what-x-{run_id}")
        u_y = _bound("Scores may differ by (U_y)", bounds.u_y, first[1], f"what-y-{run_id}")
        alpha = st.select_slider(
            "Risk of a wrong certificate (alpha)",
            watched.alphas,
            value=bounds.alpha,
            key=f"what-alpha-{run_id}",
            persist_state="session",
            help=f"The run itself was asked with {bounds.alpha:g}. Limits at these levels are kept for every iteration.",
        )
    ucl_x, ucl_y = watched.limits(alpha)
    if (u_x, u_y, alpha) != (bounds.u_x, bounds.u_y, bounds.alpha):
        within = limits.feasible(ucl_x, ucl_y, u_x, u_y)
        first_at = f", the first at iteration {int(np.argmax(within)):,}" if within.any() else ""
        st.info(
            f"With U_x {amount(u_x)}, U_y {amount(u_y)} and alpha {alpha:g}, **{int(within.sum()):,} of {len(within):,}** "
            f"iterations would have been within both bounds{first_at}.",
            icon=":material/tune:",
        )
    return u_x, u_y, ucl_x, ucl_y


def _bound(label: str, own: float, first: float, key: str) -> float:
    top = 2 * max(own, first if np.isfinite(first) else own)
    about = f"The run's own: {amount(own)}."
    return float(st.slider(label, 0.0, top, own, top / 1000, "%.4g", key=key, help=about, persist_state="session"))
