"""Draw a target by hand: quantiles as points to drag, the same numbers beside them to type."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from discover_core.problem.target import Target
from discover_core.problem.targets import Quantiles, TargetSpecification

from ..app import session
from .target_memory import TargetMemory

CURVE = 200  # points of the factual curve
HTML = (
    '<div class="drawing"><div class="legend"><span><i></i>Before</span><span><i class="wanted"></i>Target: drag its points'
    '</span></div><svg role="group" aria-label="The target\'s quantiles over the scores before"></svg></div>'
)
ASSETS = Path(__file__).resolve().parents[2] / "assets"

_component = st.components.v2.component(
    "quantile_drawing",
    html=HTML,
    css=(ASSETS / "drawing.css").read_text(encoding="utf-8"),
    js=(ASSETS / "drawing.js").read_text(encoding="utf-8"),
)


def typed(work: session.Work, memory: TargetMemory, specification: TargetSpecification, key: str) -> TargetSpecification:
    """The quantiles as numbers."""
    assert isinstance(specification, Quantiles)
    st.caption("Drag a point, or type the score that this share of the group should not exceed.")
    interval = work.scored.model.interval if work.scored is not None else None
    inside = interval is not None and interval[0] <= specification.values[0] and specification.values[-1] <= interval[1]
    low, high = interval if inside and interval is not None else (None, None)
    fields = st.container(horizontal=True)
    for i, (level, value) in enumerate(zip(specification.probabilities, specification.values, strict=True)):
        own = f"quantile-{i}-{key}-{memory.drawn}"
        fields.number_input(
            f"{100 * level:g}% at or below",
            value=float(value),
            min_value=low,
            max_value=high,
            step=work.score_step,
            format="%.10g",
            key=own,
            on_change=_typed,
            args=(i, own, memory),
            width=150,
        )
    st.button(
        "Start from the scores before", key=f"undraw-{work.id}", icon=":material/restart_alt:", on_click=_anew, args=(memory,)
    )
    return specification


def drawing(work: session.Work, memory: TargetMemory, specification: TargetSpecification) -> None:
    """The quantiles as points over the curve of the scores before."""
    assert isinstance(specification, Quantiles)
    low, high = _span(work, specification)
    key = f"drawing-{work.id}-{session.version()}"
    _component(
        key=key,
        data={
            "probabilities": list(specification.probabilities),
            "values": list(specification.values),
            "factual": _curve(work.study.group_scores),
            "low": low,
            "high": high,
        },
        on_points_change=partial(_dragged, key, memory),
    )


def _anew(memory: TargetMemory) -> None:
    work = session.current()
    if work is not None:
        session.ask(target=Quantiles.near(Target.values(work.study.group_scores)))
        memory.drawn += 1


def _typed(at: int, key: str, memory: TargetMemory) -> None:
    work = session.current()
    if work is None or not isinstance(work.draft.target, Quantiles) or st.session_state[key] is None:
        return
    specification = work.draft.target
    made = specification.with_point(at, float(st.session_state[key]))
    if any(new != old for i, (new, old) in enumerate(zip(made.values, specification.values, strict=True)) if i != at):
        memory.drawn += 1
    session.ask(target=made)


def _dragged(key: str, memory: TargetMemory) -> None:
    """A point was let go. What comes from the browser is taken only if it is as many rising numbers as there are points."""
    work = session.current()
    if work is None or not isinstance(work.draft.target, Quantiles):
        return
    specification, given = work.draft.target, st.session_state[key].get("points")
    if not _usable(given, len(specification.values)):
        return
    session.ask(target=Quantiles(specification.probabilities, tuple(map(float, given))))
    memory.drawn += 1


def _usable(given: Any, length: int) -> bool:
    if not isinstance(given, list) or len(given) != length:
        return False
    if not all(isinstance(value, int | float) and np.isfinite(value) for value in given):
        return False
    return all(a <= b for a, b in pairwise(given))


def _span(work: session.Work, specification: Quantiles) -> tuple[float, float]:
    """Where points may go: the model's interval, or as far as scores and target go and a little more."""
    if work.scored is not None and work.scored.model.interval is not None:
        return work.scored.model.interval
    low = min(float(work.scores.min()), *specification.values)
    high = max(float(work.scores.max()), *specification.values)
    room = 0.1 * (high - low) or 0.5
    return low - room, high + room


def _curve(scores: NDArray[np.float64]) -> list[tuple[float, float]]:
    """The cumulative shares, at all scores or at evenly spread ones."""
    ordered = np.sort(scores)
    ranks = np.unique(np.linspace(0, len(ordered) - 1, CURVE).astype(np.int64))
    return list(zip(ordered[ranks].tolist(), ((ranks + 1) / len(ordered)).tolist(), strict=True))
