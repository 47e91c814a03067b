"""What one iteration reports."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .cells import Cells


@dataclass(frozen=True, eq=False)
class Step:
    """The iterate after an iteration; step 0 is the factual group.

    `q` is (1 - eta) q_x + eta q_y and the sum of `impact`; `q_before` is Q of the iterate before, at the same eta, so that
    q <= q_before (Proposition 3.2). `selected` are the rows that could be edited, `model_rows` all rows scored so far.
    """

    iteration: int
    q: float
    q_x: float
    q_y: float
    q_before: float
    ucl_x: float
    ucl_y: float
    eta: float
    interval: tuple[float, float]
    feasible: bool
    impact: NDArray[np.float64]
    selected: NDArray[np.int64]
    model_rows: int
    outputs: NDArray[np.float64]
    cells: Cells
