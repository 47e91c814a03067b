"""Values of people who have the wished score and are near: for those whom nothing else has helped."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..cells import Cells
from ..fence import Fence
from .attempt import Attempt

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
NOBODY: Indices = np.empty(0, dtype=np.int64)
NEAREST = 6  # donors of a person
DRAWS = 4  # choices of features from each


@dataclass(frozen=True, eq=False)
class Donors:
    """Some people of the reference table, with their scores."""

    cells: Cells
    scores: Floats

    def versions(
        self, attempt: Attempt, fence: Fence, who: Indices, gain: Floats, h: int, rng: np.random.Generator
    ) -> tuple[Indices, Cells]:
        """People with up to h values of their nearest donors; features that gain alone (`gain[person, feature]`) come first."""
        people, cells = [NOBODY], [attempt.factual[:0]]
        for i in who.tolist():
            person = attempt.people[i : i + 1]
            fine = np.flatnonzero(attempt.goals.gap(person, self.scores) <= 0)
            if not len(fine):
                continue
            own = np.broadcast_to(attempt.factual[i], (1, len(fine), attempt.factual.shape[1]))
            rows = np.repeat(person, len(fine))
            inside = fence.inside(rows, np.where(fence.walls.open[person], self.cells[fine], own), own)[0]
            near = np.argsort(attempt.efforts.squared(own[0], inside), kind="stable")[:NEAREST]
            versions = np.repeat(inside[near], DRAWS, axis=0)
            keys = gain[i] * rng.random(versions.shape) + 1e-9 * rng.random(versions.shape)
            keys = np.where(versions != own[0, 0], keys, -1.0)
            out = np.argsort(-keys, axis=1)[:, h:]
            np.put_along_axis(versions, out, np.take_along_axis(np.broadcast_to(own[0, 0], versions.shape), out, axis=1), axis=1)
            people.append(np.full(len(versions), i))
            cells.append(versions)
        return np.concatenate(people), np.concatenate(cells)
