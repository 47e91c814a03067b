"""Where a run stands, so that it can go on later, elsewhere, and to the same bits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cells import Cells

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Edit:
    """What one iteration changed: `rows` got these cells, these projections `[row, slice]` and these scores.

    Projections and scores are kept because a matrix product or a model may round differently for another batch. The slices
    are the certificate's; along those of the search alone, `Search.project` gives the same bits for every batch.
    """

    rows: NDArray[np.int64]
    cells: Cells
    projections: Floats
    scores: Floats


@dataclass(frozen=True, eq=False)
class Round:
    """What one iteration did: the rows it worked on, those of them it was to help and could not, and the edit it made."""

    selected: NDArray[np.int64]
    unhelped: NDArray[np.int64]
    edit: Edit | None


@dataclass(frozen=True, eq=False)
class Place:
    """Everything the next iteration depends on beside problem and settings.

    The edits of all rounds are made again one by one: among equal values the order of rows depends on the order of the edits.
    `still` counts the iterations since anything moved worth mentioning, `random` is the state of the generator.
    """

    iteration: int
    interval: tuple[float, float]
    ucl: tuple[float, float]
    model_rows: int
    still: int
    random: Mapping[str, Any]
    rounds: tuple[Round, ...]
