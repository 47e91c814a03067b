"""Where the scores lie: by outcome class, and the cohort's against everybody's."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ..models.evaluate import Report
from .palette import ACCENT, FACTUAL, base_layout, target, translucent
from .text import amount, percent, plain

HEIGHT = 300
BINS = 20
Floats = NDArray[np.float64]


def score_figure(report: Report) -> go.Figure:
    """The held-out scores of the two classes, each as a share of its class."""
    figure = go.Figure(layout=base_layout(HEIGHT, "Score", "Share of the class", "scores"))
    edges = _edges(report.scores)
    for value, name, colour in ((0, report.negative, FACTUAL), (1, report.positive, ACCENT)):
        chosen = report.scores[report.truth == value]
        if len(chosen):
            _add_steps(figure, chosen, edges, f"{plain(name)} ({len(chosen):,})", colour)
    return figure


def caption(report: Report) -> str:
    positive, negative = (report.scores[report.truth == value] for value in (1, 0))
    if not len(positive) or not len(negative):
        return "All measured rows have the same outcome, so there are no two groups of scores to compare."
    return (
        f"Half of the “{report.positive}” cases score above {amount(float(np.median(positive)))}, "
        f"half of the “{report.negative}” cases above {amount(float(np.median(negative)))}."
    )


def cohort_scores_figure(everybody: Floats, cohort: Floats, threshold: float | None = None, dark: bool = False) -> go.Figure:
    """The cohort's scores against everybody's, both as shares of their rows; the threshold, if any, as a dashed line."""
    figure = go.Figure(layout=base_layout(HEIGHT, "Score", "Share of rows", "cohort-scores"))
    edges = _edges(np.concatenate([everybody, cohort]))
    for scores, name, colour in ((everybody, "Everybody", FACTUAL), (cohort, "The group", ACCENT)):
        if len(scores):
            _add_steps(figure, scores, edges, f"{name} ({len(scores):,})", colour)
    if threshold is not None:
        figure.add_vline(x=threshold, line={"color": target(dark), "dash": "dash", "width": 1.5})
    return figure


def cohort_caption(everybody: Floats, cohort: Floats, threshold: float | None = None) -> str:
    if not len(cohort) or not len(everybody):
        return "No row is in the group yet."
    sentence = (
        f"The group's median score is {amount(float(np.median(cohort)))}, everybody's {amount(float(np.median(everybody)))}"
    )
    if threshold is None:
        return sentence + "."
    above, above_all = float(np.mean(cohort > threshold)), float(np.mean(everybody > threshold))
    return f"{sentence}; {percent(above)} of the group and {percent(above_all)} of everybody score above {amount(threshold)}."


def _edges(scores: Floats) -> Floats:
    """Bins over 0 to 1 for probabilities, else over what there is."""
    low, high = (float(scores.min()), float(scores.max())) if len(scores) else (0.0, 1.0)
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    if low == high:
        low, high = low - 0.5, high + 0.5
    return np.linspace(low, high, BINS + 1)


def _add_steps(figure: go.Figure, scores: Floats, edges: Floats, name: str, colour: str) -> None:
    """A histogram as a filled staircase: the counting is done here, so the figure stays small for a million rows."""
    share: Any = np.histogram(scores, edges)[0] / len(scores)
    figure.add_scatter(
        x=np.repeat(edges, 2),
        y=np.concatenate([[0], np.repeat(share, 2), [0]]),
        mode="lines",
        name=name,
        line={"color": colour, "width": 2},
        fill="tozeroy",
        fillcolor=translucent(colour, 0.2),
        hovertemplate="%{y:.1%} near %{x:.2f}<extra>" + name + "</extra>",
    )
    figure.update_yaxes(rangemode="tozero", tickformat=".0%")
