"""A stored run as a result: the best iterate beside the factual group, computed from the store alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..errors import InputError
from ..scenario.scenario import Scenario
from ..solver.cells import Cells, Layout
from ..store.geometry import layout_of, slices_of
from ..store.run_progress import RunProgress
from ..store.step_codec import Head
from ..store.store import Store
from ..table.schema import Schema
from ..transport.lines import Lines

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Outcome:
    """`cells` and `outputs` are those of the iterate `best`; the group's rows keep the order of `head.rows` throughout.

    Nothing here needs the model, and only `raw` needs the table.
    """

    progress: RunProgress
    head: Head
    best: int
    cells: Cells
    outputs: Floats

    @classmethod
    def open(cls, store: Store, run_id: str, best: int | None = None) -> Outcome:
        """The run at its best iterate, or at another. An InputError while there is no step yet."""
        progress = RunProgress.open(store, run_id)
        if progress.head is None or progress.done < 0:
            raise InputError("This run has not made a step yet, so there is no result.")
        at = progress.best if best is None else best
        cells, outputs = progress.iterate(at)
        return cls(progress, progress.head, at, cells, outputs)

    @property
    def scenario(self) -> Scenario:
        return self.progress.scenario

    @property
    def schema(self) -> Schema:
        return self.scenario.schema

    @cached_property
    def layout(self) -> Layout:
        return layout_of(self.head, self.scenario)

    @property
    def names(self) -> list[str]:
        return self.head.names

    @cached_property
    def before(self) -> pd.DataFrame:
        """The group's features as they are, prepared by the schema."""
        return self.layout.table(self.head.cells)

    @cached_property
    def after(self) -> pd.DataFrame:
        return self.layout.table(self.cells)

    @cached_property
    def changed(self) -> Mask:
        """Which cell of whom differs: `[person, feature]`."""
        return np.asarray(self.cells != self.head.cells)

    @cached_property
    def movers(self) -> NDArray[np.int64]:
        """The people who change, by their place in the group."""
        return np.flatnonzero(self.changed.any(axis=1))

    @cached_property
    def effort(self) -> Floats:
        """How far each person moves at this iterate."""
        return self.effort_of(self.cells)

    def effort_of(self, cells: Cells) -> Floats:
        """How far each person moves with these cells: the length of the change in the encoded space, weights included.

        0 for those who stay.
        """
        moved = self.layout.encode(cells) - self.layout.encode(self.head.cells)
        return np.asarray(np.linalg.norm(moved, axis=1))

    @cached_property
    def distances(self) -> Floats:
        """Each person's part of OT(x) at this iterate."""
        return self.distances_of(self.cells)

    def distances_of(self, cells: Cells) -> Floats:
        """Each person's part of OT(x) with these cells: the mean squared gap to whom they meet on each slice of the run."""
        slices = slices_of(self.layout, self.scenario)
        goal = np.sort(slices @ self.layout.encode(self.head.cells).T, axis=1)
        return Lines.of(slices @ self.layout.encode(cells).T, goal).impact

    def raw(self, folder: Path) -> pd.DataFrame:
        """The group's rows as the user's table has them, every column of it."""
        return self.scenario.data.table(folder).iloc[self.head.rows]
