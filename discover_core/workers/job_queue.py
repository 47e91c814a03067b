"""The places that jobs of pages have: so many are at work at once, the others wait in the order they came."""

from __future__ import annotations

import threading
from collections import deque
from typing import Protocol

from .limits import Limits, Share


class Waiting(Protocol):
    def begin(self) -> None:
        """A place is free."""


class JobQueue:
    """`limits.jobs` places. A session has one job at a time, which goes to the end when another takes its place: so nobody takes
    a second place while somebody else waits for a first."""

    def __init__(self, limits: Limits) -> None:
        self.share: Share = limits.of_job
        self._places = limits.jobs
        self._waiting: deque[Waiting] = deque()
        self._at_work: set[Waiting] = set()
        self._lock = threading.Lock()

    def enter(self, job: Waiting) -> None:
        with self._lock:
            self._waiting.append(job)
        self._next()

    def leave(self, job: Waiting) -> None:
        """A job that was at work is over."""
        with self._lock:
            self._at_work.discard(job)
        self._next()

    def give_up(self, job: Waiting) -> bool:
        """Wait no longer; False if it does not wait any more."""
        with self._lock:
            if job not in self._waiting:
                return False
            self._waiting.remove(job)
            return True

    def before(self, job: Waiting) -> int | None:
        """How many others are to begin before this one; None if it does not wait."""
        with self._lock:
            return self._waiting.index(job) if job in self._waiting else None

    def _next(self) -> None:
        while True:
            with self._lock:
                if not self._waiting or len(self._at_work) >= self._places:
                    return
                job = self._waiting.popleft()
                self._at_work.add(job)
            job.begin()
