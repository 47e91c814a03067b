"""An executor that gives every call a process of its own: one that dies takes nothing else with it.

`concurrent.futures.ProcessPoolExecutor` gives up all calls when one of its processes is killed; here the others go on.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, TypeVar

from .job import CONTEXT

P = ParamSpec("P")
T = TypeVar("T")
Call = tuple["Future[Any]", Callable[..., Any], tuple[Any, ...], dict[str, Any]]


class Died(Exception):
    """The process of a call is gone without an answer; a negative exit code is the signal that ended it."""

    def __init__(self, pid: int | None, exitcode: int | None) -> None:
        super().__init__(pid, exitcode)
        self.pid, self.exitcode = pid, exitcode


def cores() -> int:
    """The cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


class Processes(Executor):
    """At most `at_once` processes; further calls wait in the order they came."""

    def __init__(self, at_once: int | None = None) -> None:
        self.at_once = at_once or cores()
        self._waiting: deque[Call] = deque()
        self._busy = 0
        self._lock = threading.Lock()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        with self._lock:
            self._waiting.append((future, fn, args, kwargs))
        self._next()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """What waits is given up; what runs ends with this process."""
        with self._lock:
            for future, *_ in self._waiting:
                future.cancel()
            self._waiting.clear()

    def _next(self) -> None:
        with self._lock:
            while self._waiting and self._busy < self.at_once:
                call = self._waiting.popleft()
                if call[0].set_running_or_notify_cancel():
                    self._busy += 1
                    threading.Thread(target=self._follow, args=call, daemon=True).start()

    def _follow(self, future: Future[Any], fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        try:
            answer, error = _ask(fn, args, kwargs)
        except Exception as failure:  # the process could not even be started
            answer, error = None, failure
        with self._lock:
            self._busy -= 1
        if error is None:
            future.set_result(answer)
        else:
            future.set_exception(error)
        self._next()


def _ask(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, BaseException | None]:
    here, there = CONTEXT.Pipe(duplex=False)
    process = CONTEXT.Process(target=_call, args=(there, fn, args, kwargs), daemon=True)
    process.start()
    there.close()
    with here:
        try:
            answer: tuple[Any, BaseException | None] = here.recv()
        except (EOFError, OSError):
            process.join()
            answer = (None, None if process.exitcode == 0 else Died(process.pid, process.exitcode))
    process.join()
    return answer


def _call(pipe: Connection, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    try:
        answer: tuple[Any, BaseException | None] = (fn(*args, **kwargs), None)
    except Exception as error:
        answer = (None, error)
    pipe.send(answer)
    pipe.close()
