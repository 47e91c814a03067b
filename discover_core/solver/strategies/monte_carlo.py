"""Independent guided draws around the current iterate."""

from __future__ import annotations

import numpy as np

from ..cells import Cells
from .view import DRAWING, View


class MonteCarlo:
    """Every candidate redraws h features of every editable row."""

    title = "Random tries (Monte Carlo)"
    sentence = "Random tries: some features are drawn anew."
    uses = DRAWING

    def propose(self, view: View, rng: np.random.Generator) -> Cells:
        chosen = view.cone.choose(view.rows, rng)
        return view.cone.move(view.rows, view.block, view.base(rng), chosen, view.pull, rng)
