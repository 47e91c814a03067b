"""The pictures below a run's scores: everybody's distance, who weighs most, when it became feasible; then the details."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from discover_core.figures import bars, distances, eta, impact, limits, outputs, transition
from discover_core.figures.text import amount
from discover_core.runs.finished import Finished
from discover_core.runs.watched import Watched

from . import running
from .chart import live_chart
from .text import plain

HEATMAP_ROWS = 30


def pictures(watched: Watched) -> None:
    head = watched.head
    assert head is not None
    found = running.finished(watched.run) if watched.run.over else None  # what the verdict speaks of
    st.caption(plain(outputs.caption(head.outputs, head.target, found.outputs if found else watched.outputs)))
    left, right = st.columns(2, gap="large")
    with left:
        _bars(found or watched, head.names, found.changed.any(axis=1) if found else watched.changed)
    with right:
        _transition(watched)
    _heatmap(watched)
    left, right = st.columns(2, gap="large")
    with left:
        _limits(watched)
    with right:
        _distances(watched)
        _balance(watched)


def _bars(shown: Finished | Watched, names: list[str], changed: NDArray[np.bool_]) -> None:
    st.subheader("Everybody's distance", help="Each person's part of how far the group is from before (per-sample OT).")
    live_chart(bars.bars_figure(shown.distances, labels=names, height=300), "live-bars")
    st.caption(plain(bars.caption(shown.distances, changed=changed)))


def _transition(watched: Watched) -> None:
    st.subheader("When it becomes feasible", help="Yellow: both confidence limits within their bounds. Purple: not yet.")
    iterations = watched.numbers("iteration")
    q_x, q_y, feasible = watched.numbers("q_x"), watched.numbers("q_y"), watched.numbers("feasible").astype(bool)
    figure = transition.transition_figure(iterations, watched.numbers("q"), q_x, q_y, feasible, height=300)
    live_chart(figure, "live-transition")
    st.caption(plain(transition.caption(iterations, q_x, q_y, feasible)))


def _heatmap(watched: Watched) -> None:
    st.subheader(
        "Who weighs most",
        help="Each person's share of what is left to improve (the paper's q_i). White dots: picked for change in that iteration.",
    )
    order = "initial" if watched.run.working else "frequency"
    iterations, matrix = watched.numbers("iteration"), np.array(watched.impact)
    shown: Any = {"order": order, "rows": HEATMAP_ROWS, "labels": watched.head.names if watched.head else None}
    live_chart(impact.impact_figure(iterations, matrix, watched.selected, **shown), "live-impact")
    st.caption(plain(impact.caption(iterations, matrix, watched.selected, **shown)))


def _total(watched: Watched) -> int:
    """How far the axes of iterations go: a run that is over has no more to come."""
    return watched.done if watched.run.over else watched.run.iterations


def _limits(watched: Watched) -> None:
    st.subheader(
        "Limits against bounds",
        help="The upper confidence limits of both distances. Yellow: both are within their bounds. Purple: not yet.",
    )
    with st.container():
        u_x, u_y, ucl_x, ucl_y = _what_if(watched)
    iterations = watched.numbers("iteration")
    live_chart(limits.limits_figure(iterations, ucl_x, ucl_y, u_x, u_y, total=_total(watched)), "live-limits")
    st.caption(plain(limits.caption(iterations, ucl_x, ucl_y, u_x, u_y)))


def _distances(watched: Watched) -> None:
    st.subheader(
        "Distances",
        help="OT(x): how far the people are from who they were. OT(y): how far the scores are from the target. "
        "Q: both together, weighted.",
    )
    iterations, q_x, q_y = (watched.numbers(name) for name in ("iteration", "q_x", "q_y"))
    total = _total(watched)
    live_chart(distances.distances_figure(iterations, q_x, q_y, watched.numbers("q"), total=total), "live-distances")
    st.caption(plain(distances.caption(iterations, q_x, q_y)))


def _balance(watched: Watched) -> None:
    st.subheader("Balance (eta)", help="How much weight the search gives to reaching the target, between its shrinking ends.")
    iterations = watched.numbers("iteration")
    parts = (watched.numbers("eta"), watched.numbers("low"), watched.numbers("high"))
    live_chart(eta.eta_figure(iterations, *parts, total=_total(watched)), "live-eta")
    st.caption(plain(eta.caption(iterations, *parts)))


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
