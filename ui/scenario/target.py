"""What outcome: choose a kind of target, describe it, and see it beside the scores before, with how far they are apart."""

from __future__ import annotations

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from discover_core.errors import InputError
from discover_core.figures.config import chart_config
from discover_core.figures.outputs import caption, outputs_figure
from discover_core.figures.text import amount, percent
from discover_core.problem.target import Side, Target
from discover_core.problem.wish import typical_gap

from ..app import session
from ..app.text import plain
from .target_fields import SIDES, VIEWS, view_of
from .target_memory import TargetMemory, target_memory


def target_builder() -> None:
    work = session.current()
    if work is None or work.scored is None:
        return
    kept = target_memory(work)
    shown = kept.look(work.draft.target, view_of(work.draft.target))
    probability = work.scored.model.interval == (0, 1)
    offered = [name for name, view in VIEWS.items() if name == shown or probability or not view.probabilities_only]
    kind = st.segmented_control(
        "How should the group's scores be spread?",
        offered,
        format_func=lambda name: VIEWS[name].words,
        default=shown,
        required=True,
        key=f"target-kind-{work.id}-{session.version()}",
        help=f"The target is a whole distribution, not one number. The score is the {plain(work.scored.model.output)}.",
    )
    if kind != shown:
        _switch(work, kept, kind)
    left, right = st.columns([5, 8], gap="large")
    with left:
        _controls(session.current() or work, kept, kind)
    with right:
        _answer(session.current() or work, kept, kind)


def _switch(work: session.Work, kept: TargetMemory, kind: str) -> None:
    """Another kind: what was entered for it before, or something to begin with."""
    try:
        target = work.study.target(work.draft.target)
    except InputError:
        target = None
    kept.shown, kept.problem = kind, None
    specification = kept.specifications.get(kind) or VIEWS[kind].first(work, target)
    if specification is not None:
        kept.put(kind, specification)
        session.ask(target=specification)


def _controls(work: session.Work, kept: TargetMemory, kind: str) -> None:
    specification = work.draft.target
    made = VIEWS[kind].fields(work, kept, specification, f"{work.id}-{session.version()}")
    if made != specification:
        kept.put(kind, made)
        session.ask(target=made)


def _answer(work: session.Work, kept: TargetMemory, kind: str) -> None:
    """Scores and target as curves, and how far they are apart; or what is wrong with the target."""
    specification, scores, picture = work.draft.target, work.study.group_scores, VIEWS[kind].picture
    if picture is not None:
        picture(work, kept, specification)
    try:
        target = work.study.target(specification)
    except InputError as error:
        st.warning(plain(error))
        return
    past = specification.past
    tau = work.middle if past is None else past.tau
    side: Side = "below" if past is None else past.side
    words = caption(scores, target)
    if picture is None:
        dark = st.context.theme.type == "dark"
        figure = outputs_figure(scores, target, dark=dark, threshold=None if past is None else tau)
        figure.update_traces(showlegend=False, selector={"name": "Now"})  # there is no run yet
        st.plotly_chart(figure, key=f"target-chart-{work.id}", width="stretch", config=chart_config(), alt=words)
    _apart(scores, target, tau, side, words)
    _outside(work, target)


def _apart(scores: NDArray[np.float64], target: Target, tau: float, side: Side, words: str) -> None:
    gap = typical_gap(scores, target)
    reached = float(np.mean(scores <= tau) if side == "below" else np.mean(scores >= tau))
    middles = [np.median(scores), np.median(target.left) if target.size is not None else target.quantile(0.5)]
    with st.container(horizontal=True, key="target-numbers"):
        st.metric(
            "Typical gap",
            amount(gap),
            help="Line up the scores before and the target's from lowest to highest, take the difference of each pair, square "
            "them, average, take the root (the root mean square). 0 means that the target is reached.",
        )
        st.metric(
            f"Score {SIDES[side]} {amount(tau)}",
            f"{percent(reached)} → {percent(target.share_past(tau, side))}",
            help="The share of the group before, and in the target.",
        )
        st.metric("Median score", " → ".join(amount(float(m)) for m in middles), help="Half of the group score below it.")
    st.caption(plain(f"{words} Lined up from lowest to highest, scores and target are {amount(gap)} apart (root mean square)."))


def _outside(work: session.Work, target: Target) -> None:
    if work.beyond:
        st.warning(plain(work.beyond))
    interval = work.scored.model.interval if work.scored is not None else None
    if interval is not None and (target.lowest < interval[0] or target.highest > interval[1]):
        ends = f"{amount(interval[0])} and {amount(interval[1])}"
        st.warning(f"Part of the target lies outside of {ends}, where this model never scores: nobody can get there.")
