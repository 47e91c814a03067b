"""Quantiles as points that are drawn: a start near a target, and a moved point that keeps the order."""

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from discover_core.problem.target import Target
from discover_core.problem.targets import Quantiles
from discover_core.problem.targets.quantiles import LEVELS

floats = st.floats(-100, 100, allow_subnormal=False).map(lambda value: round(value, 3))
samples = st.lists(floats, min_size=1, max_size=20)
rising = st.lists(floats, min_size=7, max_size=7).map(sorted)


@given(rising, st.integers(0, 6), floats)
def test_a_moved_point_pushes_only_what_is_in_its_way(values: list[float], at: int, value: float):
    moved = Quantiles(LEVELS, tuple(values)).with_point(at, value).values
    assert moved[at] == value
    assert list(moved) == sorted(moved)
    for i, (old, new) in enumerate(zip(values, moved, strict=True)):
        in_the_way = old > value if i < at else old < value
        assert i == at or new == (value if in_the_way else old)


@given(samples)
def test_drawing_starts_close_to_the_target(values: list[float]):
    assume(np.ptp(values) > 0.01)
    target = Target.values(values)
    drawn = Quantiles.near(target)
    assert np.abs(np.array(drawn.values) - target.quantile(LEVELS)).max() <= 0.01 * np.ptp(values)
    assert list(drawn.values) == sorted(drawn.values)
