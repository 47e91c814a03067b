"""A bound on its scale: one line with the places that give the number a meaning."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

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
    figure = go.Figure(layout=base_layout(LINE + ROW * depth + 4, "", "", key))
    figure.update_layout(margin={"l": 2, "r": 2, "t": 2, "b": 2}, showlegend=False, hovermode=False, dragmode=False)
    figure.update_xaxes(range=[0, end], visible=False, fixedrange=True, automargin=False)
    figure.update_yaxes(range=[-ROW * depth - 8, LINE - 8], visible=False, fixedrange=True, automargin=False)
    for begin, stop, colour in ((0, end, GRID), (low.value, high.value, translucent(FACTUAL, 0.35)), (low.value, yours, ACCENT)):
        if begin < stop:
            figure.add_shape(type="rect", x0=begin, x1=stop, y0=-4, y1=4, fillcolor=colour, line={"width": 0}, layer="below")
    for mark, row in zip(marks, rows, strict=True):
        line = {"color": target(dark) if mark.name == "suggested" else FACTUAL, "width": 2}
        figure.add_shape(type="line", x0=mark.value, x1=mark.value, y0=-9, y1=9, line=line)
        _write(figure, _label(mark), mark.value / end, -(row + 0.5) * ROW - 8)
    figure.add_scatter(x=[yours], y=[0], mode="markers", marker={"color": ACCENT, "size": 15, "symbol": "diamond"})
    said = f"{'as suggested' if yours == suggested else 'yours'} {amount(yours)}"
    _write(figure, said, yours / end, 22, strong=True)
    return figure


def _label(mark: Mark) -> str:
    return f"{plain(mark.name)} {amount(mark.value)}"


def _write(figure: go.Figure, text: str, at: float, y: float, strong: bool = False) -> None:
    """`at` is a share of the width."""
    x, anchor = at * figure.layout.xaxis.range[1], _anchor(at, len(text))
    figure.add_annotation(text=f"<b>{text}</b>" if strong else text, x=x, y=y, showarrow=False, xanchor=anchor, yanchor="middle")


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
