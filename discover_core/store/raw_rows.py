"""Rows of the store as they are, damaged or not, as a file that a person can read and send to somebody."""

from __future__ import annotations

import base64
import json
from typing import Any

from sqlalchemy import Table, select

from .store import Store
from .tables import RUNS, SCENARIOS, STEPS


def raw_run(store: Store, run_id: str) -> bytes:
    """The row of a run and those of its steps."""
    return _json({"run": _rows(store, RUNS, RUNS.c.id == run_id), "steps": _rows(store, STEPS, STEPS.c.run == run_id)})


def raw_scenario(store: Store, saved: str) -> bytes:
    return _json({"scenario": _rows(store, SCENARIOS, SCENARIOS.c.id == saved)})


def _rows(store: Store, table: Table, which: Any) -> list[dict[str, Any]]:
    with store.reading() as connection:
        return [row._asdict() for row in connection.execute(select(table).where(which)).all()]


def _json(rows: dict[str, Any]) -> bytes:
    return json.dumps(rows, indent=1, default=lambda value: {"base64": base64.b64encode(bytes(value)).decode()}).encode()
