"""The trade-off: what a plan reaches against the people it changes, or against the effort it takes."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from ..outcome.tradeoff_words import enough, has_share, reached
from ..problem.wish import Wish
from .palette import COUNTERFACTUAL, FACTUAL, base_layout
from .palette import target as asked_colour
from .selection import Selection, named_in
from .text import amount, people, percent

Against = Literal["people", "effort"]
Floats = NDArray[np.float64]
AXES: dict[Against, str] = {"people": "People changed", "effort": "Effort in all"}
GAP = "Typical gap to the target"
SEEN = 40  # lines up to which each has a dot that is seen
AIR = 0.02  # beyond both ends of the axis
DUST = 1e-12  # an axis is never shorter


def tradeoff_figure(
    tradeoff: pd.DataFrame, wish: Wish, *, chosen: int, against: Against = "people", dark: bool = False, height: int = 360
) -> go.Figure:
    """`tradeoff` has a line per person helped, line 0 is nobody; blue is the plan with the first `chosen` of them.

    A dot's customdata is how many people are changed there.
    """
    x, y = tradeoff[against].to_numpy(dtype=np.float64), reached(tradeoff)
    counts, here = tradeoff["people"].to_numpy(), _at(tradeoff, chosen, against)
    cut = int(np.searchsorted(counts, chosen, side="right"))
    done = (np.append(x[:cut], here[0]), np.append(y[:cut], here[1]), np.append(counts[:cut], chosen))
    left = (np.append(here[0], x[cut:]), np.append(here[1], y[cut:]), np.append(chosen, counts[cut:]))
    ends = np.array([-AIR, 1 + AIR]) * max(float(x[-1]), DUST)
    traces = [
        _asked(wish, ends, dark),
        _curve("Left out", *left, FACTUAL, len(counts), tradeoff, against),
        _curve("In the plan", *done, COUNTERFACTUAL, len(counts), tradeoff, against),
        _plan(here, dark),
    ]
    layout = base_layout(height, AXES[against], _heading(wish), f"tradeoff-{against}")
    layout["xaxis"]["range"] = list(ends)
    layout["yaxis"]["range"] = [0, 1.1 * max(wish.asked, float(y.max()), DUST)]
    layout["yaxis"] |= {"tickformat": ".0%"} if has_share(tradeoff) else {}
    layout |= {"clickmode": "event+select", "dragmode": False, "selectionrevision": chosen}
    layout["meta"] = {"title": f"The trade-off against {AXES[against].lower()}"}
    return go.Figure(data=traces, layout=layout)


def caption(tradeoff: pd.DataFrame, wish: Wish, chosen: int) -> str:
    """What the plan with so many people takes and reaches, what is asked, and how many it takes to get there."""
    last = int(tradeoff["people"].iloc[-1])
    if not last:
        return "Nobody changes."
    effort, value = _at(tradeoff, chosen, "effort")
    share = has_share(tradeoff)
    got, asked = (percent(value, 1), percent(wish.asked)) if share else (amount(value), f"at most {amount(wish.asked)}")
    said = f"{_heading(wish)}: {got} with {people(chosen)} and an effort of {amount(effort)} in all; asked {asked}."
    fewest = enough(tradeoff, wish.asked)
    if fewest is None:
        return f"{said} All {last:,} together do not reach it."
    return f"{said} It takes {people(fewest)} to reach it." if fewest else f"{said} It is reached without anybody."


def table(tradeoff: pd.DataFrame) -> pd.DataFrame:
    """Every line; the share is left out where there is no threshold."""
    share = {"Share past the threshold": tradeoff["share"]} if has_share(tradeoff) else {}
    gap = np.sqrt(tradeoff["ot_y"])
    return pd.DataFrame({AXES["people"]: tradeoff["people"], AXES["effort"]: tradeoff["effort"], **share, GAP: gap})


def people_at(selection: Selection) -> int | None:
    """How many people are changed at the dot that was clicked."""
    found = named_in(selection)
    return int(found[0]) if len(found) else None


def _heading(wish: Wish) -> str:
    return GAP if wish.past is None else f"Score {wish.past.words}"


def _at(tradeoff: pd.DataFrame, chosen: int, against: Against) -> tuple[float, float]:
    """Where the plan with so many people stands; between two lines of a thinned trade-off, in between."""
    counts = tradeoff["people"].to_numpy(dtype=np.float64)
    return float(np.interp(chosen, counts, tradeoff[against])), float(np.interp(chosen, counts, reached(tradeoff)))


def _curve(
    name: str, x: Floats, y: Floats, counts: Floats, colour: str, lines: int, tradeoff: pd.DataFrame, against: Against
) -> dict[str, Any]:
    """One part of the curve. Plotly takes hold of dots only: where there are too many to be seen, they are there all the same."""
    seen = {"color": colour, "size": 7} if lines <= SEEN else {"color": "rgba(0, 0, 0, 0)", "size": 9}
    value = "%{y:.1%}" if has_share(tradeoff) else "%{y:,.4~r}"
    effort, gaps = (np.interp(counts, tradeoff["people"], values) for values in (tradeoff["effort"], np.sqrt(tradeoff["ot_y"])))
    off = [f"<br>{GAP.lower()} {amount(float(gap))}" for gap in gaps] if has_share(tradeoff) else [""] * len(counts)
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "customdata": counts,
        "mode": "lines+markers",
        "name": name,
        "line": {"color": colour, "width": 3 if colour == COUNTERFACTUAL else 2},
        "marker": seen,
        "unselected": {"marker": {"opacity": 1}},
        "text": [
            f"{people(int(count))}, effort {amount(float(cost))}{far}"
            for count, cost, far in zip(counts, effort, off, strict=True)
        ],
        "hovertemplate": f"%{{text}}<br>{value}<extra></extra>",
    }


def _plan(here: tuple[float, float], dark: bool) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": [here[0]],
        "y": [here[1]],
        "mode": "markers",
        "showlegend": False,
        "hoverinfo": "skip",
        "marker": {"color": COUNTERFACTUAL, "size": 14, "line": {"color": asked_colour(not dark), "width": 2}},
        "unselected": {"marker": {"opacity": 1}},
    }


def _asked(wish: Wish, ends: Floats, dark: bool) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": ends,
        "y": np.full(2, wish.asked),
        "mode": "lines",
        "name": "Asked",
        "line": {"color": asked_colour(dark), "width": 1.5, "dash": "dash"},
        "hoverinfo": "skip",
    }
