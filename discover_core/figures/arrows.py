"""Who moves where: an arrow per person from how they are to how they could be, over two features or a projection."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray
from plotly.colors import sample_colorscale

from ..errors import InputError
from ..table.schema import Schema
from .cells import cells, from_to, heading, numbers, on_axis, short, value_text
from .palette import ACCENT, FACTUAL, base_layout, target, translucent
from .people import names_of
from .plane import Encoded, Indices, Plane, plane_of
from .text import amount

LIMIT = 400
SHADES = 9  # colours of the shafts; the heads have all shades between
SCALE = [[0, ACCENT], [0.5, "#9aa0a8"], [1, "#d95f02"]]  # falls, stays, rises: apart for colour-blind readers too
TOLD = 6  # features told on hover
HOVER = "%{text}<extra></extra>"
CIRCLE, ARROW = 0, 53  # Plotly's numbers for the symbols: it takes its time over names
HEAD, SMALL, LARGE = 9.0, 6.0, 20.0  # pixels
Floats = NDArray[np.float64]
Labels = Sequence[object] | None
Hover = Callable[[Indices], list[str]]


@dataclass(frozen=True, eq=False)
class Change:
    """A group before and after, its outputs, and what to draw it over: the features x and y, or, without them, the first two
    principal axes of `points`, the encoded group before and after. The arrows' heads may be as large as a feature `size`."""

    before: pd.DataFrame
    after: pd.DataFrame
    outputs_before: ArrayLike
    outputs_after: ArrayLike
    schema: Schema
    x: str | None = None
    y: str | None = None
    size: str | None = None
    points: Encoded | None = None

    @cached_property
    def plane(self) -> Plane:
        return plane_of(self.before, self.after, self.schema, self.x, self.y, self.points)

    @cached_property
    def people(self) -> tuple[Indices, Indices]:
        """Who changes in any feature, and who does not."""
        moves = np.zeros(len(self.before), dtype=bool)
        for column in self.schema.features:
            moves |= numbers(self.before[column.name], column) != numbers(self.after[column.name], column)
        return np.flatnonzero(moves), np.flatnonzero(~moves)


def arrows_figure(
    change: Change,
    *,
    limit: int = LIMIT,
    marked: Collection[int] = (),
    labels: Labels = None,
    dark: bool = False,
    height: int = 460,
) -> go.Figure:
    """An arrow per person who changes, coloured by the change of score. Those who stay are small dots."""
    plane, schema, after = change.plane, change.schema, change.after
    scores = np.column_stack([change.outputs_before, change.outputs_after]).astype(np.float64)
    movers, stayers = (_drawn(rows, limit, marked) for rows in change.people)
    told = partial(_hover, (change.before, after), schema, scores, plane, labels)
    rise = scores[:, 1] - scores[:, 0]
    most = float(np.abs(rise[movers]).max(initial=0)) or 1.0
    traces = [
        _dots(plane, stayers, told),
        *_shafts(plane, movers, rise[movers] / most),
        _heads(plane, movers, rise, most, _head_sizes(after, schema, change.size, movers), told),
        _rings(plane, np.intersect1d(list(marked), np.concatenate([movers, stayers])).astype(np.int64), target(dark), told),
    ]
    layout = base_layout(height, "", "", f"arrows-{change.x}-{change.y}")
    layout["meta"] = {"title": "From before to after"}
    layout["xaxis"] |= {"showgrid": True, **plane.axis(0)}
    layout["yaxis"] |= plane.axis(1)
    return go.Figure(data=traces, layout=layout)


def caption(
    change: Change,
    *,
    limit: int = LIMIT,
    marked: Collection[int] = (),
) -> str:
    """How many change and which way their scores go, what the axes are, and what is left out."""
    (movers, stayers), size = change.people, change.size
    if not len(movers):
        return "Nobody changes."
    plane = change.plane
    was, now = np.asarray(change.outputs_before)[movers], np.asarray(change.outputs_after)[movers]
    said = [_change_words(was, now, len(change.before)), *plane.words]
    if still := int((plane.start[movers] == plane.end[movers]).all(axis=1).sum()):
        who = f"{still:,} of them {'changes' if still == 1 else 'change'} only" if len(movers) > 1 else "The change is in"
        said.append(f"{who} what the axes do not show: a round dot in colour.")
    if size is not None:
        column = change.schema[size]
        sizes = numbers(change.after[size], column)[_drawn(movers, limit, marked)]
        said.append(f"The head's size is {size} after, {from_to(column, float(sizes.min()), float(sizes.max()))}.")
    parts = ((movers, "who change"), (stayers, "who stay as they are"))
    many = [f"{limit:,} of the {len(rows):,} people {what}" for rows, what in parts if len(rows) > limit]
    said += [f"Drawn are {' and '.join(many)}, picked at random."] if many else []
    return " ".join(said)


def table(
    change: Change,
    *,
    labels: Labels = None,
) -> pd.DataFrame:
    """Everybody, drawn or not: where from, where to, the size and the scores. Features have the user's own values."""
    plane, size, n = change.plane, change.size, len(change.before)
    changes = np.full(n, "no", dtype=object)
    changes[change.people[0]] = "yes"
    data: dict[str, Any] = {"Person": names_of(n, labels), "Changes": changes}
    for at, axis in enumerate(("Across", "Up")):
        for when, rows, places in (("before", change.before, plane.start), ("after", change.after, plane.end)):
            column = plane.columns[at] if plane.columns else None
            values = places[:, at] if column is None else cells(rows[column.name], column)
            data[f"{axis} {when}: {plane.titles[at]}"] = values
    if size is not None:
        column = change.schema[size]
        data[f"Size: {heading(column)}"] = cells(change.after[size], column)
    scores = {"Score before": np.asarray(change.outputs_before), "Score after": np.asarray(change.outputs_after)}
    return pd.DataFrame(data | scores)


def _change_words(was: Floats, now: Floats, group: int) -> str:
    """How many of the group change, and which way the scores of those who do go."""
    if len(was) > 1:
        falls = f"the score falls for {np.sum(now < was):,} and rises for {np.sum(now > was):,} of them"
        return f"{len(was):,} of {group:,} people change: {falls}."
    who = f"1 of {group:,} people changes" if group > 1 else "The one person changes"
    return f"{who}: the score {'falls' if now[0] < was[0] else 'rises' if now[0] > was[0] else 'stays the same'}."


def _drawn(rows: Indices, limit: int, marked: Collection[int]) -> Indices:
    """At most `limit` of the rows: the marked ones first, then at random, the same ones each time."""
    order = np.random.default_rng(0).permutation(rows)
    return np.sort(order[np.argsort(~np.isin(order, list(marked)), kind="stable")][:limit])


def _hover(
    tables: tuple[pd.DataFrame, pd.DataFrame], schema: Schema, scores: Floats, plane: Plane, labels: Labels, people: Indices
) -> list[str]:
    """The words on each of these people: the two features drawn, what else changes, the score."""
    out = [[short(f"row {i + 1}" if labels is None else str(labels[i]))] for i in people]
    more = np.zeros(len(people), dtype=np.int64)
    others = [column for column in schema.features if column not in plane.columns]
    for column in (*plane.columns, *others):
        was, now = (numbers(table[column.name], column)[people] for table in tables)
        for i in range(len(people)) if column in plane.columns else np.flatnonzero(was != now):
            if len(out[i]) > TOLD:
                more[i] += 1
                continue
            then = "" if was[i] == now[i] else f" → {short(value_text(column, now[i]))}"
            out[i].append(f"{short(column.name)}: {short(value_text(column, was[i]))}{then}")
    for lines, left, (first, last) in zip(out, more, scores[people], strict=True):
        lines += [f"and {left} more"] if left else []
        lines.append(f"score {amount(first)} → {amount(last)}" if first != last else f"score {amount(first)}")
    return ["<br>".join(lines) for lines in out]


def _places(plane: Plane, places: Floats) -> dict[str, Any]:
    """x and y of a trace; never empty, because a trace without points loses its place."""
    if not len(places):
        return {"type": "scatter", "x": [None], "y": [None]}
    x, y = (on_axis(places[:, i], plane.columns[i]) if plane.columns else places[:, i] for i in (0, 1))
    return {"type": "scatter", "x": x, "y": y}


def _segments(plane: Plane, people: Indices, told: Hover | None = None) -> dict[str, Any]:
    """From before to after, and a gap, for each person; their words, if any, at both ends."""
    parts = np.stack([plane.start[people], plane.end[people], np.full((len(people), 2), np.nan)], axis=1)
    trace = _places(plane, parts.reshape(-1, 2)) | {"customdata": np.repeat(people, 3)}
    if told is None:
        return trace | {"hoverinfo": "skip"}
    return trace | {"text": np.repeat(np.array(told(people), dtype=object), 3), "hovertemplate": HOVER}


def _at_the_head(sizes: Floats) -> Floats:
    """Marker sizes along `_segments`: only the second end of each is to be seen."""
    return np.column_stack([0 * sizes, sizes, 0 * sizes]).ravel()


def _dots(plane: Plane, people: Indices, told: Hover) -> dict[str, Any]:
    return _places(plane, plane.start[people]) | {
        "customdata": people,
        "text": told(people),
        "mode": "markers",
        "name": "Stays as is",
        "showlegend": len(people) > 0,
        "marker": {"color": translucent(FACTUAL, 0.55), "size": 4},
        "hovertemplate": HOVER,
    }


def _shafts(plane: Plane, people: Indices, change: Floats) -> list[dict[str, Any]]:
    """One line trace per shade, as a trace has one colour; `change` is between -1 and 1."""
    shade = np.minimum(((change + 1) / 2 * SHADES).astype(np.int64), SHADES - 1)
    return [
        _segments(plane, people[shade == i])
        | {
            "mode": "lines",
            "showlegend": False,
            "opacity": 0.6,
            "line": {"color": colour, "width": 1.3},
        }
        for i, colour in enumerate(sample_colorscale(SCALE, (np.arange(SHADES) + 0.5) / SHADES))
    ]


def _head_sizes(after: pd.DataFrame, schema: Schema, size: str | None, people: Indices) -> Floats:
    if size is None:
        return np.full(len(people), HEAD)
    if schema[size].role == "nominal":
        raise InputError(f"“{size}” has no order, so it has no size: choose a number or an ordered feature.")
    values = numbers(after[size], schema[size])[people]
    span = float(np.ptp(values)) if len(values) else 0.0
    return SMALL + (LARGE - SMALL) * (values - values.min(initial=np.inf)) / span if span > 0 else np.full(len(people), HEAD)


def _heads(plane: Plane, people: Indices, change: Floats, most: float, sizes: Floats, told: Hover) -> dict[str, Any]:
    """A head at each arrow's end that points away from its start; a round one where the two are the same place."""
    still = (plane.start[people] == plane.end[people]).all(axis=1)
    return _segments(plane, people, told) | {
        "mode": "markers",
        "showlegend": False,
        "marker": {
            "size": _at_the_head(np.where(still, 0.7, 1.0) * sizes),
            "symbol": np.repeat(np.where(still, CIRCLE, ARROW), 3).tolist(),
            "angleref": "previous",
            "color": np.repeat(change[people], 3),
            "cmin": -most,
            "cmax": most,
            "colorscale": SCALE,
            "colorbar": {"thickness": 10, "outlinewidth": 0, "title": {"text": "Change of score", "side": "right"}},
            "line": {"width": 0},
        },
    }


def _rings(plane: Plane, people: Indices, colour: str, told: Hover) -> dict[str, Any]:
    size = _at_the_head(np.full(len(people), 16.0))
    return _segments(plane, people, told) | {
        "mode": "lines+markers",
        "name": "Marked",
        "showlegend": len(people) > 0,
        "line": {"color": colour, "width": 1.5},
        "marker": {"size": size, "symbol": "circle-open", "line": {"width": 2}},
    }
