"""One piece of work in a process of its own: it reports progress, can be stopped, and cannot take the page down."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any, Literal

from ..errors import InputError, said
from .child_process import ChildProcess, Died, Unreadable
from .enforcement import short_of_memory
from .job_queue import JobQueue
from .limits import Share
from .watchdog import Kind, OverLimit

JobState = Literal["running", "finished", "failed", "stopped"]
Progress = Callable[[float, str], None]
WHAT, ADVICE = "this work", "try a smaller table or another model"


class Job:
    """`work(*args, progress=...)` in another process, at once or when its `queue` has a place. Poll `state`, `share` and `doing`;
    take `result` when finished.

    The work is named as "module:function", so that only the process that does it need import it.
    """

    def __init__(self, work: str, *args: Any, title: str = "", queue: JobQueue | None = None) -> None:
        self.title = title
        self.share, self.doing = 0.0, ""
        self.state: JobState = "running"
        self.result: Any = None
        self.error: InputError | None = None
        self.started = time.monotonic()
        self._call, self._queue = (work, args), queue
        self._may = Share() if queue is None else queue.share
        self._child: ChildProcess | None = None
        self._ready = threading.Event()
        self._lock = threading.Lock()
        if queue is None:
            self.begin()
        else:
            queue.enter(self)

    def begin(self) -> None:
        """The job has a place. One that was stopped before gives it back."""
        with self._lock:
            if self.state == "running":
                self.started = time.monotonic()
                try:
                    self._child = ChildProcess(_work, (*self._call, self._may), heard=self._hear, share=self._may)
                except Exception as error:
                    self.state, self.error = "failed", InputError(f"The work could not be started: {said(error)}. Try it again.")
        if self._child is None:
            self._over()
        else:
            threading.Thread(target=self._listen, args=(self._child,), daemon=True).start()

    @property
    def pid(self) -> int | None:
        return None if self._child is None else self._child.pid

    @property
    def before(self) -> int | None:
        """How many others are to begin before this one; None once it is at work."""
        return None if self._queue is None else self._queue.before(self)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    def stop(self) -> None:
        """End the work now, or give up waiting. What it had not returned is lost; a finished job stays finished."""
        if self._end("stopped"):
            if self._child is not None:
                self._child.end()
            elif self._queue is not None and self._queue.give_up(self):
                self._ready.set()
        self._ready.wait(5)

    def wait(self, timeout: float | None = None) -> JobState:
        self._ready.wait(timeout)
        return self.state

    def _hear(self, share: float, doing: str) -> None:
        self.share, self.doing = share, doing

    def _listen(self, child: ChildProcess) -> None:
        """Follow the process until it is done or gone."""
        try:
            self._end("finished", result=child.result())
        except InputError as error:
            self._end("failed", error=error)
        except OverLimit as over:
            self._end("failed", error=InputError(_too_much(over.kind, self._may)))
        except Died as death:
            cause = _cause(death.exitcode)
            self._end("failed", error=InputError(f"The work ended unexpectedly ({cause}): try a smaller file or another model."))
        except Unreadable as error:
            short = str(error) == MemoryError.__name__
            sentence = _too_much("memory", self._may) if short else f"The result could not be handed over ({error})."
            self._end("failed", error=InputError(sentence))
        self._over()

    def _over(self) -> None:
        """The process is gone, if there was one: the place is free."""
        self._ready.set()
        if self._queue is not None:
            self._queue.leave(self)

    def _end(self, state: JobState, result: Any = None, error: InputError | None = None) -> bool:
        """Whoever comes first decides how the job ended."""
        with self._lock:
            if self.state != "running":
                return False
            self.result, self.error, self.state = result, error, state
            return True


def _too_much(kind: Kind, may: Share) -> str:
    return may.memory_words(WHAT, ADVICE) if kind == "memory" else may.time_words(WHAT, ADVICE, "DISCOVER_JOB_MINUTES")


def _work(work: str, args: tuple[Any, ...], may: Share, report: Callable[[float, str], None]) -> Any:
    """In the process: only sentences leave it, whatever goes wrong."""

    def progress(share: float, doing: str) -> None:
        report(float(share), doing)

    try:
        module, _, function = work.partition(":")
        return getattr(import_module(module), function)(*args, progress=progress)
    except Exception as error:
        if short_of_memory(error):
            raise InputError(_too_much("memory", may)) from None
        if isinstance(error, InputError):
            raise
        raise InputError(f"Something unexpected went wrong ({type(error).__name__}: {said(error)}).") from None


def _cause(exitcode: int | None) -> str:
    return f"signal {-exitcode}" if exitcode is not None and exitcode < 0 else f"exit code {exitcode}"


def warm_up() -> None:
    """Let the server that jobs are forked from load its libraries, in the background: the first job waits for it otherwise."""
    threading.Thread(target=Job, args=("discover_core.workers.page_jobs:nothing",), daemon=True).start()
