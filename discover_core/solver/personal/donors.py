"""Values of people who have the wished score and are near: for those whom nothing else has helped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..cells import Cells
from ..fence import Fence
from .attempt import Attempt

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Uniform = Callable[[Indices, Indices, int], Floats]  # for so many rows of each person, in their order, numbers between 0 and 1
NOBODY: Indices = np.empty(0, dtype=np.int64)
NEAREST = 6  # donors of a person
DRAWS = 4  # choices of features from each
AT_ONCE = 500  # people whose donors are looked for at once


@dataclass(frozen=True, eq=False)
class Donors:
    """Some people of the reference table, with their scores."""

    cells: Cells
    scores: Floats

    def versions(
        self, attempt: Attempt, fence: Fence, who: Indices, gain: Floats, h: int, uniform: Uniform
    ) -> tuple[Indices, Cells]:
        """People with up to h values of their nearest donors; features that gain alone (`gain[person, feature]`) come first."""
        found = [self._some(attempt, fence, who[at : at + AT_ONCE], gain, h, uniform) for at in range(0, len(who), AT_ONCE)]
        people, cells = zip((NOBODY, attempt.factual[:0]), *found, strict=True)
        return np.concatenate(people), np.concatenate(cells)

    def _some(
        self, attempt: Attempt, fence: Fence, who: Indices, gain: Floats, h: int, uniform: Uniform
    ) -> tuple[Indices, Cells]:
        """The same for a few people at once, to the same bits as one by one: random numbers are drawn person by person."""
        people, own = attempt.people[who], attempt.factual[who]
        fine = attempt.goals.gap(people[:, None], self.scores[None]) <= 0
        wish = np.where(fence.walls.open[people], self.cells[:, None], own)  # donor, person, feature
        inside = fence.inside(people, wish, np.broadcast_to(own, wish.shape)).transpose(1, 0, 2)
        far = np.where(fine, attempt.efforts.squared(own[:, None], inside), np.inf)
        near = np.argsort(far, axis=1, kind="stable")[:, :NEAREST]
        versions = np.repeat(np.take_along_axis(inside, near[..., None], axis=1), DRAWS, axis=1)
        there = np.arange(versions.shape[1]) < DRAWS * fine.sum(axis=1)[:, None]  # some have fewer donors
        drawn = np.zeros((len(who), 2, *versions.shape[1:]))
        twice = np.repeat(there[:, None], 2, axis=1)
        drawn[twice] = uniform(people, twice.sum(axis=(1, 2)), versions.shape[2])
        keys = gain[who][:, None] * drawn[:, 0] + 1e-9 * drawn[:, 1]
        keys = np.where(versions != own[:, None], keys, -1.0)
        out = np.argsort(-keys, axis=2)[..., h:]
        np.put_along_axis(versions, out, np.take_along_axis(np.broadcast_to(own[:, None], versions.shape), out, axis=2), axis=2)
        return np.repeat(who, there.sum(axis=1)), versions[there]
