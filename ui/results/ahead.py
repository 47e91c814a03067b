"""What the other views of a large answer need, worked out while its plan is read."""

from __future__ import annotations

from threading import Thread

import streamlit as st

from discover_core.outcome.run_outcome import RunOutcome

MANY = 2_000  # people who change: fewer are looked at in no time


def work_ahead(found: RunOutcome) -> None:
    """Begin once per answer, in the background. Who looks at a view before it is ready waits there, as without it."""
    if len(found.movers) > MANY:
        _begin(f"{found.progress.run.id}-{type(found).__name__}-{found.iteration}-{found.progress.done}", found)


@st.cache_resource(max_entries=8, show_spinner=False)
def _begin(key: str, _found: RunOutcome) -> Thread:
    thread = Thread(target=_work, args=(_found,), daemon=True)
    thread.start()
    return thread


def _work(found: RunOutcome) -> None:
    """The answer keeps each of them."""
    _ = found.usual_movers, found.distances, found.after, found.tradeoff, found.changes
