"""How well the scores rank: the ROC curve."""

from __future__ import annotations

import plotly.graph_objects as go

from ..models.evaluate import Report
from .palette import ACCENT, FACTUAL, base_layout, translucent
from .text import plain

HEIGHT = 300


def roc_figure(report: Report) -> go.Figure:
    """True against false positive rate over all thresholds, with the diagonal of a coin toss."""
    figure = go.Figure(
        layout=base_layout(
            HEIGHT, f"Share of “{plain(report.negative)}” flagged", f"Share of “{plain(report.positive)}” found", "roc"
        )
    )
    figure.add_scatter(
        x=[0, 1], y=[0, 1], mode="lines", name="Coin toss", line={"color": FACTUAL, "dash": "dash"}, hoverinfo="skip"
    )
    if report.roc is not None:
        figure.add_scatter(
            x=report.roc[:, 0],
            y=report.roc[:, 1],
            mode="lines",
            name=f"Model (AUC {report.auc:.2f})",
            line={"color": ACCENT, "width": 2.5},
            fill="tozeroy",
            fillcolor=translucent(ACCENT, 0.1),
            hovertemplate="%{y:.0%} found, %{x:.0%} flagged wrongly<extra></extra>",
        )
    figure.update_xaxes(range=[0, 1], tickformat=".0%")
    figure.update_yaxes(range=[0, 1.01], tickformat=".0%")
    return figure


def caption(report: Report) -> str:
    if report.auc is None:
        return "All measured rows have the same outcome, so there is nothing to rank."
    pair = f"a “{report.negative}” and a “{report.positive}” case"
    ranked = f"Of 100 random pairs of {pair}, the model ranks {100 * report.auc:.0f} correctly."
    if report.auc < 0.5:
        return f"{ranked} That is worse than a coin toss: does it perhaps score “{report.negative}”?"
    return ranked
