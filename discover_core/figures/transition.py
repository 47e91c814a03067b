"""When the group came within its bounds: Q coloured by feasibility, and the two distances below it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from .iterations import layout_over_iterations, line_mode, series, start_line, thinned
from .palette import COUNTERFACTUAL, FACTUAL, FEASIBLE, INFEASIBLE
from .text import amount, typical

SLICES = "on the run's own slices"  # the answer's OT(x) is on other ones
UPPER, LOWER = [0.5, 1.0], [0.0, 0.42]
Floats = NDArray[np.float64]


def transition_figure(
    iterations: ArrayLike, q: ArrayLike, q_x: ArrayLike, q_y: ArrayLike, feasible: ArrayLike, *, height: int = 460
) -> go.Figure:
    """Above: Q, purple until both limits hold, yellow while they do. Below: OT(x) and OT(y). Dashed: where it first held."""
    at, fine = np.asarray(iterations, dtype=np.float64), np.asarray(feasible, dtype=bool)
    x, weighted = series(at), np.asarray(q, dtype=np.float64)
    layout = layout_over_iterations(height, "", "transition", float(at[-1]) if len(at) else 0.0, None)
    layout["meta"] = {"title": "When both limits came to hold"}
    layout["yaxis2"] = layout["yaxis"] | {"domain": LOWER, "title": {"text": "Squared distance"}}
    layout["yaxis"] |= {"domain": UPPER, "title": {"text": "Q"}}
    layout["xaxis"]["anchor"] = "y2"
    layout["shapes"] = [start_line(float(at[fine.argmax()]))] if fine.any() else []
    traces = [
        _trace(x, series(weighted), "y")
        | {"mode": "lines", "line": {"color": FACTUAL, "width": 1}, "hoverinfo": "skip", "showlegend": False},
        _points(x, np.where(fine, np.nan, weighted), "Not within both bounds", INFEASIBLE),
        _points(x, np.where(fine, weighted, np.nan), "Within both bounds", FEASIBLE),
        _distance(x, q_x, "Inputs, OT(x)", "from before", {"color": FACTUAL, "width": 2}),
        _distance(x, q_y, "Outputs, OT(y)", "from the target", {"color": COUNTERFACTUAL, "width": 2, "dash": "dash"}),
    ]
    return go.Figure(data=traces, layout=layout)


def caption(iterations: ArrayLike, q_x: ArrayLike, q_y: ArrayLike, feasible: ArrayLike) -> str:
    """Since when the limits hold and how far the group was then. Q is left out: its weights change, so it does not compare."""
    at, fine = np.asarray(iterations, dtype=np.float64), np.asarray(feasible, dtype=bool)
    if not len(at):
        return "No iteration is done yet."
    first = int(fine.argmax())
    place = first if fine.any() else -1
    inputs, outputs = (float(np.asarray(values, dtype=np.float64)[place]) for values in (q_x, q_y))
    gap = f"typical gap between scores and target {typical(outputs)} (OT(y) {amount(outputs)})"
    end = f"group's distance from before, OT(x) {SLICES}, {amount(inputs)}.{thinned(len(at))}"
    if not fine.any():
        return f"No iteration came within both bounds. At the end: {gap}; {end}"
    if first == 0 and fine.all():
        return f"The group was within both bounds from the start. There: {gap}; {end}"
    lost = int((~fine[first:]).sum())
    later = len(at) - first - 1
    missed = f"{lost:,} of the {later:,} iterations" if later > 1 else "the one iteration"
    after = f"but not at {missed} after it" if lost else "and stays so"
    return f"At iteration {at[first]:.0f} the group first comes within both bounds, {after}. There: {gap}; {end}"


def table(iterations: ArrayLike, q: ArrayLike, q_x: ArrayLike, q_y: ArrayLike, feasible: ArrayLike) -> pd.DataFrame:
    """Every iteration, drawn or not."""
    return pd.DataFrame(
        {
            "Iteration": np.asarray(iterations, dtype=np.int64),
            "Q": np.asarray(q),
            "OT(x)": np.asarray(q_x),
            "OT(y)": np.asarray(q_y),
            "Within both bounds": np.where(np.asarray(feasible, dtype=bool), "yes", "no"),
        }
    )


def _trace(x: Floats, y: Floats, axis: str) -> dict[str, Any]:
    return {"type": "scatter", "x": x, "y": y, "yaxis": axis}


def _points(x: Floats, y: Floats, name: str, colour: str) -> dict[str, Any]:
    return _trace(x, series(y), "y") | {
        "mode": "markers",
        "name": name,
        "marker": {"color": colour, "size": 7 if len(x) <= 100 else 5},
        "hovertemplate": f"iteration %{{x}}<br>Q %{{y:,.4~r}}<extra>{name}</extra>",
    }


def _distance(x: Floats, values: ArrayLike, name: str, what: str, line: dict[str, Any]) -> dict[str, Any]:
    return _trace(x, series(values), "y2") | {
        "mode": line_mode(len(x)),
        "name": name,
        "line": line,
        "marker": {"size": 5},
        "hovertemplate": f"iteration %{{x}}<br>%{{y:,.4~r}} {what}<extra>{name}</extra>",
    }
