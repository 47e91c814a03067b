"""How close predicted numbers come: predicted against actual."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from ..models.evaluate import Report
from .palette import ACCENT, FACTUAL, base_layout, translucent
from .text import amount, plain

HEIGHT = 300
MAX_POINTS = 2_000


def residual_figure(report: Report) -> go.Figure:
    """One point per held-out row (at most 2,000, evenly picked by actual value); on the dashed line a prediction is exact."""
    unit = f" ({plain(report.unit)})" if report.unit else ""
    name = plain(report.outcome)
    figure = go.Figure(layout=base_layout(HEIGHT, f"Actual {name}{unit}", f"Predicted {name}{unit}", "residuals"))
    order = np.argsort(report.truth, kind="stable")
    picks = order[np.linspace(0, len(order) - 1, min(len(order), MAX_POINTS)).round().astype(int)]
    ends = [float(min(report.truth.min(), report.scores.min())), float(max(report.truth.max(), report.scores.max()))]
    figure.add_scatter(x=ends, y=ends, mode="lines", name="Exact", line={"color": FACTUAL, "dash": "dash"}, hoverinfo="skip")
    figure.add_scatter(
        x=report.truth[picks],
        y=report.scores[picks],
        mode="markers",
        name="Held-out rows" if report.train_rows else "Rows",
        marker={"color": translucent(ACCENT, 0.5), "size": 6},
        hovertemplate="actual %{x:,.4~g}, predicted %{y:,.4~g}<extra></extra>",
    )
    return figure


def caption(report: Report) -> str:
    half = amount(float(np.median(np.abs(report.truth - report.scores))), report.unit)
    sentence = f"Half of the {report.test_rows:,} predictions are within {half} of the actual {report.outcome}"
    if report.r2 is None:
        return sentence + "."
    if report.r2 <= 0:
        return f"{sentence}, no better than always predicting the average."
    return f"{sentence}; the model explains {100 * report.r2:.0f}% of its variation."
