"""What holds for rows however they were tuned, how surely each side holds alone, and when P only tells the group's size."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from discover_core.certificate.bands import half_width
from discover_core.certificate.confidence import confidence
from discover_core.certificate.limits import Limiter
from discover_core.certificate.statement import certify
from discover_core.problem.bounds import Bounds
from discover_core.problem.target import Target


def case(n, bounds, seed=0):
    rng = np.random.default_rng(seed)
    factual = np.sort(rng.normal(size=(bounds.slices, n)), axis=1)
    near = np.sort(factual + rng.normal(0, 0.1, factual.shape), axis=1)
    return Limiter(bounds, factual, Target.beta(2, 5, n), (0.0, 1.0)), near, np.sort(rng.beta(2, 4, n))


def on_a_grid(rows, factual, eps, delta):
    u = delta + (1 - 2 * delta) * (np.arange(200_000) + 0.5) / 200_000
    n, m = len(rows), len(factual)
    low, high = (factual[np.ceil(m * (u + by)).astype(int) - 1] for by in (-eps, eps))
    own = rows[np.ceil(n * u).astype(int) - 1]
    return np.mean(np.maximum(own - low, high - own) ** 2)


@given(st.integers(0, 1_000), st.sampled_from((0.05, 0.2)))
def test_only_the_factual_rows_have_a_band(seed, alpha):
    made, near, _ = case(300, Bounds(1, 1, delta=0.15, slices=3), seed)
    eps = math.sqrt(math.log(2 / (alpha / 6)) / 600)
    expected = np.mean([on_a_grid(x, y, eps, 0.15) for x, y in zip(near, made.factual, strict=True)])
    assert made.factual_limit(near, alpha) == pytest.approx(expected, rel=2e-3)
    assert made.factual_limit(near, alpha) < made.input_limit(near, alpha)
    assert made.factual_limit(near, min(1, 20 * alpha)) < 0.9 * made.factual_limit(near, alpha)
    fewer = near[:, ::2]  # the proposed rows may be another number
    assert math.isfinite(made.factual_limit(fewer, alpha))


def test_it_exists_where_the_paper_needs_more_people_and_is_infinite_where_it_must():
    made, near, _ = case(170, Bounds(1, 1))
    assert math.isinf(made.input_limit(near, 0.05))
    assert math.isfinite(made.factual_limit(near, 0.05))
    few, near, _ = case(100, Bounds(1, 1))
    assert math.isinf(few.factual_limit(near, 0.05))


def test_it_holds_for_rows_that_were_tuned_to_break_it():
    """Whatever the sample, the rows are put at its band's edges, where it errs most; the population is known."""
    rng, alpha, delta, n = np.random.default_rng(2), 0.2, 0.15, 200
    u = delta + (1 - 2 * delta) * (np.arange(20_000) + 0.5) / 20_000
    true, failures, rounds = stats.norm.ppf(u), 0, 400
    for _ in range(rounds):
        factual = np.sort(rng.normal(size=(1, n)), axis=1)
        worst = 0.0
        made = Limiter(Bounds(1, 1, alpha, delta, 1), factual, Target.values([0.5]), None)
        for rows in (factual, factual + 0.3, factual - 0.3, factual * 1.4, factual * 0.6):
            distance = np.mean((rows[0][np.ceil(n * u).astype(int) - 1] - true) ** 2)
            worst = max(worst, distance - made.factual_limit(rows, alpha))
        failures += worst > 0
    assert failures / rounds <= alpha / 2


@pytest.mark.parametrize(
    ("u_x", "u_y"), [(0.4, 0.4), (0.35, 0.02), (1e6, 0.02), (1e-6, 0.02), (0.4, 1e-6), (1e-6, 1e-6), (1e6, 1e6)]
)
@pytest.mark.parametrize("band", ["dkw", "bootstrap"])
def test_p_of_both_is_the_lesser_of_the_two(u_x, u_y, band):
    made, near, outputs = case(250, Bounds(u_x, u_y, band=band, slices=5))
    found = confidence(made, near, outputs)
    if found.both is None:
        assert found.inputs is None or found.outputs is None
    else:
        assert found.both == pytest.approx(min(found.inputs, found.outputs), abs=1e-6)
    for share, side, bound in ((found.inputs, 0, u_x), (found.outputs, 1, u_y)):
        if share is None:
            assert made.limits(near, outputs, 1.0)[side] > bound
        elif share < 1 - 1e-9:
            alpha = 2 * (1 - share)
            assert made.limits(near, outputs, alpha * (1 + 1e-6))[side] <= bound
            if band == "dkw":
                assert made.limits(near, outputs, alpha * (1 - 1e-4))[side] > bound


def test_p_that_only_tells_the_size_of_the_group_says_so():
    """Bounds that allow anything: P is where eps reaches delta, the same for every answer."""
    found = []
    for seed in (0, 1):
        made, near, outputs = case(250, Bounds(1e6, 1e6, slices=5), seed)
        found.append(certify(made, near, outputs))
        edge = 2 * (1 - found[-1].achieved)
        assert half_width(250, edge / 20) == pytest.approx(0.15, rel=1e-5)
        assert found[-1].size_limited
        assert found[-1].achieved == found[-1].achieved_x < found[-1].achieved_y
    assert found[0].achieved == pytest.approx(found[1].achieved, abs=1e-9)
    made, near, outputs = case(250, Bounds(0.4, 1e6, slices=5))
    told = certify(made, near, outputs)
    assert told.achieved is not None
    assert not told.size_limited
    none, near, outputs = case(250, Bounds(1e-6, 1e-6, slices=5))
    assert not certify(none, near, outputs).size_limited


def test_the_certificate_has_it():
    made, near, outputs = case(400, Bounds(2, 1))
    found = certify(made, near, outputs)
    assert found.ucl_population == made.factual_limit(near, 0.05) < found.ucl_x
