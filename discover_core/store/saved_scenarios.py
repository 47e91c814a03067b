"""Saved scenarios. Saving is sharing: everybody who uses this server can open what was saved."""

from __future__ import annotations

import json
import math
import secrets
import time
from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import delete, insert, select, update

from ..scenario.scenario import Scenario
from ..scenario.sources import ModelCopy
from .store import Store
from .tables import RUNS, SCENARIOS


@dataclass(frozen=True)
class SavedScenario:
    """Its files lie among those of the data folder."""

    id: str
    name: str
    created: float
    changed: float
    scenario: str
    model_copy: str
    data_title: str
    model_title: str


COLUMNS = [SCENARIOS.c[f.name] for f in fields(SavedScenario)]


class SavedScenarios:
    def __init__(self, store: Store) -> None:
        self.store = store

    def save(
        self,
        name: str,
        scenario: Scenario,
        kept: ModelCopy,
        data_title: str,
        model_title: str,
        saved: str | None = None,
        seen: float = math.inf,
    ) -> SavedScenario:
        """Save under a new id, or over what was saved under this one, unless that was changed after it was `seen`: then as a
        copy beside it, so that nobody's work is lost."""
        now = time.time()
        row: dict[str, Any] = {
            "name": name,
            "scenario": json.dumps(scenario.to_dict()),
            "model_copy": kept.to_json(),
            "changed": now,
        }
        row |= {"data_title": data_title, "model_title": model_title}
        with self.store.writing() as connection:
            there = connection.execute(select(*COLUMNS).where(SCENARIOS.c.id == saved)).one_or_none()
            if there is not None and there.changed <= seen:
                connection.execute(update(SCENARIOS).where(SCENARIOS.c.id == saved).values(**row))
                return SavedScenario(**{**there._mapping, **row})
            if there is not None:
                row["name"] = f"{name} (copy)"
            row |= {"id": secrets.token_hex(12), "created": now}
            connection.execute(insert(SCENARIOS).values(**row))
        return SavedScenario(**row)

    def all(self) -> list[SavedScenario]:
        """The last changed first."""
        with self.store.reading() as connection:
            rows = connection.execute(select(*COLUMNS).order_by(SCENARIOS.c.changed.desc())).all()
        return [SavedScenario(**row._mapping) for row in rows]

    def get(self, saved: str) -> SavedScenario | None:
        with self.store.reading() as connection:
            row = connection.execute(select(*COLUMNS).where(SCENARIOS.c.id == saved)).one_or_none()
        return None if row is None else SavedScenario(**row._mapping)

    def delete(self, saved: str) -> None:
        with self.store.writing() as connection:
            connection.execute(delete(SCENARIOS).where(SCENARIOS.c.id == saved))

    def needed_files(self) -> set[str]:
        """The kept files that some run or scenario names."""
        needed: set[str] = set()
        with self.store.reading() as connection:
            for table in (RUNS, SCENARIOS):
                for scenario, kept in connection.execute(select(table.c.scenario, table.c.model_copy)).all():
                    parts = json.loads(scenario)
                    sources = (parts["data"], parts["model"], json.loads(kept)["model"] or {})
                    needed.update(source["file"] for source in sources if "file" in source)
        return needed
