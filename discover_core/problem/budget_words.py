"""A budget in plain words, and by how much it falls short of a wish before anything is tried."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .amounts import limit_words, people, percent
from .budget import Budget
from .wish import Wish

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


def budget_words(budget: Budget) -> list[str]:
    """What is limited, each in a few words; nothing for a budget that limits nothing."""
    said = []
    if budget.people is not None:
        said.append(f"at most {people(budget.people)}")
    if budget.features is not None:
        said.append(f"at most {budget.features:,} {'feature' if budget.features == 1 else 'features'} each")
    if budget.effort is not None:
        said.append(f"effort of {limit_words(budget.effort)} each")
    if budget.total_effort is not None:
        said.append(f"effort of {limit_words(budget.total_effort)} in all")
    if budget.untouched:
        said.append(f"{people(len(budget.untouched))} not touched")
    if budget.first is not None:
        said.append(f"those with the highest “{budget.first}” first")
    return said


def falls_short(budget: Budget, wish: Wish, outputs: Floats, untouched: Mask) -> str | None:
    """A sentence if fewer people may change than have to, with what they can reach at best. `untouched` tells who may not."""
    needed = wish.needed(outputs)
    free = ~untouched if wish.past is None else ~untouched & ~wish.past.right(outputs)
    may = min(int(free.sum()), budget.people if budget.people is not None else len(outputs))
    if may >= needed:
        return None
    have = "has" if needed == 1 else "have"
    said = f"{wish.least.capitalize()} {people(needed)} {have} to change for this outcome, but {_at_most(may)}:"
    if wish.past is None:
        return f"{said} the scores will stay further from the target than asked."
    best = wish.before + may / len(outputs)
    digits = next((d for d in range(3) if percent(best, d) != percent(wish.asked, d)), 3)
    return (
        f"{said} at best {percent(best, digits)} of the group score {wish.past.words}, "
        f"where {percent(wish.asked, digits)} are asked."
    )


def _at_most(may: int) -> str:
    return "nobody may" if not may else f"at most {may:,} may"
