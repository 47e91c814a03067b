"""How usual the people who change are, in one sentence."""

from __future__ import annotations

from ..problem.amounts import percent
from ..transport.usual import ORDINARY
from .outcome import Outcome


def usual_words(outcome: Outcome) -> str:
    """How many of those who change look like somebody, before and after; nothing if nobody changes or it is unknown."""
    movers = outcome.movers
    if outcome.group.usual is None or not len(movers):
        return ""
    was, now = (outcome.plan[name].to_numpy() for name in ("usual_before", "usual_after"))
    if len(movers) == 1:
        then, first = percent(now[0]), percent(was[0])
        return f"Afterwards the one who changes is more unusual than {then} of all people; before, than {first}."
    before, after = (int((shares <= ORDINARY).sum()) for shares in (was, now))
    who = f"all {len(movers):,}" if after == len(movers) else f"{after:,} of the {len(movers):,}"
    verb, then = (
        "is" if after == 1 else "are",
        "as many were" if before == after else f"{before:,} {'was' if before == 1 else 'were'}",
    )
    return f"After their changes {who} who change {verb} no more unusual than {percent(ORDINARY)} of all people; before, {then}."
