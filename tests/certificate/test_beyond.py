"""Where going beyond a threshold is as good as reaching it, only what the scores fall short counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discover_core.certificate.bands import Pieces
from discover_core.certificate.limits import Limiter
from discover_core.problem.bounds import Bounds
from discover_core.problem.target import Target

FLAT = np.zeros((1, 60))


def limiter(target, beyond, band="dkw", n=60):
    return Limiter(Bounds(1, 1, delta=0.1, slices=1, band=band, beyond=beyond), FLAT[:, :n], target, (0.0, 1.0))


def by_hand(x, y, eps, delta, side):
    """The integral on a fine grid: the sample's quantile function eps to the right (or left), the target's own."""
    u = np.linspace(delta, 1 - delta, 200_001)
    u = (u[1:] + u[:-1]) / 2
    n = len(x)
    at = np.clip(np.ceil(n * (u + (eps if side == "below" else -eps))).astype(int) - 1, -1, n) + 1
    edge = np.concatenate([[0.0], np.sort(x), [1.0]])[at]
    goal = np.sort(y)[np.ceil(len(y) * u).astype(int) - 1]
    gap = edge - goal if side == "below" else goal - edge
    return np.mean(np.maximum(0.0, gap) ** 2)


@given(st.integers(0, 10_000), st.sampled_from(("below", "above")), st.floats(0.01, 0.09))
def test_the_limit_is_the_integral_of_what_is_missing(seed, side, eps):
    rng = np.random.default_rng(seed)
    x, y = np.sort(rng.random(23)), np.sort(rng.random(31))
    found = Pieces.cut(23, eps, 31, 0.0, 0.1).limit(x[None], y[None], (0.0, 1.0), side)[0]
    assert found == pytest.approx(by_hand(x, y, eps, 0.1, side), rel=2e-3, abs=1e-6)


@given(st.integers(0, 10_000), st.sampled_from(("below", "above")), st.sampled_from(("dkw", "bootstrap")))
def test_it_is_never_more_than_in_both_directions_and_further_is_never_worse(seed, side, band):
    rng = np.random.default_rng(seed)
    scores = rng.random(60)
    target = Target.threshold(scores, 0.5, 0.7, side)
    now = np.sort(rng.random(60))
    one, both = (limiter(target, beyond, band).limits(FLAT, now)[1] for beyond in (True, False))
    assert one <= both + 1e-12
    further = np.sort(now * 0.7 if side == "below" else 1 - (1 - now) * 0.7)
    assert limiter(target, True, band).limits(FLAT, further)[1] <= one + 1e-12


def test_whoever_goes_beyond_is_as_good_as_a_perfect_match():
    scores = np.linspace(0.5, 0.9, 60)
    target = Target.threshold(scores, 0.5, 0.5, "below")
    perfect = target.rank_moments(60)[0]
    far = np.sort(np.where(perfect <= 0.5, 0.1, perfect))
    one, both = limiter(target, True), limiter(target, False)
    assert one.limits(FLAT, far)[1] <= one.limits(FLAT, perfect)[1]
    assert both.limits(FLAT, far)[1] > 3 * both.limits(FLAT, perfect)[1]


def test_a_shape_is_wanted_as_it_is():
    target = Target.beta(2, 5, n=60)
    now = np.linspace(0, 1, 60)
    assert limiter(target, True).limits(FLAT, now) == limiter(target, False).limits(FLAT, now)


def test_bounds_of_before_measured_in_both_directions():
    assert Bounds(1, 1).beyond
    assert not Bounds.from_dict({"u_x": 1.0, "u_y": 1.0}).beyond
    assert Bounds.from_dict(Bounds(1, 1).to_dict()).beyond
