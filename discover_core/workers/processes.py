"""An executor that gives every call a process of its own: one that dies takes nothing else with it.

`concurrent.futures.ProcessPoolExecutor` gives up all calls when one of its processes is killed; here the others go on.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import replace
from typing import Any, ParamSpec, TypeVar

from .child_process import ChildProcess
from .limits import Limits, cores

LAST_WORD = 60.0  # seconds after which a call is ended that should have ended by itself when its time was over
P = ParamSpec("P")
T = TypeVar("T")
Call = tuple["Future[Any]", Callable[..., Any], tuple[Any, ...], dict[str, Any]]


class Processes(Executor):
    """At most `at_once` processes, each with a run's share of the `limits`; further calls wait in the order they came."""

    def __init__(self, at_once: int | None = None, limits: Limits | None = None) -> None:
        self.limits = limits or Limits(runs=at_once or cores())
        self.at_once = self.limits.runs
        share = self.limits.of_run
        self._share = share if share.seconds is None else replace(share, seconds=share.seconds + LAST_WORD)
        self._waiting: deque[Call] = deque()
        self._busy = 0
        self._children: dict[Future[Any], ChildProcess] = {}
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

    def end(self, future: Future[Any]) -> None:
        """Kill the process of a call; its future then holds `Died`. Nothing happens to a call that is over or waits."""
        with self._lock:
            child = self._children.get(future)
        if child is not None:
            child.end()

    def _next(self) -> None:
        with self._lock:
            while self._waiting and self._busy < self.at_once:
                call = self._waiting.popleft()
                if call[0].set_running_or_notify_cancel():
                    self._busy += 1
                    threading.Thread(target=self._follow, args=call, daemon=True).start()

    def _follow(self, future: Future[Any], fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        answer, failure = None, None
        try:
            child = ChildProcess(fn, args, kwargs, share=self._share)
            with self._lock:
                self._children[future] = child
            answer = child.result()
        except Exception as error:  # the call's own, or its process could not be started, or died
            failure = error
        with self._lock:
            self._children.pop(future, None)
            self._busy -= 1
        if failure is None:
            future.set_result(answer)
        else:
            future.set_exception(failure)
        self._next()
