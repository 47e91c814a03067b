"""What the target builder remembers of one piece of work beside the draft: the last recipe of every kind."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
import streamlit as st

from discover_core.runs.recipe import Beta, Decision, Quantiles, Recipe, ReferenceGroup, Shift, Threshold
from discover_core.table import Cohort

from . import session

Kind = Literal["threshold", "reference", "shift", "beta", "draw", "upload"]
Whom = Literal["everybody", "rest", "rules"]
KINDS: tuple[Kind, ...] = get_args(Kind)
DRAWABLE = 12  # points that still can be taken hold of


@dataclass
class Shelf:
    """`seen` is the target at the last look: when the draft has another one, it came from elsewhere.

    `share` and `chosen` outlive a change to “everybody”. `turn` and `drawn` count the changes that fields did not make
    themselves, so that those fields start anew. `file` and `problem` tell of the last upload.
    """

    shown: Kind | None = None
    seen: Recipe | None = None
    recipes: dict[Kind, Recipe] = field(default_factory=dict)
    share: float = 0.8
    whom: Whom = "everybody"
    chosen: Cohort = field(default_factory=Cohort)
    turn: int = 0
    drawn: int = 0
    file: str | None = None
    problem: str | None = None

    def look(self, recipe: Recipe) -> Kind:
        """The kind to show for the draft's target, which is put on the shelf."""
        if self.shown is None or recipe != self.seen:
            self.put(kind_of(recipe), recipe)
        assert self.shown is not None
        return self.shown

    def put(self, kind: Kind, recipe: Recipe) -> None:
        self.shown, self.seen = kind, recipe
        self.recipes[kind] = recipe


def shelf(work: session.Work) -> Shelf:
    """The shelf of this piece of work. It is no widget's, so it outlives the page."""
    kept: Shelf = st.session_state.setdefault(f"targets-{work.id}", Shelf())
    return kept


def kind_of(recipe: Recipe) -> Kind:
    match recipe:
        case Threshold() | Decision():
            return "threshold"
        case ReferenceGroup():
            return "reference"
        case Shift():
            return "shift"
        case Beta():
            return "beta"
        case Quantiles(values=values) if len(values) <= DRAWABLE:
            return "draw"
        case _:
            return "upload"


def stepsize(work: session.Work) -> float:
    """A step for scores: a hundredth of where they lie, as 1, 2 or 5 times a power of ten."""
    interval = work.scored.model.interval if work.scored is not None else None
    span = float(np.ptp(work.scores)) if interval is None else interval[1] - interval[0]
    if not span > 0:
        return 0.01
    power = 10.0 ** np.floor(np.log10(span / 100) + 1e-9)
    return float(next(power * m for m in (1, 2, 5, 10) if power * m >= span / 100 * (1 - 1e-9)))
