"""The pictures below a run's scores: everybody's distance, who weighs most, when it became feasible; then the details."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from discover_core.figures import bars, distances, eta, impact, limits, outputs, transition
from discover_core.figures.text import amount
from discover_core.outcome.run_outcome import RunOutcome
from discover_core.store.run_progress import RunProgress

from ..app import tab_runs
from ..app.chart import live_chart
from ..app.text import plain

HEATMAP_ROWS = 30


def pictures(progress: RunProgress) -> None:
    head = progress.head
    assert head is not None
    found = tab_runs.outcome(progress.run) if progress.run.over else None  # what the verdict speaks of
    st.caption(plain(outputs.caption(head.outputs, head.target, found.outputs if found else progress.outputs)))
    left, right = st.columns(2, gap="large")
    with left:
        _bars(found or progress, head.names, np.asarray(found.changed.any(axis=1)) if found else progress.changed)
    with right:
        _transition(progress)
    _heatmap(progress)
    left, right = st.columns(2, gap="large")
    with left:
        _limits(progress)
    with right:
        _distances(progress)
        _balance(progress)


def _bars(shown: RunOutcome | RunProgress, names: list[str], changed: NDArray[np.bool_]) -> None:
    st.subheader("Everybody's distance", help="Each person's part of how far the group is from before (per-sample OT).")
    live_chart(bars.bars_figure(shown.distances, labels=names, height=300), "live-bars")
    st.caption(plain(bars.caption(shown.distances, changed=changed)))


def _transition(progress: RunProgress) -> None:
    st.subheader("When it becomes feasible", help="Yellow: both confidence limits within their bounds. Purple: not yet.")
    iterations = progress.numbers("iteration")
    q_x, q_y, feasible = progress.numbers("q_x"), progress.numbers("q_y"), progress.numbers("feasible").astype(bool)
    figure = transition.transition_figure(iterations, progress.numbers("q"), q_x, q_y, feasible, height=300)
    live_chart(figure, "live-transition")
    st.caption(plain(transition.caption(iterations, q_x, q_y, feasible)))


def _heatmap(progress: RunProgress) -> None:
    st.subheader(
        "Who weighs most",
        help="Each person's share of what is left to improve (the paper's q_i). White dots: picked for change in that iteration.",
    )
    order = "initial" if progress.run.working else "frequency"
    iterations, matrix = progress.numbers("iteration"), np.array(progress.impact)
    shown: Any = {"order": order, "rows": HEATMAP_ROWS, "labels": progress.head.names if progress.head else None}
    live_chart(impact.impact_figure(iterations, matrix, progress.selected, **shown), "live-impact")
    st.caption(plain(impact.caption(iterations, matrix, progress.selected, **shown)))


def _total(progress: RunProgress) -> int:
    """How far the axes of iterations go: a run that is over has no more to come."""
    return progress.done if progress.run.over else progress.run.iterations


def _limits(progress: RunProgress) -> None:
    st.subheader(
        "Limits against bounds",
        help="The upper confidence limits of both distances. Yellow: both are within their bounds. Purple: not yet.",
    )
    with st.container():
        u_x, u_y, ucl_x, ucl_y = _what_if(progress)
    iterations = progress.numbers("iteration")
    live_chart(limits.limits_figure(iterations, ucl_x, ucl_y, u_x, u_y, total=_total(progress)), "live-limits")
    st.caption(plain(limits.caption(iterations, ucl_x, ucl_y, u_x, u_y)))


def _distances(progress: RunProgress) -> None:
    st.subheader(
        "Distances",
        help="OT(x): how far the people are from who they were. OT(y): how far the scores are from the target. "
        "Q: both together, weighted.",
    )
    iterations, q_x, q_y = (progress.numbers(name) for name in ("iteration", "q_x", "q_y"))
    total = _total(progress)
    live_chart(distances.distances_figure(iterations, q_x, q_y, progress.numbers("q"), total=total), "live-distances")
    st.caption(plain(distances.caption(iterations, q_x, q_y)))


def _balance(progress: RunProgress) -> None:
    st.subheader("Balance (eta)", help="How much weight the search gives to reaching the target, between its shrinking ends.")
    iterations = progress.numbers("iteration")
    parts = (progress.numbers("eta"), progress.numbers("low"), progress.numbers("high"))
    live_chart(eta.eta_figure(iterations, *parts, total=_total(progress)), "live-eta")
    st.caption(plain(eta.caption(iterations, *parts)))


def _what_if(progress: RunProgress) -> tuple[float, float, Any, Any]:
    """Other bounds and levels over the same iterates: nothing is solved again."""
    bounds, run_id = progress.scenario.bounds, progress.run.id
    with st.popover("What if the bounds were …", icon=":material/tune:"):
        st.caption(
            "Which iterations would have been within other bounds? Nothing is solved again. This is a look back: a certificate "
            "needs bounds that were chosen before."
        )
        first = (progress.numbers("ucl_x")[0], progress.numbers("ucl_y")[0])
        u_x = _bound("Inputs may differ by (U_x)", bounds.u_x, first[0], f"what-x-{run_id}")
        u_y = _bound("Scores may differ by (U_y)", bounds.u_y, first[1], f"what-y-{run_id}")
        alpha = st.select_slider(
            "Risk of a wrong certificate (alpha)",
            progress.alphas,
            value=bounds.alpha,
            key=f"what-alpha-{run_id}",
            persist_state="session",
            help=f"The run itself was asked with {bounds.alpha:g}. Limits at these levels are kept for every iteration.",
        )
    ucl_x, ucl_y = progress.limits(alpha)
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
