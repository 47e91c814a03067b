"""How long runs are kept: for ever, unless the operator says otherwise."""

from __future__ import annotations

import math
import os
import time

from sqlalchemy import func, select

from ..errors import InputError
from .run import RESTING
from .store import Store
from .tables import RUNS

DAY = 24 * 3600.0


def keep_seconds() -> float | None:
    """`DISCOVER_KEEP_DAYS` in seconds; None to keep runs for ever."""
    given = os.environ.get("DISCOVER_KEEP_DAYS", "").strip()
    if not given:
        return None
    try:
        days = float(given)
    except ValueError:
        days = math.nan
    if not 0 < days < math.inf:
        raise InputError(f"DISCOVER_KEEP_DAYS must be a number of days above 0, not “{given}”: correct it, or leave it out.")
    return days * DAY


def old_runs(store: Store, seconds: float) -> list[str]:
    """The runs that rest and that nobody has begun, gone on with or ended for so long."""
    changed = func.coalesce(RUNS.c.changed, RUNS.c.queued + RUNS.c.seconds)  # runs of before do not say it
    wanted = select(RUNS.c.id).where(RUNS.c.state.in_(RESTING), changed < time.time() - seconds)
    with store.reading() as connection:
        return list(connection.execute(wanted).scalars())
