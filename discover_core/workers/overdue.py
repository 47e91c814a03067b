"""How long a run's process may take to obey before it is ended in the middle of a model's call."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future

from ..store.engine import Unwritable
from ..store.run import WORKING
from ..store.store import Lost, Store
from .processes import Processes
from .requests import OBEYED

OBEY_WITHIN = 5.0  # seconds


class OverdueWorkers:
    """Looks after the calls of one server. Of a run's futures the last one is its worker; those before it were given up."""

    def __init__(self, store: Store, server: str, processes: Processes) -> None:
        self.store, self.server, self.processes = store, server, processes
        self._since: dict[Future[None], float] = {}  # when a call was first seen to be unwanted

    def look(self, futures: Mapping[str, Sequence[Future[None]]]) -> None:
        """End the processes that should have ended by themselves; the store says first what becomes of the run."""
        rows, now = self.store.workers(list(futures)), time.monotonic()
        since: dict[Future[None], float] = {}
        for run_id, calls in futures.items():
            row = rows.get(run_id)
            at_work = row is not None and row["server"] == self.server and row["state"] in WORKING
            for call in calls:
                mine = at_work and call is calls[-1]
                if not call.running() or (mine and (row is None or row["request"] is None or row["pid"] is None)):
                    continue
                since[call] = self._since.get(call, now)
                if now - since[call] < OBEY_WITHIN:
                    continue
                if mine and row is not None:
                    with contextlib.suppress(Lost, Unwritable):  # it may itself be in the middle of a write, and hold the store
                        self.store.end(run_id, row["worker_token"], *OBEYED[row["request"]])
                self.processes.end(call)
        self._since = since
