"""Which candidate, or which candidate for each row, becomes the next iterate. Candidate 0 is the current one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..transport.lines import Lines

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Select = Callable[[Lines, Lines, Indices, Floats, Floats, float, int], Indices]


def joint(inputs: Lines, outputs: Lines, rows: Indices, projections: Floats, scores: Floats, eta: float, of: int) -> Indices:
    """The paper's arg min of Q over whole candidates, one answer for all rows.

    `projections[candidate, row, slice]`, `scores[candidate, row]`, which may be a batch of so many candidates in all.
    """
    q_x = inputs.edit_costs(rows, projections.transpose(0, 2, 1), of)
    q_y = outputs.edit_costs(rows, scores[:, None, :], of)
    best = int(np.argmin((1 - eta) * q_x + eta * q_y))
    return np.full(len(rows), best)


def rowwise(
    inputs: Lines, outputs: Lines, rows: Indices, projections: Floats, scores: Floats, eta: float, of: int = 0
) -> Indices:
    """The best candidate for each row on its own, for the plans as they stand.

    For fixed plans Q is a sum over rows; meeting anew afterwards can only lower it, so the step stays monotone.
    """
    met = inputs.met(rows).T
    far_x = np.stack([np.mean((candidate - met) ** 2, axis=1) for candidate in projections])  # one at a time, for memory
    far_y = (scores - outputs.met(rows)[0]) ** 2
    return np.asarray(np.argmin((1 - eta) * far_x + eta * far_y, axis=0))


# the personal search selects as it goes: there is nothing left to select from
SELECTIONS: dict[str, Select] = {"joint": joint, "rowwise": rowwise}
