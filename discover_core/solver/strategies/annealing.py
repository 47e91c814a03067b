"""Monte Carlo whose steps shrink as the run goes on: wide at first, fine at the end."""

from __future__ import annotations

import numpy as np

from ..cells import Cells
from .view import DRAWING, View

COLDEST = 0.05  # the smallest share of the step limit


class Annealing:
    """The step limit falls linearly. Selection stays monotone, so there is no uphill move to accept."""

    title = "Ever smaller steps (annealing)"
    sentence = "Ever smaller steps: random tries, wide at first and fine at the end."
    uses = DRAWING

    def propose(self, view: View, rng: np.random.Generator) -> Cells:
        chosen = view.cone.choose(view.rows, rng)
        heat = max(COLDEST, 1.0 - view.progress)
        start = view.base(rng) if rng.random() < heat else view.block
        return view.cone.move(view.rows, view.block, start, chosen, view.pull, rng, heat)
