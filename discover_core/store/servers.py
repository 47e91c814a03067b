"""The servers that work with a store, as far as they have said that they are there."""

from __future__ import annotations

import time
from dataclasses import dataclass

from sqlalchemy import Connection, insert, select, update

from .row_check import Check, sound, text
from .tables import SERVERS

SOUND: dict[str, Check] = {
    "host": (text, ""),
    "pid": (lambda value: isinstance(value, int) and 0 < value < 2**31, None),
    "heartbeat": (lambda value: isinstance(value, int | float), 0.0),
}


@dataclass(frozen=True)
class ServerRow:
    """`heartbeat` only tells whether there has been another since: clocks differ, and jump. A damaged row has no `pid`."""

    id: str
    host: str
    pid: int | None
    heartbeat: float


def put_heartbeat(connection: Connection, server: str, host: str, pid: int) -> None:
    """All of the row is written, so that a damaged one is whole again."""
    row = {"host": host, "pid": pid, "heartbeat": time.time()}
    if not connection.execute(update(SERVERS).where(SERVERS.c.id == server).values(**row)).rowcount:
        connection.execute(insert(SERVERS).values(id=server, **row))


def known_servers(connection: Connection) -> dict[str, ServerRow]:
    rows = connection.execute(select(SERVERS)).all()
    return {row.id: ServerRow(**sound(row._asdict(), SOUND)[0]) for row in rows}
