"""A run as its row says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from ..problem.settings import Settings
from ..scenario.question import Question
from .question_row import QuestionRow, RowWithQuestion
from .row_check import QUESTION, Check, Damaged, damage, from_on, moment, one_of, sound, span, text, text_or_none

State = Literal["queued", "running", "paused", "stopping", "finished", "stopped", "failed", "refused", "damaged"]
Request = Literal["pause", "stop"]
WORKING: tuple[State, ...] = ("queued", "running", "stopping")
OVER: tuple[State, ...] = ("finished", "stopped", "failed", "refused")  # refused: the question cannot be asked
RESTING: tuple[State, ...] = ("paused", *OVER)
DAMAGED: State = "damaged"  # in no row: what a run is whose row cannot be read
DELETED = "deleted"  # in the row of a run that is gone for everybody, until all of it is erased

SOUND: dict[str, Check] = {
    "id": (text, ""),
    "state": (one_of(*WORKING, *RESTING), DAMAGED),
    "request": (one_of(None, "pause", "stop"), None),
    "sentence": (text_or_none, None),
    "server": (text_or_none, None),
    "pid": (lambda value: value is None or from_on(1)(value), None),
    "queued": (moment, 0.0),
    "seconds": (span, 0.0),
    "done": (from_on(-1), -1),
    "iterations": (from_on(1), 1),
    "more": (lambda value: isinstance(value, bool), False),
    "summary": (text_or_none, None),
    "created": (moment, 0.0),
    **QUESTION,
}


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

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> RunState:
        return RunState(**_readable(row))

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

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> Run:
        parts = _readable(row)
        return cls(question_row=QuestionRow(**{name: parts.pop(name) for name in QUESTION}), **parts)

    @property
    def question(self) -> Question:
        if self.state == DAMAGED:
            raise Damaged(self.sentence or "")
        return super().question

    @property
    def settings(self) -> Settings:
        """The settings asked for. Who went on for more does not want it to end for the reason that ended it before."""
        asked = self.question.scenario.settings
        return replace(asked, iterations=self.iterations, stop_when_certified=False, patience=None) if self.more else asked


def _readable(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row, or one of a damaged run that says which of its columns are not what they should be."""
    parts, odd = sound(row, SOUND)
    if odd:
        parts |= {"id": row["id"], "state": DAMAGED, "sentence": damage("run", odd)}
    return parts
