"""How the store is opened. SQLite by default; the address may name another database.

Another one needs its driver, UPDATE ... RETURNING (PostgreSQL has it), and a lock for the first process that opens it after
a change of the tables; only SQLite is tried by the tests.
"""

from __future__ import annotations

import time
from sqlite3 import OperationalError
from typing import Any

from sqlalchemy import Engine, create_engine, event

from ..errors import InputError
from .migrations import WAIT, migrate


def open_engine(url: str) -> Engine:
    """An engine on a store whose tables are those of `tables`."""
    try:
        migrate(url)
        engine = create_engine(url)
    except ImportError as error:
        raise InputError(f"The database of DISCOVER_STORE needs the package “{error.name}”: install it.") from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare)
    return engine


def _prepare(connection: Any, _: Any) -> None:
    """WAL: pages read while a worker writes."""
    connection.execute(f"PRAGMA busy_timeout={1000 * WAIT}")
    _write_ahead(connection)
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute("PRAGMA foreign_keys=ON")


def _write_ahead(connection: Any) -> None:
    """The first to open a store changes its mode, for which SQLite does not wait by itself while others look at it."""
    end = time.monotonic() + WAIT
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except OperationalError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)
