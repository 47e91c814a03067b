"""One call in a process of its own: what it reports on the way, and whether it ended with a result, an error or a death.

The processes are forked from a clean server that has the libraries loaded already, so that a call starts in milliseconds.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from typing import Any

from ..models.probe import accept_crashes

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["discover_core.workers.page_jobs"])
GRACE = 5.0  # seconds a process may take to end once it is told to or its parent is gone
NOTHING: Mapping[str, Any] = {}


class Died(Exception):
    """The process of a call is gone without an answer; a negative exit code is the signal that ended it."""

    def __init__(self, pid: int | None, exitcode: int | None) -> None:
        super().__init__(pid, exitcode)
        self.pid, self.exitcode = pid, exitcode


class Unreadable(Exception):
    """What a call returned or raised cannot cross the border of its process; its words are the name of the cause."""


class ChildProcess:
    """`call(*args, **kwargs)`, begun at once. With `heard` it is also given `report`, whose arguments `heard` gets."""

    def __init__(
        self,
        call: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any] = NOTHING,
        heard: Callable[..., None] | None = None,
    ) -> None:
        self._heard = heard
        self._lock = threading.Lock()  # only one thread may learn how a process ended
        self._pipe, there = CONTEXT.Pipe(duplex=False)
        self._process = CONTEXT.Process(target=_call, args=(there, call, args, dict(kwargs), heard is not None), daemon=True)
        self._process.start()
        there.close()

    @property
    def pid(self) -> int | None:
        return self._process.pid

    def result(self) -> Any:
        """Listen until the call is over. Its result; what it raised, or `Unreadable`, or `Died`, is raised here."""
        with self._pipe:
            kind, content = self._answer()
        if kind == "error":
            raise content
        return content

    def end(self) -> None:
        """End the process now. Whoever listens finds it dead, unless it had answered before."""
        self._process.terminate()
        if self._exitcode() is None:
            self._process.kill()

    def _answer(self) -> tuple[str, Any]:
        try:
            while True:
                kind, content = self._pipe.recv()
                if self._heard is None or kind != "report":
                    return kind, content
                self._heard(*content)
        except (EOFError, OSError):
            return "error", Died(self.pid, self._exitcode())
        except Exception as error:  # whoever waits must not wait for ever
            return "error", Unreadable(type(error).__name__)

    def _exitcode(self) -> int | None:
        """How the process ended; None if it has not, although it should."""
        with self._lock:
            self._process.join(GRACE)
            return self._process.exitcode


def _call(pipe: Connection, call: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], reports: bool) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C ends the server, and this process with it
    threading.Thread(target=_end_with_parent, daemon=True).start()
    accept_crashes()

    def report(*content: Any) -> None:
        with contextlib.suppress(OSError):
            pipe.send(("report", content))

    try:
        answer = ("result", call(*args, **kwargs, **({"report": report} if reports else {})))
    except Exception as error:
        answer = ("error", error)
    with contextlib.suppress(OSError):  # nobody listens any more
        try:
            pipe.send(answer)
        except OSError:
            raise
        except Exception as error:  # it cannot be pickled
            pipe.send(("error", Unreadable(type(error).__name__)))
        pipe.close()


def _end_with_parent() -> None:
    """Nobody listens once the parent is gone: the call may end by itself, but not go on."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        time.sleep(GRACE)
        os._exit(1)
