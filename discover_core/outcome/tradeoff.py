"""The same answer on a smaller budget: only the first people of it change. Nothing is solved again."""

from __future__ import annotations

from .outcome import Outcome


def limited(outcome: Outcome, people: int) -> Outcome:
    """With only the first so many people changed, in the order in which they were helped."""
    return outcome.of_people(outcome.order[: max(0, people)])
