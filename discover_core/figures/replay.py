"""A run as a short film: the curve of the scores after the first iteration, after some between, and after the last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..solver.place import Edit
from .staircase import staircase

FRAMES = 40
POINTS, STEPS = 90, 25  # of one frame's curve: with them it has at most 115 points
DIGITS = 6  # that matter of a value: a film is looked at, not measured
Floats = NDArray[np.float64]


class Frame(TypedDict):
    """A staircase without its two flat ends: `y` is the share of the people who score at most `x`."""

    label: str
    x: list[float]
    y: list[float]


def frames(before: ArrayLike, edits: Sequence[Edit | None], most: int = FRAMES) -> list[Frame]:
    """At most so many, evenly from the iterations that changed a score, always the first and the last of all.

    `edits[t]` is what iteration t changed, as `store.RunProgress` has it. A run that changed nothing has no film.
    """
    if all(edit is None for edit in edits):
        return []
    stops = set(_stops([edit is not None for edit in edits], most))
    scores = np.array(before, dtype=np.float64)
    film = []
    for iteration, edit in enumerate(edits):
        if edit is not None:
            scores[edit.rows] = edit.scores
        if iteration in stops:
            film.append(_frame(scores, iteration))
    return film


def _stops(changed: Sequence[bool], most: int) -> list[int]:
    last = len(changed) - 1
    telling = [iteration for iteration in range(1, last) if changed[iteration]]
    room = min(most - 2, len(telling))
    between = [telling[round((nth + 0.5) * len(telling) / room - 0.5)] for nth in range(room)]
    return [0, *between, last]


def _frame(scores: Floats, iteration: int) -> Frame:
    x, y = staircase(scores, -np.inf, np.inf, POINTS, STEPS)
    rounded = [float(f"{value:.{DIGITS}g}") for value in x[1:-1]]
    return {"label": f"iteration {iteration:,}", "x": rounded, "y": np.round(y[1:-1], DIGITS).tolist()}
