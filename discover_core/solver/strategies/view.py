"""What a strategy sees of a run, and what it must be able to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...problem.settings import Settings
from ..cells import Cells
from ..cone import Cone

DRAWING = frozenset({"origin", "guidance", "angle", "numeric_step", "categorical_step", "temperature"})


@dataclass(frozen=True, eq=False)
class View:
    """The iterate, the editable rows, the guidance there (d SW^2 / d x), and how far the run is (0 to 1).

    `reference` are rows of the reference table.
    """

    current: Cells
    factual: Cells
    rows: NDArray[np.int64]
    pull: NDArray[np.float64]
    progress: float
    cone: Cone
    settings: Settings
    reference: Cells

    @property
    def people(self) -> Cells:
        """Whose values new ones come from: the reference table's rows, or the group's as they were."""
        return self.reference if self.settings.origin == "reference" else self.factual

    @property
    def block(self) -> Cells:
        """The editable rows, once per candidate."""
        k, width = len(self.rows), self.current.shape[1]
        return np.broadcast_to(self.current[self.rows], (self.settings.candidates, k, width))

    def base(self, rng: np.random.Generator) -> Cells:
        """Where a step starts: the current value, or the same feature of somebody else."""
        if self.settings.origin == "current":
            return self.block
        shape, people = self.block.shape, self.people
        return people[rng.integers(0, len(people), shape), np.arange(shape[2])]


class Strategy(Protocol):
    """A way to propose `candidates[candidate, row, feature]` for the editable rows. Walls are kept by what it calls.

    `title` is what people choose it by, `sentence` says what it does, and `uses` names the settings that shape its proposals:
    those behind `View.base` and `Cone.move` are `DRAWING`, others are its own.
    """

    title: str
    sentence: str
    uses: frozenset[str]

    def propose(self, view: View, rng: np.random.Generator) -> Cells: ...
