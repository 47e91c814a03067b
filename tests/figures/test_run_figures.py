"""The figures of a run show what it reported: read back from the traces and compared with the data."""

from __future__ import annotations

import json

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discover_core.figures import distances, eta, iterations, limits, outputs, palette
from discover_core.problem.target import Target

RNG = np.random.default_rng(8)
AT = np.arange(21)
UCL_X = np.linspace(0.1, 0.3, 21)
UCL_Y = np.linspace(0.4, 0.04, 21)
U_X, U_Y = 0.5, 0.1
FIRST = int(np.argmax(UCL_Y <= U_Y))
NOTHING = np.array([])


def trace(figure: go.Figure, name: str, nth: int = 0) -> go.Scatter:
    return [t for t in figure.data if t.name == name][nth]


def drawn_cdf(line: go.Scatter, at: np.ndarray) -> np.ndarray:
    """The height of a drawn line at x, after any jump there."""
    x, y = np.asarray(line.x, float), np.asarray(line.y, float)
    place = np.searchsorted(x, at, side="right") - 1
    if line.line.shape == "hv":
        return y[place]
    following = np.minimum(place + 1, len(x) - 1)
    width = np.where(x[following] > x[place], x[following] - x[place], 1)
    return y[place] + (y[following] - y[place]) * (at - x[place]) / width


def true_cdf(values: np.ndarray, at: np.ndarray) -> np.ndarray:
    return np.mean(np.asarray(values)[:, None] <= at, axis=0)


# outputs


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(-5, 25), min_size=1, max_size=60),
    st.lists(st.integers(0, 20), min_size=1, max_size=60),
    st.sampled_from([1.0, 0.05, 1e6]),
)
def test_few_scores_are_drawn_exactly(before: list[int], after: list[int], unit: float) -> None:
    factual, now = np.array(before) * unit, np.array(after) * unit
    wanted = np.array([3, 3, 9]) * unit
    figure = outputs.outputs_figure(factual, Target.values(wanted), now)
    low, high = trace(figure, "Before").x[0], trace(figure, "Before").x[-1]
    at = np.clip(np.sort(np.concatenate([factual, now, wanted, RNG.uniform(low, high, 50)])), low, high)
    for name, values in (("Before", factual), ("Now", now), ("Target", wanted)):
        line = trace(figure, name)
        np.testing.assert_allclose(drawn_cdf(line, at), true_cdf(values, at), atol=1e-12)
        assert (line.x[0], line.x[-1], line.y[-1]) == (low, high, 1)
        assert (np.diff(line.x) >= 0).all()
        assert 0 <= np.diff(line.y).min() <= np.diff(line.y).max() <= 1 / outputs.STEPS + 1e-9  # hovering finds every quantile
        np.testing.assert_allclose(line.customdata[1:], true_cdf(values, np.asarray(line.x)[1:]), atol=1e-12)


@pytest.mark.parametrize("atoms", [0, 5_000])
def test_many_scores_are_thinned_by_less_than_half_a_percent(atoms: int) -> None:
    scores = np.concatenate([RNG.normal(0, 3, 20_000), np.full(atoms, 1.5), np.full(atoms // 5, -2.0)])
    target = Target.values(scores + 1)
    figure = outputs.outputs_figure(scores, target, scores - 1)
    at = np.sort(np.concatenate([RNG.uniform(-9, 9, 1_000), [1.5, np.nextafter(1.5, 0), -2.0, np.nextafter(-2.0, -3)]]))
    for name, values in (("Before", scores), ("Now", scores - 1), ("Target", scores + 1)):
        line = trace(figure, name)
        assert len(line.x) <= outputs.POINTS + outputs.STEPS + 2
        assert np.abs(drawn_cdf(line, at) - true_cdf(values, at)).max() < 1 / 200
        assert (line.x[1], line.x[-2], line.y[-2]) == (values.min(), values.max(), 1)  # thinning keeps the ends
    assert "at most 400 points" in outputs.caption(scores, target)


@pytest.mark.parametrize("pieces", [4, 3_000])
def test_an_exact_target_is_a_sloping_line_with_jumps(pieces: int) -> None:
    p = np.sort(np.concatenate([[0, 0.3, 0.3, 1], RNG.random(pieces)]))
    values = np.sort(np.concatenate([[-1, 0.2, 0.5, 0.5, 0.5, 2], RNG.uniform(-1, 2, pieces - 2)]))
    target = Target.quantiles(p, values)
    line = trace(outputs.outputs_figure([0.5], target), "Target")
    assert len(line.x) <= outputs.POINTS + outputs.STEPS + 2
    u = np.linspace(0.001, 0.999, 997)
    at = target.quantile(u)
    slack = 1e-9 if pieces == 4 else 1 / 200
    assert (drawn_cdf(line, at) >= u - slack).all()  # F(Q(u)) >= u
    below = np.nextafter(at, -9)
    assert (drawn_cdf(line, below[below >= line.x[0]]) <= u[below >= line.x[0]] + slack).all()  # F just below Q(u) <= u


def test_the_lines_keep_their_places_and_colours() -> None:
    target = Target.values([0.1, 0.2])
    plain = outputs.outputs_figure([0.4], target)
    full = outputs.outputs_figure([0.4], target, [0.3], dark=True, threshold=0.5, band=0.2, marked=[0])
    names = [None, "Confidence band", "Before", "Now", "Target"]
    assert [t.name for t in plain.data][:5] == [t.name for t in full.data][:5] == names
    assert len(plain.data) == len(full.data) == 7
    for unused in (0, 1, 3):
        assert len(plain.data[unused].y) == 1
        assert np.isnan(plain.data[unused].y).all()
    assert [t.showlegend for t in plain.data] == [False, False, None, False, None, False, False]
    assert [t.showlegend for t in full.data] == [False, True, None, True, None, True, True]
    assert [t.line.color for t in full.data[2:5]] == [palette.FACTUAL, palette.ACCENT, palette.TARGET_ON_DARK]
    assert plain.data[4].line.color == palette.TARGET_ON_LIGHT
    assert plain.data[4].line.dash == "dash"
    assert full.data[5].name == "Threshold 0.5"
    assert list(full.data[5].x) == [0.5, 0.5]
    assert list(full.layout.xaxis.range) == [-0.02, 1.02]
    assert outputs.outputs_figure([0.4], target, label="<b>x").layout.xaxis.title.text == "&lt;b&gt;x"
    assert outputs.outputs_figure([0.4], target, [0.3], now_name="<b>After").data[3].name == "&lt;b&gt;After"


def test_the_caption_tells_the_medians() -> None:
    target = Target.values([0.1, 0.2, 0.3, 0.4])
    assert outputs.caption([0.5, 0.7], target) == "The median is 0.6; the target's is 0.25."
    assert outputs.caption([0.5, 0.7], target, [0.2, 0.3, 0.9]) == "The median falls from 0.6 to 0.3; the target's is 0.25."
    assert outputs.caption([5, 7], target, [8]).startswith("The median rises from 6 to 8;")
    assert outputs.caption([5, 7], target, [6]).startswith("The median stays at 6;")
    assert outputs.caption([5], Target.quantiles([0, 1], [2, 4])) == "The median is 5; the target's is 3."
    assert outputs.caption([], target) == "Nobody is in the group."


# limits


def panel(figure: go.Figure, axis: str) -> list[go.Scatter]:
    return [t for t in figure.data if t.yaxis == axis]


@pytest.mark.parametrize(("u_x", "u_y"), [(U_X, U_Y), (0.28, U_Y), (0.01, U_Y), (0.5, 0.5)])
def test_points_are_yellow_where_both_limits_hold(u_x: float, u_y: float) -> None:
    fine = np.array([x <= u_x and y <= u_y for x, y in zip(UCL_X, UCL_Y, strict=True)])
    np.testing.assert_array_equal(limits.feasible(UCL_X, UCL_Y, u_x, u_y), fine)
    figure = limits.limits_figure(AT, UCL_X, UCL_Y, u_x, u_y)
    for axis, values in (("y", UCL_X), ("y2", UCL_Y)):
        line, purple, yellow = panel(figure, axis)
        np.testing.assert_array_equal(line.y, values)
        assert (purple.marker.color, yellow.marker.color) == (palette.INFEASIBLE, palette.FEASIBLE)
        np.testing.assert_array_equal(yellow.y, np.where(fine, values, np.nan))
        np.testing.assert_array_equal(purple.y, np.where(fine, np.nan, values))
    bounds = {s.yref: s for s in figure.layout.shapes if s.yref != "paper"}
    assert (bounds["y"].y0, bounds["y"].y1, bounds["y"].label.text) == (u_x, u_x, f"allowed {u_x:g}")
    assert (bounds["y2"].y0, bounds["y2"].label.text) == (u_y, f"allowed {u_y:g}")
    start = [s for s in figure.layout.shapes if s.yref == "paper"]
    assert [(s.x0, s.x1, s.line.dash) for s in start] == [(t, t, "dash") for t in AT[fine][:1]]
    for axis, values, bound in (("yaxis", UCL_X, u_x), ("yaxis2", UCL_Y, u_y)):
        assert figure.layout[axis].range[1] > max(values.max(), bound)


def test_iterations_are_named_by_their_numbers() -> None:
    figure = limits.limits_figure(AT + 100, UCL_X, UCL_Y, U_X, U_Y)
    assert [s.x0 for s in figure.layout.shapes if s.yref == "paper"] == [100 + FIRST]
    assert limits.caption(AT + 100, UCL_X, UCL_Y, U_X, U_Y) == f"Both limits hold since iteration {100 + FIRST}."


def test_an_infinite_limit_is_a_gap_and_is_said() -> None:
    infinite = np.where(AT < 3, np.inf, UCL_X)
    line, purple, _ = panel(limits.limits_figure(AT, infinite, UCL_Y, U_X, U_Y), "y")
    assert np.isnan(line.y[:3]).all()
    assert np.isnan(purple.y[:3]).all()
    assert not np.isnan(line.y[3:]).any()
    assert limits.caption(AT, infinite, UCL_Y, U_X, U_Y).endswith("Gaps are infinite limits.")
    never = np.full(21, np.inf)
    figure = limits.limits_figure(AT, never, UCL_Y, U_X, U_Y)
    assert [note.text for note in figure.layout.annotations] == ["The input limit is infinite"]
    assert "Infinity" not in figure.to_json()
    assert limits.caption(AT, never, UCL_Y, U_X, U_Y) == "Not at the last iteration, 20: the input limit is infinite."


def test_the_caption_says_since_when_or_why_not() -> None:
    assert limits.caption(AT, UCL_X, UCL_Y, U_X, U_Y) == f"Both limits hold since iteration {FIRST}."
    assert limits.caption(AT, UCL_X, UCL_Y, 1, 1) == "Both limits hold from the start."
    short = (AT[:5], UCL_X[:5], UCL_Y[:5])
    output = "the scores may be further from the target than allowed (output limit 0.328, allowed 0.1)"
    assert limits.caption(*short, U_X, U_Y) == f"Not at the last iteration, 4: {output}."
    assert limits.caption(*short, 0.01, U_Y) == (
        "Not at the last iteration, 4: the group may be further from before than allowed (input limit 0.14, allowed 0.01) "
        f"and {output}."
    )
    lost = np.where(AT == 20, 0.6, UCL_X)
    assert limits.caption(AT, lost, UCL_Y, U_X, U_Y) == (
        f"Both limits held at iteration {FIRST}, but not at the last iteration, 20: "
        "the group may be further from before than allowed "
        "(input limit 0.6, allowed 0.5)."
    )
    back = np.where(AT == 19, 0.6, UCL_X)
    assert limits.caption(AT, back, UCL_Y, U_X, U_Y) == "Both limits hold since iteration 20."
    assert limits.caption([0], [0.1], [0.100001], 0.2, 0.1) == (
        "Not at the last iteration, 0: the scores may be further from the target than allowed, if only just (output limit 0.1)."
    )
    assert limits.caption(NOTHING, NOTHING, NOTHING, 1, 1) == "No iteration is done yet."


# distances and eta


def test_distances_are_the_three_series() -> None:
    q = 0.5 * UCL_X + 0.5 * UCL_Y
    figure = distances.distances_figure(AT, UCL_X, UCL_Y, q)
    assert [t.name for t in figure.data] == ["Inputs, OT(x)", "Outputs, OT(y)", "Q (weighted sum)"]
    for line, values in zip(figure.data, (UCL_X, UCL_Y, q), strict=True):
        np.testing.assert_array_equal(line.x, AT)
        np.testing.assert_array_equal(line.y, values)
    assert distances.caption(AT, UCL_X, UCL_Y) == (
        "The typical gap between scores and target fell from 0.632 to 0.2; the group's squared distance from before, in units of "
        "each feature's spread, rose from 0.1 to 0.3."
    )
    assert distances.caption([0], [0.0], [0.4]) == (
        "The typical gap between scores and target is 0.632; the group's squared distance from before, in units of each "
        "feature's spread, is 0."
    )


def test_eta_lies_in_its_band() -> None:
    low, high = np.linspace(0.2, 0.5, 21), np.linspace(1, 0.8, 21)
    weight = 0.4 * low + 0.6 * high
    figure = eta.eta_figure(AT, weight, low, high)
    bottom, top, line = figure.data
    np.testing.assert_array_equal(bottom.y, low)
    np.testing.assert_array_equal(top.y, high)
    assert top.fill == "tonexty"  # the band reaches from this line to the one before it
    np.testing.assert_array_equal(line.y, weight)
    np.testing.assert_allclose(line.customdata, np.column_stack([1 - weight, low, high]))
    assert eta.caption(AT, weight, low, high) == (
        "The search gives 68% of its weight to reaching the target and 32% to looking like before; the first may still move "
        "between 50% and 80%."
    )
    assert eta.caption(AT, weight, weight, weight + 0.001).endswith("the first has settled.")


# all of them


def over_iterations(count: int, total: int | None) -> dict[str, go.Figure]:
    at = np.arange(count)
    a, b, c = RNG.random((3, count))
    return {
        "limits": limits.limits_figure(at, a, b, 0.5, 0.5, total=total),
        "distances": distances.distances_figure(at, a, b, c, total=total),
        "eta": eta.eta_figure(at, b, a, c, total=total),
    }


@pytest.mark.parametrize("total", [None, 300])
def test_every_redraw_has_the_same_traces(total: int | None) -> None:
    shapes = [
        {key: [(t.type, t.name, t.showlegend, len(t.y) > 0) for t in f.data] for key, f in over_iterations(n, total).items()}
        for n in (0, 1, 2, 50, 300)
    ]
    assert all(shape == shapes[0] for shape in shapes)
    for key, figure in over_iterations(40, total).items():
        assert figure.layout.uirevision == key
        assert figure.layout.paper_bgcolor == "rgba(0, 0, 0, 0)"
        assert figure.layout.title.text is None
        if total is not None:
            low, high = figure.layout.xaxis.range
            assert -0.02 * total <= low < 0
            assert total < high <= 1.02 * total


@pytest.mark.parametrize("count", [0, 1, 149, 500, 501, 4_321])
def test_drawn_iterations_are_few_even_and_stay(count: int) -> None:
    picks = iterations.drawn(count)
    assert len(picks) <= iterations.MOST
    assert list(picks[:1]) == list(range(count))[:1]
    assert list(picks[-1:]) == list(range(count))[-1:]
    assert len(set(np.diff(picks)[:-1])) <= 1
    assert (len(picks) == count) == (iterations.thinned(count) == "")
    if iterations.stride(count) == iterations.stride(count + 1):
        assert set(picks[:-1]) <= set(iterations.drawn(count + 1))


def test_figures_stay_small() -> None:
    scores = RNG.random(20_000)
    figures = over_iterations(301, 300) | over_iterations(10_000, None)
    figures["outputs"] = outputs.outputs_figure(scores, Target.values(scores**2), scores**3, threshold=0.5)
    for figure in figures.values():
        text = figure.to_json()
        assert len(text) < 200_000
        json.loads(text, parse_constant=pytest.fail)  # no NaN or Infinity, which no browser reads
