"""Saved scenarios. Saving is sharing: everybody who uses this server can open what was saved, and only its maker changes it."""

from __future__ import annotations

import hashlib
import math
import secrets
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import insert, select, update

from ..errors import InputError
from ..scenario.question import Question
from .erase import erase
from .files import Files
from .question_row import QuestionRow, RowWithQuestion
from .row_check import QUESTION, Check, Damaged, damage, moment, sound, text_or_none
from .store import Store
from .tables import SCENARIOS

SOUND: dict[str, Check] = {**QUESTION, "created": (moment, 0.0), "changed": (moment, 0.0), "maker": (text_or_none, None)}
THEIRS = "Only who saved a scenario can delete it: it belongs to somebody else."


def maker_of(secret: str) -> str:
    """What is kept of a maker's secret. It says nothing of the secret, which cannot be guessed."""
    return hashlib.sha256(f"discover maker {secret}".encode()).hexdigest()


@dataclass(frozen=True)
class SavedScenario(RowWithQuestion):
    """Its files lie among those of the data folder. One of before has no maker, so that anybody may change and delete it: nobody
    could show that it is theirs, and what is in it must not stay for ever."""

    id: str
    created: float
    changed: float
    maker: str | None
    trouble: str | None = None  # what is wrong with its row

    @property
    def question(self) -> Question:
        if self.trouble is not None:
            raise Damaged(self.trouble)
        return super().question

    def belongs_to(self, maker: str | None) -> bool:
        """Whether this maker may change it."""
        return self.maker is None or self.maker == maker


class SavedScenarios:
    def __init__(self, store: Store) -> None:
        self.store = store

    def save(self, question: Question, seen: float = math.inf, maker: str | None = None) -> SavedScenario:
        """Save under a new id, or over what the question says it was saved under, unless that was changed after it was `seen`,
        or belongs to somebody else: then as a copy beside it, so that nobody's work is lost."""
        saved, row = question.saved, {**vars(QuestionRow.of(question)), "changed": time.time()}
        del row["saved"]
        with self.store.writing() as connection:
            there = connection.execute(select(SCENARIOS).where(SCENARIOS.c.id == saved)).one_or_none()
            if there is not None:
                item = _saved(there._asdict())
                mine = item.belongs_to(maker)
                if mine and item.changed <= seen:
                    connection.execute(update(SCENARIOS).where(SCENARIOS.c.id == saved).values(**row))
                    return _saved({**there._asdict(), **row})
                if mine or item.name == question.name:
                    row["name"] = f"{question.name} (copy)"
            row |= {"id": secrets.token_hex(12), "created": row["changed"], "maker": maker}
            connection.execute(insert(SCENARIOS).values(**row))
        return _saved(row)

    def all(self) -> list[SavedScenario]:
        """The last changed first."""
        with self.store.reading() as connection:
            rows = connection.execute(select(SCENARIOS).order_by(SCENARIOS.c.changed.desc())).all()
        return [_saved(row._asdict()) for row in rows]

    def get(self, saved: str) -> SavedScenario | None:
        with self.store.reading() as connection:
            row = connection.execute(select(SCENARIOS).where(SCENARIOS.c.id == saved)).one_or_none()
        return None if row is None else _saved(row._asdict())

    def delete(self, saved: str, maker: str | None, files: Files, kept: Collection[str] = ()) -> None:
        """Delete it, and its files unless something else needs them or they are among the `kept`."""
        item = self.get(saved)
        if item is not None and not item.belongs_to(maker):
            raise InputError(THEIRS)
        erase(self.store, files, scenarios=[saved], kept=kept)


def _saved(row: Mapping[str, Any]) -> SavedScenario:
    parts, odd = sound({**row, "saved": row["id"]}, SOUND)
    asked = QuestionRow(**{name: parts[name] for name in QUESTION})
    more = {name: parts[name] for name in ("id", "created", "changed", "maker")}
    return SavedScenario(question_row=asked, trouble=damage("scenario", odd) if odd else None, **more)
