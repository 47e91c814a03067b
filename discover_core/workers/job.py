"""One piece of work in a process of its own: it reports progress, can be stopped, and cannot take the page down."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any, Literal

from ..errors import InputError, said
from .child_process import ChildProcess, Died, Unreadable

JobState = Literal["running", "finished", "failed", "stopped"]
Progress = Callable[[float, str], None]


class Job:
    """`work(*args, progress=...)` in another process. Poll `state`, `share` and `doing`; take `result` when finished.

    The work is named as "module:function", so that only the process that does it need import it.
    """

    def __init__(self, work: str, *args: Any, title: str = "") -> None:
        self.title = title
        self.share, self.doing = 0.0, ""
        self.state: JobState = "running"
        self.result: Any = None
        self.error: InputError | None = None
        self.started = time.monotonic()
        self._ready = threading.Event()
        self._lock = threading.Lock()
        self._child = ChildProcess(_work, (work, args), heard=self._hear)
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def pid(self) -> int | None:
        return self._child.pid

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    def stop(self) -> None:
        """End the work now. What it had not returned is lost; a finished job stays finished."""
        if self._end("stopped"):
            self._child.end()
        self._ready.wait(5)

    def wait(self, timeout: float | None = None) -> JobState:
        self._ready.wait(timeout)
        return self.state

    def _hear(self, share: float, doing: str) -> None:
        self.share, self.doing = share, doing

    def _listen(self) -> None:
        """Follow the process until it is done or gone."""
        try:
            self._end("finished", result=self._child.result())
        except InputError as error:
            self._end("failed", error=error)
        except Died as death:
            cause = _cause(death.exitcode)
            self._end("failed", error=InputError(f"The work ended unexpectedly ({cause}): try a smaller file or another model."))
        except Unreadable as error:
            self._end("failed", error=InputError(f"The result could not be handed over ({error})."))
        self._ready.set()

    def _end(self, state: JobState, result: Any = None, error: InputError | None = None) -> bool:
        """Whoever comes first decides how the job ended."""
        with self._lock:
            if self.state != "running":
                return False
            self.result, self.error, self.state = result, error, state
            return True


def _work(work: str, args: tuple[Any, ...], report: Callable[[float, str], None]) -> Any:
    """In the process: only sentences leave it, whatever goes wrong."""

    def progress(share: float, doing: str) -> None:
        report(float(share), doing)

    try:
        module, _, function = work.partition(":")
        return getattr(import_module(module), function)(*args, progress=progress)
    except InputError:
        raise
    except MemoryError:
        raise InputError("There was not enough memory: try a smaller table.") from None
    except Exception as error:
        raise InputError(f"Something unexpected went wrong ({type(error).__name__}: {said(error)}).") from None


def _cause(exitcode: int | None) -> str:
    return f"signal {-exitcode}" if exitcode is not None and exitcode < 0 else f"exit code {exitcode}"


def warm_up() -> None:
    """Let the server that jobs are forked from load its libraries, in the background: the first job waits for it otherwise."""
    threading.Thread(target=Job, args=("discover_core.workers.page_jobs:nothing",), daemon=True).start()
