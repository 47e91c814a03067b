"""What the target builder remembers of one piece of work beside the draft: the last specification of every kind."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import streamlit as st

from discover_core.problem.targets import TargetSpecification
from discover_core.table import Cohort

from ..app import session

Whom = Literal["everybody", "rest", "rules"]


@dataclass
class TargetMemory:
    """`seen` is the target at the last look: when the draft has another one, it came from elsewhere.

    `share` and `chosen` outlive a change to “everybody”. `turn` and `drawn` count the changes that fields did not make
    themselves, so that those fields start anew. `file` and `problem` tell of the last upload.
    """

    shown: str | None = None
    seen: TargetSpecification | None = None
    specifications: dict[str, TargetSpecification] = field(default_factory=dict)
    share: float = 0.8
    whom: Whom = "everybody"
    chosen: Cohort = field(default_factory=Cohort)
    turn: int = 0
    drawn: int = 0
    file: str | None = None
    problem: str | None = None

    def look(self, specification: TargetSpecification, kind: str) -> str:
        """The kind to show for the draft's target of this kind, which is remembered."""
        if self.shown is None or specification != self.seen:
            self.put(kind, specification)
        assert self.shown is not None
        return self.shown

    def put(self, kind: str, specification: TargetSpecification) -> None:
        self.shown, self.seen = kind, specification
        self.specifications[kind] = specification


def target_memory(work: session.Work) -> TargetMemory:
    """The memory of this piece of work. It is no widget's, so it outlives the page."""
    kept: TargetMemory = st.session_state.setdefault(f"targets-{work.id}", TargetMemory())
    return kept
