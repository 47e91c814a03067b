"""The limit on how far a population's scores are from a target, from independent people."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from discover_core.certificate.limits import Limiter
from discover_core.certificate.outputs import output_limit
from discover_core.errors import InputError
from discover_core.problem.bounds import Bounds
from discover_core.problem.target import Target

UNIT = (0.0, 1.0)


def targets(rng):
    return (
        Target.quantiles([0.1, 0.5, 0.8], [0.1, 0.3, 0.7]),
        Target.values(rng.random(31)),
        Target.reference_group(rng.random(40)),
        Target.threshold(rng.random(60), 0.5, 0.7, "below"),
    )


@given(st.integers(0, 1_000), st.sampled_from((0.0, 0.1)), st.floats(0.001, 0.5), st.booleans())
def test_it_is_the_output_side_of_the_certificate(seed, delta, alpha, beyond):
    rng = np.random.default_rng(seed)
    scores = rng.random(60)
    for target in targets(rng):
        bounds = Bounds(1, 1, delta=delta, slices=1, beyond=beyond)
        expected = Limiter(bounds, np.zeros((1, 60)), target, UNIT).output_limit(np.sort(scores), alpha)
        assert output_limit(scores, target, alpha / 2, UNIT, delta, beyond) == expected


def by_hand(scores, target, level):
    """On a fine grid, untrimmed, both ends of the band replaced by those of the interval where it leaves the sample."""
    u, edge = (np.arange(400_000) + 0.5) / 400_000, np.concatenate([[0.0], np.sort(scores), [1.0]])
    n, m = len(scores), len(target.left)
    eps = math.sqrt(math.log(2 / (level if target.exact else level / 2)) / (2 * n))
    low, high = (edge[np.clip(np.ceil(n * (u + by)).astype(int), 0, n + 1)] for by in (-eps, eps))
    wish_low = wish_high = target.quantile(u)
    if target.sampled:
        wide, wish = math.sqrt(math.log(4 / level) / (2 * m)), np.concatenate([[0.0], target.left, [1.0]])
        wish_low, wish_high = (wish[np.clip(np.ceil(m * (u + by)).astype(int), 0, m + 1)] for by in (-wide, wide))
    short = np.maximum(0, high - wish_low)
    return np.mean((short if target.past is not None else np.maximum(short, wish_high - low)) ** 2)


@pytest.mark.parametrize("kind", range(4))
def test_it_is_the_integral_at_its_own_level_and_not_at_one_20_times_as_loose(kind):
    rng = np.random.default_rng(4)
    target, scores = targets(rng)[kind], rng.beta(2, 4, 90)
    found = output_limit(scores, target, 0.025, UNIT)
    assert found == pytest.approx(by_hand(scores, target, 0.025), rel=1e-3)
    assert output_limit(scores, target, 0.5, UNIT) == pytest.approx(by_hand(scores, target, 0.5), rel=1e-3)
    assert found > 1.2 * output_limit(scores, target, 0.5, UNIT)


def test_it_is_finite_for_one_person_if_the_interval_is_known():
    target = Target.values([0.2, 0.4])
    assert output_limit([0.3], target, 0.025, UNIT) == pytest.approx((0.8**2 + 0.6**2) / 2)
    assert output_limit([0.3] * 500, target, 0.025, None) == math.inf
    assert math.isfinite(output_limit([0.3] * 500, target, 0.025, None, delta=0.1))


@pytest.mark.parametrize("n", [50, 200, 1_000])
@pytest.mark.parametrize("sampled", [False, True])
def test_it_covers_the_untrimmed_distance(n, sampled):
    rng, level, rounds = np.random.default_rng([n, sampled]), 0.1, 200
    after, wish = stats.beta(2, 5), stats.beta(1, 5)
    grid = np.linspace(0, 1, 4_001)
    known = Target.quantiles(grid, wish.ppf(grid))
    u = (np.arange(100_000) + 0.5) / 100_000
    truth = np.mean((after.ppf(u) - wish.ppf(u)) ** 2)
    failures = 0
    for _ in range(rounds):
        target = Target.reference_group(wish.rvs(n, random_state=rng)) if sampled else known
        failures += output_limit(after.rvs(n, random_state=rng), target, level, UNIT) < truth - 1e-6
    assert failures <= rounds * level + 3 * math.sqrt(rounds * level * (1 - level))


@pytest.mark.parametrize(
    ("scores", "level", "delta"),
    [([], 0.1, 0), ([math.nan], 0.1, 0), ([1.2], 0.1, 0), ([0.5], 0, 0), ([0.5], 1, 0), ([0.5], 0.1, 0.5), ([0.5], 0.1, -0.1)],
)
def test_what_is_no_sample_of_such_scores_is_refused(scores, level, delta):
    with pytest.raises(InputError):
        output_limit(scores, Target.values([0.2, 0.4]), level, UNIT, delta)
    with pytest.raises(InputError, match=r"1\.5 do not lie between 0 and 1"):
        output_limit([0.5], Target.reference_group([0.5, 1.5]), 0.1, UNIT)
