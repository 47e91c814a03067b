"""Saved scenarios. Saving is sharing: everybody who uses this server can open what was saved."""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import delete, insert, select, update

from ..scenario.question import Question
from .files import CONTENT_NAME
from .question_row import QuestionRow, RowWithQuestion
from .store import Store
from .tables import RUNS, SCENARIOS


@dataclass(frozen=True)
class SavedScenario(RowWithQuestion):
    """Its files lie among those of the data folder."""

    id: str
    created: float
    changed: float


class SavedScenarios:
    def __init__(self, store: Store) -> None:
        self.store = store

    def save(self, question: Question, seen: float = math.inf) -> SavedScenario:
        """Save under a new id, or over what the question says it was saved under, unless that was changed after it was `seen`:
        then as a copy beside it, so that nobody's work is lost."""
        saved, row = question.saved, {**vars(QuestionRow.of(question)), "changed": time.time()}
        del row["saved"]
        with self.store.writing() as connection:
            there = connection.execute(select(SCENARIOS).where(SCENARIOS.c.id == saved)).one_or_none()
            if there is not None and there.changed <= seen:
                connection.execute(update(SCENARIOS).where(SCENARIOS.c.id == saved).values(**row))
                return _saved({**there._mapping, **row})
            if there is not None:
                row["name"] = f"{question.name} (copy)"
            row |= {"id": secrets.token_hex(12), "created": row["changed"]}
            connection.execute(insert(SCENARIOS).values(**row))
        return _saved(row)

    def all(self) -> list[SavedScenario]:
        """The last changed first."""
        with self.store.reading() as connection:
            rows = connection.execute(select(SCENARIOS).order_by(SCENARIOS.c.changed.desc())).all()
        return [_saved({**row._mapping}) for row in rows]

    def get(self, saved: str) -> SavedScenario | None:
        with self.store.reading() as connection:
            row = connection.execute(select(SCENARIOS).where(SCENARIOS.c.id == saved)).one_or_none()
        return None if row is None else _saved({**row._mapping})

    def delete(self, saved: str) -> None:
        with self.store.writing() as connection:
            connection.execute(delete(SCENARIOS).where(SCENARIOS.c.id == saved))

    def needed_files(self) -> set[str]:
        """The files that some run or scenario names, also those of a question that cannot be read any more."""
        needed: set[str] = set()
        with self.store.reading() as connection:
            for table in (RUNS, SCENARIOS):
                for texts in connection.execute(select(table.c.scenario, table.c.model_copy)):
                    needed.update(found.group() for text in texts for found in CONTENT_NAME.finditer(text))
        return needed


def _saved(row: Mapping[str, Any]) -> SavedScenario:
    parts = {**row, "saved": row["id"]}
    asked = QuestionRow(**{f.name: parts.pop(f.name) for f in fields(QuestionRow)})
    return SavedScenario(question_row=asked, **parts)
