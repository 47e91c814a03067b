"""Differential evolution: the difference of two rows, added to a third."""

from __future__ import annotations

import numpy as np

from ..cells import Cells
from .view import View

WEIGHT = 0.5


class DifferentialEvolution:
    """Numbers move by a share of a difference seen in the data; categories are taken from the first of the two rows."""

    title = "Differences between people (differential evolution)"
    sentence = "Differences: a number moves by half the difference between two people."
    uses = frozenset({"origin"})

    def propose(self, view: View, rng: np.random.Generator) -> Cells:
        chosen = view.cone.choose(view.rows, rng)
        first, second = (view.people[rng.integers(0, len(view.people), chosen.shape[:2])] for _ in range(2))
        base = view.base(rng)
        mutant = np.where(view.cone.fence.nominal, first, base + WEIGHT * (first - second))
        return view.cone.fence.inside(view.rows, np.where(chosen, mutant, view.block), view.block)
