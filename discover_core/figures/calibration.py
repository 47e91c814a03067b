"""Can the probabilities be taken at their word: predicted against observed shares."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from ..models.evaluate import Report
from .palette import ACCENT, FACTUAL, base_layout
from .text import percent, plain

HEIGHT = 300


def calibration_figure(report: Report) -> go.Figure:
    """One marker per bin of scores, its area the number of rows; on the dashed diagonal a probability keeps its word."""
    figure = go.Figure(
        layout=base_layout(HEIGHT, "Predicted probability", f"Observed share of “{plain(report.positive)}”", "calibration")
    )
    figure.add_scatter(
        x=[0, 1], y=[0, 1], mode="lines", name="Perfect", line={"color": FACTUAL, "dash": "dash"}, hoverinfo="skip"
    )
    if report.calibration is not None:
        predicted, observed, count = report.calibration.T
        figure.add_scatter(
            x=predicted,
            y=observed,
            mode="lines+markers",
            name="Model",
            line={"color": ACCENT, "width": 1.5},
            marker={"color": ACCENT, "size": 6 + 10 * np.sqrt(count / count.max()), "line": {"width": 0}},
            customdata=count.astype(int),
            hovertemplate="predicted %{x:.0%}, observed %{y:.0%}<br>%{customdata:,} rows<extra></extra>",
        )
    figure.update_xaxes(range=[-0.02, 1.02], tickformat=".0%")
    figure.update_yaxes(range=[-0.02, 1.02], tickformat=".0%")
    return figure


def caption(report: Report) -> str:
    if report.calibration is None:
        return "The scores are not known to be probabilities, so they cannot be compared with shares."
    predicted, observed, count = report.calibration.T
    gap = np.abs(predicted - observed)
    off = float(gap @ count / count.sum())
    worst = int(gap.argmax())
    return (
        f"A predicted probability is off by {100 * off:.0f} percentage points on average; at worst the model says "
        f"{percent(predicted[worst])} where {percent(observed[worst])} of {count[worst]:,.0f} rows were “{report.positive}”."
    )
