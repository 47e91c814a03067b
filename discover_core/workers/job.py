"""One piece of work in a process of its own: it reports progress, can be stopped, and cannot take the page down.

The processes are forked from a clean server that has the libraries loaded already, so that a job starts in milliseconds.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import threading
import time
from collections.abc import Callable
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any, Literal

from ..errors import InputError, said

State = Literal["running", "finished", "failed", "stopped"]
Progress = Callable[[float, str], None]

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["discover_core.workers.page_jobs"])


class Job:
    """`work(*args, progress=...)` in another process. Poll `state`, `share` and `doing`; take `result` when finished.

    The work is named as "module:function", so that only the process that does it need import it.
    """

    def __init__(self, work: str, *args: Any, title: str = "") -> None:
        self.title = title
        self.share, self.doing = 0.0, ""
        self.state: State = "running"
        self.result: Any = None
        self.error: InputError | None = None
        self.started = time.monotonic()
        self._ready = threading.Event()
        self._lock = threading.Lock()
        here, there = CONTEXT.Pipe(duplex=False)
        self._process = CONTEXT.Process(target=_work, args=(there, work, args), daemon=True)
        self._process.start()
        there.close()
        threading.Thread(target=self._listen, args=(here,), daemon=True).start()

    @property
    def pid(self) -> int | None:
        return self._process.pid

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    def stop(self) -> None:
        """End the work now. What it had not returned is lost; a finished job stays finished."""
        if self._end("stopped"):
            self._process.terminate()
        self._ready.wait(5)

    def wait(self, timeout: float | None = None) -> State:
        self._ready.wait(timeout)
        return self.state

    def _listen(self, pipe: Connection) -> None:
        """Follow what the process says until it is done or gone."""
        with pipe:
            try:
                while True:
                    kind, *rest = pipe.recv()
                    if kind == "progress":
                        self.share, self.doing = rest
                    elif kind == "result":
                        self._end("finished", result=rest[0])
                        break
                    else:
                        self._end("failed", error=rest[0])
                        break
            except (EOFError, OSError):
                self._process.join(5)
                cause = _cause(self._process.exitcode)
                self._end(
                    "failed", error=InputError(f"The work ended unexpectedly ({cause}): try a smaller file or another model.")
                )
            except Exception as error:  # what came could not be read: the page must not wait for ever
                self._end("failed", error=InputError(f"The result could not be handed over ({type(error).__name__})."))
        self._process.join(5)
        self._ready.set()

    def _end(self, state: State, result: Any = None, error: InputError | None = None) -> bool:
        """Whoever comes first decides how the job ended."""
        with self._lock:
            if self.state != "running":
                return False
            self.result, self.error, self.state = result, error, state
            return True


def _work(pipe: Connection, work: str, args: tuple[Any, ...]) -> None:
    def progress(share: float, doing: str) -> None:
        with contextlib.suppress(OSError):
            pipe.send(("progress", float(share), doing))

    try:
        module, _, function = work.partition(":")
        answer: tuple[str, Any] = ("result", getattr(import_module(module), function)(*args, progress=progress))
    except InputError as error:
        answer = ("failed", error)
    except MemoryError:
        answer = ("failed", InputError("There was not enough memory: try a smaller table."))
    except Exception as error:
        answer = ("failed", InputError(f"Something unexpected went wrong ({type(error).__name__}: {said(error)})."))
    try:
        pipe.send(answer)
    except Exception as error:  # a result that cannot be pickled
        pipe.send(("failed", InputError(f"The result could not be handed over ({type(error).__name__}).")))
    pipe.close()


def _cause(exitcode: int | None) -> str:
    return f"signal {-exitcode}" if exitcode is not None and exitcode < 0 else f"exit code {exitcode}"


def warm_up() -> None:
    """Let the server that jobs are forked from load its libraries, in the background: the first job waits for it otherwise."""
    threading.Thread(target=Job, args=("discover_core.workers.page_jobs:nothing",), daemon=True).start()
