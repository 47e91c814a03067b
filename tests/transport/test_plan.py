"""One-dimensional and sliced transport, against POT."""

import numpy as np
import ot
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discover_core.transport.plan import quantile_plan, sliced2, wasserstein2
from discover_core.transport.slices import random_slices

tied = st.lists(st.integers(-3, 3).map(float) | st.floats(-5, 5), min_size=1, max_size=25).map(np.array)


@given(tied, tied)
@settings(max_examples=200, deadline=None)
def test_the_quantile_plan_is_a_sparse_optimal_plan(x, y):
    n, m = len(x), len(y)
    plan = quantile_plan(x, y)
    assert len(plan.mass) <= n + m - 1
    assert (plan.mass > 0).all()
    np.testing.assert_allclose(np.bincount(plan.source, plan.mass, n), 1 / n, rtol=1e-12)
    np.testing.assert_allclose(np.bincount(plan.goal, plan.mass, m), 1 / m, rtol=1e-12)
    cost = np.sum(plan.mass * (x[plan.source] - y[plan.goal]) ** 2)
    expected = ot.emd2_1d(x, y, metric="sqeuclidean")
    assert cost == pytest.approx(expected, rel=1e-10, abs=1e-12)
    assert wasserstein2(x, y) == pytest.approx(expected, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize(("n", "m"), [(7, 7), (1, 4), (30, 13), (64, 65)])
def test_sliced_transport_agrees_with_pot(n, m, monkeypatch):
    rng = np.random.default_rng(n + m)
    x, y = rng.normal(size=(n, 6)), np.round(rng.normal(0.5, 2, (m, 6)))
    slices = random_slices(6, 300, rng)
    np.testing.assert_allclose(np.linalg.norm(slices, axis=1), 1, rtol=1e-14)
    expected = ot.sliced_wasserstein_distance(x, y, projections=slices.T) ** 2
    assert sliced2(x, y, slices) == pytest.approx(expected, rel=1e-12)
    monkeypatch.setattr("discover_core.transport.plan.CHUNK", 100)
    assert sliced2(x, y, slices) == pytest.approx(expected, rel=1e-12)
