"""What a policy tells everybody of a run's group, as the store keeps it: only who changes, whoever is most worth it first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..policy.policy import Told
from ..solver.cells import Cells
from .array_codec import pack, unpack

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class StoredPlan:
    """`people` are the places in the group of those who change, and the rest is theirs, in the same order."""

    people: NDArray[np.int64]
    cells: Cells
    scores: Floats
    effort: Floats

    def of_people(self, people: NDArray[np.int64]) -> StoredPlan:
        """What some of them are told, the others nothing."""
        kept = np.isin(self.people, people)
        return StoredPlan(self.people[kept], self.cells[kept], self.scores[kept], self.effort[kept])


def pack_told(told: Told) -> bytes:
    versions = told.versions
    people = np.flatnonzero(told.changed)
    people = people[np.argsort(-versions.merit[people], kind="stable")]
    return pack(people=people, cells=versions.cells[people], scores=versions.scores[people], effort=versions.effort[people])


def unpack_told(data: bytes) -> StoredPlan:
    parts = unpack(data)
    return StoredPlan(parts["people"], parts["cells"], parts["scores"], parts["effort"])
