"""Who carries the inputs' distance: how far each person is from before, the largest first."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from .impact import DIM
from .palette import COUNTERFACTUAL, OTHERS, base_layout, translucent
from .people import name_of, names_of
from .picking import Indices, Selection, marks_in, named_in
from .text import amount, percent, plain
from .text import people as people_text

LIMIT = 200  # people with a bar of their own
NAME = 40  # characters of another run's name
DASHES = ("solid", "dot", "dashdot")  # of other runs; they change when the colours are used up
REST = 1  # place of the bar for the rest among the traces
Floats = NDArray[np.float64]


def bars_figure(
    distances: ArrayLike,
    others: Mapping[str, ArrayLike] = {},
    *,
    labels: Sequence[object] | None = None,
    marked: Collection[int] = (),
    limit: int = LIMIT,
    height: int = 320,
) -> go.Figure:
    """A bar per person, and a stepped line per other run, each sorted on its own; past `limit` people one bar for the rest.

    `distances` are the parts that sum to OT(x); drawn is n times a part, a person's own squared distance, whose mean is OT(x).
    Two traces for this run and one for each of the `others`; the bars' customdata are the people's places in the group.
    """
    values = _own(distances)
    runs = {name: np.sort(_own(other))[::-1] for name, other in others.items()}
    most = max([len(values), *map(len, runs.values())])
    place, width = limit * 1.06, limit * 0.06  # of the bar for the rest
    order = np.argsort(-values, kind="stable")
    traces = [
        _bars(values, order[:limit], labels, marked),
        _rest(values, order[limit:], marked, place, width),
        *(_steps(i, name, other, limit, place, width) for i, (name, other) in enumerate(runs.items())),
    ]
    layout = base_layout(height, "People, the largest distance first", "Squared distance on the run's slices", "bars")
    end = limit + 0.5 if most <= limit else place + 0.6 * width
    layout["xaxis"] |= {"range": [0.5 - 0.01 * min(most, limit), min(end, most + 0.5)]}
    layout["yaxis"] |= {"rangemode": "tozero", "exponentformat": "none"}
    # A bar may be too low to be pointed at: a box is a range of them, and the pointer takes hold of their columns,
    # unless there are lines, which it would take hold of first.
    layout |= {"selectdirection": "h", "hovermode": "closest" if runs else "x"}
    return go.Figure(data=traces, layout=layout | {"bargap": 0.15 if most <= 60 else 0, "barmode": "overlay"})


def people_in(selection: Selection, distances: ArrayLike, limit: int = LIMIT) -> Indices:
    """Whom a selection picks: the people of its bars, and with the last bar all who have none of their own."""
    rest = np.argsort(-_own(distances), kind="stable")[limit:]
    return np.union1d(named_in(selection), rest if marks_in(selection, REST) else rest[:0])


def caption(distances: ArrayLike, others: Mapping[str, ArrayLike] = {}, *, unmoved: int | None = None, limit: int = LIMIT) -> str:
    """How few people make up half of it. `unmoved` is how many kept every cell: their bars need not be 0, as others pass them."""
    values = np.sort(np.asarray(distances, dtype=np.float64))[::-1]
    if not len(values):
        return "Nobody is in the group."
    total, n = values.sum(), len(values)
    half = int(np.searchsorted(np.cumsum(values), total / 2 * (1 - 1e-12))) + 1
    part = f"comes from {half:,} of {n:,} people" if n > 1 else "is one person's"
    begin = f"{'Half' if n > 1 else 'All'} of the distance, on the run's own slices, {part}" if total > 0 else "The distance is 0"
    everybody = "; everybody changed" if unmoved == 0 and n > 1 else ""
    still = f"; {people_text(unmoved)} did not change at all" if unmoved else everybody
    sums = [f"“{name}” {amount(float(np.sum(other)))}" for name, other in others.items()]
    beside = f" The mean, OT(x), is {amount(float(total))} here, {', '.join(sums)}." if sums else ""
    mean = f"the mean of the other {n - limit:,}" if n - limit > 1 else "the one person left"
    rest = f" Only the {limit:,} largest are drawn one by one; the last bar is {mean}."
    return f"{begin}{still}.{beside}{rest if n > limit else ''}"


def table(
    distances: ArrayLike,
    others: Mapping[str, ArrayLike] = {},
    *,
    labels: Sequence[object] | None = None,
    others_labels: Mapping[str, Sequence[object]] = {},
) -> pd.DataFrame:
    """Everybody of this run and of each other, the largest distance first."""
    named: list[tuple[str, ArrayLike, Sequence[object] | None]] = [("This run", distances, labels)]
    named += [(name, other, others_labels.get(name)) for name, other in others.items()]
    parts = []
    for run, given, called in named:
        values = _own(given)
        order = np.argsort(-values, kind="stable")
        part = {
            "Run": run,
            "Rank": np.arange(1, len(values) + 1),
            "Person": np.array(names_of(len(values), called), dtype=object)[order],
            "Squared distance": values[order],
            "Share of all": values[order] / (values.sum() or 1.0),
        }
        parts.append(pd.DataFrame(part))
    return pd.concat(parts, ignore_index=True)


def _own(parts: ArrayLike) -> Floats:
    values = np.asarray(parts, dtype=np.float64)
    return values * len(values)


def _bars(values: Floats, people: NDArray[np.int64], labels: Sequence[object] | None, marked: Collection[int]) -> dict[str, Any]:
    shown, total = values[people], values.sum()
    told = [
        f"{plain(name_of(int(i), labels))}<br>{amount(float(v))}, {percent(float(v / total) if total else 0.0)} of all"
        for i, v in zip(people, shown, strict=True)
    ]
    bright = np.isin(people, list(marked))
    return {
        "type": "bar",
        "x": np.arange(1, len(people) + 1),
        "y": shown,
        "customdata": people,
        "hovertext": told,
        "name": "This run",
        "showlegend": True,
        "marker": {"color": COUNTERFACTUAL, "opacity": np.where(bright, 1, DIM) if len(marked) else 1, "line": {"width": 0}},
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _rest(values: Floats, people: NDArray[np.int64], marked: Collection[int], place: float, width: float) -> dict[str, Any]:
    """One bar as high as the mean of the people without a bar; it stands for many, so it has no customdata."""
    mean = float(values[people].mean()) if len(people) else 0.0
    inside = int(np.isin(people, list(marked)).sum())
    share = percent(float(values[people].sum() / values.sum())) if values.any() else "0%"
    chosen = "" if not inside else f"<br>{inside:,} of them marked" if len(people) > 1 else "<br>marked"
    others, average = ("other person", "") if len(people) == 1 else (f"other {len(people):,} people", " on average")
    return {
        "type": "bar",
        "x": [place] if len(people) else [None],
        "y": [mean] if len(people) else [None],
        "width": width,
        "name": f"The {others}{average and ','}{average}",
        "showlegend": len(people) > 0,
        "marker": {
            "color": translucent(COUNTERFACTUAL, 0.35),
            "opacity": DIM if len(marked) and not inside else 1,
            "line": {"color": COUNTERFACTUAL, "width": 1},
        },
        "hovertemplate": f"the {others}<br>{amount(mean)}{average}, {share} of all{chosen}<extra></extra>",
    }


def _steps(nth: int, name: str, ordered: Floats, limit: int, place: float, width: float) -> dict[str, Any]:
    """Another run's people, sorted on their own; past the limit a dash at the height of their mean."""
    x, y = np.arange(1.0, min(len(ordered), limit) + 1), ordered[:limit]
    if len(ordered) > limit:
        x = np.concatenate([x, [np.nan, place - width / 2, place + width / 2]])
        y = np.concatenate([y, [np.nan], np.full(2, ordered[limit:].mean())])
    short = plain(name if len(name) <= NAME else name[: NAME - 1] + "…")
    colour = OTHERS[nth % len(OTHERS)]
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "mode": "lines",
        "name": short,
        "line": {"color": colour, "width": 2, "shape": "hvh", "dash": DASHES[nth // len(OTHERS) % len(DASHES)]},
        "hovertemplate": f"rank %{{x:.0f}}: %{{y:,.3~r}}<extra>{short}</extra>",
    }
