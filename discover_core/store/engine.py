"""How the store is opened. SQLite by default; the address may name another database.

Another one needs its driver, UPDATE ... RETURNING (PostgreSQL has it), and a lock for the first process that opens it after
a change of the tables; only SQLite is tried by the tests.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import SQLAlchemyError

from ..errors import InputError
from .migrations import WAIT, migrate
from .reserve import Reserve

FULL, DISK, READ_ONLY, BUSY = sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_BUSY
PATIENCE = 500  # milliseconds that somebody who deletes waits for those who read the log
NO_ROOM = "The disk of the data folder is full: delete runs and tables that are not needed, or make room on it."
HELD = "Another process has been writing to the run store for a long time: try again in a moment."
NO_WRITING = (
    "The data folder can only be read: let this program write to it and to runs.sqlite3, or set DISCOVER_HOME to another one."
)


class Unwritable(InputError):
    """The store cannot be written at the moment: what is to be said there is said later."""


class NoRoom(Unwritable):
    """Most often because its disk is full."""


def open_engine(url: str, patience: float = WAIT) -> Engine:
    """An engine on a store whose tables are those of `tables`; whoever writes waits for so many seconds for others who do."""
    try:
        migrate(url)
        engine = create_engine(url)
    except ImportError as error:
        raise InputError(f"The database of DISCOVER_STORE needs the package “{error.name}”: install it.") from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", partial(_prepare, patience=patience))
    engine.connect().close()  # whatever is wrong is said now
    return engine


def reserve_of(url: str) -> Reserve | None:
    """The room that is kept beside a database; none for one that is no file."""
    address = make_url(url)
    if address.get_backend_name() != "sqlite" or not address.database or address.database.startswith((":memory:", "file:")):
        return None
    path = Path(address.database)
    return Reserve(path.with_name(f"{path.name}-reserve"))


def fast(connection: Connection) -> None:
    """What is written in this transaction may be lost in a power cut, though never in part."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA synchronous=NORMAL")


def lasting(connection: Connection) -> None:
    """What is written in this transaction and before is on the disk when it ends."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA synchronous=FULL")


def erase_log(engine: Engine) -> bool:
    """Bring what SQLite still has in its log into the database and empty the log; False while others are reading it."""
    if engine.dialect.name != "sqlite":
        return True
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql(f"PRAGMA busy_timeout={PATIENCE}")
        busy: int = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()[0]
        connection.exec_driver_sql(f"PRAGMA busy_timeout={1000 * WAIT}")
    return not busy


@contextmanager
def translated() -> Iterator[None]:
    """What the database complains about, as a sentence."""
    try:
        yield
    except SQLAlchemyError as error:
        cause = getattr(error, "orig", None) or error
        code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
        if code == FULL:
            raise NoRoom(NO_ROOM) from error
        if code == BUSY:
            raise Unwritable(HELD) from error
        if code == READ_ONLY:
            raise InputError(NO_WRITING) from error
        sentence = f"The run store cannot be used: {cause}. Check its address, or the data folder and its disk."
        raise (NoRoom if code == DISK else InputError)(sentence) from error


def _prepare(connection: Any, _: Any, patience: float) -> None:
    """WAL: pages read while a worker writes. What is deleted is overwritten."""
    connection.text_factory = _text
    connection.execute(f"PRAGMA busy_timeout={round(1000 * patience)}")
    _write_ahead(connection)
    connection.execute("PRAGMA secure_delete=ON")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")


def _text(data: bytes) -> str:
    """A damaged row must not spoil those that are read with it."""
    return data.decode("utf-8", "replace")


def _write_ahead(connection: Any) -> None:
    """The first to open a store changes its mode, for which SQLite does not wait by itself while others look at it."""
    end = time.monotonic() + WAIT
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) or time.monotonic() > end:
                raise
            time.sleep(0.02)
