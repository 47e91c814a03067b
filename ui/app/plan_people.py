"""The people of the group who must not be touched: by name, as text, and whether they are in the group at all."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from discover_core.errors import InputError
from discover_core.problem.budget import Label
from discover_core.table.people import people_names
from discover_core.table.people_text import known_as, people_in

from . import session

SHOWN = 3  # names in a sentence


def check(work: session.Work) -> None:
    """An InputError if somebody who must not be touched is not in the group, by the name the pages use."""
    strangers = _strangers(work, work.draft.budget.untouched)
    if strangers:
        raise InputError(
            f"{names_in_words(work, strangers)} must not be touched, but {'is' if len(strangers) == 1 else 'are'} not in the "
            "group: take them out under “Limits of the plan” on the Scenario page."
        )


def as_text(work: session.Work, labels: Sequence[Label]) -> str:
    """What stands in the field."""
    return ", ".join(_names(work, labels))


def names_in_words(work: session.Work, labels: Sequence[Label]) -> str:
    names = _names(work, labels[:SHOWN])
    return ", ".join(names) + (f" and {len(labels) - SHOWN:,} more" if len(labels) > SHOWN else "")


def read(work: session.Work, text: str) -> tuple[tuple[int, ...], list[str]]:
    """The rows of the people named in the field, and the words that name nobody of the group."""
    if not text.strip():
        return (), []
    rows = work.group.tolist()
    names = [] if work.people is None else list(_group_names(work).values())
    known = session.memo("called", _key(work), lambda: known_as(rows, names))
    return people_in(text, known)


def _names(work: session.Work, labels: Sequence[Label]) -> list[str]:
    """As the plan will call them; whoever is not in the group goes by the row."""
    called = _group_names(work) if labels and work.people is not None else {}
    return [called.get(label) or (f"Row {label + 1}" if isinstance(label, int) else str(label)) for label in labels]


def _group_names(work: session.Work) -> dict[Label, str]:
    def made() -> dict[Label, str]:
        rows = work.dataset.raw.iloc[work.group]
        return dict(zip(work.group.tolist(), people_names(rows, work.people or ""), strict=True))

    names: dict[Label, str] = session.memo("group-names", _key(work), made)
    return names


def _key(work: session.Work) -> tuple[Hashable, ...]:
    """All that decides who is in the group, and what they are called."""
    return (work.id, work.cohort, work.people, id(work.dataset), id(work.scored))


def _strangers(work: session.Work, labels: Sequence[Label]) -> list[Label]:
    rows = np.array([label if isinstance(label, int) else -1 for label in labels], dtype=np.int64)
    return [label for label, here in zip(labels, np.isin(rows, work.group), strict=True) if not here]
