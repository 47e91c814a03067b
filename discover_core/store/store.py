"""The run store: one row per run, one per step. Workers write, pages read, and requests are words in between."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any, Literal

from sqlalchemy import Connection, Engine, Row, RowMapping, delete, func, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from ..errors import InputError
from .data_folder import data_folder
from .engine import open_engine
from .tables import RUNS, SERVERS, STEPS

State = Literal["queued", "running", "paused", "stopping", "finished", "stopped", "failed", "refused"]
Request = Literal["pause", "stop"]
WORKING: tuple[State, ...] = ("queued", "running", "stopping")
OVER: tuple[State, ...] = ("finished", "stopped", "failed", "refused")  # refused: the question cannot be asked
SILENT = 20.0  # seconds after which a server that says nothing is gone


class Lost(Exception):
    """The run belongs to another worker by now, or is over: whoever finds this writes nothing more."""


@dataclass(frozen=True)
class Run:
    """A run as its row says. `done` is the last iteration stored, -1 before the first; `seconds` leave pauses out."""

    id: str
    name: str
    state: State
    request: Request | None
    sentence: str | None
    server: str | None
    pid: int | None
    created: float
    queued: float
    seconds: float
    done: int
    iterations: int
    more: bool
    data_title: str
    model_title: str
    saved: str | None
    scenario: str
    model_copy: str
    answer: str | None

    @property
    def working(self) -> bool:
        """Whether something may still happen by itself."""
        return self.state in WORKING

    @property
    def over(self) -> bool:
        return self.state in OVER


RUN_COLUMNS = [RUNS.c[f.name] for f in fields(Run)]


class Store:
    """All statements on runs. Every method is one short transaction, so that any process may call it."""

    def __init__(self, url: str | None = None) -> None:
        self.url = url or f"sqlite:///{data_folder() / 'runs.sqlite3'}"
        with _translated():
            self.engine: Engine = open_engine(self.url)

    # runs

    def add(self, name: str, scenario: Mapping[str, Any], iterations: int, server: str, **more: Any) -> str:
        """A new run in the queue. Its id cannot be guessed: who has it may see the run."""
        run_id, now = secrets.token_hex(12), time.time()
        row = {"id": run_id, "name": name, "state": "queued", "server": server, "created": now, "queued": now, "done": -1}
        row |= {"seconds": 0.0, "iterations": iterations, "scenario": json.dumps(scenario), **more}
        with self.writing() as connection:
            connection.execute(insert(RUNS).values(**row))
        return run_id

    def run(self, run_id: str) -> Run | None:
        with self.reading() as connection:
            row = connection.execute(select(*RUN_COLUMNS).where(RUNS.c.id == run_id)).one_or_none()
        return None if row is None else Run(**row._mapping)

    def runs(self, ids: Iterable[str]) -> list[Run]:
        """These runs, the newest first. There is no way to list everybody's."""
        wanted = select(*RUN_COLUMNS).where(RUNS.c.id.in_(list(ids))).order_by(RUNS.c.created.desc())
        with self.reading() as connection:
            rows = connection.execute(wanted).all()
        return [Run(**row._mapping) for row in rows]

    def before(self, run: Run) -> tuple[int, int]:
        """How many runs of the same server are at work, and how many wait before this one."""
        waits = (RUNS.c.state == "queued") & (RUNS.c.queued < run.queued)
        with self.reading() as connection:
            at_work, waiting = (
                connection.execute(select(func.count()).where(RUNS.c.server == run.server, which)).scalar_one()
                for which in (RUNS.c.state.in_(("running", "stopping")), waits)
            )
        return int(at_work), int(waiting)

    def enqueue(self, run_id: str, server: str, iterations: int, more: bool = False) -> bool:
        """Put a run that rests back into the queue, maybe for more than was asked at first; False if it does not rest."""
        values: dict[str, Any] = {"state": "queued", "server": server, "queued": time.time(), "iterations": iterations}
        values |= dict.fromkeys(("request", "sentence", "worker_token", "pid", "answer")) | ({"more": True} if more else {})
        return self._change(run_id, ("paused", *OVER), **values)

    def request(self, run_id: str, request: Request) -> None:
        """Request a pause or an end. What waits or rests obeys at once; a worker obeys after the iteration it is in."""
        if request == "pause":
            if not self._change(run_id, ("queued",), state="paused"):
                self._change(run_id, ("running",), request=request)
        elif not self._change(run_id, ("queued", "paused"), state="stopped", sentence="Stopped by hand."):
            self._change(run_id, ("running",), state="stopping", request=request)

    def delete(self, run_id: str) -> None:
        with self.writing() as connection:
            connection.execute(delete(STEPS).where(STEPS.c.run == run_id))
            connection.execute(delete(RUNS).where(RUNS.c.id == run_id))

    # what a worker writes

    def claim(self, run_id: str, pid: int) -> str:
        """Become the run's worker: the token to write with. `Lost` when it is not waiting any more."""
        token = secrets.token_hex(8)
        if not self._change(run_id, ("queued",), state="running", worker_token=token, pid=pid, request=None):
            raise Lost
        return token

    def begin(self, run_id: str, token: str, head: bytes) -> None:
        with self.writing() as connection:
            self._own(connection, run_id, token, {"head": head})

    def write(self, run_id: str, token: str, step: Mapping[str, Any], seconds: float) -> Request | None:
        """Store one step and learn what is requested."""
        with self.writing() as connection:
            request = self._own(connection, run_id, token, {"done": step["iteration"], "seconds": seconds, "answer": None})
            connection.execute(insert(STEPS).values(run=run_id, seconds=seconds, **step))
        return request

    def end(self, run_id: str, token: str, state: State, sentence: str | None = None, answer: str | None = None) -> None:
        """The worker's last word: finished, failed, stopped or paused."""
        last = {"state": state, "sentence": sentence, "worker_token": None, "pid": None, "request": None}
        last |= {} if answer is None else {"answer": answer}
        with self.writing() as connection:
            self._own(connection, run_id, token, last)

    def read_request(self, run_id: str, token: str) -> Request | None:
        with self.reading() as connection:
            row = connection.execute(
                select(RUNS.c.request).where(RUNS.c.id == run_id, RUNS.c.worker_token == token)
            ).one_or_none()
        if row is None:
            raise Lost
        request: Request | None = row[0]
        return request

    def fail(self, run_id: str, state: State, sentence: str) -> None:
        """Word of a run whose worker is gone; nothing happens if it has ended properly."""
        self._change(run_id, WORKING, state=state, sentence=sentence, worker_token=None, pid=None, request=None)

    # what a page reads

    def head(self, run_id: str) -> bytes | None:
        with self.reading() as connection:
            head: bytes | None = connection.execute(select(RUNS.c.head).where(RUNS.c.id == run_id)).scalar_one_or_none()
        return head

    def steps(self, run_id: str, after: int = -1) -> list[Row[Any]]:
        """The steps behind an iteration, in order."""
        wanted = select(STEPS).where(STEPS.c.run == run_id, STEPS.c.iteration > after).order_by(STEPS.c.iteration)
        with self.reading() as connection:
            return list(connection.execute(wanted).all())

    # servers

    def heartbeat(self, server: str, host: str, pid: int) -> None:
        """A server says that it is alive."""
        with self.writing() as connection:
            changed = connection.execute(update(SERVERS).where(SERVERS.c.id == server).values(heartbeat=time.time()))
            if not changed.rowcount:
                connection.execute(insert(SERVERS).values(id=server, host=host, pid=pid, heartbeat=time.time()))

    def unfinished(self) -> list[tuple[Run, RowMapping | None]]:
        """Runs that should be at work, each with what is known of its server."""
        wanted = select(*RUN_COLUMNS).where(RUNS.c.state.in_(WORKING))
        with self.reading() as connection:
            runs = [Run(**row._mapping) for row in connection.execute(wanted).all()]
            servers = {row.id: row._mapping for row in connection.execute(select(SERVERS)).all()}
        return [(run, servers.get(run.server or "")) for run in runs]

    # the transactions

    def _change(self, run_id: str, states: Iterable[State], **values: Any) -> bool:
        with self.writing() as connection:
            which = (RUNS.c.id == run_id) & RUNS.c.state.in_(list(states))
            return bool(connection.execute(update(RUNS).where(which).values(**values)).rowcount)

    def _own(self, connection: Connection, run_id: str, token: str, values: Mapping[str, Any]) -> Request | None:
        """Change a run that is still this worker's, and learn what is requested."""
        mine = (RUNS.c.id == run_id) & (RUNS.c.worker_token == token)
        row = connection.execute(update(RUNS).where(mine).values(**values).returning(RUNS.c.request)).one_or_none()
        if row is None:
            raise Lost
        request: Request | None = row[0]
        return request

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        with _translated(), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with _translated(), self.engine.connect() as connection:
            yield connection


@contextmanager
def _translated() -> Iterator[None]:
    """What the database complains about, as a sentence."""
    try:
        yield
    except SQLAlchemyError as error:
        cause = getattr(error, "orig", None) or error
        raise InputError(f"The run store cannot be used: {cause}. Check the data folder and its disk.") from error
