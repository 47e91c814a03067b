"""The figures of a finished run, read back from their traces and compared with the data."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discover_core.certificate.bands import half_width
from discover_core.figures import bars, dynamics, impact, outputs, palette, transition, usual
from discover_core.figures.dynamics import RunCurves
from discover_core.figures.text import amount
from discover_core.problem.target import Target

from ..work import lines_run

RNG = np.random.default_rng(3)
TARGET = Target.values([0.1, 0.2, 0.2, 0.4])


# outputs: the band and the people


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-3, 12), min_size=1, max_size=40), st.floats(0.01, 1.5))
def test_the_band_is_the_cdf_moved_down_and_up(scores: list[int], band: float) -> None:
    now = np.array(scores, dtype=float)
    bottom, top, _, line = outputs.outputs_figure([0.5], TARGET, now, band=band).data[:4]
    assert top.fill == "tonexty"  # from this line to the one before it
    assert {bottom.line.shape, top.line.shape} == {"hv"}
    np.testing.assert_array_equal(bottom.x, line.x)
    np.testing.assert_array_equal(top.x, line.x)
    at = RNG.uniform(min(line.x), max(line.x), 60)
    place = np.searchsorted(line.x, at, side="right") - 1
    cdf = np.mean(now[:, None] <= at, axis=0)
    np.testing.assert_allclose(bottom.y[place], np.maximum(cdf - band, 0), atol=1e-12)
    np.testing.assert_allclose(top.y[place], np.minimum(cdf + band, 1), atol=1e-12)


def test_the_caption_tells_the_width_of_the_band() -> None:
    band = half_width(200, 0.0125)
    assert outputs.caption([0.5, 0.7], TARGET, [0.3], band) == (
        f"The median falls from 0.6 to 0.3; the target's is 0.2. "
        f"The band reaches {100 * band:.1f} percentage points to either side."
    )


@pytest.mark.parametrize("after", [True, False])
def test_marked_people_stand_on_their_line(after: bool) -> None:
    before = RNG.random(30)
    now = before**2
    figure = outputs.outputs_figure(before, TARGET, now if after else None, marked={4, 17, 0}, now_name="After")
    people, scores = figure.data[-1], now if after else before
    assert set(people.customdata) == {0, 4, 17}
    for x, y, person in zip(people.x, people.y, people.customdata, strict=True):
        assert x == scores[person]
        assert y == pytest.approx(np.mean(scores <= scores[person]))
    assert people.name == "Marked"
    everybody = outputs.outputs_figure(RNG.random(900), TARGET, marked=range(900)).data[-1]
    assert len(everybody.x) == outputs.POINTS
    assert everybody.name == "Marked (400 of 900 drawn)"
    nobody = outputs.outputs_figure(before, TARGET).data[-1]
    assert (list(nobody.x), nobody.showlegend) == ([None], False)


# transition

AT = np.arange(10, 21)
Q, Q_X, Q_Y = np.linspace(1, 0.2, 11), np.linspace(0, 0.3, 11), np.linspace(0.9, 0.1, 11)


@pytest.mark.parametrize("pattern", ["00000111111", "00010100111", "11111111111", "00000000000", "10000000000"])
def test_q_is_yellow_where_feasible_and_the_line_stands_where_it_began(pattern: str) -> None:
    fine = np.array([c == "1" for c in pattern])
    figure = transition.transition_figure(AT, Q, Q_X, Q_Y, fine)
    line, purple, yellow, inputs, targets = figure.data
    for drawn, values, axis in ((line, Q, "y"), (inputs, Q_X, "y2"), (targets, Q_Y, "y2")):
        np.testing.assert_array_equal(drawn.x, AT)
        np.testing.assert_array_equal(drawn.y, values)
        assert drawn.yaxis == axis
    assert {t.xaxis for t in figure.data} == {None}  # one axis for both panels
    assert (purple.marker.color, yellow.marker.color) == (palette.INFEASIBLE, palette.FEASIBLE)
    np.testing.assert_array_equal(purple.y, np.where(fine, np.nan, Q))
    np.testing.assert_array_equal(yellow.y, np.where(fine, Q, np.nan))
    assert [(s.x0, s.x1, s.line.dash) for s in figure.layout.shapes] == [(t, t, "dash") for t in AT[fine][:1]]
    assert figure.layout.yaxis.domain[0] > figure.layout.yaxis2.domain[1]


def test_the_caption_says_when_it_began() -> None:
    def said(pattern: str) -> str:
        return transition.caption(AT, Q_X, Q_Y, [c == "1" for c in pattern])

    def there(x: float, y: float) -> str:
        gap = f"typical gap between scores and target {amount(y**0.5)} (OT(y) {amount(y)})"
        return f"{gap}; group's distance from before, OT(x) on the run's own slices, {amount(x)}."

    assert said("00000111111") == (
        f"At iteration 15 the group first comes within both bounds, and stays so. There: {there(Q_X[5], Q_Y[5])}"
    )
    assert "first comes within both bounds, but not at 3 of the 7 iterations after it. There: " in said("00010100111")
    assert said("11111111111") == f"The group was within both bounds from the start. There: {there(0, 0.9)}"
    assert said("00000000000") == f"No iteration came within both bounds. At the end: {there(0.3, 0.1)}"
    assert transition.caption([], [], [], []) == "No iteration is done yet."


# dynamics

OWN = "(OT(x), on their own slices)"


def course(length: int, seed: int) -> RunCurves:
    numbers = np.random.default_rng(seed).random((4, length))
    return RunCurves(np.arange(length), *numbers)


@pytest.mark.parametrize("lengths", [[30], [20, 30], [12, 30, 30, 25], [30, 20, 10, 30, 5, 1], [30] * 11])
def test_the_mean_and_the_band_are_of_the_runs_that_got_there(lengths: list[int]) -> None:
    runs = [course(length, seed) for seed, length in enumerate(lengths)]
    figure = dynamics.dynamics_figure(runs)
    assert len(figure.data) == 12
    for panel, name in enumerate(("q_x", "q_y", "q", "eta")):
        low, high, line = figure.data[3 * panel : 3 * panel + 3]
        assert {t.yaxis for t in (low, high, line)} == {f"y{panel + 1 if panel else ''}"}
        assert high.fill == "tonexty"
        assert list(line.x) == list(range(30))
        for t in range(30):
            there = [getattr(run, name)[t] for run, length in zip(runs, lengths, strict=True) if length > t]
            ends = np.quantile(there, [0.1, 0.9]) if len(runs) >= 5 else (min(there), max(there))
            assert line.y[t] == pytest.approx(np.mean(there))
            assert line.customdata[t] == pytest.approx([*ends, len(there)])
            if len(runs) > 1:
                assert (low.y[t], high.y[t]) == pytest.approx(tuple(ends))
    if len(runs) == 1:
        assert all(np.isnan(t.y).all() for k, t in enumerate(figure.data) if k % 3 < 2)


def test_the_caption_says_what_the_band_is_and_where_the_runs_end() -> None:
    runs = [course(length, seed) for seed, length in enumerate((20, 30, 25, 30, 30))]

    def ends(chosen: list[RunCurves]) -> str:
        x, y = ([getattr(run, name)[-1] for run in chosen] for name in ("q_x", "q_y"))
        first, last = (f"from {amount(min(part))} to {amount(max(part))}" for part in (x, np.sqrt(y)))
        return f"a typical gap {last} between scores and target and a distance {first} of the group from before {OWN}"

    stop = " They stop between iteration 19 and 29; the mean is of those that got that far."
    assert dynamics.caption(runs) == (
        f"The lines are the mean of 5 runs, the bands reach from the 10th to the 90th percentile; "
        f"the runs end with {ends(runs)}.{stop}"
    )
    assert dynamics.caption(runs[:4]) == (
        f"The lines are the mean of 4 runs, the bands reach from the lowest to the highest; "
        f"the runs end with {ends(runs[:4])}.{stop}"
    )
    assert "They stop" not in dynamics.caption([runs[1], runs[3]])
    one = runs[0]
    gap, moved = amount(one.q_y[-1] ** 0.5), amount(one.q_x[-1])
    assert dynamics.caption([one]) == (
        f"One run; it ends with a typical gap of {gap} between scores and target and a distance of {moved} of the group from "
        "before (OT(x), on its own slices)."
    )
    assert dynamics.caption([]) == dynamics.caption([course(0, 0)]) == "No iteration is done yet."
    assert len(dynamics.dynamics_figure([]).data) == 12
    assert dynamics.caption([one, course(0, 0)]) == dynamics.caption([one])


# all of them

N, STEPS = 5_000, 301
SCORES = RNG.random(N)
IMPACT = (RNG.random((STEPS, N)) ** 4 / N).astype(np.float32)
PICKED = [np.empty(0, dtype=np.int64), *(np.argsort(-row)[:50] for row in IMPACT[:-1])]
NUMBERS = RNG.random((4, STEPS))
FEW = list(range(0, N, 100))
SHARES = RNG.random((2, N))
BIG: dict[str, tuple[Callable[[], go.Figure], Callable[[], str], int]] = {
    "outputs": (
        lambda: outputs.outputs_figure(SCORES, Target.values(SCORES**2), SCORES**3, band=0.02, marked=FEW),
        lambda: outputs.caption(SCORES, Target.values(SCORES**2), SCORES**3, 0.02),
        150_000,
    ),
    "bars": (
        lambda: bars.bars_figure(SCORES, {"A": SCORES**2, "B": SCORES**3}, marked=FEW),
        lambda: bars.caption(SCORES, {"A": SCORES**2, "B": SCORES**3}),
        60_000,
    ),
    "transition": (
        lambda: transition.transition_figure(np.arange(STEPS), *NUMBERS[:3], NUMBERS[3] > 0.5),
        lambda: transition.caption(np.arange(STEPS), *NUMBERS[:2], NUMBERS[3] > 0.5),
        60_000,
    ),
    "dynamics": (
        lambda: dynamics.dynamics_figure([RunCurves(np.arange(STEPS), *NUMBERS)] * 10),
        lambda: dynamics.caption([RunCurves(np.arange(STEPS), *NUMBERS)] * 10),
        150_000,
    ),
    "usual": (
        lambda: usual.usual_figure(*SHARES, changed=SHARES[0] > 0.1, marked=FEW),
        lambda: usual.caption(*SHARES, changed=SHARES[0] > 0.1),
        100_000,
    ),
    "impact": (
        lambda: impact.impact_figure(np.arange(STEPS), IMPACT, PICKED, rows=100, marked=FEW),
        lambda: impact.caption(np.arange(STEPS), IMPACT, PICKED, rows=100),
        500_000,
    ),
    "impact of all": (
        lambda: impact.impact_figure(np.arange(STEPS), IMPACT, PICKED, rows=N, marked=FEW),
        lambda: impact.caption(np.arange(STEPS), IMPACT, PICKED, rows=N),
        1_000_000,
    ),
}


@pytest.mark.parametrize("key", BIG)
def test_thousands_of_people_and_hundreds_of_iterations_stay_small_and_are_no_loop_over_people(key: str) -> None:
    draw, say, most = BIG[key]
    figure = draw()
    text = figure.to_json()
    assert len(text) < most
    json.loads(text, parse_constant=pytest.fail)  # no NaN or Infinity, which no browser reads
    assert figure.layout.uirevision == key.split()[0]
    assert figure.layout.paper_bgcolor == "rgba(0, 0, 0, 0)"
    assert lines_run(draw) < (10 * N if key == "impact of all" else N)  # there everybody has a line with a name
    assert lines_run(say) < N
