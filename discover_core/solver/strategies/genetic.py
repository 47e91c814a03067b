"""Recombination and guided mutation on the editable rows."""

from __future__ import annotations

import numpy as np

from ..cells import Cells
from .view import DRAWING, View


class Genetic:
    """Crossover takes genes from another row of the iterate or from the row's own factual self; mutation redraws some.

    Both touch only the h features chosen for a row, so that the budget holds for every strategy alike.
    """

    title = "Mixing and random tries (genetic)"
    sentence = "Mixing: values are also taken from another person, or from the person’s own start."
    uses = DRAWING | {"crossover", "swap", "mutate_categorical", "mutate_numeric"}

    def propose(self, view: View, rng: np.random.Generator) -> Cells:
        settings, cone = view.settings, view.cone
        chosen = cone.choose(view.rows, rng)
        shape = chosen.shape
        other = view.current[rng.integers(0, len(view.current), shape[:2])]
        own = np.broadcast_to(view.factual[view.rows], shape)
        parent = np.where(rng.random((*shape[:2], 1)) < 0.5, other, own)
        crossed = (rng.random((*shape[:2], 1)) < settings.crossover) & (rng.random(shape) < settings.swap) & chosen
        child = cone.fence.inside(view.rows, np.where(crossed, parent, view.block), view.block)
        rate = np.where(cone.fence.nominal, settings.mutate_categorical, settings.mutate_numeric)
        mutated = chosen & (rng.random(shape) < rate)
        return cone.move(view.rows, child, np.where(mutated, view.base(rng), child), mutated, view.pull, rng)
