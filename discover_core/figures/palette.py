"""The one palette and the one layout of every figure, readable on white and on the dark page (#0e1117)."""

from __future__ import annotations

from typing import Any

FACTUAL = "#7f8791"  # what is: grey
COUNTERFACTUAL = ACCENT = "#0f6fde"  # what could be: the one strong colour
INFEASIBLE = "#9055c9"
FEASIBLE = "#b98a00"
TARGET_ON_LIGHT = "#16181d"  # what is wanted: always dashed
TARGET_ON_DARK = "#f4f6fa"
OTHERS = ("#d55e00", "#009e73", "#cc79a7", "#56b4e9")  # what else is drawn beside: told apart by the colour-blind too
GRID = "rgba(128, 136, 148, 0.18)"


def target(dark: bool = False) -> str:
    """The target's colour: black, or white on a dark page."""
    return TARGET_ON_DARK if dark else TARGET_ON_LIGHT


def translucent(colour: str, opacity: float) -> str:
    """A hex colour with an opacity, as Plotly writes it."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity:g})"


def base_layout(height: int, x_title: str, y_title: str, key: str) -> dict[str, Any]:
    """What all figures share. `key` keeps zoom and selection over redraws: the same figure, the same key."""
    axis = {"gridcolor": GRID, "zeroline": False, "showline": True, "linecolor": GRID, "automargin": True}
    axis |= {"exponentformat": "none", "separatethousands": True}  # 695,000 rather than 6.95e+05 or 695k
    return {
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 34, "b": 8},
        "paper_bgcolor": "rgba(0, 0, 0, 0)",
        "plot_bgcolor": "rgba(0, 0, 0, 0)",
        "uirevision": key,
        "hovermode": "closest",
        "modebar": {"bgcolor": "rgba(0, 0, 0, 0)", "color": FACTUAL, "activecolor": ACCENT},
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "xanchor": "left", "yanchor": "bottom"},
        "xaxis": {**axis, "showgrid": False, "title": {"text": x_title}},
        "yaxis": {**axis, "title": {"text": y_title}},
    }
