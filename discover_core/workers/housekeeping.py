"""What a server does for its data folder: erase what was deleted, let go what is old, and set room aside."""

from __future__ import annotations

import time

from ..store.erase import clear_log, finish, hide, needed_files
from ..store.files import WEEK, Files, sweep
from ..store.retention import keep_seconds, old_runs
from ..store.store import Store

HOUR = 3600.0  # seconds between two times, and how far the clock may jump before anything is called old by it


class Housekeeping:
    def __init__(self, store: Store, files: Files) -> None:
        self.store, self.files = store, files
        self.keep = keep_seconds()
        self._next, self._clock = 0.0, _clock()

    def look(self) -> None:
        """To be called every few seconds."""
        self.store.catch_up()
        if not self.store.log_is_clear:
            clear_log(self.store)
        if abs(_clock() - self._clock) > HOUR:
            self._clock, self._next = _clock(), time.monotonic() + HOUR  # the clock was set: maybe wrongly
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + HOUR
            self.tidy()

    def tidy(self) -> None:
        """Runs are hidden before their files are looked for, which then are needed by nobody."""
        if self.keep is not None:
            hide(self.store, old_runs(self.store, self.keep))
        sweep(self.files, needed_files(self.store), WEEK if self.keep is None else min(WEEK, self.keep))
        finish(self.store)
        if self.store.reserve is not None:
            self.store.reserve.keep()


def _clock() -> float:
    """How far the clock on the wall is ahead of the one that nobody sets."""
    return time.time() - time.monotonic()
