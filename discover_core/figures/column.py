"""What is in one column: everybody in grey, the group in the accent colour."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from ..table.dataset import Dataset
from ..table.profile import DRAWN, sample_to_draw
from ..table.schema import Column
from ..table.values import as_text
from .palette import ACCENT, FACTUAL, base_layout
from .text import amount, percent, plain

BINS = 40
LEVELS = 20
FEW = 8  # numbers with fewer different values are described like categories


def column_figure(dataset: Dataset, column: Column, group: NDArray[np.int64] | None = None) -> go.Figure:
    """Shares in percent of all rows and of the group, over bins or over the most common values."""
    ready = dataset.ready[column.name]
    parts: list[tuple[str, Any, str]] = [("Everybody", _drawn(ready), FACTUAL)]
    if group is not None and 0 < len(group) < len(ready):
        parts.append(("The group", _drawn(ready.iloc[group]), ACCENT))
    figure = go.Figure()
    if column.role == "numeric":
        edges = np.histogram_bin_edges(parts[0][1].to_numpy(dtype=np.float64), bins=BINS)
        for name, values, colour in parts:
            counts, _ = np.histogram(values.to_numpy(dtype=np.float64), bins=edges)
            shares = 100 * counts / max(len(values), 1)
            figure.add_bar(
                x=(edges[:-1] + edges[1:]) / 2,
                y=shares,
                width=np.diff(edges),
                name=name,
                marker_color=colour,
                marker_line_width=0,
                opacity=0.7,
            )
        title = plain(f"{column.name} ({column.unit})" if column.unit else column.name)
        figure.update_layout(base_layout(320, title, "share of rows (%)", f"column-{column.name}"), barmode="overlay")
        return figure
    counts = parts[0][1].value_counts()
    levels = [level for level in column.levels if level in counts.index] if column.role == "ordinal" else list(counts.index)
    levels = levels[:LEVELS]
    for name, values, colour in parts:
        shares = values.value_counts(normalize=True) * 100
        figure.add_bar(
            y=[plain(as_text(level)[:40]) for level in levels],
            x=[float(shares.get(level, 0.0)) for level in levels],
            name=name,
            marker_color=colour,
            orientation="h",
        )
    height = max(220, 46 * len(levels) // (1 if len(parts) > 1 else 2) + 90)
    figure.update_layout(base_layout(min(height, 520), "share of rows (%)", "", f"column-{column.name}"), barmode="group")
    figure.update_yaxes(autorange="reversed", type="category")
    return figure


def caption(dataset: Dataset, column: Column) -> str:
    """One sentence: what a typical value is, and from how many rows the picture is drawn."""
    ready = dataset.ready[column.name].dropna()
    drawn = f" Drawn from a sample of {DRAWN:,} of {len(ready):,} rows." if len(ready) > DRAWN else ""
    drawn += " Filled gaps are counted in." if dataset.notes.get(column.name) else ""
    if column.role == "numeric" and ready.nunique() > FEW:
        low, middle, high = (amount(float(v)) for v in np.quantile(ready.to_numpy(dtype=np.float64), [0.05, 0.5, 0.95]))
        unit = f" {column.unit}" if column.unit else ""
        return f"Half of the rows lie at or below {middle}{unit}; nine in ten from {low} to {high}.{drawn}"
    counts = ready.value_counts()
    share = percent(int(counts.iloc[0]) / len(ready))
    return f"The most common value is “{as_text(counts.index[0])}”, in {share} of {len(ready):,} rows.{drawn}"


def _drawn(series: pd.Series[Any]) -> pd.Series[Any]:
    return sample_to_draw(series.to_frame()).iloc[:, 0].dropna()
