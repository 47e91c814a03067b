"""What the store asks of a worker: it looks between the model's calls, and ends itself properly."""

from __future__ import annotations

import math
import multiprocessing
import time
from collections.abc import Callable
from typing import Any

import pandas as pd

from ..errors import InputError
from ..models.model import Scorer
from ..store.run import Request, State
from ..store.store import Lost, Store
from .limits import Share

LOOK = 0.5  # seconds between two looks
End = tuple[State, str | None]
OBEYED: dict[Request, End] = {"pause": ("paused", None), "stop": ("stopped", "Stopped by hand.")}
GONE = "The server was shut down while this run was at work. Everything up to here is kept: continue from here."


def too_long(share: Share) -> str:
    """Of a run that took all its time."""
    return share.time_words("the run", "continue from here, or choose a smaller group or fewer iterations", "DISCOVER_RUN_HOURS")


def too_large(share: Share) -> str:
    """Of a run that took all its memory."""
    return share.memory_words("the run", "choose a smaller group, or fewer tries per iteration")


class Interruption(BaseException):
    """The work on a run ends here, with this state and sentence; None: it belongs to another worker by now.

    No exception of a model, so that nobody who reports what a model raises takes it for one.
    """

    def __init__(self, end: End | None) -> None:
        super().__init__(end)
        self.end = end


class Requests:
    """The requests to one worker of one run, and the end of the time it may take."""

    def __init__(self, store: Store, run_id: str, token: str, share: Share | None = None) -> None:
        self._share = share or Share()
        self._end = math.inf if self._share.seconds is None else time.monotonic() + self._share.seconds
        self._read: Callable[[], Request | None] = lambda: store.read_request(run_id, token)
        self._looked = -math.inf

    def check(self) -> None:
        """Raise an Interruption if there is a request, or nobody to work for. It looks every half second at most."""
        now = time.monotonic()
        if now - self._looked < LOOK:
            return
        self._looked = now
        if now > self._end:
            raise Interruption(("stopped", too_long(self._share)))
        server = multiprocessing.parent_process()
        if server is not None and not server.is_alive():
            raise Interruption(("stopped", GONE))
        try:
            request = self._read()
        except Lost:
            raise Interruption(None) from None
        except InputError:
            return  # the store cannot be read: whoever writes the next step says so, if it lasts
        if request is not None:
            raise Interruption(OBEYED[request])

    def around(self, scorer: Scorer) -> Scorer:
        """The same scorer, with a look before and after each call."""

        def score(table: pd.DataFrame) -> Any:
            self.check()
            scores = scorer(table)
            self.check()
            return scores

        return score
