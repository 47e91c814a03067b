"""Starts runs, and keeps the store truthful about those whose worker or server is gone. One per server."""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import secrets
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future

from ..errors import InputError, said
from ..scenario.question import Question
from ..store.engine import Unwritable
from ..store.files import Files, data_files
from ..store.run import RunState
from ..store.store import Store
from .child_process import Died
from .housekeeping import Housekeeping
from .limits import Limits, Share, cores
from .other_servers import HERE, OtherServers
from .overdue import OverdueWorkers
from .processes import Processes
from .requests import GONE, LOOK, OBEYED, too_large, too_long
from .watchdog import OverLimit
from .worker import solve_run

LOG = logging.getLogger(__name__)
HEARTBEAT = 5.0
NEVER = "The server was shut down before this run began: continue from here."


class Runner:
    """`executor` may be any `concurrent.futures.Executor` whose workers reach the store by its address, and `files`."""

    def __init__(self, store: Store | None = None, executor: Executor | None = None, files: Files | None = None) -> None:
        self.store = store or Store()
        self.files = files or data_files()
        self.executor = executor or Processes(limits=Limits.of_environment())
        self._share = self.executor.limits.of_run if isinstance(self.executor, Processes) else Share()
        self.server = secrets.token_hex(8)
        self._host, self._pid, self._closing = socket.gethostname(), os.getpid(), False
        self._futures: dict[str, list[Future[None]]] = {}  # a hasty pause and resume may leave two for one run
        self._lock = threading.RLock()
        self._housekeeping, self._others = Housekeeping(self.store, self.files), OtherServers(self._host, self._pid)
        HERE.add(self.server)
        for act in self._regularly:
            with contextlib.suppress(Unwritable):  # then pages can at least show what there is, and delete
                act()
        threading.Thread(target=self._live, daemon=True).start()
        if isinstance(self.executor, Processes):  # nobody else's processes may be ended
            threading.Thread(target=self._hurry, args=(self.executor,), daemon=True).start()
        atexit.register(self.close)

    @property
    def at_once(self) -> int:
        """How many runs are at work at once, as far as the executor says."""
        return int(getattr(self.executor, "at_once", cores()))

    def start(self, question: Question) -> str:
        """Queue a run of a question whose files are among those of this runner. Its id."""
        with self._lock:
            self._say()
            run_id = self.store.add(question, self.server)
            self._submit(run_id)
        return run_id

    def pause(self, run_id: str) -> None:
        self.store.request(run_id, "pause")
        self._cancel(run_id)

    def stop(self, run_id: str) -> None:
        self.store.request(run_id, "stop")
        self._cancel(run_id)

    def go_on(self, run_id: str, more: int = 0) -> None:
        """Resume, continue, or go on for more iterations: all of them start from the last step stored."""
        self.store.catch_up()
        run = self.store.state(run_id)
        if run is None:
            raise InputError("This run is not in the store any more.")
        with self._lock:
            self._say()
            iterations = max(run.done, 0) + more if more else run.iterations
            if self.store.enqueue(run_id, self.server, iterations, more > 0):
                self._submit(run_id)

    def close(self) -> None:
        """The server ends: what is at work ends with it, and the store says why."""
        self._closing = True
        HERE.discard(self.server)
        with contextlib.suppress(InputError):
            for run, _ in self.store.unfinished():
                if run.server == self.server:
                    self._interrupted(run)

    def _submit(self, run_id: str) -> None:
        try:
            future = self.executor.submit(solve_run, self.store.url, self.files, run_id, self._share)
        except Exception as error:  # a pool that is broken or shut down
            sentence = f"No worker could be started: {said(error)}."
            self.store.fail(run_id, "failed", sentence)
            raise InputError(sentence) from error
        self._futures.setdefault(run_id, []).append(future)
        future.add_done_callback(lambda done: self._over(run_id, done))

    def _cancel(self, run_id: str) -> None:
        with self._lock:
            futures = list(self._futures.get(run_id, ()))
        for future in futures:
            future.cancel()

    def _over(self, run_id: str, future: Future[None]) -> None:
        """The worker is gone. What it could not say itself, this does: now, or when the store can be written again."""
        with self._lock:
            self._futures[run_id].remove(future)
            if not self._futures[run_id]:
                del self._futures[run_id]
        try:
            error = future.exception()
        except CancelledError:
            return
        if error is not None:
            with contextlib.suppress(InputError):
                self._lost(run_id, error)

    def _lost(self, run_id: str, error: BaseException) -> None:
        """A worker ended with an error. Another one may have the run by now: then nothing is to be said."""
        run = self.store.state(run_id)
        if run is None or not run.working or (run.state == "queued" and run_id in self._futures):
            return
        if isinstance(error, Died | OverLimit) and run.pid not in (None, error.pid):
            return
        if self._closing:
            self._interrupted(run)
        elif isinstance(error, Died) and run.request is not None:  # ended because it did not obey
            self.store.fail(run_id, *OBEYED[run.request], run.server)
        elif isinstance(error, OverLimit) and error.kind == "time":
            self.store.fail(run_id, "stopped", too_long(self._share), run.server)
        elif isinstance(error, OverLimit):
            self.store.fail(run_id, "failed", f"{too_large(self._share)} {_kept(run)}", run.server)
        else:
            self.store.fail(run_id, "failed", _why(error, run), run.server)

    def _interrupted(self, run: RunState) -> None:
        self.store.fail(run.id, "stopped", NEVER if run.done < 0 else GONE, run.server)

    def _live(self) -> None:
        while not self._closing:
            time.sleep(HEARTBEAT)
            for act in self._regularly:
                if self._closing:
                    return
                try:
                    act()
                except InputError:
                    continue  # the store may come back
                except Exception:  # without a heartbeat another server would take the runs for lost
                    LOG.exception("A look at the runs failed.")

    @property
    def _regularly(self) -> tuple[Callable[[], None], ...]:
        """Each is done although another one may fail."""
        return self._say, self._reconcile, self._housekeeping.look

    def _hurry(self, processes: Processes) -> None:
        """End what does not obey; after the server's end, too, as long as something is at work."""
        overdue = OverdueWorkers(self.store, self.server, processes)
        while not self._closing or self._futures:
            time.sleep(LOOK)
            with self._lock:
                futures = {run_id: list(calls) for run_id, calls in self._futures.items()}
            try:
                overdue.look(futures)
            except InputError:
                continue  # the store may come back
            except Exception:
                LOG.exception("A look at the workers failed.")

    def _say(self) -> None:
        self.store.heartbeat(self.server, self._host, self._pid)

    def _reconcile(self) -> None:
        """Runs of a server that is gone, or whose worker is, are not at work, whatever their row says."""
        with self._lock:
            unfinished, gone = self.store.unfinished(), self._others.gone(self.store.servers().values())
            for run, server in unfinished:
                with contextlib.suppress(Unwritable):  # the store knows it, and writes it later
                    if run.server == self.server:
                        if run.id not in self._futures:
                            self.store.fail(run.id, "failed", _why(Died(run.pid, None), run), run.server)
                    elif server is None or server.id in gone:
                        self._interrupted(run)
            settled = gone - {run.server for run, _ in unfinished}
            if settled:
                self.store.forget_servers(settled)


def _kept(run: RunState) -> str:
    return "Nothing was stored yet." if run.done < 0 else f"Everything up to iteration {run.done:,} is kept: continue from here."


def _why(error: BaseException, run: RunState) -> str:
    kept = _kept(run)
    if isinstance(error, Died):
        code = error.exitcode
        how = "" if code is None else f" (signal {-code})" if code < 0 else f" (exit code {code})"
        return f"The run's process was ended from outside{how}, as happens when memory runs short. {kept}"
    return f"{said(error).rstrip('.')}. {kept}"
