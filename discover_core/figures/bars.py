"""Each person's part of the group's distance, or each person's own change: a bar for everybody, the largest first."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from .impact import DIM
from .palette import COUNTERFACTUAL, OTHERS, base_layout, translucent
from .people import name_of, names_of
from .selection import Indices, Selection, marks_in, named_in
from .text import amount, percent, plain
from .text import people as people_text

LIMIT = 200  # people with a bar of their own
NAME = 40  # characters of another run's name
DASHES = ("solid", "dot", "dashdot")  # of other runs; they change when the colours are used up
BARE = 12  # pixels above bars without a legend
REST = 1  # place of the bar for the rest among the traces
Floats = NDArray[np.float64]
Kind = Literal["part", "own"]
AXES = {
    "part": ("People, the largest part first", "Part of the group's distance, squared"),
    "own": ("People, the largest change first", "Own change (effort)"),
}
HEADINGS = {"part": "Squared distance", "own": "Own change (effort)"}
TITLES = {"part": "Who makes up the group's distance from before", "own": "How much each person changes"}
PASSED = (
    "the group is compared in order, the first before with the first after and so on, and where others pass them, they come "
    "to another place in it"
)
NOISE = 1e-9  # of the largest bar: what rounding alone may leave
UNIT = "1 is one standard deviation of a number, or one category switched"


def bars_figure(
    values: ArrayLike,
    others: Mapping[str, ArrayLike] = {},
    *,
    kind: Kind = "part",
    labels: Sequence[object] | None = None,
    marked: Collection[int] = (),
    limit: int = LIMIT,
    height: int = 320,
) -> go.Figure:
    """A bar per person, and a stepped line per other run, each sorted on its own; past `limit` people one bar for the rest.

    The `values` of the kind “part” sum to OT(x); drawn is n times a part, a person's squared distance, whose mean is OT(x).
    Those of the kind “own” are the lengths of the people's own changes, drawn as they are.
    Two traces for this run and one for each of the `others`; the bars' customdata are the people's places in the group.
    """
    heights = _heights(values, kind)
    runs = {name: np.sort(_heights(other, kind))[::-1] for name, other in others.items()}
    most = max([len(heights), *map(len, runs.values())])
    place, width = limit * 1.06, limit * 0.06  # of the bar for the rest
    order = np.argsort(-heights, kind="stable")
    traces = [
        _bars(heights, order[:limit], labels, marked) | {"showlegend": bool(runs) or len(heights) > limit},
        _rest(heights, order[limit:], marked, place, width),
        *(_steps(i, name, other, limit, place, width) for i, (name, other) in enumerate(runs.items())),
    ]
    layout = base_layout(height, *AXES[kind], "bars" if kind == "part" else "bars-own")
    end = limit + 0.5 if most <= limit else place + 0.6 * width
    layout["xaxis"] |= {"range": [0.5 - 0.01 * min(most, limit), min(end, most + 0.5)]}
    layout["yaxis"] |= {"rangemode": "tozero"}
    layout["meta"] = {"title": TITLES[kind]}
    if not traces[0]["showlegend"]:
        layout["margin"]["t"] = BARE
    # A bar may be too low to be pointed at: a box is a range of them, and the pointer takes hold of their columns,
    # unless there are lines, which it would take hold of first.
    layout |= {"selectdirection": "h", "hovermode": "closest" if runs else "x"}
    return go.Figure(data=traces, layout=layout | {"bargap": 0.15 if most <= 60 else 0, "barmode": "overlay"})


def people_in(selection: Selection, values: ArrayLike, limit: int = LIMIT) -> Indices:
    """Whom a selection picks: the people of its bars, and with the last bar all who have none of their own."""
    rest = np.argsort(-np.asarray(values, dtype=np.float64), kind="stable")[limit:]
    return np.union1d(named_in(selection), rest if marks_in(selection, REST) else rest[:0])


def caption(
    values: ArrayLike,
    others: Mapping[str, ArrayLike] = {},
    *,
    kind: Kind = "part",
    changed: ArrayLike | None = None,
    limit: int = LIMIT,
) -> str:
    """How few people make up half of it, and what the bars of those say who did not change. `changed` tells who did."""
    shown = np.asarray(values, dtype=np.float64)
    n, total = len(shown), shown.sum()
    if not n:
        return "Nobody is in the group."
    half = int(np.searchsorted(np.cumsum(np.sort(shown)[::-1]), total / 2 * (1 - 1e-12))) + 1
    whole = "Half" if n > 1 else "All"
    part = f"comes from {half:,} of {n:,} people" if n > 1 else "is one person's"
    if kind == "part":
        said = [f"{whole} of the group's distance from before {part}." if total > 0 else "The group's distance from before is 0."]
        said += [_passed(shown, np.asarray(changed, dtype=bool))] if changed is not None else []
    else:
        said = [f"{whole} of all change {part}; {UNIT}." if total > 0 else "Nobody changes."]
        stay = int((shown == 0).sum())
        said += [f"{people_text(stay)} did not change at all and {_have(stay)} no bar."] if stay and total > 0 else []
    if others:
        mean = {name: amount(float(_heights(other, kind).mean()) if len(other) else 0.0) for name, other in _given(others)}
        beside = ", ".join(f"“{name}” {number}" for name, number in mean.items())
        said.append(f"The bars' mean is {amount(float(_heights(shown, kind).mean()))} here, {beside}.")
    if n > limit:
        rest = f"the mean of the other {n - limit:,}" if n - limit > 1 else "the one person left"
        said.append(f"Only the {limit:,} largest are drawn one by one; the last bar is {rest}.")
    return " ".join(part for part in said if part)


def table(
    values: ArrayLike,
    others: Mapping[str, ArrayLike] = {},
    *,
    kind: Kind = "part",
    labels: Sequence[object] | None = None,
    others_labels: Mapping[str, Sequence[object]] = {},
) -> pd.DataFrame:
    """Everybody of this run and of each other, the largest first."""
    named: list[tuple[str, ArrayLike, Sequence[object] | None]] = [("This run", values, labels)]
    named += [(name, other, others_labels.get(name)) for name, other in others.items()]
    parts = []
    for run, given, called in named:
        heights = _heights(given, kind)
        order = np.argsort(-heights, kind="stable")
        part = {
            "Run": run,
            "Rank": np.arange(1, len(heights) + 1),
            "Person": np.array(names_of(len(heights), called), dtype=object)[order],
            HEADINGS[kind]: heights[order],
            "Share of all": heights[order] / (heights.sum() or 1.0),
        }
        parts.append(pd.DataFrame(part))
    return pd.concat(parts, ignore_index=True)


def _passed(parts: Floats, changed: NDArray[np.bool_]) -> str:
    """Whose bar is above 0 though nothing of theirs changed, and why."""
    stay, lifted = int((~changed).sum()), int((~changed & (parts > NOISE * parts.max())).sum())
    if not stay:
        return "Everybody changed." if len(parts) > 1 else ""
    begin = f"{people_text(stay)} did not change at all"
    if not lifted:
        return f"{begin} and {_have(stay)} no bar."
    who = "has" if stay == 1 else "all of them have" if lifted == stay else f"{lifted:,} of them {_have(lifted)}"
    return f"{begin}, yet {who} a bar above 0: {PASSED}."


def _have(people: int) -> str:
    return "has" if people == 1 else "have"


def _given(others: Mapping[str, ArrayLike]) -> list[tuple[str, Floats]]:
    return [(name, np.asarray(other, dtype=np.float64)) for name, other in others.items()]


def _heights(values: ArrayLike, kind: Kind) -> Floats:
    """Of the bars: parts are drawn n times as high, so that a group twice as large does not look half as far."""
    given = np.asarray(values, dtype=np.float64)
    return given * len(given) if kind == "part" else given


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
