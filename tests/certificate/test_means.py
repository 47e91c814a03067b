"""The limit of a mean: by betting, against a slow reference that shares no code with it, and how often it fails."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discover_core.certificate import means
from discover_core.certificate.means import METHODS, mean_limit
from discover_core.errors import InputError

LEVEL = 0.025


def rejects(values, top, level, m):
    """Whether somebody who bets that the mean is less than m ever has 1/level of their capital, value by value."""
    n, capital, most = len(values), 1.0, 1.0
    total, squares = 0.0, 0.0
    for i, value in enumerate(values):
        x = value / top
        variance = (0.25 + squares) / (i + 1)
        bet = min(math.sqrt(2 * math.log(1 / level) / (n * variance)), 0.9 / (1 - m))
        capital *= 1 + bet * (m - x)
        most = max(most, capital)
        total += x
        squares += (x - (0.5 + total) / (i + 2)) ** 2
    return most >= 1 / level


def reference(values, top, level, steps=2_000):
    """The least of many candidate means that is rejected, tried one by one."""
    for i in range(steps):
        if rejects(values, top, level, i / steps):
            return max(top * i / steps, sum(values) / len(values))
    return top


SAMPLES = {
    "zero-inflated": lambda rng, n: np.where(rng.random(n) < 0.7, 0.0, rng.beta(1, 8, n)),
    "at the top": lambda rng, n: (rng.random(n) < 0.1).astype(float),
    "beta": lambda rng, n: rng.beta(2, 3, n),
    "efforts": lambda rng, n: np.where(rng.random(n) < 0.6, 0.0, np.minimum(rng.gamma(2, 0.12, n), 2.0) ** 2 / 4),
}
MEANS = {"zero-inflated": 0.3 / 9, "at the top": 0.1, "beta": 0.4}
unit = st.floats(0, 1)
samples = st.lists(st.one_of(st.just(0.0), st.just(1.0), unit), min_size=1, max_size=60)
levels = st.floats(1e-4, 0.5)


@given(samples, levels, st.sampled_from((0.5, 1.0, 4.0)))
def test_it_is_where_the_slow_reference_begins_to_reject(values, level, top):
    values = [top * value for value in values]
    found = mean_limit(values, top, level) / top
    mean = np.mean(values) / top
    if found < 1:
        assert rejects(values, top, level, min(found + 1e-9, 1 - 1e-9))
    if found > mean + 1e-6:
        assert not rejects(values, top, level, min(found, 1 - 1e-9) - 1e-8)


@pytest.mark.parametrize("name", SAMPLES)
def test_it_is_what_a_grid_search_finds(name):
    values = (2 * SAMPLES[name](np.random.default_rng(3), 120)).tolist()
    found = mean_limit(values, 2.0, LEVEL)
    assert found <= reference(values, 2.0, LEVEL) < found + 2 / 2_000 + 1e-9


PINNED = [0.0, 0.25, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.125, 0.0, 0.0, 0.0, 0.75] * 3


@pytest.mark.parametrize(
    ("method", "tight", "loose"),
    [
        ("betting", 0.331745649763, 0.223182829084),
        ("hoeffding", 0.360087568925, 0.249034749181),
        ("empirical_bernstein", 0.512050946341, 0.306253243101),
    ],
)
def test_exact_values_and_that_a_level_20_times_as_loose_is_seen(method, tight, loose):
    assert mean_limit(PINNED, 1.0, LEVEL, method) == pytest.approx(tight, rel=1e-9)
    assert mean_limit(PINNED, 1.0, 20 * LEVEL, method) == pytest.approx(loose, rel=1e-9)
    assert tight > 1.2 * loose


def test_nobody_who_changes_leaves_what_n_people_can_show():
    """All zeros: at the cap the capital is (1 + .9 m/(1 - m))^n, and for one bet or few the exact 1 - level^(1/n) is close."""
    for n in (50, 200, 1_000):
        odds = (LEVEL ** (-1 / n) - 1) / means.CAP
        found = mean_limit(np.zeros(n), 4.0, LEVEL) / 4
        assert found >= odds / (1 + odds) - 1e-12
        assert 1 - LEVEL ** (1 / n) < found < 1.3 * (1 - LEVEL ** (1 / n))


@pytest.mark.parametrize("method", METHODS)
def test_edges(method):
    assert mean_limit([0.0], 1.0, LEVEL, method) == 1
    assert mean_limit([2.0], 2.0, LEVEL, method) == 2
    assert mean_limit([2.0] * 500, 2.0, LEVEL, method) == 2
    assert mean_limit([2.0 * (1 + 1e-12)] * 5, 2.0, LEVEL, method) == 2  # rounding
    assert mean_limit([0.0] * 5, 0.0, LEVEL, method) == 0
    assert 0.3 < mean_limit([0.3] * 500, 1.0, LEVEL, method) < 0.37
    many = [0.0] * 500 + [1.0] * 500  # betting rejects the mean of what came first; the limit is not below the sample's
    assert mean_limit(many, 1.0, LEVEL, method) >= 0.5


@pytest.mark.parametrize(
    ("values", "top", "level", "method"),
    [
        ([], 1, 0.1, "betting"),
        ([[0.1]], 1, 0.1, "betting"),
        ([0.1, math.nan], 1, 0.1, "betting"),
        ([-0.1], 1, 0.1, "betting"),
        ([1.1], 1, 0.1, "betting"),
        ([0.1], math.inf, 0.1, "betting"),
        ([0.0], -1, 0.1, "betting"),
        ([0.1], 1, 0.0, "betting"),
        ([0.1], 1, 1.0, "betting"),
        ([0.1], 1, 0.1, "student"),
    ],
)
def test_what_is_no_sample_of_bounded_values_is_refused(values, top, level, method):
    with pytest.raises(InputError):
        mean_limit(values, top, level, method)


@given(samples, levels, levels, st.sampled_from(sorted(METHODS)))
def test_more_confidence_is_a_larger_limit_between_the_mean_and_the_top(values, one, other, method):
    strict, loose = (mean_limit(values, 1.0, level, method) for level in sorted((one, other)))
    assert np.mean(values) - 1e-12 <= loose <= strict + 1e-10
    assert strict <= 1


@given(samples, st.integers(0, 59), unit, levels)
def test_larger_values_have_a_larger_limit(values, at, by, level):
    """Exactly so for Hoeffding; by betting for the last value, which no bet is made of, and for all of them together."""
    more = list(values)
    more[at % len(values)] = min(1.0, more[at % len(values)] + by)
    assert mean_limit(more, 1.0, level, "hoeffding") >= mean_limit(values, 1.0, level, "hoeffding") - 1e-12
    last = [*values[:-1], min(1.0, values[-1] + by)]
    assert mean_limit(last, 1.0, level) >= mean_limit(values, 1.0, level) - 1e-10
    assert mean_limit(values, 2.0, level) == pytest.approx(2 * mean_limit(np.array(values) / 2, 1.0, level), rel=1e-9)


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("method", METHODS)
def test_more_people_have_a_smaller_limit(name, method):
    rng = np.random.default_rng(8)
    found = [np.mean([mean_limit(SAMPLES[name](rng, n), 1.0, LEVEL, method) for _ in range(10)]) for n in (25, 100, 400, 1_600)]
    assert (np.diff(found) < 0).all()


def test_a_large_sample_is_looked_at_now_and_then(monkeypatch):
    values = SAMPLES["efforts"](np.random.default_rng(1), 3_001)
    always = mean_limit(values, 1.0, LEVEL)
    monkeypatch.setattr(means, "LARGE", 1_024)
    sometimes = mean_limit(values, 1.0, LEVEL)
    assert always <= sometimes < 1.01 * always


def draw(name, n, rng):
    if name != "efforts":
        return SAMPLES[name](rng, n), MEANS[name]
    population = SAMPLES[name](np.random.default_rng(0), 5_000)
    return rng.choice(population, n), population.mean()


@pytest.mark.slow
@pytest.mark.parametrize("n", [50, 200, 1_000])
@pytest.mark.parametrize("name", SAMPLES)
def test_it_fails_no_more_often_than_it_says_and_is_tight(name, n):
    """At a level at which failures are seen; a level 20 times as loose must be told from the one that was asked for."""
    rng, rounds, level = np.random.default_rng([n, len(name)]), 1_500, 0.05
    failures = dict.fromkeys(METHODS, 0)
    widths = {method: np.empty(rounds) for method in METHODS}
    for i in range(rounds):
        values, truth = draw(name, n, rng)
        for method in METHODS:
            widths[method][i] = mean_limit(values, 1.0, level, method)
            failures[method] += widths[method][i] < truth
    most = rounds * level + 3 * math.sqrt(rounds * level * (1 - level))
    assert max(failures.values()) <= most, failures
    if name in ("zero-inflated", "efforts"):
        assert (widths["betting"] < widths["hoeffding"]).all()
    assert np.mean(widths["betting"] < widths["empirical_bernstein"]) > 0.9
