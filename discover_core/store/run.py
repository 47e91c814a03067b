"""A run as its row says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from ..problem.settings import Settings
from .question_row import RowWithQuestion

State = Literal["queued", "running", "paused", "stopping", "finished", "stopped", "failed", "refused"]
Request = Literal["pause", "stop"]
WORKING: tuple[State, ...] = ("queued", "running", "stopping")
OVER: tuple[State, ...] = ("finished", "stopped", "failed", "refused")  # refused: the question cannot be asked


@dataclass(frozen=True)
class RunState:
    """What changes of a run. `done` is the last iteration stored, -1 before the first; `seconds` leave pauses out."""

    id: str
    state: State
    request: Request | None
    sentence: str | None
    server: str | None
    pid: int | None
    queued: float
    seconds: float
    done: int
    iterations: int
    more: bool
    summary: str | None

    @property
    def working(self) -> bool:
        """Whether something may still happen by itself."""
        return self.state in WORKING

    @property
    def over(self) -> bool:
        return self.state in OVER


@dataclass(frozen=True)
class Run(RunState, RowWithQuestion):
    """A run with what it was asked."""

    created: float

    @property
    def settings(self) -> Settings:
        """The settings asked for. Who went on for more does not want it to end for the reason that ended it before."""
        asked = self.question.scenario.settings
        return replace(asked, iterations=self.iterations, stop_when_certified=False, patience=None) if self.more else asked
