"""Feature by feature: how the group's values are spread before and after, and which features moved most."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from ..table.schema import Column, Schema
from ..table.values import as_text
from .cells import cells, from_to, heading, numbers, off_axis, on_axis, short, value_text
from .palette import ACCENT, FACTUAL, base_layout, target
from .people import name_of, names_of
from .selection import GRIP, Indices, Selection, on_lines
from .staircase import share_at_most, staircase
from .text import people as people_text
from .text import percent, plain

LEVELS = 12  # bars; a nominal feature with more shows the largest, an ordinal one with more is drawn like a number
POINTS = 300  # per line; more are thinned to as many quantiles
MARKS = 100  # marked people drawn one by one
CLEAR = 10  # of them drawn without letting the curves shine through
NAMED = 3  # marked people named on a bar
BEFORE, AFTER = 0, 1  # places of the two among the traces
Floats = NDArray[np.float64]
Labels = Sequence[object] | None


def moved(before: pd.DataFrame, after: pd.DataFrame, schema: Schema) -> list[tuple[str, float]]:
    """Every feature with how much its spread of values moved, the most first: 0 is not at all, 1 is as far as can be.

    Numbers and ordinal ranks: W^2 of the standardised values (by the variance of before and after together), over 4, the most
    it can be: everybody moves from one value to one other. Nominal categories: the total variation distance, 1 when no
    level is in use both before and after. A yes/no feature in balance gets the same amount both ways. Ties: who changes more.
    """
    found = []
    for column in schema.features:
        was, now = numbers(before[column.name], column), numbers(after[column.name], column)
        measure = _variation if column.role == "nominal" else _transport
        found.append((column.name, measure(was, now), np.count_nonzero(was != now)))
    return [(name, distance) for name, distance, _ in sorted(found, key=lambda entry: (-entry[1], -entry[2]))]


def those_changed(before: pd.DataFrame, after: pd.DataFrame, schema: Schema, changed: NDArray[np.bool_]) -> list[str]:
    """The features that anybody changes (`changed[person, feature]`), the most moved first: a swap moves no spread but counts."""
    anybody = {name for name, people in zip(schema.feature_names, changed.T, strict=True) if people.any()}
    return [name for name, _ in moved(before, after, schema) if name in anybody]


def feature_figure(
    before: pd.Series[Any],
    after: pd.Series[Any],
    column: Column,
    *,
    marked: Collection[int] = (),
    labels: Labels = None,
    dark: bool = False,
    height: int = 220,
) -> go.Figure:
    """Before grey, after in the strong colour: cumulative shares of a number, paired bars of categories; marked people on top."""
    was, now = numbers(before, column), numbers(after, column)
    people = np.array(sorted(marked), dtype=np.int64)
    used = _used(was, now, column)
    draw = _bars if _as_bars(column, used) else _lines
    figure = draw(was, now, column, people, labels, used, target(dark), height)
    figure.layout.meta = {"title": f"{plain(column.name)}: before and after"}
    return figure


def people_in(selection: Selection, before: pd.Series[Any], after: pd.Series[Any], column: Column) -> Indices:
    """Whom a selection picks: the people of every bar in it; on lines those by `on_lines`, with a box by their values after."""
    was, now = numbers(before, column), numbers(after, column)
    used = _used(was, now, column)
    if not _as_bars(column, used):
        values = {BEFORE: was, AFTER: now}
        drawn = {line: staircase(part, -np.inf, np.inf, POINTS)[0] for line, part in values.items()}
        return on_lines(selection, values, drawn, AFTER, partial(off_axis, column=column))
    place, _, _ = _places(was, now, column, used)
    chosen = np.zeros(len(was), dtype=bool)
    for point in selection["points"]:
        bar = round(point["y"])
        late = point["curve_number"] == AFTER or point["y"] > bar  # a mark lies below the middle if it is on the bar for after
        chosen |= place[(now if late else was).astype(np.int64)] == bar
    return np.flatnonzero(chosen)


def caption(before: pd.Series[Any], after: pd.Series[Any], column: Column) -> str:
    """How many people change this feature, and how the middle or the most common move goes."""
    was, now = numbers(before, column), numbers(after, column)
    count = int(np.count_nonzero(was != now))
    if not count:
        return f"{column.name}: nobody changes."
    who = f"{column.name}: {people_text(count)} {'changes' if count == 1 else 'change'}"
    if column.categorical:
        return f"{who}, {_common_move(was, now, column)}."
    middle, then = float(np.median(was)), float(np.median(now))
    if value_text(column, middle) == value_text(column, then):
        return f"{who}; the median stays at {value_text(column, then)}."
    return f"{who}; the median {'falls' if then < middle else 'rises'} {from_to(column, middle, then)}."


def table(before: pd.Series[Any], after: pd.Series[Any], column: Column, *, labels: Labels = None) -> pd.DataFrame:
    """A number: everybody's before and after. Categories: how many people have each that is in use."""
    if not column.categorical:
        values = {f"{heading(column)} {when}": cells(part, column) for when, part in (("before", before), ("after", after))}
        return pd.DataFrame({"Person": names_of(len(before), labels), **values})
    was, now = (np.bincount(part.cat.codes, minlength=len(column.levels)) for part in (before, after))
    used = np.flatnonzero(was + now)
    return pd.DataFrame(
        {
            "Feature": column.name,
            "Category": [as_text(column.levels[code]) for code in used],
            "People before": was[used],
            "People after": now[used],
            "Share before": was[used] / max(len(before), 1),
            "Share after": now[used] / max(len(after), 1),
        }
    )


def _transport(was: Floats, now: Floats) -> float:
    together = float(np.var(np.concatenate([was, now]))) if len(was) else 0.0
    return float(np.mean((np.sort(was) - np.sort(now)) ** 2)) / (4 * together) if together > 0 else 0.0


def _variation(was: Floats, now: Floats) -> float:
    levels = int(max(was.max(initial=0), now.max(initial=0))) + 1
    first, last = (np.bincount(codes.astype(np.int64), minlength=levels) for codes in (was, now))
    return float(np.abs(first - last).sum()) / 2 / max(len(was), 1)


def _common_move(was: Floats, now: Floats, column: Column) -> str:
    rows = np.flatnonzero(was != now)
    moves, counts = np.unique(np.column_stack([was[rows], now[rows]]), axis=0, return_counts=True)
    at = int(counts.argmax())
    words = from_to(column, *moves[at])
    if len(counts) == 1:
        return words if len(rows) == 1 else f"all {words}"
    return f"most often {words} ({counts[at]:,})" if counts[at] > 1 else "each in a different way"


def _lines(
    was: Floats, now: Floats, column: Column, people: Indices, labels: Labels, used: Indices, mark: str, height: int
) -> go.Figure:
    both = np.concatenate([was, now]) if len(was) else np.zeros(1)
    low, high = float(both.min()), float(both.max())
    air = 0.03 * (high - low) or 0.5
    ends = (low - air, high + air)
    unit = "" if column.categorical or column.date or not column.unit else f" {plain(column.unit)}"
    value = "%{text}" if column.categorical else "%{x}"
    traces: list[dict[str, Any]] = []
    for name, values, colour, width in (("Before", was, FACTUAL, 2), ("After", now, ACCENT, 2.5)):
        x, y = staircase(values, *ends, POINTS)
        traces.append(
            {
                "type": "scatter",
                "x": on_axis(x, column),
                "y": y,
                "text": [short(value_text(column, code)) for code in np.clip(x, low, high)] if column.categorical else None,
                "name": name,
                "line": {"color": colour, "width": width, "shape": "hv"},
                "hovertemplate": f"%{{y:.0%}} at most {value}{unit}<extra>{name}</extra>",
            }
            | GRIP
        )
    traces.append(_marked_people(was, now, column, people, labels, mark))
    layout = base_layout(height, plain(heading(column)), "Share of the group", f"feature-{column.name}")
    layout["xaxis"]["range"] = list(on_axis(np.array(ends), column))
    if column.categorical:
        shown = used[np.linspace(0, len(used) - 1, 6).astype(np.int64)]
        layout["xaxis"] |= {"tickvals": shown, "ticktext": [short(value_text(column, code)) for code in shown]}
    layout["yaxis"] |= {"range": [0, 1.04], "tickformat": ".0%"}
    return go.Figure(data=traces, layout=layout | {"selectdirection": "h"})  # a box is a range of values


def _marked_people(was: Floats, now: Floats, column: Column, people: Indices, labels: Labels, mark: str) -> dict[str, Any]:
    """A line for each marked person from their place on the one curve to their place on the other."""
    shown = people if len(people) <= MARKS else people[np.linspace(0, len(people) - 1, MARKS).astype(np.int64)]
    name = "Marked" if len(shown) == len(people) else f"{len(shown)} of {len(people):,} marked"
    gap = np.full(len(shown), np.nan)
    x, y = (
        np.column_stack([first, last, gap]).ravel()
        for first, last in ((was[shown], now[shown]), (share_at_most(was, was[shown]), share_at_most(now, now[shown])))
    )
    told = [
        f"{plain(name_of(int(person), labels))}: {short(value_text(column, values[person]))}" if values is not None else ""
        for person in shown
        for values in (was, now, None)
    ]
    return {
        **_mark_style(name, mark, len(people) > 0),
        "x": on_axis(x, column) if len(shown) else [None],
        "y": y if len(shown) else [None],
        "customdata": np.repeat(shown, 3),
        "text": told,
        "mode": "lines+markers",
        "opacity": 1 if len(shown) <= CLEAR else 0.35,
        "hovertemplate": "%{text}<extra>Marked</extra>",
    }


def _mark_style(name: str, colour: str, shown: bool) -> dict[str, Any]:
    marker = {"color": colour, "size": 8, "symbol": "circle-open", "line": {"width": 2}}
    return {"type": "scatter", "name": name, "showlegend": shown, "marker": marker, "line": {"color": colour, "width": 1}}


def _bars(
    was: Floats, now: Floats, column: Column, people: Indices, labels: Labels, used: Indices, mark: str, height: int
) -> go.Figure:
    before, after = (np.bincount(codes.astype(np.int64), minlength=len(column.levels)) for codes in (was, now))
    place, own, rest = _places(was, now, column, used)
    names = [short(value_text(column, code)) for code in own] + ([f"other {len(rest):,}"] if len(rest) else [])
    full = [plain(value_text(column, code)) for code in own] + names[len(own) :]
    n = max(len(was), 1)
    traces: list[dict[str, Any]] = []
    marks: list[tuple[float, float, str]] = []
    for name, counts, codes, colour, aside in (("Before", before, was, FACTUAL, -0.2), ("After", after, now, ACCENT, 0.2)):
        here = np.bincount(place, weights=counts, minlength=len(names))[: len(names)]
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "x": here / n,
                "y": np.arange(len(names)),
                "text": _told(full, here, n),
                "textposition": "none",
                "name": name,
                "marker": {"color": colour, "line": {"width": 0}},
                "hovertemplate": f"%{{text}}<extra>{name}</extra>",
            }
        )
        bar_of = place[codes[people].astype(np.int64)]
        for i in np.unique(bar_of):
            inside = people[bar_of == i]
            told = f"{len(inside):,} of {len(people):,} marked, {name.lower()}<br>{_named(inside, labels)}"
            marks.append((here[i] / n, i + aside, told))
    x, y, text = zip(*marks, strict=True) if marks else ([None], [None], [""])
    traces.append(
        _mark_style("Marked", mark, len(people) > 0)
        | {"x": x, "y": y, "text": text, "mode": "markers", "hovertemplate": "%{text}<extra></extra>"}
    )
    title = f"{plain(column.name)}: share of the group"
    layout = base_layout(max(height, 84 + 24 * len(names)), title, "", f"feature-{column.name}")
    layout["xaxis"] |= {"tickformat": ".0%", "rangemode": "tozero", "showgrid": True}
    layout["yaxis"] |= {
        "range": [len(names) - 0.5, -0.5],
        "tickvals": np.arange(len(names)),
        "ticktext": names,
        "showgrid": False,
    }
    return go.Figure(data=traces, layout=layout | {"barmode": "group", "bargap": 0.2})


def _named(people: Indices, labels: Labels) -> str:
    """The first few by name, and how many more there are."""
    first = ", ".join(plain(name_of(int(person), labels)) for person in people[:NAMED])
    return first if len(people) <= NAMED else f"{first} and {len(people) - NAMED:,} more"


def _used(was: Floats, now: Floats, column: Column) -> Indices:
    """The levels that anybody has, before or after."""
    return np.union1d(was, now).astype(np.int64) if column.categorical else np.empty(0, dtype=np.int64)


def _as_bars(column: Column, used: Indices) -> bool:
    return column.role == "nominal" or (column.role == "ordinal" and len(used) <= LEVELS)


def _places(was: Floats, now: Floats, column: Column, used: Indices) -> tuple[Indices, Indices, Indices]:
    """The bar of each level; the levels with a bar of their own, in their order, and those that share the last one."""
    own, rest = used, used[:0]
    if len(used) > LEVELS + 1:
        counts = np.bincount(np.concatenate([was, now]).astype(np.int64), minlength=len(column.levels))
        largest = used[np.argsort(-counts[used], kind="stable")]
        own, rest = np.sort(largest[:LEVELS]), largest[LEVELS:]
    place = np.full(len(column.levels), len(own))
    place[own] = np.arange(len(own))
    return place, own, rest


def _told(names: Sequence[str], counts: NDArray[Any], n: int) -> list[str]:
    return [f"{name}: {people_text(int(count))}, {percent(count / n)}" for name, count in zip(names, counts, strict=True)]
