"""What the target builder computes by itself: how far apart, points in order, kinds."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import wasserstein_distance

from discover_core.problem.target import Target
from discover_core.problem.wish import typical_gap
from discover_core.scenario.target_specification import Beta, Quantiles, Shift, Threshold, Values
from ui.scenario.target_drawing import LEVELS, _usable, drawn_from, pushed
from ui.scenario.target_gap import share_reached
from ui.scenario.target_memory import TargetMemory

floats = st.floats(-100, 100, allow_subnormal=False).map(lambda value: round(value, 3))
samples = st.lists(floats, min_size=1, max_size=20)
rising = st.lists(floats, min_size=7, max_size=7).map(sorted)


@given(samples, samples)
def test_the_gap_is_the_root_of_the_squared_distance(scores: list[float], wanted: list[float]):
    gap = typical_gap(np.array(scores), Target.values(wanted))
    every = np.sort(np.repeat(scores, len(wanted))) - np.sort(np.repeat(wanted, len(scores)))  # as many of both
    assert gap == pytest.approx(np.sqrt(np.mean(every**2)), abs=1e-6)
    assert gap >= wasserstein_distance(scores, wanted) - 1e-6


@given(samples, floats, st.sampled_from(["above", "below"]))
def test_the_share_of_a_sample_is_counted(values: list[float], tau: float, side):
    hit = np.array(values) <= tau if side == "below" else np.array(values) >= tau
    assert share_reached(Target.values(values), tau, side) == pytest.approx(hit.mean())


@given(rising, floats)
def test_the_share_of_a_drawn_target_agrees_with_many_of_its_quantiles(values: list[float], tau: float):
    target = Target.quantiles(LEVELS, values)
    many = target.quantile((np.arange(20_000) + 0.5) / 20_000)
    assert share_reached(target, tau, "below") == pytest.approx(np.mean(many <= tau), abs=1e-3)
    assert share_reached(target, tau, "above") == pytest.approx(np.mean(many >= tau), abs=1e-3)


@given(rising, st.integers(0, 6), floats)
def test_a_moved_point_pushes_only_what_is_in_its_way(values: list[float], at: int, value: float):
    moved = pushed(values, at, value)
    assert moved[at] == value
    assert list(moved) == sorted(moved)
    for i, (old, new) in enumerate(zip(values, moved, strict=True)):
        in_the_way = old > value if i < at else old < value
        assert i == at or new == (value if in_the_way else old)


@given(samples)
def test_drawing_starts_close_to_the_target(values: list[float]):
    assume(np.ptp(values) > 0.01)
    target = Target.values(values)
    drawn = drawn_from(target)
    assert np.abs(np.array(drawn.values) - target.quantile(LEVELS)).max() <= 0.01 * np.ptp(values)
    assert list(drawn.values) == sorted(drawn.values)


@pytest.mark.parametrize("given", [None, [1, 2], [1, 3, 2], [1, 2, "3"], [1, 2, float("nan")], {"a": 1}, [1, 2, None]])
def test_what_the_browser_sends_is_checked(given):
    assert not _usable(given, 3)
    assert _usable([1, 2, 2.5], 3)


def test_a_target_from_elsewhere_is_shown_as_what_it_is():
    memory = TargetMemory()
    assert memory.look(Threshold(0.5, 0.8, "below")) == "threshold"
    memory.shown = "upload"  # chosen, but no file yet: the target stays
    assert memory.look(Threshold(0.5, 0.8, "below")) == "upload"
    assert memory.look(Shift(0.1)) == "shift"
    assert memory.look(Beta(1, 2)) == "beta"
    assert memory.look(Values((1.0,))) == "upload"
    assert memory.look(Quantiles((0.1, 0.9), (0.0, 1.0))) == "draw"
    assert memory.look(Quantiles(tuple(np.arange(99) / 100), tuple(np.arange(99.0)))) == "upload"
    assert memory.specifications["shift"] == Shift(0.1)
    assert memory.specifications["threshold"] == Threshold(0.5, 0.8, "below")
