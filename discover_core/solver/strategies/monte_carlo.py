"""Independent guided draws around the current iterate."""

from __future__ import annotations

import numpy as np

from ..cells import Cells
from .view import View


class MonteCarlo:
    """Every candidate redraws h features of every editable row."""

    def propose(self, view: View, rng: np.random.Generator) -> Cells:
        chosen = view.cone.choose(view.rows, rng)
        return view.cone.move(view.rows, view.block, view.base(rng), chosen, view.pull, rng)
