"""What people are called, in figures and in the files behind them."""

from __future__ import annotations

from collections.abc import Sequence

LABEL = 24  # characters of a label in a figure


def name_of(person: int, labels: Sequence[object] | None) -> str:
    """One of them in a figure, where room is short: of a long name the ends, where ids differ."""
    if labels is None:
        return f"row {person + 1}"
    name = str(labels[person])
    return name if len(name) <= LABEL else f"{name[: LABEL // 2]}…{name[1 - LABEL // 2 :]}"


def names_of(count: int, labels: Sequence[object] | None) -> list[str]:
    """All of them in a file; without labels by their places in the group, which need not be rows of the table."""
    return [f"Person {place}" for place in range(1, count + 1)] if labels is None else [str(label) for label in labels]
