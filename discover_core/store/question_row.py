"""A question as a row of the store has it, and the way back. Nobody else reads the text of a stored scenario."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from ..errors import said
from ..scenario.question import Question
from ..scenario.scenario import Scenario
from ..scenario.sources import ModelCopy
from .row_check import Damaged

AT_HAND = 256  # questions that need not be read again


@dataclass(frozen=True)
class QuestionRow:
    """A list shows the names alone, so that a scenario which cannot be read any more spoils no list."""

    name: str
    data_title: str
    model_title: str
    scenario: str
    model_copy: str
    saved: str | None

    @classmethod
    def of(cls, question: Question) -> Self:
        scenario, model_copy = json.dumps(question.scenario.to_dict()), question.model_copy.to_json()
        return cls(question.name, question.data_title, question.model_title, scenario, model_copy, question.saved)

    @property
    def question(self) -> Question:
        """`Damaged` when it cannot be read any more."""
        return _read(self)


@dataclass(frozen=True)
class RowWithQuestion:
    """What runs and saved scenarios share."""

    question_row: QuestionRow

    @property
    def question(self) -> Question:
        """`Damaged` when it cannot be read any more; its names can."""
        return self.question_row.question

    @property
    def damage(self) -> str | None:
        """Why its question cannot be read, if so."""
        try:
            _ = self.question
        except Damaged as error:
            return str(error)
        return None

    @property
    def name(self) -> str:
        return self.question_row.name

    @property
    def titles(self) -> tuple[str, str]:
        """Of its data and of its model."""
        return self.question_row.data_title, self.question_row.model_title


@lru_cache(AT_HAND)
def _read(row: QuestionRow) -> Question:
    try:
        scenario, model_copy = Scenario.from_dict(json.loads(row.scenario)), ModelCopy.from_json(row.model_copy)
    except Exception as error:  # a damaged row may hold anything
        raise Damaged(f"The question of “{row.name}” cannot be read any more: {said(error).rstrip('.')}.") from error
    return Question(row.name, scenario, row.data_title, row.model_title, model_copy, row.saved)
