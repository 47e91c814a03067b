"""The run store: one row per run, one per step. Workers write, pages read, and requests are words in between."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, replace
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, Row, RowMapping, delete, func, insert, select, update

from ..errors import InputError
from ..scenario.question import Question
from .data_folder import store_url
from .engine import NO_ROOM, NoRoom, Unwritable, fast, lasting, open_engine, reserve_of, translated
from .migrations import WAIT
from .question_row import QuestionRow
from .run import DELETED, RESTING, WORKING, Request, Run, RunState, State
from .servers import ServerRow, known_servers, put_heartbeat
from .tables import RUNS, SERVERS, STEPS

AnyRun = TypeVar("AnyRun", bound=RunState)


class Lost(Exception):
    """The run belongs to another worker by now, or is over: whoever finds this writes nothing more."""


STATE_COLUMNS = [RUNS.c[f.name] for f in fields(RunState)]
QUESTION_COLUMNS = [RUNS.c[f.name] for f in fields(QuestionRow)]
RUN_COLUMNS = [*STATE_COLUMNS, RUNS.c.created, *QUESTION_COLUMNS]
THERE = RUNS.c.state != DELETED


class Store:
    """All statements on runs. Every method is one short transaction, so that any process may call it."""

    def __init__(self, url: str | None = None, patience: float = WAIT) -> None:
        self.url, self.patience = url or store_url(), patience
        with translated():
            self.reserve = reserve_of(self.url)
        self.engine = self._open()
        self._unsaid: dict[str, tuple[State, str | None, str | None]] = {}  # words of runs that could not be written yet
        self.log_is_clear = True  # False: what was deleted is still in the database's log

    # runs

    def add(self, question: Question, server: str) -> str:
        """A new run in the queue. Its id cannot be guessed: who has it may see the run."""
        run_id, now = secrets.token_hex(12), time.time()
        row = {"id": run_id, "state": "queued", "server": server, "seconds": 0.0, "done": -1}
        row |= dict.fromkeys(("created", "queued", "changed"), now)
        row |= {"iterations": question.scenario.settings.iterations, **vars(QuestionRow.of(question))}
        with self.writing() as connection:
            connection.execute(insert(RUNS).values(**row))
        return run_id

    def run(self, run_id: str) -> Run | None:
        with self.reading() as connection:
            row = connection.execute(select(*RUN_COLUMNS).where(RUNS.c.id == run_id, THERE)).one_or_none()
        return None if row is None else self._told(Run.of_row(row._asdict()))

    def state(self, run_id: str) -> RunState | None:
        """What may have changed of a run, for whoever looks often: its question is not read."""
        with self.reading() as connection:
            row = connection.execute(select(*STATE_COLUMNS).where(RUNS.c.id == run_id, THERE)).one_or_none()
        return None if row is None else self._told(RunState.of_row(row._asdict()))

    def runs(self, ids: Iterable[str]) -> list[Run]:
        """These runs, the newest first. There is no way to list everybody's."""
        wanted = select(*RUN_COLUMNS).where(RUNS.c.id.in_(list(ids)), THERE).order_by(RUNS.c.created.desc())
        with self.reading() as connection:
            rows = connection.execute(wanted).all()
        return [self._told(Run.of_row(row._asdict())) for row in rows]

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
        return self._change(run_id, RESTING, **values)

    def request(self, run_id: str, request: Request) -> None:
        """Request a pause or an end. What waits or rests obeys at once; a worker obeys after the iteration it is in."""
        if request == "pause":
            if not self._change(run_id, ("queued",), state="paused"):
                self._change(run_id, ("running",), request=request)
        elif not self._change(run_id, ("queued", "paused"), state="stopped", sentence="Stopped by hand."):
            self._change(run_id, ("running",), state="stopping", request=request)

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
        with self.writing(fast) as connection:
            request = self._own(connection, run_id, token, {"done": step["iteration"], "seconds": seconds, "summary": None})
            connection.execute(insert(STEPS).values(run=run_id, seconds=seconds, **step))
        return request

    def say(self, run_id: str, token: str, sentence: str) -> None:
        """What the worker does beside making steps, for whoever watches."""
        with self.writing(fast) as connection:
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
        last |= {"changed": time.time()}
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

    def fail(self, run_id: str, state: State, sentence: str | None, server: str | None = None) -> None:
        """Word of a run whose worker is gone; nothing happens if it has ended properly, or is another server's by now.

        Where it cannot be written, whoever asks this store is told all the same, and `catch_up` writes it later."""
        try:
            last = {"state": state, "sentence": sentence, "worker_token": None, "pid": None, "request": None}
            self._change(run_id, WORKING, server, **last)
        except Unwritable:
            self._unsaid[run_id] = (state, sentence, server)
            raise
        self._unsaid.pop(run_id, None)

    def catch_up(self) -> None:
        """Write what could not be written of runs whose workers are gone; `Unwritable` while that lasts."""
        for run_id, (state, sentence, server) in list(self._unsaid.items()):
            self.fail(run_id, state, sentence, server)

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
        with self.writing(fast) as connection:
            put_heartbeat(connection, server, host, pid)

    def servers(self) -> dict[str, ServerRow]:
        with self.reading() as connection:
            return known_servers(connection)

    def forget_servers(self, ids: Iterable[str]) -> None:
        """Servers that are gone and left nothing to settle."""
        with self.writing(fast) as connection:
            connection.execute(delete(SERVERS).where(SERVERS.c.id.in_(list(ids))))

    def unfinished(self) -> list[tuple[RunState, ServerRow | None]]:
        """Runs that should be at work, each with what is known of its server."""
        wanted = select(*STATE_COLUMNS).where(RUNS.c.state.in_(WORKING))
        with self.reading() as connection:
            rows, servers = connection.execute(wanted).all(), known_servers(connection)
        runs = [RunState.of_row(row._asdict()) for row in rows]
        return [(run, servers.get(run.server or "")) for run in runs if run.id not in self._unsaid]

    def workers(self, ids: Iterable[str]) -> dict[str, RowMapping]:
        """Who works on each of these runs, and what is asked of them."""
        columns = (RUNS.c.id, RUNS.c.server, RUNS.c.state, RUNS.c.request, RUNS.c.worker_token, RUNS.c.pid)
        with self.reading() as connection:
            rows = connection.execute(select(*columns).where(RUNS.c.id.in_(list(ids)))).all()
        return {row.id: row._mapping for row in rows}

    # the transactions

    def _open(self) -> Engine:
        try:
            with translated():
                return open_engine(self.url, self.patience)
        except InputError as error:
            if self.reserve is None or not self.reserve.needed:
                raise
            if not self.reserve.give_back():
                raise NoRoom(NO_ROOM) from error
        with translated():
            return open_engine(self.url, self.patience)

    def _told(self, run: AnyRun) -> AnyRun:
        """The run as it is, although its row may not say so yet."""
        if run.id not in self._unsaid or not run.working:
            return run
        state, sentence, _ = self._unsaid[run.id]
        return replace(run, state=state, sentence=sentence, pid=None, request=None)

    def _change(self, run_id: str, states: Iterable[State], owner: str | None = None, **values: Any) -> bool:
        which = (RUNS.c.id == run_id) & RUNS.c.state.in_(list(states))
        if owner is not None:
            which &= RUNS.c.server == owner
        with self.writing() as connection:
            changed = connection.execute(update(RUNS).where(which).values(changed=time.time(), **values))
            return bool(changed.rowcount)

    def _own(self, connection: Connection, run_id: str, token: str, values: Mapping[str, Any]) -> Request | None:
        """Change a run that is still this worker's, and learn what is requested."""
        mine = (RUNS.c.id == run_id) & (RUNS.c.worker_token == token)
        row = connection.execute(update(RUNS).where(mine).values(**values).returning(RUNS.c.request)).one_or_none()
        if row is None:
            raise Lost
        request: Request | None = row[0]
        return request

    @contextmanager
    def writing(self, how: Callable[[Connection], None] = lasting) -> Iterator[Connection]:
        """One transaction, which is on the disk when it ends, or `fast`."""
        with translated(), self.engine.begin() as connection:
            how(connection)
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with translated(), self.engine.connect() as connection:
            yield connection
