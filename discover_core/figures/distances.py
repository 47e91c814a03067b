"""How far the group is from before and from the target, over the iterations."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from .iterations import layout_over_iterations, line_mode, series, thinned
from .palette import COUNTERFACTUAL, FACTUAL, translucent
from .text import amount, typical


def distances_figure(
    iterations: ArrayLike, q_x: ArrayLike, q_y: ArrayLike, q: ArrayLike, *, total: int | None = None, height: int = 300
) -> go.Figure:
    """OT(x) grey like the past it is measured from, OT(y) dashed like the target, Q as a broad line that hides neither."""
    at = series(iterations)
    parts = (
        ("Inputs, OT(x)", "from before", q_x, {"color": FACTUAL, "width": 2}),
        ("Outputs, OT(y)", "from the target", q_y, {"color": COUNTERFACTUAL, "width": 2, "dash": "dash"}),
        ("Q (weighted sum)", "weighted sum", q, {"color": translucent(COUNTERFACTUAL, 0.4), "width": 7}),
    )
    lines = [
        {
            "type": "scatter",
            "x": at,
            "y": series(values),
            "mode": line_mode(len(at)),
            "name": name,
            "line": line,
            "marker": {"size": 5},
            "hovertemplate": f"iteration %{{x}}<br>%{{y:,.4~r}} {what}<extra>{name}</extra>",
        }
        for name, what, values, line in parts
    ]
    last = float(np.nan_to_num(at[-1]))
    layout = layout_over_iterations(height, "Squared distance", "distances", last, total)
    return go.Figure(data=lines, layout=layout | {"meta": {"title": "Distances over the iterations"}})


def caption(iterations: ArrayLike, q_x: ArrayLike, q_y: ArrayLike) -> str:
    """First and last distances. Q is left out: its weights change, so two of its values do not compare."""
    count = len(np.asarray(iterations))
    if not count:
        return "No iteration is done yet."
    inputs, outputs = np.asarray(q_x, dtype=np.float64), np.asarray(q_y, dtype=np.float64)
    return (
        f"The typical gap between scores and target {_moved(outputs[0], outputs[-1], typical)}; the group's squared distance "
        f"from before, in units of each feature's spread, {_moved(inputs[0], inputs[-1], amount)}.{thinned(count)}"
    )


def _moved(first: float, last: float, said: Callable[[float], str]) -> str:
    if said(first) == said(last):
        return f"is {said(last)}"
    return f"{'fell' if last < first else 'rose'} from {said(first)} to {said(last)}"
