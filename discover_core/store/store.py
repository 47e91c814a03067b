"""The run store: one row per run, one per step. Workers write, pages read, and requests are words in between."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from typing import Any

from sqlalchemy import Connection, Engine, Row, RowMapping, delete, func, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from ..errors import InputError
from ..scenario.question import Question
from .data_folder import store_url
from .engine import open_engine
from .question_row import QuestionRow
from .run import OVER, WORKING, Request, Run, RunState, State
from .tables import RUNS, SERVERS, STEPS

SILENT = 20.0  # seconds after which a server that says nothing is gone


class Lost(Exception):
    """The run belongs to another worker by now, or is over: whoever finds this writes nothing more."""


STATE_COLUMNS = [RUNS.c[f.name] for f in fields(RunState)]
QUESTION_COLUMNS = [RUNS.c[f.name] for f in fields(QuestionRow)]
RUN_COLUMNS = [*STATE_COLUMNS, RUNS.c.created, *QUESTION_COLUMNS]


class Store:
    """All statements on runs. Every method is one short transaction, so that any process may call it."""

    def __init__(self, url: str | None = None) -> None:
        self.url = url or store_url()
        with _translated():
            self.engine: Engine = open_engine(self.url)

    # runs

    def add(self, question: Question, server: str) -> str:
        """A new run in the queue. Its id cannot be guessed: who has it may see the run."""
        run_id, now = secrets.token_hex(12), time.time()
        row = {"id": run_id, "state": "queued", "server": server, "created": now, "queued": now, "seconds": 0.0, "done": -1}
        row |= {"iterations": question.scenario.settings.iterations, **vars(QuestionRow.of(question))}
        with self.writing() as connection:
            connection.execute(insert(RUNS).values(**row))
        return run_id

    def run(self, run_id: str) -> Run | None:
        with self.reading() as connection:
            row = connection.execute(select(*RUN_COLUMNS).where(RUNS.c.id == run_id)).one_or_none()
        return None if row is None else _run(row)

    def state(self, run_id: str) -> RunState | None:
        """What may have changed of a run, for whoever looks often: its question is not read."""
        with self.reading() as connection:
            row = connection.execute(select(*STATE_COLUMNS).where(RUNS.c.id == run_id)).one_or_none()
        return None if row is None else RunState(**row._mapping)

    def runs(self, ids: Iterable[str]) -> list[Run]:
        """These runs, the newest first. There is no way to list everybody's."""
        wanted = select(*RUN_COLUMNS).where(RUNS.c.id.in_(list(ids))).order_by(RUNS.c.created.desc())
        with self.reading() as connection:
            return [_run(row) for row in connection.execute(wanted).all()]

    def before(self, run: RunState) -> tuple[int, int]:
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
        values |= dict.fromkeys(("request", "sentence", "worker_token", "pid", "summary", "policy")) | (
            {"more": True} if more else {}
        )
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
            request = self._own(connection, run_id, token, {"done": step["iteration"], "seconds": seconds, "summary": None})
            connection.execute(insert(STEPS).values(run=run_id, seconds=seconds, **step))
        return request

    def say(self, run_id: str, token: str, sentence: str) -> None:
        """What the worker does beside making steps, for whoever watches."""
        with self.writing() as connection:
            self._own(connection, run_id, token, {"sentence": sentence})

    def end(
        self,
        run_id: str,
        token: str,
        state: State,
        sentence: str | None = None,
        summary: str | None = None,
        policy: bytes | None = None,
    ) -> None:
        """The worker's last word: finished, failed, stopped or paused."""
        last: dict[str, Any] = {"state": state, "sentence": sentence, "worker_token": None, "pid": None, "request": None}
        last |= {} if summary is None else {"summary": summary, "policy": policy}
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

    def solved(self, run_id: str, token: str) -> None:
        """Only the answer is still to be worked out: from now on the worker is left alone, whatever is asked of it."""
        with self.writing() as connection:
            self._own(connection, run_id, token, {"pid": None})

    def fail(self, run_id: str, state: State, sentence: str) -> None:
        """Word of a run whose worker is gone; nothing happens if it has ended properly."""
        self._change(run_id, WORKING, state=state, sentence=sentence, worker_token=None, pid=None, request=None)

    # what a page reads

    def head(self, run_id: str) -> bytes | None:
        with self.reading() as connection:
            head: bytes | None = connection.execute(select(RUNS.c.head).where(RUNS.c.id == run_id)).scalar_one_or_none()
        return head

    def policy(self, run_id: str) -> bytes | None:
        """What the run's policy tells everybody, if there is one."""
        with self.reading() as connection:
            told: bytes | None = connection.execute(select(RUNS.c.policy).where(RUNS.c.id == run_id)).scalar_one_or_none()
        return told

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

    def unfinished(self) -> list[tuple[RunState, RowMapping | None]]:
        """Runs that should be at work, each with what is known of its server."""
        wanted = select(*STATE_COLUMNS).where(RUNS.c.state.in_(WORKING))
        with self.reading() as connection:
            runs = [RunState(**row._mapping) for row in connection.execute(wanted).all()]
            servers = {row.id: row._mapping for row in connection.execute(select(SERVERS)).all()}
        return [(run, servers.get(run.server or "")) for run in runs]

    def workers(self, ids: Iterable[str]) -> dict[str, RowMapping]:
        """Who works on each of these runs, and what is asked of them."""
        columns = (RUNS.c.id, RUNS.c.server, RUNS.c.state, RUNS.c.request, RUNS.c.worker_token, RUNS.c.pid)
        with self.reading() as connection:
            rows = connection.execute(select(*columns).where(RUNS.c.id.in_(list(ids)))).all()
        return {row.id: row._mapping for row in rows}

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


def _run(row: Row[Any]) -> Run:
    parts = dict(row._mapping)
    return Run(question_row=QuestionRow(**{column.name: parts.pop(column.name) for column in QUESTION_COLUMNS}), **parts)


@contextmanager
def _translated() -> Iterator[None]:
    """What the database complains about, as a sentence."""
    try:
        yield
    except SQLAlchemyError as error:
        cause = getattr(error, "orig", None) or error
        raise InputError(f"The run store cannot be used: {cause}. Check its address, or the data folder and its disk.") from error
