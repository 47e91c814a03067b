"""What the store asks of a worker: it looks between the model's calls, and ends itself properly."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import pandas as pd

from ..errors import InputError
from ..models.model import Scorer
from ..store.run import Request
from ..store.store import Lost, Store

LOOK = 0.5  # seconds between two looks


class Interruption(BaseException):
    """Somebody wants the run to pause or to stop; None: it belongs to another worker by now.

    No exception of a model, so that nobody who reports what a model raises takes it for one.
    """

    def __init__(self, request: Request | None) -> None:
        super().__init__(request)
        self.request = request


class Requests:
    """The requests to one worker of one run."""

    def __init__(self, store: Store, run_id: str, token: str) -> None:
        self._read: Callable[[], Request | None] = lambda: store.read_request(run_id, token)
        self._looked = -math.inf

    def check(self) -> None:
        """Raise an Interruption if there is a request. The store is asked every half second at most."""
        now = time.monotonic()
        if now - self._looked < LOOK:
            return
        self._looked = now
        try:
            request = self._read()
        except Lost:
            raise Interruption(None) from None
        except InputError:
            return  # the store cannot be read: whoever writes the next step says so, if it lasts
        if request is not None:
            raise Interruption(request)

    def around(self, scorer: Scorer) -> Scorer:
        """The same scorer, with a look before and after each call."""

        def score(table: pd.DataFrame) -> Any:
            self.check()
            scores = scorer(table)
            self.check()
            return scores

        return score
