"""Looks after processes from the server's side: what the system does not limit by itself, and what ignores everything."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Literal, Protocol

from .enforcement import in_memory
from .limits import GB, Share

Kind = Literal["memory", "time"]
LOOK = 0.5  # seconds between two looks
INHERITED = 0.5  # GB: what a process has from the server it is forked from


class OverLimit(Exception):
    """A process was ended because it took more than it may."""

    def __init__(self, kind: Kind, pid: int | None) -> None:
        super().__init__(kind, pid)
        self.kind, self.pid = kind, pid


class Child(Protocol):
    @property
    def pid(self) -> int | None: ...

    def end_over(self, kind: Kind) -> None:
        """End the process for this reason."""


class Watchdog:
    """One thread for all processes of a server; it begins with the first."""

    def __init__(self) -> None:
        self._watched: dict[Child, tuple[Share, float]] = {}
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def watch(self, child: Child, share: Share) -> None:
        with self._lock:
            self._watched[child] = share, time.monotonic()
            if self._thread is None:
                self._thread = threading.Thread(target=self._look_on, daemon=True)
                self._thread.start()

    def forget(self, child: Child) -> None:
        with self._lock:
            self._watched.pop(child, None)

    def look(self) -> None:
        """End whatever is over its limits now."""
        with self._lock:
            watched = list(self._watched.items())
        for child, (share, since) in watched:
            if share.seconds is not None and time.monotonic() - since > share.seconds:
                child.end_over("time")
            elif share.memory is not None and _has(child.pid) > (share.memory + INHERITED) * GB:
                child.end_over("memory")

    def _look_on(self) -> None:
        while True:
            time.sleep(LOOK)
            self.look()


def _has(pid: int | None) -> int:
    """Bytes that are in memory because of this process: its own and shared ones, not files that are mapped."""
    return (pid and in_memory("RssAnon", "RssShmem", status=Path(f"/proc/{pid}/status"))) or 0
