"""A bound on its scale: one line with the places that give the number a meaning."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from .palette import ACCENT, FACTUAL, GRID, base_layout, target, translucent
from .text import amount, plain

ROW, LINE = 24, 46  # pixels of one row of labels, and of the line with the bound's own label above it
LETTER, WIDTH = 7.0, 400.0  # pixels, so that labels stay apart on a narrow page, too


@dataclass(frozen=True)
class Mark:
    """A place on the scale and its name."""

    name: str
    value: float


def scale_figure(yours: float, low: Mark, high: Mark, suggested: float, key: str, dark: bool = False) -> go.Figure:
    """`yours` between `low` and `high`, with what is suggested. Only finite numbers have a place."""
    marks = [low, high] if yours == suggested else [low, high, Mark("suggested", suggested)]
    end = 1.06 * max(yours, *(mark.value for mark in marks))
    rows = _rows([(mark.value / end, len(_label(mark))) for mark in marks])
    depth = max(rows) + 1
    layout = base_layout(LINE + ROW * depth + 4, "", "", key)
    layout |= {"margin": {"l": 2, "r": 2, "t": 2, "b": 2}, "showlegend": False, "hovermode": False, "dragmode": False}
    hidden = {"visible": False, "fixedrange": True, "automargin": False}
    layout["xaxis"] |= {"range": [0, end], **hidden}
    layout["yaxis"] |= {"range": [-ROW * depth - 8, LINE - 8], **hidden}
    parts = ((0, end, GRID), (low.value, high.value, translucent(FACTUAL, 0.35)), (low.value, yours, ACCENT))
    layout["shapes"] = [
        *(_part(begin, stop, colour) for begin, stop, colour in parts if begin < stop),
        *(_tick(mark.value, target(dark) if mark.name == "suggested" else FACTUAL) for mark in marks),
    ]
    said = f"{'as suggested' if yours == suggested else 'yours'} {amount(yours)}"
    layout["annotations"] = [
        *(_note(_label(mark), mark.value, end, -(row + 0.5) * ROW - 8) for mark, row in zip(marks, rows, strict=True)),
        _note(said, yours, end, 22) | {"text": f"<b>{said}</b>"},
    ]
    marker = {"color": ACCENT, "size": 15, "symbol": "diamond"}
    return go.Figure(data=[{"type": "scatter", "x": [yours], "y": [0], "mode": "markers", "marker": marker}], layout=layout)


def _part(begin: float, stop: float, colour: str) -> dict[str, Any]:
    """A stretch of the line."""
    ends = {"x0": begin, "x1": stop, "y0": -4, "y1": 4}
    return {"type": "rect", **ends, "fillcolor": colour, "line": {"width": 0}, "layer": "below"}


def _tick(at: float, colour: str) -> dict[str, Any]:
    return {"type": "line", "x0": at, "x1": at, "y0": -9, "y1": 9, "line": {"color": colour, "width": 2}}


def _label(mark: Mark) -> str:
    return f"{plain(mark.name)} {amount(mark.value)}"


def _note(text: str, at: float, end: float, y: float) -> dict[str, Any]:
    """A label at its place on a line that ends at `end`."""
    anchor = _anchor(at / end, len(text))
    return {"text": text, "x": at, "y": y, "showarrow": False, "xanchor": anchor, "yanchor": "middle"}


def _anchor(at: float, letters: int) -> str:
    """Centred on its place unless it would leave the figure."""
    half = letters * LETTER / WIDTH / 2
    return "left" if at < half else "right" if at > 1 - half else "center"


def _extent(at: float, letters: int) -> tuple[float, float]:
    """From where to where a label reaches, as shares of the width."""
    width = letters * LETTER / WIDTH
    begin = {"left": at, "right": at - width, "center": at - width / 2}[_anchor(at, letters)]
    return begin, begin + width


def _rows(labels: Sequence[tuple[float, int]]) -> list[int]:
    """Each label in the first row where it covers none before it."""
    taken: list[list[tuple[float, float]]] = []
    out = []
    for at, letters in labels:
        begin, stop = _extent(at, letters)
        row = next((i for i, row in enumerate(taken) if all(stop <= a or begin >= b for a, b in row)), len(taken))
        if row == len(taken):
            taken.append([])
        taken[row].append((begin, stop))
        out.append(row)
    return out


def drawable(*values: float) -> bool:
    """Whether all of them have a place on a scale."""
    return all(math.isfinite(value) for value in values) and max(values) > 0
