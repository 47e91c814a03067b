"""Exact integration against fine grids, and coverage by simulation."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from discover_core.certificate.bands import Pieces, half_width, order_statistic, rows_needed
from discover_core.certificate.exact import exact_limit
from discover_core.certificate.limits import DRAWS, MOST, Limiter, drawn_positions
from discover_core.problem.bounds import Bounds
from discover_core.problem.target import Target


def quantile(sample, u, ends):
    """The sample's quantile by definition, one u at a time: the least value that a share u does not exceed."""
    if u <= 0:
        return ends[0]
    if u > 1:
        return ends[1]
    return next(v for i, v in enumerate(sample, 1) if i / len(sample) >= u - 1e-12)


def on_grid(gap, delta, points=4_000):
    u = delta + (1 - 2 * delta) * (np.arange(points) + 0.5) / points
    return np.mean([gap(v) ** 2 for v in u])


@pytest.mark.parametrize(
    ("n", "m", "eps_x", "eps_y", "delta"), [(12, 7, 0.08, 0.13, 0.15), (9, 9, 0, 0, 0.1), (6, 11, 0.3, 0.4, 0)]
)
def test_pieces_integrate_like_a_fine_grid(n, m, eps_x, eps_y, delta):
    rng = np.random.default_rng(n)
    x, y, ends = np.sort(rng.random((2, n)), axis=1), np.sort(rng.beta(2, 5, (2, m)), axis=1), (0.0, 1.0)
    found = Pieces.cut(n, eps_x, m, eps_y, delta).limit(x, y, ends)
    for line in range(2):

        def gap(u, a=x[line], b=y[line]):
            over = quantile(a, u + eps_x, ends) - quantile(b, u - eps_y, ends)
            return max(over, quantile(b, u + eps_y, ends) - quantile(a, u - eps_x, ends))

        assert found[line] == pytest.approx(on_grid(gap, delta), rel=5e-3)


def test_pieces_do_not_depend_on_chunks(monkeypatch):
    rng = np.random.default_rng(0)
    x, y = np.sort(rng.normal(size=(2, 30, 40)), axis=2)
    pieces = Pieces.cut(40, 0.1, 40, 0.1, 0.15)
    whole = pieces.limit(x, y)
    monkeypatch.setattr("discover_core.certificate.bands.CHUNK", 10)
    np.testing.assert_allclose(pieces.limit(x, y), whole, rtol=1e-13)


@pytest.mark.parametrize(("eps", "delta"), [(0.1, 0.15), (0.3, 0.0), (0.0, 0.2)])
def test_exact_limit_integrates_like_a_fine_grid(eps, delta):
    rng = np.random.default_rng(3)
    x = np.sort(rng.random((3, 15)), axis=1)
    target = Target.quantiles([0.1, 0.3, 0.3, 0.8], [0.05, 0.2, 0.5, 0.9])
    found = exact_limit(x, eps, target.knots, target.left, target.right, delta, (0.0, 1.0))
    for line in range(3):

        def gap(u, a=x[line]):
            q = float(target.quantile(u))
            return max(quantile(a, u + eps, (0, 1)) - q, q - quantile(a, u - eps, (0, 1)))

        assert found[line] == pytest.approx(on_grid(gap, delta), rel=5e-3)
    if not eps:
        assert exact_limit(x, 0.0, target.knots, target.left, target.right, 0.0)[0] == pytest.approx(
            np.mean((x[0] - target.rank_moments(15)[0]) ** 2 + target.rank_moments(15)[1]), rel=1e-12
        )


def test_order_statistics_and_rows_needed():
    assert order_statistic(np.array([-0.1, 0.0, 1e-9, 0.25, 0.2500001, 1.0, 1.01]), 4).tolist() == [-1, -1, 0, 0, 1, 3, 4]
    for eps, beta in ((0.15, 0.000625), (0.1, 0.0125), (0.4, 0.5)):
        n = rows_needed(eps, beta)
        assert half_width(n, beta) < eps
        assert n == 1 or half_width(n - 1, beta) >= eps


def trimmed(p, q, delta):
    """The true trimmed W^2 of two distributions, by quadrature of their quantile functions."""
    u = delta + (1 - 2 * delta) * (np.arange(20_000) + 0.5) / 20_000
    return float(np.mean((p.ppf(u) - q.ppf(u)) ** 2))


ALPHA = 0.2  # each side may fail in a tenth of the samples
PAIRS = [
    (stats.norm(0, 1), stats.norm(0.5, 1.2), None),
    (stats.uniform(0, 1), stats.uniform(0, 1), (0.0, 1.0)),
    (stats.beta(0.1, 0.9), stats.beta(2, 3), (0.0, 1.0)),
]


def limiter(factual, target, band="dkw", interval=None, delta=0.15, seed=0, alpha=ALPHA):
    return Limiter(Bounds(1, 1, alpha, delta, len(factual), band), np.sort(factual, axis=1), target, interval, seed)


@pytest.mark.parametrize(("p", "q", "interval"), PAIRS)
@pytest.mark.parametrize("exact", [False, True])
def test_dkw_covers_the_true_output_distance(p, q, interval, exact):
    rng = np.random.default_rng(5)
    true, n, rounds = trimmed(p, q, 0.15), 150, 300
    grid = np.linspace(0.0005, 0.9995, 1_000)
    known = Target.quantiles(grid, q.ppf(grid))
    covered = 0
    for _ in range(rounds):
        target = known if exact else Target.reference_group(q.rvs(90, random_state=rng))
        made = limiter(np.zeros((1, n)), target, interval=interval)
        covered += made.output_limit(np.sort(p.rvs(n, random_state=rng)), ALPHA) >= true - 1e-6
    assert covered / rounds >= 1 - ALPHA / 2


@pytest.mark.slow
def test_dkw_covers_the_true_sliced_distance_and_the_bootstrap_is_measured(capsys):
    """Two normal groups in the plane: the projections are normal, so the truth is known slice by slice."""
    rng = np.random.default_rng(6)
    angles = np.arange(5) * np.pi / 5
    slices = np.column_stack([np.cos(angles), np.sin(angles)])
    shift, n, rounds = np.array([0.6, 0.2]), 200, 300
    true = np.mean([trimmed(stats.norm(), stats.norm(shift @ s), 0.15) for s in slices])
    true_y = trimmed(stats.norm(), stats.norm(0.5), 0.15)
    covered = {"dkw": 0, "bootstrap": np.zeros(2)}
    for seed in range(rounds):
        factual, now = (slices @ (rng.normal(size=(n, 2)) + by).T for by in (0, shift))
        target, outputs = Target.reference_group(rng.normal(0.5, 1, n)), np.sort(rng.normal(size=n))
        now = np.sort(now, axis=1)
        covered["dkw"] += limiter(factual, target).input_limit(now, ALPHA) >= true
        low = limiter(factual, target, "bootstrap", seed=seed).limits(now, outputs)
        covered["bootstrap"] += np.array(low) >= (true, true_y)
    assert covered["dkw"] / rounds >= 1 - ALPHA / 2
    share = covered["bootstrap"] / rounds
    with capsys.disabled():
        print(f"\nbootstrap coverage at n={n}: inputs {share[0]:.3f}, outputs {share[1]:.3f} (wished {1 - ALPHA / 2:.2f})")
    assert share.min() > 0.75


def test_an_interval_makes_the_output_side_finite_at_every_size():
    for n in (1, 2, 50):
        for delta in (0.0, 0.15):
            for target in (Target.reference_group([0.2, 0.7]), Target.values([0.2, 0.7]), Target.quantiles([0, 1], [1, 1])):
                y = np.sort(np.random.default_rng(n).random(n))
                bounded = limiter(np.zeros((1, n)), target, interval=(0.0, 1.0), delta=delta).output_limit(y, 0.05)
                assert 0 <= bounded <= 1
                assert limiter(np.zeros((1, n)), target, delta=0.0).output_limit(y, 0.05) == math.inf


def test_an_exact_target_leaves_its_share_to_the_sample():
    y = np.sort(np.random.default_rng(0).random(400))
    exact = limiter(np.zeros((1, 400)), Target.quantiles([0, 1], [1, 1])).output_limit(y, 0.05)
    by_hand = exact_limit(y[None], half_width(400, 0.025), np.array([0.0, 1]), np.ones(1), np.ones(1), 0.15)[0]
    assert exact == by_hand
    assert exact == pytest.approx(limiter(np.zeros((1, 400)), Target.values(np.ones(400))).output_limit(y, 0.05), rel=1e-12)
    assert exact < limiter(np.zeros((1, 400)), Target.reference_group(np.ones(400))).output_limit(y, 0.05)


@pytest.mark.parametrize("size", [30, 150, 333])
def test_a_list_of_values_is_integrated_as_the_pieces_it_is(size):
    """The fast way over ranks and the closed form over linear pieces are the same limit."""
    rng = np.random.default_rng(size)
    target, y = Target.values(rng.beta(2, 5, size)), np.sort(rng.random(150))
    pieces = Target("pieces", target.knots, target.left, target.right)
    for band in ("dkw", "bootstrap"):
        found, expected = (
            limiter(np.zeros((1, 150)), t, band, (0.0, 1.0)).limits(np.zeros((1, 150)), y)[1] for t in (target, pieces)
        )
        assert found == pytest.approx(expected, rel=1e-9)


def test_without_the_band_of_a_sample_the_least_limit_of_a_wish_falls():
    """Half of a group at .5 or below: the limit of a perfect match, which no search goes below, with and without."""
    shares = []
    for n, low in ((60, 0.05), (200, 0.2), (1_000, 0.4), (200, 0.45)):
        scores = np.sort(np.clip(np.random.default_rng(n).normal(0.65, 0.15, n), low, 0.98))
        wish = Target.threshold(scores, 0.5, 0.5, "below", 0.02)
        targets = (wish, replace(wish, sampled=True))
        bounds = Bounds(1, 1, slices=1, beyond=False)
        exact, sampled = (Limiter(bounds, np.zeros((1, n)), t, (0.0, 1.0)).output_limit(wish.left, 0.05) for t in targets)
        shares.append(exact / sampled)
    assert shares == pytest.approx([0.631, 0.577, 0.733, 0.566], abs=1e-3)


@pytest.mark.parametrize("exact", [False, True])
def test_bootstrap_limits_are_seeded_and_close_to_the_plain_distance_for_large_samples(exact):
    rng = np.random.default_rng(1)
    x, y = np.sort(rng.normal(size=(3, 4_000)), axis=1), np.sort(rng.random(4_000))
    target = Target.quantiles([0, 1], [0.5, 1.5]) if exact else Target.reference_group(0.5 + rng.random(3_000))
    made = limiter(np.sort(rng.normal(1, 1, (3, 4_000)), axis=1), target, "bootstrap")
    first = made.limits(x, y)
    assert first == limiter(made.factual, target, "bootstrap").limits(x, y)
    assert first != limiter(made.factual, target, "bootstrap", seed=9).limits(x, y)
    assert first[0] == pytest.approx(1, abs=0.1)
    assert first[1] == pytest.approx(0.25, abs=0.03)


def test_a_large_bootstrap_draws_the_order_statistics_that_it_looks_at():
    """Rank r of n uniform numbers follows Beta(r, n + 1 - r), and two ranks have the covariance of order statistics."""
    size, rng = 10_000, np.random.default_rng(2)
    drawn = np.concatenate([drawn_positions(size, rng) for _ in range(10)])
    assert drawn.shape == (10 * DRAWS, MOST)
    assert drawn.min() >= 0
    assert drawn.max() < size
    assert (np.diff(drawn, axis=1) >= 0).all()
    for at in (100, 500, 1_900):
        rank = 1 + int((at + 0.5) * size / MOST)
        law = stats.beta(rank, size + 1 - rank)
        assert stats.kstest((drawn[:, at] + 0.5) / size, law.cdf).pvalue > 0.01
    low, high = drawn[:, 499] / size, drawn[:, 1_499] / size  # at a quarter and at three quarters
    assert np.cov(low, high)[0, 1] == pytest.approx(0.25 * 0.25 / size, rel=0.15)


def test_a_large_bootstrap_has_the_distances_of_the_full_one():
    """4,000 rows: the trimmed distances of 1,600 resamples drawn whole and of as many drawn at 2,000 ranks have the same law."""
    n, delta, rng = 4_000, 0.15, np.random.default_rng(8)
    now, factual = np.sort(rng.normal(size=n)), np.sort(rng.gamma(2, 0.6, n))
    whole, few = Pieces.cut(n, 0, n, 0, delta), Pieces.cut(MOST, 0, MOST, 0, delta)
    full, fast = [], []
    for _ in range(8):
        drawn = (np.sort(rng.integers(0, n, (DRAWS, n)), axis=1) for _ in range(2))
        full.extend(whole.limit(*(values[rows] for values, rows in zip((now, factual), drawn, strict=True))))
        drawn = (drawn_positions(n, rng) for _ in range(2))
        fast.extend(few.limit(*(values[rows] for values, rows in zip((now, factual), drawn, strict=True))))
    assert stats.ks_2samp(full, fast).pvalue > 0.05
    assert np.mean(fast) == pytest.approx(np.mean(full), rel=0.01)
    for share in (0.9, 0.975):
        assert np.quantile(fast, share) == pytest.approx(np.quantile(full, share), rel=0.02)


@pytest.mark.parametrize("target", [Target.values(np.linspace(0.1, 0.9, 5_001)), Target.quantiles([0, 1], [0.1, 0.9])])
def test_the_bootstrap_of_a_long_wish_and_of_its_formula_agree(target):
    y = np.sort(np.random.default_rng(3).random(6_000))
    found = limiter(np.zeros((1, 6_000)), target, "bootstrap").limits(np.zeros((1, 6_000)), y)
    grid = np.linspace(0, 1, 3_001)  # more pieces than are looked at
    fine = limiter(np.zeros((1, 6_000)), Target.quantiles(grid, 0.1 + 0.8 * grid), "bootstrap")
    assert found[1] == pytest.approx(fine.limits(np.zeros((1, 6_000)), y)[1], rel=5e-3)
