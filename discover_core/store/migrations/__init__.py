"""The versions of the store's tables, each made from the one before.

To change a table: change `tables.py`, add the step as a file in `versions/`, and its number to `VERSIONS`. A step that
somebody's store may have taken is never changed again.
"""

from __future__ import annotations

import threading
from importlib import import_module
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, NullPool, create_engine, event, inspect, text

from ...errors import InputError

VERSIONS = ("1", "2", "3", "4")
NEWEST = VERSIONS[-1]
TABLE = "alembic_version"
OURS = frozenset(("servers", "runs", "steps", "scenarios"))  # what a store without a number may hold
WAIT = 15  # seconds that a writer waits for another
ALONE = threading.Lock()  # Alembic knows one migration per process


def migrate(url: str) -> None:
    """Bring the store at this address to the newest version, in one transaction; a version that is not known is left alone.

    Of several processes at once, one takes the steps and the others wait for it. That is asked of SQLite here; another
    database needs a lock of its own, or a first process that is alone.
    """
    engine = create_engine(url, poolclass=NullPool)
    sqlite = engine.dialect.name == "sqlite"
    if sqlite:
        event.listen(engine, "connect", _prepare)
    with engine.connect() as connection:
        if _is_newest(connection):
            return
        with ALONE:
            import_module("alembic.command")  # slow to load: not in a transaction that others wait for
            if sqlite:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            if not _is_newest(connection):
                upgrade(connection, NEWEST)
            connection.commit()


def upgrade(connection: Connection, wanted: str) -> None:
    """Take the steps up to a version, in the transaction that the connection is in."""
    from alembic import command  # loaded only for a store that is not up to date
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    command.upgrade(config, wanted)


def version(connection: Connection) -> str | None:
    """None for a new store, and for one of the first version, which did not say its number."""
    if not inspect(connection).has_table(TABLE):
        return None
    found: str | None = connection.execute(text(f"SELECT version_num FROM {TABLE}")).scalar_one_or_none()
    return found


def _is_newest(connection: Connection) -> bool:
    found, tables = version(connection), set(inspect(connection).get_table_names())
    if (found is None and tables - OURS) or (found is not None and not tables & OURS):
        raise InputError(
            "The database was made by another program and is left alone: name another one with DISCOVER_HOME or DISCOVER_STORE."
        )
    if found is not None and found not in VERSIONS:
        raise InputError(
            "The run store was written by a newer version of this program: update the program, or name another store with "
            "DISCOVER_HOME or DISCOVER_STORE."
        )
    return found == NEWEST


def _prepare(connection: Any, _: Any) -> None:
    """Transactions begin where we say, and hold for tables, too; a process waits for the one that migrates."""
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout={1000 * WAIT}")
