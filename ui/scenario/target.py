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
from discover_core.scenario.target_specification import Decision, Quantiles, Threshold

from ..app import session
from ..app.text import plain
from .target_drawing import drawing, typed
from .target_fields import SIDES, beta, first, shift, threshold
from .target_gap import share_reached
from .target_memory import KINDS, Kind, TargetMemory, target_memory
from .target_reference import reference
from .target_upload import upload

WORDS: dict[Kind, str] = {
    "threshold": ":material/flag: Reach a threshold",
    "reference": ":material/group: Look like others",
    "shift": ":material/swap_horiz: Shift and spread",
    "beta": ":material/show_chart: Beta curve",
    "draw": ":material/gesture: Draw your own",
    "upload": ":material/upload_file: Upload",
}
VIEWS = {"threshold": threshold, "reference": reference, "shift": shift, "beta": beta}


def target_builder() -> None:
    work = session.current()
    if work is None or work.scored is None:
        return
    kept = target_memory(work)
    shown = kept.look(work.draft.target)
    offered = [k for k in KINDS if k != "beta" or shown == "beta" or work.scored.model.interval == (0, 1)]
    kind = st.segmented_control(
        "How should the group's scores be spread?",
        offered,
        format_func=WORDS.get,
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


def _switch(work: session.Work, kept: TargetMemory, kind: Kind) -> None:
    """Another kind: what was entered for it before, or something to begin with."""
    try:
        target = work.study.target(work.draft.target)
    except InputError:
        target = None
    kept.shown, kept.problem = kind, None
    specification = kept.specifications.get(kind) or first(kind, work, target)
    if specification is not None:
        kept.put(kind, specification)
        session.ask(target=specification)


def _controls(work: session.Work, kept: TargetMemory, kind: Kind) -> None:
    specification = work.draft.target
    if kind == "upload":
        upload(work, kept)
    elif kind == "draw":
        assert isinstance(specification, Quantiles)
        typed(work, kept, specification)
    else:
        made = VIEWS[kind](work, kept, specification, f"{work.id}-{session.version()}")
        if made != specification:
            kept.put(kind, made)
            session.ask(target=made)


def _answer(work: session.Work, kept: TargetMemory, kind: Kind) -> None:
    """Scores and target as curves, and how far they are apart; or what is wrong with the target."""
    specification, scores = work.draft.target, work.study.group_scores
    if isinstance(specification, Quantiles) and kind == "draw":
        drawing(work, kept, specification)
    try:
        target = work.study.target(specification)
    except InputError as error:
        st.warning(plain(error))
        return
    tau, side = (
        (specification.tau, specification.side) if isinstance(specification, Threshold | Decision) else (work.middle, "below")
    )
    words = caption(scores, target)
    if kind != "draw":
        dark = st.context.theme.type == "dark"
        line = tau if isinstance(specification, Threshold | Decision) else None
        figure = outputs_figure(scores, target, dark=dark, threshold=line)
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
            f"{percent(reached)} → {percent(share_reached(target, tau, side))}",
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
