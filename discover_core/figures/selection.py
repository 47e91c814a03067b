"""Whom a selection in a figure picks: what Plotly tells of clicks, boxes and lassos, as people's places in the group."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Plotly takes hold of markers only, never of a line: these are not seen, and one of them is drawn.
GRIP: dict[str, Any] = {"mode": "lines+markers", "marker": {"color": "rgba(0, 0, 0, 0)", "size": 1, "maxdisplayed": 1}}

Selection = Mapping[str, Any]  # "points", "box" and "lasso", as Streamlit hands them on
Indices = NDArray[np.int64]
Floats = NDArray[np.float64]


def named_in(selection: Selection) -> Indices:
    """The people of marks that stand for one person each, whose place in the group is their customdata."""
    found = [person for point in selection["points"] if (person := _person(point)) is not None]
    return np.unique(np.array(found, dtype=np.int64))


def marks_in(selection: Selection, curve: int) -> list[Mapping[str, Any]]:
    """The marks of one trace that were clicked, or that lie in a box or lasso."""
    return [point for point in selection["points"] if point["curve_number"] == curve]


def on_lines(
    selection: Selection,
    values: Mapping[int, Floats],
    drawn: Mapping[int, Floats],
    boxed: int,
    number: Callable[[Any], float] = float,
) -> Indices:
    """The people of cumulative lines, each trace given as everybody's `values` and as where it is `drawn`.

    A box picks all whose value on the line `boxed` lies within its sides; `number` reads a side as a value. A click or a lasso
    picks whom the points stand for: a thinned line's point stands for everybody since the point before.
    """
    chosen = np.zeros(len(values[boxed]), dtype=bool)
    for box in selection["box"]:
        low, high = sorted(number(side) for side in box["x"])
        chosen |= (low <= values[boxed]) & (values[boxed] <= high)
    if selection["box"] and not selection["lasso"]:
        return np.flatnonzero(chosen)
    for curve, x in drawn.items():
        held = np.array([point["point_number"] for point in marks_in(selection, curve)], dtype=np.int64)
        chosen |= np.isin(x[np.searchsorted(x, values[curve])], x[held])
    others = [point for point in selection["points"] if point["curve_number"] not in drawn]
    return np.union1d(np.flatnonzero(chosen), named_in({"points": others}))


def _person(point: Mapping[str, Any]) -> int | None:
    given = point.get("customdata")
    given = given[0] if isinstance(given, list | tuple) and given else given
    if isinstance(given, dict):
        given = next(iter(given.values()), None)
    return int(given) if isinstance(given, int | float) else None
