"""Where the search puts its weight: on reaching the target or on looking like before."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from .iterations import layout_over_iterations, line_mode, series, thinned
from .palette import COUNTERFACTUAL, translucent
from .text import percent

SETTLED = 0.01  # a range narrower than a percent is none


def eta_figure(
    iterations: ArrayLike, eta: ArrayLike, low: ArrayLike, high: ArrayLike, *, total: int | None = None, height: int = 300
) -> go.Figure:
    """The weight eta as a line inside the narrowing range it may move in."""
    at, weight, bottom, top = series(iterations), series(eta), series(low), series(high)
    edge: dict[str, Any] = {"type": "scatter", "x": at, "mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"}
    traces = [
        {**edge, "y": bottom, "showlegend": False},
        {
            **edge,
            "y": top,
            "name": "Range it may move in",
            "fill": "tonexty",
            "fillcolor": translucent(COUNTERFACTUAL, 0.18),
        },
        {
            "type": "scatter",
            "x": at,
            "y": weight,
            "customdata": np.column_stack([1 - weight, bottom, top]),
            "mode": line_mode(len(at)),
            "name": "Weight on the target (eta)",
            "line": {"color": COUNTERFACTUAL, "width": 2.5},
            "marker": {"size": 5},
            "hovertemplate": "iteration %{x}<br>%{y:.0%} on reaching the target, %{customdata[0]:.0%} on looking like before"
            "<br>range %{customdata[1]:.0%} to %{customdata[2]:.0%}<extra></extra>",
        },
    ]
    layout = layout_over_iterations(height, "Weight on the target", "eta", float(np.nan_to_num(at[-1])), total)
    layout["meta"] = {"title": "What the search gives weight to"}
    layout["yaxis"] |= {"range": [-0.02, 1.02], "tickformat": ".0%"}
    return go.Figure(data=traces, layout=layout)


def caption(iterations: ArrayLike, eta: ArrayLike, low: ArrayLike, high: ArrayLike) -> str:
    """The last weights and how far they may still move."""
    count = len(np.asarray(iterations))
    if not count:
        return "No iteration is done yet."
    weight, bottom, top = (float(np.asarray(values, dtype=np.float64)[-1]) for values in (eta, low, high))
    range_left = f"may still move between {percent(bottom)} and {percent(top)}" if top - bottom >= SETTLED else "has settled"
    return (
        f"The search gives {percent(weight)} of its weight to reaching the target and {percent(1 - weight)} to looking like "
        f"before; the first {range_left}.{thinned(count)}"
    )
