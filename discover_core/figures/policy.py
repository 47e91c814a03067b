"""A few shared measures: the share of people who have what is wished, by how many measures there are."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from .palette import COUNTERFACTUAL, FACTUAL, base_layout
from .text import percent


def curve_figure(together: Sequence[float], personal: float | None = None, height: int = 260) -> go.Figure:
    """`together[i]` is the share with the first i + 1 measures, `personal` what everybody's own least change reaches."""
    counts = list(range(1, len(together) + 1))
    line = go.Scatter(
        x=counts,
        y=list(together),
        mode="lines+markers+text",
        text=[percent(share) for share in together],
        textposition="bottom center",
        line={"color": COUNTERFACTUAL},
        hovertemplate="%{x} of the measures: %{y:.0%}<extra></extra>",
        name="With so many measures",
        showlegend=personal is not None,
    )
    figure = go.Figure(line, base_layout(height, "Measures", "Have what is wished", "programme-curve"))
    ends = [0.8, len(counts) + 0.2]
    if personal is not None:
        figure.add_scatter(
            x=ends,
            y=[personal, personal],
            mode="lines",
            line={"color": FACTUAL, "dash": "dot"},
            name="Each person their own change",
            hovertemplate="Each person their own change: %{y:.0%}<extra></extra>",
        )
    figure.update_xaxes(tickvals=counts, range=ends)
    figure.update_yaxes(tickformat=".0%", range=[0, 1.12])
    return figure


def caption(together: Sequence[float], personal: float | None = None) -> str:
    """One sentence about the curve."""
    most = percent(together[-1])
    said = (
        f"The first measure alone brings {percent(together[0])} of the people it was learnt from where they should be"
        f"{f', all {len(together)} bring {most}' if len(together) > 1 else ''}"
    )
    return said + ("." if personal is None else f"; each person's own least change brings {percent(personal)}.")


def table(words: Sequence[str], together: Sequence[float]) -> pd.DataFrame:
    """A line per measure."""
    return pd.DataFrame({"Measures": range(1, len(words) + 1), "The last of them": list(words), "Have what is wished": together})
