"""What became of people's visits, which decides who gets the next ones. All of it follows from the rounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..place import Round

Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Visits:
    """`had` says who had one, `failed[i]` counts those in a row that left person i as they were; `clean` are the people in whom
    nothing needless was found since anything moved."""

    had: Mask
    failed: Indices
    clean: Mask

    @classmethod
    def none(cls, n: int) -> Self:
        nobody = np.zeros(n, dtype=bool)
        return cls(nobody, np.zeros(n, dtype=np.int64), nobody)

    def after(self, done: Round) -> Self:
        """With one more round."""
        had, failed, clean = self.had.copy(), self.failed.copy(), self.clean.copy()
        had[done.selected] = True
        failed[done.unhelped] += 1
        if done.edit is None:
            clean[done.selected] = True
        else:
            failed[done.edit.rows] = 0
            clean[:] = False
        return type(self)(had, failed, clean)
