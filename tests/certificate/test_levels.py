"""Both limits, worked out by hand: a level that is off by a few percent gives another number.

Coverage by simulation cannot see that, as the bands are wide. eps = sqrt(ln(2/beta)/(2n)) throughout, and beta is a share of
alpha: alpha/(4N) for each sample and slice of the inputs, alpha/4 for each sample of the outputs, alpha/2 for outputs that meet
an exact target. Equally spaced samples are used where a band stays within the sample, equal ones where it leaves it.
"""

from math import exp, floor, inf, log, sqrt

import numpy as np
import pytest

from discover_core.certificate.limits import DRAWS, Limiter
from discover_core.certificate.statement import certify
from discover_core.problem.bounds import Bounds
from discover_core.problem.target import Target

ALPHA = 0.5


def limiter(factual, target, *, alpha=ALPHA, delta=0.0, interval=None, band="dkw", seed=0, u_y=1.0):
    return Limiter(Bounds(1, u_y, alpha, delta, len(factual), band), factual, target, interval, seed)


def mean_square(w, step, shift):
    """The mean of D^2 for samples (1, 2, ..., n) times `step`, one of them moved by `shift`, over whole periods 1/n of u.

    F^-1(u + eps) - F^-1(u - eps) is ceil(nu + w/2) - ceil(nu - w/2) steps, w = 2 n eps. Over a period of u that is one more than
    the whole part k of w for the share w - k of it, and k for the rest; D is the shift more.
    """
    k = floor(w)
    share = w - k
    return (1 - share) * (step * k + shift) ** 2 + share * (step * (k + 1) + shift) ** 2


@pytest.mark.parametrize("slices", [1, 2, 3])
def test_the_input_limit(slices):
    """n = 12, delta = 5/12: two periods, from 5/12 to 7/12. beta = alpha/(4N), so (2 n eps)^2 = 2n ln(8N/alpha)."""
    n, delta = 12, 5 / 12
    steps, shifts = (1.0, 2.0, 0.5)[:slices], (3.0, 0.25, 7.0)[:slices]
    factual = np.outer(steps, np.arange(1, n + 1))
    w = sqrt(2 * n * log(8 * slices / ALPHA))
    assert w / (2 * n) < delta
    by_hand = sum(mean_square(w, step, shift) for step, shift in zip(steps, shifts, strict=True)) / slices
    found = limiter(factual, Target.values([0.5]), delta=delta).input_limit(factual + np.array(shifts)[:, None], ALPHA)
    assert found == pytest.approx(by_hand, rel=1e-12)


def test_the_output_limit_of_two_samples():
    """n = m = 12 and the same two periods: beta = alpha/4 for each, so (2 n eps)^2 = 2n ln(8/alpha)."""
    n, values = 12, np.arange(1.0, 13.0)
    by_hand = mean_square(sqrt(2 * n * log(8 / ALPHA)), 1, 1.5)
    found = limiter(np.zeros((1, n)), Target.reference_group(values), delta=5 / 12).output_limit(values + 1.5, ALPHA)
    assert found == pytest.approx(by_hand, rel=1e-12)


@pytest.mark.parametrize("delta", [0, 1 / 8])
def test_the_output_limit_where_the_ends_of_an_interval_stand_in(delta):
    """18 outputs of 3/4 and 8 target values of 1, all scores within [0, 1].

    Up to u = eps_18 the lower edge of the outputs is 0 and D = 1; up to eps_8 that of the target is 0 and D = 3/4; then D = 1/4.
    """
    ours, theirs = (sqrt(log(8 / ALPHA) / (2 * size)) for size in (18, 8))
    assert delta < ours < theirs < 1 - ours
    by_hand = ((ours - delta) + 9 / 16 * (theirs - ours) + 1 / 16 * (1 - delta - theirs)) / (1 - 2 * delta)
    made = limiter(np.zeros((1, 18)), Target.reference_group(np.ones(8)), delta=delta, interval=(0, 1))
    assert made.output_limit(np.full(18, 3 / 4), ALPHA) == pytest.approx(by_hand, rel=1e-12)


@pytest.mark.parametrize("target", [Target.quantiles([0, 1], [1, 1]), Target.values(np.ones(9)), Target.values(np.ones(4))])
@pytest.mark.parametrize("delta", [0, 1 / 8])
def test_the_output_limit_of_an_exact_target_has_one_band(target, delta):
    """9 outputs of 3/4, everybody wished at 1: up to u = eps the lower edge is 0 and D = 1, then D = 1/4. beta = alpha/2."""
    eps = sqrt(log(4 / ALPHA) / (2 * 9))
    assert delta < eps < 1 - delta
    by_hand = ((eps - delta) + 1 / 16 * (1 - delta - eps)) / (1 - 2 * delta)
    made = limiter(np.zeros((1, 9)), target, delta=delta, interval=(0, 1))
    assert made.output_limit(np.full(9, 3 / 4), ALPHA) == pytest.approx(by_hand, rel=1e-12)


def test_the_square_of_the_gap_to_a_line_is_integrated_exactly():
    """8 outputs of 1/2 and the wish q(u) = u. Left of the middle D is 1/2 - u up to 1/4, u up to eps (as the lower edge is 0),
    and 1/2 - u again; the right half is its mirror image. Hence 2/3 [(1/8 - 1/64) + (eps^3 - 1/64) + (1/2 - eps)^3]."""
    eps = sqrt(log(4 / ALPHA) / (2 * 8))
    assert 1 / 4 < eps < 1 / 2
    by_hand = 2 / 3 * (1 / 8 - 1 / 64 + eps**3 - 1 / 64 + (1 / 2 - eps) ** 3)
    made = limiter(np.zeros((1, 8)), Target.quantiles([0, 1], [0, 1]), interval=(0, 1))
    assert made.output_limit(np.full(8, 1 / 2), ALPHA) == pytest.approx(by_hand, rel=1e-12)


@pytest.mark.parametrize(("side", "beta"), [("input", ALPHA / 12), ("output", ALPHA / 4), ("exact", ALPHA / 2)])
def test_a_limit_is_finite_from_the_trimming_on_that_its_level_needs(side, beta):
    """Three slices. A hair below eps there is a part of the band outside the sample."""
    n, eps = 20, sqrt(log(2 / beta) / 40)
    target = Target.quantiles([0, 1], [0, 1]) if side == "exact" else Target.reference_group(np.ones(n))
    for delta, finite in ((eps * 0.999, False), (eps * 1.001, True)):
        made = limiter(np.ones((3, n)), target, delta=delta)
        found = made.input_limit(np.ones((3, n)), ALPHA) if side == "input" else made.output_limit(np.ones(n), ALPHA)
        assert (found < inf) == finite


def test_the_achieved_confidence_is_that_of_the_level_at_which_the_limit_meets_its_bound():
    """100 outputs of 0 and 100 of 1/2, all wished at 1, the middle 40%: D is 1 up to u = 1/2 + eps, then 1/2.

    The bound is the limit for eps = 1/10, which is the width for alpha = 4 exp(-4) (beta = alpha/2, 2 n eps^2 = 4). The inputs
    are all the same, and their limit is 0.
    """
    eps, delta = 1 / 10, 3 / 10
    bound = ((1 / 2 + eps - delta) + 1 / 4 * (1 - delta - 1 / 2 - eps)) / (1 - 2 * delta)
    made = limiter(np.ones((1, 200)), Target.quantiles([0, 1], [1, 1]), alpha=0.05, delta=delta, u_y=bound)
    found = certify(made, np.ones((1, 200)), np.repeat([0, 1 / 2], 100))
    assert not found.certified
    assert found.achieved == pytest.approx(1 - 2 * exp(-4), abs=1e-6)


@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_the_bootstrap_limit_is_the_quantile_of_its_side(alpha):
    """Untrimmed, and targets as many as outputs: a resampled distance is the mean square of sorted differences, for all slices
    on the same positions. The limit lies at 199 (1 - alpha/2) of the 200 distances in their order, counted from 0."""
    rng = np.random.default_rng(4)
    n, now, factual = 15, np.sort(rng.normal(size=(2, 15)), axis=1), np.sort(rng.normal(1, 1, (2, 15)), axis=1)
    outputs, values = np.sort(rng.random((2, n)), axis=1)
    drawn = np.random.default_rng([7, 0x0B007])
    x, x_factual, y, y_target = (np.sort(drawn.integers(0, n, (DRAWS, n)), axis=1) for _ in range(4))
    far = [np.mean((now[:, a] - factual[:, b]) ** 2) for a, b in zip(x, x_factual, strict=True)]
    gaps = [np.mean((outputs[a] - values[b]) ** 2) for a, b in zip(y, y_target, strict=True)]
    assert DRAWS == 200
    at = 199 * (1 - alpha / 2)
    below, share = floor(at), at - floor(at)
    by_hand = [sorted(d)[below] * (1 - share) + sorted(d)[below + 1] * share for d in (far, gaps)]
    made = limiter(factual, Target.reference_group(values), alpha=alpha, band="bootstrap", seed=7)
    assert made.limits(now, outputs) == pytest.approx(by_hand, rel=1e-12)


@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_the_bootstrap_draws_nothing_of_a_wish(alpha):
    """The wish is the same in every draw: only the outputs are drawn, from the third stream of positions."""
    rng = np.random.default_rng(4)
    outputs, values = np.sort(rng.random((2, 15)), axis=1)
    drawn = np.random.default_rng([7, 0x0B007])
    y = [np.sort(drawn.integers(0, 15, (DRAWS, 15)), axis=1) for _ in range(3)][2]
    gaps = np.mean((outputs[y] - values) ** 2, axis=1)
    made = limiter(np.ones((1, 15)), Target.values(values), alpha=alpha, band="bootstrap", seed=7)
    assert made.limits(np.ones((1, 15)), outputs)[1] == pytest.approx(np.quantile(gaps, 1 - alpha / 2), rel=1e-12)
