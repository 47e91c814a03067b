"""What one iteration reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cells import Cells
from .place import Edit


@dataclass(frozen=True, eq=False)
class Step:
    """The iterate after an iteration; step 0 is the factual group.

    `q` is (1 - eta) q_x + eta q_y and the sum of `impact`; `q_before` is Q of the iterate before, at the same eta, so that
    q <= q_before (Proposition 3.2). `selected` are the rows that could be edited, `model_rows` all rows scored so far.
    `levels[i]` are both limits at the i-th of the levels asked for. `edit`, `unhelped`, `still` and `random` are what it takes
    to go on from here; see `Place`.

    The personal search has a Q of its own, of the squared effort of each person and of what is missing of their goals: there
    `impact` sums to `q`, too, and q <= q_before, but q_x and q_y are the distances of the group as everywhere else.
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
    levels: NDArray[np.float64]
    edit: Edit | None
    unhelped: NDArray[np.int64]
    still: int
    random: Mapping[str, Any]
