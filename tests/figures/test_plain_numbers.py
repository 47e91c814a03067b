"""Numbers of any size as people read them."""

from __future__ import annotations

import numpy as np

from discover_core.figures import distances, dynamics, limits, transition

AT, UCL_X = np.arange(3), np.linspace(0.1, 0.3, 3)


def test_large_outcomes_are_told_as_plain_numbers() -> None:
    """A regression on amounts of money: squared they are in the hundred thousands, and nobody reads 6.95e+05."""
    squared = np.array([695_000.0, 490_000.0, 250_000.0])
    said = [
        limits.caption(AT, UCL_X, squared, 1, 40_000),
        distances.caption(AT, UCL_X, squared),
        transition.caption(AT, UCL_X, squared, [False] * 3),
        dynamics.caption([dynamics.RunCurves(AT, UCL_X, squared, squared, UCL_X)]),
    ]
    assert "output limit 250,000, allowed 40,000" in said[0]
    assert "gap between scores and target fell from 834 to 500" in said[1]
    assert "typical gap between scores and target 500 (OT(y) 250,000)" in said[2]
    assert "a typical gap of 500 between scores and target" in said[3]
    assert not any("e+" in words for words in said)
    for figure in (limits.limits_figure(AT, UCL_X, squared, 1, 4e4), distances.distances_figure(*[squared] * 4)):
        assert (figure.layout.yaxis.exponentformat, figure.layout.yaxis.separatethousands) == ("none", True)
