"""The numbers of a figure as a table: what its own CSV download holds."""

from __future__ import annotations

import html
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go


def figure_data(figure: go.Figure) -> pd.DataFrame:
    """One line per mark: the trace it belongs to, its place, and its value where there is one (z). A gap is no mark."""
    parts = [part for trace in figure.data if (part := _trace(trace)) is not None and len(part)]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=["trace", "x", "y"])


def _trace(trace: Any) -> pd.DataFrame | None:
    name = html.unescape(trace.name or trace.type)  # a figure's text is escaped for Plotly, a file's is not
    x, y, z = (getattr(trace, axis, None) for axis in ("x", "y", "z"))
    if z is not None:
        across, down = np.meshgrid(np.asarray(x), np.asarray(y))
        return pd.DataFrame({"trace": name, "x": across.ravel(), "y": down.ravel(), "z": np.asarray(z).ravel()})
    if x is None or y is None:
        return None
    places = pd.DataFrame({"x": np.asarray(x, dtype=object), "y": np.asarray(y, dtype=object)}).dropna().infer_objects()
    places.insert(0, "trace", name)
    return places
