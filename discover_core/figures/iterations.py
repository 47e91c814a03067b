"""What the figures over iterations share: which iterations are drawn, and their axis."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .palette import FEASIBLE, base_layout

Floats = NDArray[np.float64]
MOST = 500  # iterations drawn; a longer run is thinned
FEW = 40  # up to so many points, each gets a marker of its own


def drawn(count: int, most: int = MOST) -> NDArray[np.int64]:
    """Positions to draw: every n-th and the last, so that a growing run keeps the points it has already shown."""
    every = stride(count, most)
    picks = np.arange(0, count, every)
    return picks if count == 0 or picks[-1] == count - 1 else np.append(picks, count - 1)


def stride(count: int, most: int = MOST) -> int:
    return 1 if count <= most else -(-count // (most - 1))


def thinned(count: int, most: int = MOST) -> str:
    """What a caption says about iterations left out; nothing when all are drawn."""
    every = stride(count, most)
    return "" if every == 1 else f" Only one iteration in {every} is drawn, and the last."


def series(values: ArrayLike, most: int = MOST) -> Floats:
    """The drawn values. Never empty, because a trace without points loses its place in the legend."""
    numbers = np.asarray(values, dtype=np.float64)
    return numbers[drawn(len(numbers), most)] if len(numbers) else np.array([np.nan])


def line_mode(count: int) -> str:
    return "lines+markers" if count <= FEW else "lines"


def start_line(iteration: float) -> dict[str, Any]:
    """The dashed line where feasibility began, through all panels."""
    return {
        "type": "line",
        "x0": iteration,
        "x1": iteration,
        "yref": "paper",
        "y0": 0,
        "y1": 1,
        "layer": "below",
        "line": {"color": FEASIBLE, "dash": "dash", "width": 1.5},
    }


def layout_over_iterations(height: int, y_title: str, key: str, last: float, total: int | None) -> dict[str, Any]:
    """The common layout; with `total` the axis shows the whole run from the start, with a little air at both ends."""
    layout = base_layout(height, "Iteration", y_title, key)
    span = last if total is None else float(total)
    if total is not None:
        layout["xaxis"]["range"] = [-0.015 * max(span, 1), 1.015 * max(span, 1)]
    if span <= 10:
        layout["xaxis"]["dtick"] = 1
    layout["yaxis"]["rangemode"] = "tozero"
    return layout
