"""A few shared measures: the share of people who have what is wished, by how many measures there are."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from .palette import COUNTERFACTUAL, base_layout
from .text import percent


def curve_figure(together: Sequence[float], height: int = 240) -> go.Figure:
    """`together[i]` is the share with the first i + 1 measures."""
    counts = list(range(1, len(together) + 1))
    line = go.Scatter(
        x=counts,
        y=list(together),
        mode="lines+markers+text",
        text=[percent(share) for share in together],
        textposition="top center",
        line={"color": COUNTERFACTUAL},
        hovertemplate="%{x} of the measures: %{y:.0%}<extra></extra>",
        showlegend=False,
    )
    figure = go.Figure(line, base_layout(height, "Measures", "Have what is wished", "programme-curve"))
    figure.update_xaxes(tickvals=counts, range=[0.8, len(counts) + 0.2])
    figure.update_yaxes(tickformat=".0%", range=[0, 1.12])
    return figure
