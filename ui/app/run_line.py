"""A run as one line of a list."""

from __future__ import annotations

import time

from discover_core.errors import InputError
from discover_core.outcome.run_words import STATES
from discover_core.outcome.summary import stored_verdict
from discover_core.store.run import Run

from .text import plain


def run_line(run: Run, asked: str | None = None) -> str:
    """A run in a list: its name, its data, how it is doing, when it began, and its verdict, or what it asked."""
    verdict = stored_verdict(run.summary)
    asked = verdict.sentence if verdict is not None else asked_words(run) if asked is None else asked
    if run.damage is not None:
        return f"**{plain(run.name) or 'A run'}** · :red[damaged]  \n:small[{plain(run.damage)}]"
    done = f"{STATES[run.state].lower()} at iteration {max(run.done, 0):,} of {run.iterations:,}"
    when = time.strftime("%d %b %Y, %H:%M", time.localtime(run.created))
    about = "" if run.titles[0] in run.name else plain(run.titles[0])
    parts = [f"**{plain(run.name)}**", about, done, when]
    return " · ".join(part for part in parts if part) + (f"  \n:small[{plain(asked)}]" if asked else "")


def asked_words(run: Run) -> str:
    """What a run was to reach, as a sentence; nothing if it cannot be read any more."""
    try:
        words = run.question.scenario.target.words
    except InputError:
        return ""
    return f"Asked: {words}."
