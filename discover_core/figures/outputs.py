"""How the outputs are spread: before, now and in the target, as cumulative shares."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from ..certificate.bands import half_width
from ..problem.bounds import Bounds
from ..problem.target import Target
from .palette import COUNTERFACTUAL, FACTUAL, base_layout, translucent
from .palette import target as target_colour
from .people import name_of, names_of
from .selection import GRIP, Indices, Selection, on_lines
from .staircase import share_at_most, staircase
from .text import amount, plain

POINTS = 400  # per line; more are thinned to as many quantiles
STEPS = 25  # a line has a point at least every 1/STEPS up, so that hovering at any share finds its quantile
RIMS = 10  # marked people whose dots have a rim; the rims of more would hide the dots beside them
BEFORE, AFTER = 2, 3  # places of the lines among the traces
Floats = NDArray[np.float64]


def band_of(people: int, target: Target, bounds: Bounds) -> float | None:
    """The half-width of the band from which the certificate takes the output limit; a bootstrap has none to draw."""
    if bounds.band == "bootstrap":
        return None
    return half_width(people, bounds.alpha / (2 if target.exact else 4))


def outputs_figure(
    factual: ArrayLike,
    target: Target,
    now: ArrayLike | None = None,
    *,
    now_name: str = "Now",
    band: float | None = None,
    marked: Collection[int] = (),
    labels: Sequence[object] | None = None,
    dark: bool = False,
    threshold: float | None = None,
    label: str = "Score",
    height: int = 340,
    selectable: bool = False,
) -> go.Figure:
    """The share of the group that scores at most x: grey before, the strong colour now, dashed the target.

    `band` is the half-width of a confidence band about the line of `now`. The `marked` people are dots on that line.
    In a `selectable` figure the pointer finds one line's point, to be clicked, instead of the quantiles of all lines.
    """
    before, after = _sorted(factual), _sorted([] if now is None else now)
    low, high = _range(before, after, target)
    x, y = staircase(after, low, high, POINTS, STEPS)
    lines = [
        *_band(x, y, band),
        _line("Before", *staircase(before, low, high, POINTS, STEPS), {"color": FACTUAL, "width": 2, "shape": "hv"}),
        _line(plain(now_name), x, y, {"color": COUNTERFACTUAL, "width": 2.5, "shape": "hv"}) | {"showlegend": now is not None},
        _target_line(target, low, high, target_colour(dark)),
        _threshold_line(threshold),
        _people(factual if now is None else now, before if now is None else after, marked, target_colour(not dark), labels),
    ]
    layout = base_layout(height, plain(label), "Share of the group", "outputs")
    air = 0.02 * (high - low)
    layout["xaxis"]["range"] = [low - air, high + air]
    layout["yaxis"] |= {"range": [0, 1.02], "tickformat": ".0%"}
    layout["legend"]["traceorder"] = "normal"  # Plotly turns it round where a band is filled
    layout["meta"] = {"moving": AFTER, "title": f"Scores of the group: before, {plain(now_name).lower()} and wanted"}
    layout["hovermode"] = "y unified"  # the quantiles of all lines at the share pointed at
    if selectable:
        layout |= {"hovermode": "closest", "selectdirection": "h"}  # a box is a range of scores
        lines[BEFORE : AFTER + 1] = [line | GRIP for line in lines[BEFORE : AFTER + 1]]
    return go.Figure(data=lines, layout=layout)


def people_in(selection: Selection, factual: ArrayLike, now: ArrayLike) -> Indices:
    """Whom a selection picks: a box by their scores now, a click or a lasso by the points of either line."""
    scores = {BEFORE: np.asarray(factual, dtype=np.float64), AFTER: np.asarray(now, dtype=np.float64)}
    drawn = {line: staircase(values, -np.inf, np.inf, POINTS, STEPS)[0] for line, values in scores.items()}
    return on_lines(selection, scores, drawn, AFTER)


def caption(factual: ArrayLike, target: Target, now: ArrayLike | None = None, band: float | None = None) -> str:
    """The medians in one sentence, how wide the band is, and what the drawing leaves out."""
    scores = np.asarray(factual, dtype=np.float64)
    if not len(scores):
        return "Nobody is in the group."
    was, wanted = amount(float(np.median(scores))), amount(_median(target))
    sentence = f"The median is {was}"
    if now is not None:
        middle = float(np.median(np.asarray(now, dtype=np.float64)))
        way = "falls" if middle < np.median(scores) else "rises"
        sentence = f"The median stays at {was}" if amount(middle) == was else f"The median {way} from {was} to {amount(middle)}"
    thinned = any(len(np.unique(values)) > POINTS for values in (scores, scores if now is None else now, target.left))
    note = f" Each line is drawn with at most {POINTS} points, which moves it by less than half a percent." if thinned else ""
    reach = f" The band reaches {100 * (band or 0):.1f} percentage points to either side."
    width = "" if band is None else reach if band < 1 else " The group is so small that the band covers everything."
    return f"{sentence}; the target's is {wanted}.{width}{note}"


def table(
    factual: ArrayLike,
    target: Target,
    now: ArrayLike,
    *,
    band: float | None = None,
    threshold: float | None = None,
    labels: Sequence[object] | None = None,
) -> pd.DataFrame:
    """Every point of every line: everybody before and after, and each value of the target."""
    parts = []
    for line, given in (("Before", factual), ("After", now)):
        scores = np.asarray(given, dtype=np.float64)
        order = np.argsort(scores, kind="stable")
        share = share_at_most(scores, scores[order])
        people = np.array(names_of(len(scores), labels), dtype=object)[order]
        part = {"Line": line, "Person": people, "Score": scores[order], "Share of the group": share}
        if line == "After" and band is not None:
            part |= {"Band from": np.maximum(share - band, 0), "Band to": np.minimum(share + band, 1)}
        parts.append(pd.DataFrame(part))
    x, y = target.left, share_at_most(target.left, target.left)
    if target.size is None:
        x, y = np.concatenate([target.left, target.right]), np.concatenate([target.knots[:-1], target.knots[1:]])
        x, y = np.unique(np.column_stack([y, x]), axis=0).T[::-1]
    parts.append(pd.DataFrame({"Line": "Target", "Score": x, "Share of the group": y}))
    if threshold is not None:
        parts.append(pd.DataFrame({"Line": ["Threshold"], "Score": [threshold]}))
    return pd.concat(parts, ignore_index=True)


def _median(target: Target) -> float:
    """Midway between the two middle values of an even sample, as for the scores."""
    return float(np.median(target.left) if target.size is not None else target.quantile(0.5))


def _sorted(values: ArrayLike) -> Floats:
    return np.sort(np.asarray(values, dtype=np.float64))


def _range(before: Floats, after: Floats, target: Target) -> tuple[float, float]:
    """From 0 to 1 for probabilities, else over what there is; all lines reach both ends."""
    ends = np.concatenate([before[:1], before[-1:], after[:1], after[-1:], [target.lowest, target.highest]])
    low, high = float(ends.min()), float(ends.max())
    if low >= 0 and high <= 1:
        return 0.0, 1.0
    return (low, high) if low < high else (low - 0.5, high + 0.5)


def _band(x: Floats, y: Floats, band: float | None) -> list[dict[str, Any]]:
    """Its lower edge and its upper edge, filled in between; they come first, so that no line is drawn under them."""
    if band is None:
        x = bottom = top = np.array([np.nan])
    else:
        bottom, top = np.maximum(y - band, 0), np.minimum(y + band, 1)
    edge = {"type": "scatter", "x": x, "mode": "lines", "line": {"width": 0, "shape": "hv"}, "hoverinfo": "skip"}
    fill = {"fill": "tonexty", "fillcolor": translucent(COUNTERFACTUAL, 0.16), "legendrank": 1001}  # last in the legend
    return [
        edge | {"y": bottom, "showlegend": False},
        edge | fill | {"y": top, "name": "Confidence band", "showlegend": band is not None},
    ]


def _people(
    scores: ArrayLike, ordered: Floats, marked: Collection[int], rim: str, labels: Sequence[object] | None
) -> dict[str, Any]:
    """A dot on the line for each marked person, or for as many of them as a line has points."""
    people = np.array(sorted(marked), dtype=np.int64)
    x = np.asarray(scores, dtype=np.float64)[people]
    order = np.argsort(x, kind="stable")
    if len(order) > POINTS:
        order = order[np.linspace(0, len(order) - 1, POINTS).astype(np.int64)]
    x, people = x[order], people[order]
    name = "Marked" if len(people) == len(marked) else f"Marked ({len(people):,} of {len(marked):,} drawn)"
    return {
        "type": "scatter",
        "x": x if len(x) else [None],
        "y": share_at_most(ordered, x) if len(x) else [None],
        "customdata": people if len(x) else [None],
        "mode": "markers",
        "name": name,
        "showlegend": len(x) > 0,
        "marker": {"color": COUNTERFACTUAL, "size": 9, "line": {"color": rim, "width": 1.5 if len(x) <= RIMS else 0}},
        "text": [plain(name_of(int(person), labels)) for person in people] if len(x) else [""],
        "hovertemplate": "%{text}: %{x:,.4~r}<extra></extra>",
    }


def _target_line(target: Target, low: float, high: float, colour: str) -> dict[str, Any]:
    line = {"color": colour, "width": 2, "dash": "dash"}
    if target.size is not None:
        return _line("Target", *staircase(target.left, low, high, POINTS, STEPS), line | {"shape": "hv"})
    if 2 * len(target.left) <= POINTS:
        between = np.linspace(0, 1, STEPS + 1)
        x = np.concatenate([target.left, target.right, target.quantile(between)])
        y = np.concatenate([target.knots[:-1], target.knots[1:], between])
        order = np.lexsort((x, y))
        x, y = x[order], y[order]
    else:
        y = np.linspace(0, 1, POINTS)
        x = target.quantile(y)
    x, y = np.concatenate([[low], x, [high]]), np.concatenate([[0.0], y, [1.0]])
    return _line("Target", x, y, line | {"shape": "linear"})


def _line(name: str, x: Floats, y: Floats, line: dict[str, Any]) -> dict[str, Any]:
    """A CDF. At the foot of a jump the hover tells the share at its head."""
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "customdata": y[np.searchsorted(x, x, side="right") - 1],
        "mode": "lines",
        "name": name,
        "line": line,
        "hovertemplate": "%{customdata:.1%} score at most %{x:,.4~r}<extra>" + name + "</extra>",
    }


def _threshold_line(threshold: float | None) -> dict[str, Any]:
    """A trace rather than a shape, so that its words stand in the legend and never on a curve."""
    return {
        "type": "scatter",
        "x": [threshold, threshold],
        "y": [0, 1.02],
        "mode": "lines",
        "name": "" if threshold is None else f"Threshold {amount(threshold)}",
        "showlegend": threshold is not None,
        "line": {"color": FACTUAL, "width": 1.5, "dash": "dot"},
        "hoverinfo": "skip",
    }
