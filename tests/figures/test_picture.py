"""Figures made ready to be saved as pictures."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from discover_core.figures import bars, dynamics, eta, features, impact, limits, outputs, transition, usual
from discover_core.figures.dynamics import RunCurves
from discover_core.figures.picture import ROOM, pictured
from discover_core.problem.target import Target
from discover_core.table.schema import Column

AT = np.arange(5)
RUN = np.random.default_rng(0).random((4, 5))
VALUES = pd.Series([1.0, 2.0, 3.0])
FIGURES = {
    "outputs": lambda: outputs.outputs_figure([0.1], Target.values([0.2]), [0.3], now_name="After", band=0.1),
    "bars": lambda: bars.bars_figure([0.1, 0.2], {"Another run with a name of some length": [0.1]}),
    "dynamics": lambda: dynamics.dynamics_figure([RunCurves(AT, *RUN)]),
    "eta": lambda: eta.eta_figure(AT, *RUN[:3]),
    "feature": lambda: features.feature_figure(VALUES, VALUES + 1, Column("<b>", "numeric", low=1, high=4)),
    "impact": lambda: impact.impact_figure(AT, RUN.T, [np.array([0])] * 5),
    "limits": lambda: limits.limits_figure(AT, *RUN[:2], 0.5, 0.5),
    "transition": lambda: transition.transition_figure(AT, *RUN[:3], RUN[3] > 0.5),
    "usual": lambda: usual.usual_figure(*RUN[:2], changed=[True] * 5),
}


@pytest.mark.parametrize("key", FIGURES)
def test_a_picture_has_a_title_a_ground_and_room_for_both(key: str) -> None:
    figure, was = FIGURES[key](), FIGURES[key]().layout
    first = pictured(figure, "#123456").to_json()
    layout = figure.layout
    assert layout.title.text == was.meta["title"] != ""
    assert "<" not in layout.title.text
    assert (layout.height, layout.margin.t) == (was.height + ROOM, was.margin.t + ROOM)  # nothing is squeezed
    assert layout.paper_bgcolor == "#123456"
    assert pictured(figure, "#123456").to_json() == first  # a figure that is kept is made ready once


def test_the_legend_has_room_for_its_longest_name() -> None:
    short, long = (pictured(go.Figure(FIGURES[key]()), "white").layout.legend.entrywidth for key in ("outputs", "bars"))
    assert short == pytest.approx(7.6 * len("Confidence band"))
    assert long == pytest.approx(7.6 * len("Another run with a name of some length"))
