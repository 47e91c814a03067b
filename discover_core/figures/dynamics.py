"""How the search went over several seeds of one question: the mean of the runs, and how far they spread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from .iterations import drawn, layout_over_iterations, line_mode, thinned
from .palette import COUNTERFACTUAL, translucent
from .text import amount, typical

ENOUGH = 5  # from so many runs on the band leaves the outermost tenths out
LEFT, RIGHT = [0.0, 0.46], [0.56, 1.0]
UPPER, LOWER = [0.58, 1.0], [0.0, 0.42]
PANELS = (
    ("q_x", "OT(x)", "", LEFT, UPPER),
    ("q_y", "OT(y)", "2", RIGHT, UPPER),
    ("q", "Q", "3", LEFT, LOWER),
    ("eta", "eta", "4", RIGHT, LOWER),
)
AXES = {"q_x": "Inputs, OT(x)", "q_y": "Outputs, OT(y)", "q": "Both, weighted: Q", "eta": "Weight on the target"}
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RunCurves:
    """What one run reported, a number per iteration in each."""

    iterations: ArrayLike
    q_x: ArrayLike
    q_y: ArrayLike
    q: ArrayLike
    eta: ArrayLike
    name: str = ""


def dynamics_figure(runs: Sequence[RunCurves], *, height: int = 420) -> go.Figure:
    """Four panels over the iterations, each a line for the mean of the runs that got that far and a band for their spread."""
    runs = _started(runs)
    at = _iterations(runs)
    x = at[drawn(len(at))] if len(at) else np.array([np.nan])
    layout = layout_over_iterations(height, "", "dynamics", float(at[-1]) if len(at) else 0.0, None)
    layout["meta"] = {"title": "The run over its iterations"}
    x_axis, y_axis = layout.pop("xaxis"), layout.pop("yaxis")
    traces: list[dict[str, Any]] = []
    for name, title, axis, across, up in PANELS:
        traces += _panel(x, _table(runs, name, x), title, axis)
        layout[f"xaxis{axis}"] = x_axis | {
            "domain": across,
            "anchor": f"y{axis}",
            "matches": "x" if axis else None,
            "title": {"text": "Iteration" if up is LOWER else ""},
        }
        layout[f"yaxis{axis}"] = y_axis | {"domain": up, "anchor": f"x{axis}", "title": {"text": AXES[name]}}
    layout["yaxis4"] |= {"range": [-0.02, 1.02], "tickformat": ".0%"}
    return go.Figure(data=traces, layout=layout | {"showlegend": False})


def caption(runs: Sequence[RunCurves]) -> str:
    """What line and band are, and where the runs end."""
    runs = _started(runs)
    count, at = len(runs), _iterations(runs)
    if not len(at):
        return "No iteration is done yet."
    inputs, outputs = ([float(np.asarray(getattr(run, name))[-1]) for run in runs] for name in ("q_x", "q_y"))
    slices = f"on {'its' if count == 1 else 'their'} own slices"
    end = (
        f"a typical gap {_span(outputs, typical)} between scores and target and a distance {_span(inputs, amount)} of the group "
        f"from before (OT(x), {slices})"
    )
    note = thinned(len(at))
    if count == 1:
        return f"One run; it ends with {end}.{note}"
    band = "from the lowest to the highest" if count < ENOUGH else "from the 10th to the 90th percentile"
    lengths = {float(np.asarray(run.iterations)[-1]) for run in runs}
    differ = f" They stop between iteration {min(lengths):.0f} and {max(lengths):.0f}; the mean is of those that got that far."
    return (
        f"The lines are the mean of {count} runs, the bands reach {band}; the runs end with {end}."
        f"{differ if len(lengths) > 1 else ''}{note}"
    )


def table(runs: Sequence[RunCurves]) -> pd.DataFrame:
    """Every iteration of every run; of several runs also their mean and the band's two edges."""
    runs = _started(runs)
    x = _iterations(runs)
    parts = []
    for nth, run in enumerate(runs, 1):
        numbers = {title: np.asarray(getattr(run, name)) for name, title, *_ in PANELS}
        at = np.asarray(run.iterations, dtype=np.int64)
        parts.append(pd.DataFrame({"Run": run.name or f"Run {nth}", "Runs": 1, "Iteration": at, **numbers}))
    if len(runs) > 1:
        panels = {title: _over_runs(_table(runs, name, x)) for name, title, *_ in PANELS}
        low, high = ("Lowest", "Highest") if len(runs) < ENOUGH else ("10th percentile", "90th percentile")
        for line, run_name in enumerate(("Mean of the runs", f"{low} of the runs", f"{high} of the runs")):
            numbers = {title: over[line] for title, over in panels.items()}
            reached = panels[PANELS[0][1]][3]
            parts.append(pd.DataFrame({"Run": run_name, "Runs": reached, "Iteration": x.astype(np.int64), **numbers}))
    empty = pd.DataFrame(columns=["Run", "Runs", "Iteration", *(title for _, title, *_ in PANELS)])
    return pd.concat(parts, ignore_index=True) if parts else empty


def spread(table: Floats, low: float, high: float) -> tuple[Floats, Floats]:
    """Two quantiles of each column, interpolated as NumPy does, over the runs (rows) that are not NaN there."""
    ordered = np.sort(table, axis=0)  # NaN go last
    last = np.maximum(np.isfinite(table).sum(axis=0) - 1, 0)
    edges = []
    for share in (low, high):
        place = share * last
        below = np.floor(place).astype(np.int64)
        a, b = (np.take_along_axis(ordered, at[None], axis=0)[0] for at in (below, np.minimum(below + 1, last)))
        edges.append(a + (place - below) * (b - a))
    return edges[0], edges[1]


def _started(runs: Sequence[RunCurves]) -> list[RunCurves]:
    return [run for run in runs if len(np.asarray(run.iterations))]


def _iterations(runs: Sequence[RunCurves]) -> Floats:
    """All iterations that any run reached."""
    return np.unique(np.concatenate([np.empty(0), *(np.asarray(run.iterations, dtype=np.float64) for run in runs)]))


def _table(runs: Sequence[RunCurves], name: str, x: Floats) -> Floats:
    """One row per run, NaN where it did not get."""
    table = np.full((max(len(runs), 1), len(x)), np.nan)
    for row, run in zip(table, runs, strict=False):
        at, values = np.asarray(run.iterations, dtype=np.float64), np.asarray(getattr(run, name), dtype=np.float64)
        _, mine, place = np.intersect1d(at, x, return_indices=True)
        row[place] = values[mine]
    return table


def _over_runs(table: Floats) -> tuple[Floats, Floats, Floats, NDArray[np.int64]]:
    """The mean, the band's lower and upper edge, and how many runs got there, iteration by iteration."""
    known = np.isfinite(table)
    reached = known.sum(axis=0)
    mean = np.where(reached > 0, np.where(known, table, 0).sum(axis=0) / np.maximum(reached, 1), np.nan)
    return mean, *spread(table, *((0.0, 1.0) if len(table) < ENOUGH else (0.1, 0.9))), reached


def _panel(x: Floats, table: Floats, title: str, axis: str) -> list[dict[str, Any]]:
    """The band's lower and upper edge, empty for a single run, and the mean."""
    many = len(table) > 1
    mean, low, high, reached = _over_runs(table)
    common: dict[str, Any] = {"type": "scatter", "x": x, "xaxis": f"x{axis}", "yaxis": f"y{axis}", "name": title}
    edge = common | {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"}
    digits = ".1%" if title == "eta" else ",.4~r"
    band = f"<br>band %{{customdata[0]:{digits}}} to %{{customdata[1]:{digits}}}, %{{customdata[2]:.0f}} runs" if many else ""
    bottom, top = (low, high) if many else (np.full(len(x), np.nan),) * 2
    return [
        edge | {"y": bottom},
        edge | {"y": top, "fill": "tonexty", "fillcolor": translucent(COUNTERFACTUAL, 0.18)},
        common
        | {
            "y": mean,
            "customdata": np.column_stack([low, high, reached]),
            "mode": line_mode(len(x)),
            "line": {"color": COUNTERFACTUAL, "width": 2},
            "marker": {"size": 4},
            "hovertemplate": f"iteration %{{x}}<br>{title} %{{y:{digits}}}{band}<extra></extra>",
        },
    ]


def _span(values: Sequence[float], said: Callable[[float], str]) -> str:
    low, high = said(min(values)), said(max(values))
    return f"of {low}" if low == high else f"from {low} to {high}"
