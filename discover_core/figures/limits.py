"""How far inputs and outputs may really be, with confidence, against what is allowed."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from .iterations import layout_over_iterations, series, start_line, thinned
from .palette import FACTUAL, FEASIBLE, INFEASIBLE
from .text import amount

Floats = NDArray[np.float64]
PANELS = (("input", "y", [0.55, 1.0]), ("output", "y2", [0.0, 0.45]))


def feasible(ucl_x: ArrayLike, ucl_y: ArrayLike, u_x: float, u_y: float) -> NDArray[np.bool_]:
    """At which iterations both upper confidence limits are within their bounds."""
    return (np.asarray(ucl_x, dtype=np.float64) <= u_x) & (np.asarray(ucl_y, dtype=np.float64) <= u_y)


def limits_figure(
    iterations: ArrayLike,
    ucl_x: ArrayLike,
    ucl_y: ArrayLike,
    u_x: float,
    u_y: float,
    *,
    total: int | None = None,
    height: int = 420,
) -> go.Figure:
    """Both limits over iterations, purple until both are within bounds, yellow while they are; an infinite limit is a gap."""
    at = np.asarray(iterations, dtype=np.float64)
    fine = feasible(ucl_x, ucl_y, u_x, u_y)
    last = float(at[-1]) if len(at) else 0.0
    layout = layout_over_iterations(height, "", "limits", last, total)
    layout["meta"] = {"title": "Limits against what is allowed"}
    layout["xaxis"]["anchor"] = "y2"
    layout["yaxis2"] = dict(layout["yaxis"])
    shapes: list[dict[str, Any]] = []
    notes: list[dict[str, Any]] = []
    traces: list[dict[str, Any]] = []
    for (side, axis, domain), ucl, bound in zip(PANELS, (ucl_x, ucl_y), (u_x, u_y), strict=True):
        limits = np.asarray(ucl, dtype=np.float64)
        layout[f"yaxis{axis[1:]}"] |= {
            "domain": domain,
            "title": {"text": f"{side.capitalize()} limit"},
            "range": [0, 1.2 * max(bound, limits[np.isfinite(limits)].max(initial=0))],
        }
        traces += _panel(side, axis, at, limits, fine, bound)
        shapes.append(_bound_line(axis, bound))
        if len(limits) and np.isinf(limits).all():
            notes.append(_infinite_note(side, axis))
    if fine.any():
        shapes.append(start_line(float(at[fine.argmax()])))
    return go.Figure(data=traces, layout=layout | {"shapes": shapes, "annotations": notes})


def caption(iterations: ArrayLike, ucl_x: ArrayLike, ucl_y: ArrayLike, u_x: float, u_y: float) -> str:
    """Since when both limits hold, or which one does not."""
    at, fine = np.asarray(iterations), feasible(ucl_x, ucl_y, u_x, u_y)
    if not len(at):
        return "No iteration is done yet."
    limits_x, limits_y = np.asarray(ucl_x, dtype=np.float64), np.asarray(ucl_y, dtype=np.float64)
    note = thinned(len(at))
    if fine[-1]:
        broken = np.flatnonzero(~fine)
        since = f"since iteration {at[broken[-1] + 1]:.0f}" if len(broken) else "from the start"
        gaps = " Gaps are infinite limits." if np.isinf(limits_x).any() or np.isinf(limits_y).any() else ""
        return f"Both limits hold {since}.{gaps}{note}"
    reasons = [
        _reason(side, float(limits[-1]), bound)
        for side, limits, bound in (("input", limits_x, u_x), ("output", limits_y, u_y))
        if limits[-1] > bound
    ]
    last = f"at the last iteration, {at[-1]:.0f}"
    begin = f"Both limits held at iteration {at[fine.argmax()]:.0f}, but not {last}" if fine.any() else f"Not {last}"
    return f"{begin}: {' and '.join(reasons)}.{note}"


def _reason(side: str, limit: float, bound: float) -> str:
    """What may be too far, in plain words, and then the numbers as drawn."""
    who = "the group may be further from before" if side == "input" else "the scores may be further from the target"
    if np.isinf(limit):
        return f"the {side} limit is infinite"
    if amount(limit) == amount(bound):
        return f"{who} than allowed, if only just ({side} limit {amount(bound)})"
    return f"{who} than allowed ({side} limit {amount(limit)}, allowed {amount(bound)})"


def _panel(side: str, axis: str, at: Floats, limits: Floats, fine: NDArray[np.bool_], bound: float) -> list[dict[str, Any]]:
    """A thin line, the purple points and the yellow points; the legend names the colours once for both panels."""
    known = np.where(np.isfinite(limits), limits, np.nan)
    x = series(at)
    line = {
        "type": "scatter",
        "x": x,
        "y": series(known),
        "yaxis": axis,
        "mode": "lines",
        "line": {"color": FACTUAL, "width": 1},
        "hoverinfo": "skip",
        "showlegend": False,
    }
    groups = (("Not within both bounds", INFEASIBLE, ~fine), ("Within both bounds", FEASIBLE, fine))
    points = [
        {
            "type": "scatter",
            "x": x,
            "y": series(np.where(shown, known, np.nan)),
            "yaxis": axis,
            "mode": "markers",
            "name": name,
            "legendgroup": name,
            "showlegend": side == "input",
            "marker": {"color": colour, "size": 7 if len(x) <= 100 else 5},
            "hovertemplate": f"iteration %{{x}}<br>{side} limit %{{y:,.4~r}}, allowed {amount(bound)}<extra></extra>",
        }
        for name, colour, shown in groups
    ]
    return [line, *points]


def _bound_line(axis: str, bound: float) -> dict[str, Any]:
    return {
        "type": "line",
        "xref": "paper",
        "x0": 0,
        "x1": 1,
        "yref": axis,
        "y0": bound,
        "y1": bound,
        "layer": "below",
        "line": {"color": FACTUAL, "dash": "dash", "width": 1.5},
        "label": {"text": f"allowed {amount(bound)}", "textposition": "end", "font": {"size": 11}},
    }


def _infinite_note(side: str, axis: str) -> dict[str, Any]:
    """Words where an empty panel would look broken."""
    place = {"xref": "paper", "x": 0.5, "yref": f"{axis} domain", "y": 0.5}
    return {**place, "text": f"The {side} limit is infinite", "showarrow": False, "font": {"color": INFEASIBLE}}
