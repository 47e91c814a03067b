"""How unusual those who change are: a dot per person, before across and after up."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from ..transport.usual import ORDINARY
from .impact import DIM
from .palette import COUNTERFACTUAL, FACTUAL, OTHERS, base_layout
from .palette import target as line_colour
from .people import name_of, names_of
from .text import people as people_text
from .text import percent, plain

LIMIT = 1_000  # people with a dot of their own
AIR = 0.02  # beyond both ends of an axis
WHOM = "of all people"
Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


def usual_figure(
    before: ArrayLike,
    after: ArrayLike,
    *,
    changed: ArrayLike,
    labels: Sequence[object] | None = None,
    marked: Collection[int] = (),
    dark: bool = False,
    limit: int = LIMIT,
    height: int = 380,
) -> go.Figure:
    """Each share is that of real people who are less unusual; `changed` tells who of the group changes and has a dot.

    Dots on the dotted line are as unusual as before, those above the dashed one more unusual than 95% of people. Customdata
    are the people's places in the group. Of more than `limit` people the marked are drawn and the others evenly thinned.
    """
    was, now = _shares(before), _shares(after)
    people = _drawn(now, changed, marked, limit)
    rare = now[people] > ORDINARY
    ends = np.array([-AIR, 1 + AIR])
    traces = [
        _line("As unusual as before", ends, ends, {"color": FACTUAL, "width": 1.5, "dash": "dot"}),
        _line(
            f"{percent(ORDINARY)} {WHOM}",
            ends,
            np.full(2, ORDINARY),
            {"color": line_colour(dark), "width": 1.5, "dash": "dash"},
        ),
        _dots("At most 95% unusual", was, now, people[~rare], COUNTERFACTUAL, labels, marked),
        _dots(f"More unusual than {percent(ORDINARY)}", was, now, people[rare], OTHERS[0], labels, marked),
    ]
    layout = base_layout(height, f"Before: more unusual than this share {WHOM}", "After: more unusual than this share", "usual")
    axis = {"range": [-AIR, 1 + AIR], "tickformat": ".0%"}
    layout["xaxis"] |= axis
    layout["yaxis"] |= axis
    layout["meta"] = {"title": "How unusual those who change are, before and after"}
    return go.Figure(data=traces, layout=layout)


def caption(before: ArrayLike, after: ArrayLike, *, changed: ArrayLike, limit: int = LIMIT) -> str:
    """Where the middle one of those who change stood and stands, and how many cross the line of 95%."""
    movers = np.flatnonzero(np.asarray(changed, dtype=bool))
    was, now = _shares(before)[movers], _shares(after)[movers]
    if not len(movers):
        return "Nobody changes."
    old, new = percent(float(np.median(was))), percent(float(np.median(now)))
    if len(movers) == 1:
        return f"The one who changes is more unusual than {old} {WHOM} before and {new} after."
    said = [f"The middle one of the {len(movers):,} who change is more unusual than {old} {WHOM} before and {new} after."]
    gone, come = int(((was <= ORDINARY) & (now > ORDINARY)).sum()), int(((was > ORDINARY) & (now <= ORDINARY)).sum())
    line = f"the dashed line ({percent(ORDINARY)})"
    said.append(f"{people_text(gone) if gone else 'Nobody'} {'rise' if gone > 1 else 'rises'} above {line}.")
    said += [f"{people_text(come)} {'comes' if come == 1 else 'come'} back below it."] if come else []
    if len(movers) > limit:
        said.append(f"{limit:,} of them are drawn, evenly chosen by how unusual they are after, and whoever is marked.")
    return " ".join(said)


def table(before: ArrayLike, after: ArrayLike, *, changed: ArrayLike, labels: Sequence[object] | None = None) -> pd.DataFrame:
    """Everybody who changes, the most unusual after first."""
    was, now, movers = _shares(before), _shares(after), np.flatnonzero(np.asarray(changed, dtype=bool))
    order = movers[np.argsort(-now[movers], kind="stable")]
    people = np.array(names_of(len(was), labels), dtype=object)[order]
    return pd.DataFrame({"Person": people, "Unusual before": was[order], "Unusual after": now[order]})


def _shares(values: ArrayLike) -> Floats:
    return np.asarray(values, dtype=np.float64)


def _drawn(now: Floats, changed: ArrayLike, marked: Collection[int], limit: int) -> Indices:
    """Whoever is marked, and of the others as many as there is room for, spread over all ranks."""
    movers = np.flatnonzero(np.asarray(changed, dtype=bool))
    if len(movers) <= limit:
        return movers
    order = movers[np.argsort(now[movers], kind="stable")]
    some = order[np.linspace(0, len(order) - 1, limit).astype(np.int64)]
    return np.union1d(some, movers[np.isin(movers, list(marked))][:limit])


def _line(name: str, x: Floats, y: Floats, line: dict[str, Any]) -> dict[str, Any]:
    return {"type": "scatter", "x": x, "y": y, "mode": "lines", "name": name, "line": line, "hoverinfo": "skip"}


def _dots(
    name: str, was: Floats, now: Floats, people: Indices, colour: str, labels: Sequence[object] | None, marked: Collection[int]
) -> dict[str, Any]:
    bright = np.isin(people, list(marked))
    return {
        "type": "scatter",
        "x": was[people] if len(people) else [None],
        "y": now[people] if len(people) else [None],
        "customdata": people if len(people) else [None],
        "mode": "markers",
        "name": name,
        "showlegend": len(people) > 0,
        "marker": {"color": colour, "size": 8, "opacity": np.where(bright, 1, DIM) if len(marked) else 0.7},
        "text": [plain(name_of(int(person), labels)) for person in people] if len(people) else [""],
        "hovertemplate": f"%{{text}}<br>more unusual than %{{x:.0%}} {WHOM} before, %{{y:.0%}} after<extra></extra>",
    }
