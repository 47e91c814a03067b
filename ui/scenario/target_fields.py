"""How the page offers each kind of target: the fields of those that a few numbers describe, and the list of all views."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from discover_core.figures.text import amount
from discover_core.problem.target import Side, Target
from discover_core.problem.targets import Beta, Decision, Quantiles, ReferenceGroup, Shift, TargetSpecification, Threshold
from discover_core.table import Cohort

from ..app import session
from ..app.choice import choose_one
from ..app.text import plain
from .target_drawing import drawing, typed
from .target_memory import TargetMemory
from .target_reference import reference
from .target_upload import upload

SIDES: dict[Side, str] = {"below": "at or below", "above": "at or above"}
DRAWABLE = 12  # points that still can be taken hold of
WHO = {"share": "A share of the group", "everybody": "Everybody"}


@dataclass(frozen=True)
class TargetForm:
    """One way to describe a target. `fields` gives back the specification that they make of the one they show.

    `first` is what it begins with as long as nothing has been entered, None when it needs a file; `picture` stands in
    the place of the chart.
    """

    words: str
    shows: Callable[[TargetSpecification], bool]
    first: Callable[[session.Work, Target | None], TargetSpecification | None]
    fields: Callable[[session.Work, TargetMemory, TargetSpecification, str], TargetSpecification]
    picture: Callable[[session.Work, TargetMemory, TargetSpecification], None] | None = None
    probabilities_only: bool = False


def view_of(specification: TargetSpecification) -> str:
    """The name of the view that shows it."""
    return next(name for name, view in VIEWS.items() if view.shows(specification))


def threshold(work: session.Work, memory: TargetMemory, specification: TargetSpecification, key: str) -> TargetSpecification:
    """A share of the group past a threshold, or everybody clearly past it."""
    assert isinstance(specification, Threshold | Decision)
    now = "share" if isinstance(specification, Threshold) else "everybody"
    who = choose_one("Who should reach it", WHO, now, f"who-{key}")
    share = specification.share if isinstance(specification, Threshold) else memory.share
    if who == "share":
        shown = st.slider("Share of the group", 0.0, 100.0, 100 * share, 1.0, format="%.0f%%", key=f"share-{key}")
        share = memory.share = _kept(shown / 100, share)
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    with left:
        side = choose_one("should score", SIDES, specification.side, f"side-{key}")
    with right:
        tau = _number("Threshold", specification.tau, key=f"tau-{key}", step=work.score_step, help=_meaning(work))
    if who == "share":
        margin = _number(
            "and clear it by",
            specification.margin if isinstance(specification, Threshold) else 2 * work.score_step,
            key=f"margin-{key}",
            step=work.score_step,
            help="A group can only come near its target. With a little room most of those who move end on the right side.",
        )
        st.caption("Of those on the wrong side as many as needed move past the threshold. The others stay.")
        return Threshold(tau, share, side, max(0.0, margin))
    st.caption("Whoever is on the wrong side is mirrored at the threshold, so that a clear case stays as clear. The others stay.")
    return Decision(tau, side, work.study.interval)


def shift(work: session.Work, memory: TargetMemory, specification: TargetSpecification, key: str) -> TargetSpecification:
    """Everybody's score moved by the same amount, and the group drawn together or apart."""
    assert isinstance(specification, Shift)
    by = _number("Move every score by", specification.by, key=f"by-{key}", step=work.score_step, help=_meaning(work))
    scale = _number(
        "Spread (1 is as before)",
        specification.scale,
        key=f"scale-{key}",
        step=0.1,
        min_value=0.0,
        help="1 keeps the differences between people, below 1 draws them towards their average, 0 makes all the same.",
    )
    interval = work.study.interval
    if interval is not None:
        st.caption(f"Scores that would leave {amount(interval[0])} to {amount(interval[1])} stop at its ends.")
    return Shift(by, scale, interval)


def beta(work: session.Work, memory: TargetMemory, specification: TargetSpecification, key: str) -> TargetSpecification:
    """Scores drawn from a Beta distribution, for probabilities only."""
    assert isinstance(specification, Beta)
    left, right = st.columns(2)
    with left:
        a = _number("a", specification.a, key=f"a-{key}", step=0.1, min_value=0.01, help="More of it pulls scores towards 1.")
    with right:
        b = _number("b", specification.b, key=f"b-{key}", step=0.1, min_value=0.01, help="More of it pulls scores towards 0.")
    st.caption(
        f"A Beta distribution is a curve between 0 and 1 with the average a / (a + b), here {amount(a / (a + b))}. Large a and b "
        "bring scores together; both below 1 push them to the ends. 0.1 and 0.9: nearly all close to 0, a few close to 1."
    )
    return Beta(a, b, specification.seed, specification.n)


def _number(label: str, value: float, **how: Any) -> float:
    """A number field. One that was emptied keeps its value."""
    low = how.pop("min_value", None)
    shown = st.number_input(label, value=float(value), min_value=None if low is None else min(low, value), format="%.10g", **how)
    return value if shown is None else _kept(float(shown), value)


def _kept(shown: float, before: float) -> float:
    """The number before if the widget only rounded it."""
    return before if math.isclose(shown, before, rel_tol=1e-9, abs_tol=1e-12) else shown


def _meaning(work: session.Work) -> str:
    return f"In units of the score, which is the {plain(work.scored.model.output)}." if work.scored is not None else ""


VIEWS: dict[str, TargetForm] = {
    "threshold": TargetForm(
        ":material/flag: Reach a threshold",
        lambda specification: isinstance(specification, Threshold | Decision),
        lambda work, target: Threshold.first(work.scores, work.study.interval),
        threshold,
    ),
    "reference": TargetForm(
        ":material/group: Look like others",
        lambda specification: isinstance(specification, ReferenceGroup),
        lambda work, target: ReferenceGroup(Cohort()),
        reference,
    ),
    "shift": TargetForm(
        ":material/swap_horiz: Shift and spread",
        lambda specification: isinstance(specification, Shift),
        lambda work, target: Shift.first(work.scores, work.study.interval),
        shift,
    ),
    "beta": TargetForm(
        ":material/show_chart: Beta curve",
        lambda specification: isinstance(specification, Beta),
        lambda work, target: Beta(2.0, 5.0),
        beta,
        probabilities_only=True,
    ),
    "draw": TargetForm(
        ":material/gesture: Draw your own",
        lambda specification: isinstance(specification, Quantiles) and len(specification.values) <= DRAWABLE,
        lambda work, target: Quantiles.near(Target.values(work.study.group_scores) if target is None else target),
        typed,
        picture=drawing,
    ),
    "upload": TargetForm(
        ":material/upload_file: Upload",
        lambda specification: True,  # numbers from a file, and what no other view shows
        lambda work, target: None,
        upload,
    ),
}
