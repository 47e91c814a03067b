"""Whose rows keep the group from its goal: each person's part of Q over the iterations."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from .iterations import drawn, layout_over_iterations, thinned
from .palette import ACCENT, FACTUAL, TARGET_ON_DARK, TARGET_ON_LIGHT, translucent
from .people import name_of, names_of
from .text import percent, plain

Order = Literal["frequency", "initial"]
Scale = Literal["iteration", "global"]
Indices = NDArray[np.int64]
COLUMNS = 150
CELLS = 250_000  # a taller picture has fewer columns, to stay under a megabyte
NAMED = 200  # rows that can still have a name beside them
ROOMY = 60  # rows drawn with a gap between them
DOTS = 3_000
KNOWN = 1_500  # rows whose every cell can tell its name; looking names up takes the browser their number squared
SQUARES = 500  # drawn; hovering and selecting find the others too
TALL = 1_000  # pixels of a picture without names
DIM = 0.3  # opacity of the others' dots while somebody is marked
COLOURS = [[0, translucent(ACCENT, 0.05)], [0.5, translucent(ACCENT, 0.5)], [1, translucent(ACCENT, 1)]]

TOLD = "%{y}, iteration %{x}<br>impact q<sub>i</sub> %{customdata[0]:.3~r}, %{customdata[1]:.1%} of Q<extra></extra>"
TOLD_NOBODY = "iteration %{x}<br>impact q<sub>i</sub> %{z}% of the largest<extra></extra>"
TOLD_SHORT = "%{y}, iteration %{x}<br>impact q<sub>i</sub> %{z}% of the largest<extra></extra>"


def shown_rows(
    impact: NDArray[Any],
    selected: Sequence[ArrayLike],
    order: Order = "frequency",
    rows: int = 30,
    marked: Collection[int] = (),
) -> Indices:
    """The people drawn, top first: those chosen most often (ties: the larger total), or with the largest impact at the start.

    Marked people take the places of the last ones, as far as there are places.
    """
    if not len(impact):
        return np.empty(0, dtype=np.int64)
    keep = np.array(list(marked), dtype=np.int64)
    if order == "initial":
        ordered = np.argsort(-impact[0], kind="stable")
    else:
        times = _times_chosen(selected, impact.shape[1])
        fewest = np.sort(times)[-rows:][0]
        able = np.union1d(np.flatnonzero(times >= fewest), keep)  # summing only these keeps a long run of many people quick
        ordered = able[np.lexsort((-impact[:, able].sum(axis=0), -times[able]))]
    places = np.argsort(~np.isin(ordered, keep), kind="stable")[:rows]
    return ordered[np.sort(places)]


def impact_figure(
    iterations: ArrayLike,
    impact: NDArray[Any],
    selected: Sequence[ArrayLike],
    *,
    order: Order = "frequency",
    scale: Scale = "iteration",
    rows: int = 30,
    labels: Sequence[object] | None = None,
    marked: Collection[int] = (),
    height: int | None = None,
    key: str = "impact",
) -> go.Figure:
    """A heatmap of q_i, a person per row and an iteration per column, with white dots on who was picked for change when.

    Dots and the squares at the left have the person's place in the group as customdata, since a heatmap cannot be selected.
    """
    at = np.asarray(iterations)
    people = shown_rows(impact, selected, order, rows, marked)
    columns = drawn(len(at), most_columns(len(people)))
    x, part = at[columns], impact[columns]
    where, who = _marks([selected[t] for t in columns], people, impact.shape[1])
    names = [plain(name_of(int(person), labels)) for person in people]
    known = len(people) <= KNOWN
    traces = [
        _heat(x, part, people, float(impact.max(initial=0)) if scale == "global" else None)
        | {"colorbar": _colour_bar(scale, len(people))},
        _dots(x, where, who, people, marked),
        *_squares(x, people, names, marked),
    ]
    tall, bold = _height(len(people)) if height is None else height, set(marked)
    layout = layout_over_iterations(tall, "", key, float(at[-1]) if len(at) else 0.0, None)
    layout["meta"] = {"title": "Who weighs most, and when"}
    layout["yaxis"] |= {
        "range": [max(len(people), 1) - 0.5, -0.5],
        "tickvals": np.arange(len(people)) if known else [],
        "ticktext": [f"<b>{name}</b>" if i in bold else name for i, name in zip(people, names, strict=True)] if known else [],
        "showticklabels": len(people) <= NAMED,
        "ticks": "",
        "showgrid": False,
        "tickfont": {"size": 11 if len(people) <= ROOMY else 8},
    }
    return go.Figure(data=traces, layout=layout | {"selectdirection": "v"})  # a box holds whole rows, with their squares


def most_columns(people: int) -> int:
    """How many iterations are drawn for so many rows."""
    return min(COLUMNS, max(CELLS // max(people, 1), 10))


def caption(
    iterations: ArrayLike,
    impact: NDArray[Any],
    selected: Sequence[ArrayLike],
    *,
    order: Order = "frequency",
    rows: int = 30,
    labels: Sequence[object] | None = None,
    marked: Collection[int] = (),
) -> str:
    """How many were picked for change, who most often, and how much of Q the rows shown make up at the end."""
    count = len(np.asarray(iterations))
    if not count:
        return "No iteration is done yet."
    n = impact.shape[1]
    times = _times_chosen(selected, n)
    ever = int(np.count_nonzero(times))
    people = shown_rows(impact, selected, order, rows, marked)
    q = float(impact[-1].sum())
    share = percent(float(impact[-1, people].sum()) / q) if q > 0 else "0%"
    carries = "carries" if len(people) == 1 else "carry"
    carry = f"the {len(people):,} of {n:,} people shown {carries} {share} of what the search weighs (Q)."
    if len(people) == n:
        carry = f"all {n:,} people are shown." if n > 1 else "there is nobody else."
    if len(marked) > len(people):
        carry += f" Only {len(people):,} of the {len(marked):,} marked people have a row."
    columns = drawn(count, most_columns(len(people)))
    picks = len(_marks([selected[t] for t in columns], people, n)[0])
    note = f" Of {picks:,} dots {DOTS:,} are drawn." if picks > DOTS else ""
    note += thinned(count, most_columns(len(people)))
    if len(people) > NAMED:
        place = "a cell" if len(people) <= KNOWN else "the left end of a row"
        note += f" The rows are too thin for names: point at {place} to see whose it is."
    if not ever:
        return f"Nobody was picked for change yet; {carry}{note}"
    often = shown_rows(impact, selected, "frequency", min(ever, 3))
    names = ", ".join(f"{name_of(int(i), labels)} ({times[i]:,}×)" for i in often)
    if ever == 1:
        return f"1 person was picked for change, {names}; {carry}{note}"
    return f"{ever:,} people were picked for change at least once, most often {names}; {carry}{note}"


def table(
    iterations: ArrayLike, impact: NDArray[Any], selected: Sequence[ArrayLike], *, labels: Sequence[object] | None = None
) -> pd.DataFrame:
    """One line per person with a column per iteration: a line per cell would make a file of 50 MB out of a long run."""
    at, n = np.asarray(iterations, dtype=np.int64), impact.shape[1] if impact.ndim == 2 else 0
    picked: list[list[str]] = [[] for _ in range(n)]
    for iteration, people in zip(at, selected, strict=True):
        for person in np.asarray(people, dtype=np.int64):
            picked[person].append(str(iteration))
    who = {
        "Person": names_of(n, labels),
        "Times picked for change": _times_chosen(selected, n),
        "Picked at iterations": [" ".join(times) for times in picked],
    }
    parts = pd.DataFrame(impact.T if n else None, columns=[f"Impact at iteration {iteration}" for iteration in at])
    return pd.concat([pd.DataFrame(who), parts], axis=1)


def _heat(x: NDArray[Any], part: NDArray[Any], people: Indices, largest: float | None) -> dict[str, Any]:
    """The cells as shares of the largest, of its iteration or as given. Without names they are whole percent, to stay small."""
    shown = part[:, people].T
    cells = _ratio(shown, part.max(axis=1, initial=0) if largest is None else np.full(len(part), largest))
    roomy = len(people) <= NAMED
    values = {
        "z": cells.astype(np.float32) if roomy else np.rint(100 * cells).astype(np.uint8),
        "zmax": 1 if roomy else 100,
        "customdata": np.stack([shown, _ratio(shown, part.sum(axis=1))], axis=-1).astype(np.float32) if roomy else None,
        "hovertemplate": TOLD if roomy else TOLD_SHORT if len(people) <= KNOWN else TOLD_NOBODY,
    }
    gaps = {"ygap": 1 if len(people) <= ROOMY else 0, "xgap": 1 if len(x) <= 60 and len(people) <= ROOMY else 0}
    return {"type": "heatmap", "x": x, "y": np.arange(len(people)), "zmin": 0, "colorscale": COLOURS} | values | gaps


def _dots(x: NDArray[Any], where: Indices, who: Indices, people: Indices, marked: Collection[int]) -> dict[str, Any]:
    """Who was picked when; too many are thinned evenly. Those of marked people stand out."""
    if len(where) > DOTS:
        kept = np.linspace(0, len(where) - 1, DOTS).astype(np.int64)
        where, who = where[kept], who[kept]
    picked = people[who]
    size = 3 if len(people) > NAMED else 7 if len(x) <= 60 else 5
    return {
        "type": "scatter",
        "x": x[where] if len(where) else [None],
        "y": who if len(who) else [None],
        "customdata": picked if len(who) else [None],
        "mode": "markers",
        "name": "Picked for change",
        "showlegend": True,
        "marker": {
            "color": TARGET_ON_DARK,
            "size": size,
            "opacity": np.where(np.isin(picked, list(marked)), 1, DIM) if len(marked) and len(who) else 1,
            "line": {"color": TARGET_ON_LIGHT, "width": 1 if size > 3 else 0.5},
        },
        "hoverinfo": "skip",
    }


def _squares(x: NDArray[Any], people: Indices, names: list[str], marked: Collection[int]) -> list[dict[str, Any]]:
    """One per row, left of it, to take hold of a person; on top of them those of the marked people."""
    gap = float(x[1] - x[0]) if len(x) > 1 else 1.0
    left = float(x[0]) - gap / 2 - max(0.012 * float(x[-1] - x[0]), gap / 2) if len(x) else 0.0
    bright = np.flatnonzero(np.isin(people, list(marked)))
    if len(bright) > DOTS:
        bright = bright[np.linspace(0, len(bright) - 1, DOTS).astype(np.int64)]
    size = 8 if len(people) <= NAMED else 4
    faint = {"color": translucent(FACTUAL, 0.35), "maxdisplayed": SQUARES, "line": {"width": 0}}
    groups = (
        ("People", np.arange(len(people)), faint | {"size": size}),
        ("Marked", bright, {"color": ACCENT, "size": size + 2, "line": {"width": 0}}),
    )
    return [
        {
            "type": "scatter",
            "x": np.full(len(rows), left, dtype=np.float32) if len(rows) else [None],
            "y": rows if len(rows) else [None],
            "customdata": people[rows] if len(rows) else [None],
            "hovertext": [names[row] for row in rows],
            "mode": "markers",
            "name": name,
            "showlegend": name == "Marked" and len(rows) > 0,
            "marker": marker | {"symbol": "square"},
            "hovertemplate": "%{hovertext}<extra></extra>" if name == "People" else None,
            "hoverinfo": None if name == "People" else "skip",
        }
        for name, rows, marker in groups
    ]


def _height(people: int) -> int:
    if people > NAMED:
        return TALL
    return 110 + (17 if people <= ROOMY else 11) * max(people, 5)


def _times_chosen(selected: Sequence[ArrayLike], n: int) -> Indices:
    chosen = np.concatenate([np.empty(0, dtype=np.int64), *(np.asarray(rows, dtype=np.int64) for rows in selected)])
    return np.bincount(chosen, minlength=n)


def _ratio(values: NDArray[Any], whole: NDArray[Any]) -> NDArray[Any]:
    """values / whole, and 0 where the whole is 0: nothing is left to do there."""
    return values / np.where(whole > 0, whole, 1)


def _marks(chosen: Sequence[ArrayLike], people: Indices, n: int) -> tuple[Indices, Indices]:
    """Column and row of each chosen person who is drawn."""
    place = np.full(n, -1)
    place[people] = np.arange(len(people))
    column = np.repeat(np.arange(len(chosen)), [np.size(rows) for rows in chosen])
    row = place[np.concatenate([np.empty(0, dtype=np.int64), *(np.asarray(rows, dtype=np.int64) for rows in chosen)])]
    return column[row >= 0], row[row >= 0]


def _colour_bar(scale: Scale, people: int) -> dict[str, Any]:
    return {
        "thickness": 10,
        "outlinewidth": 0,
        "tickvals": [0, 1 if people <= NAMED else 100],
        "ticktext": ["none", "largest"],
        "title": {"text": "Impact in its iteration" if scale == "iteration" else "Impact over the run", "side": "right"},
    }
