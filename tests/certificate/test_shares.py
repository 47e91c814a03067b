"""The exact limit of a share, against SciPy's binomial test and the binomial distribution itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from discover_core.certificate.shares import share_limit
from discover_core.errors import InputError

counts = st.integers(1, 2_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
levels = st.floats(1e-6, 0.4)


@given(counts, levels)
def test_it_is_scipys_interval(counted, level):
    count, n = counted
    lower = binomtest(count, n, alternative="greater").proportion_ci(1 - level, "exact").low
    upper = binomtest(count, n, alternative="less").proportion_ci(1 - level, "exact").high
    assert share_limit(count, n, level) == pytest.approx(lower, rel=1e-7, abs=1e-12)
    assert share_limit(count, n, level, "upper") == pytest.approx(upper, rel=1e-7, abs=1e-12)


@given(counts, levels, levels)
def test_it_falls_with_the_confidence_rises_with_the_count_and_mirrors(counted, one, other):
    count, n = counted
    strict, loose = sorted((one, other))
    assert share_limit(count, n, strict) <= share_limit(count, n, loose) + 1e-12
    assert share_limit(count, n, loose) <= count / n <= share_limit(count, n, loose, "upper")
    assert share_limit(count, n, strict) == pytest.approx(1 - share_limit(n - count, n, strict, "upper"), abs=1e-9)
    if count < n:
        assert share_limit(count, n, strict) < share_limit(count + 1, n, strict)


def test_none_and_all():
    assert share_limit(0, 7, 0.025) == 0
    assert share_limit(7, 7, 0.025, "upper") == 1
    assert share_limit(7, 7, 0.025) == pytest.approx(0.025 ** (1 / 7))
    assert share_limit(0, 7, 0.025, "upper") == pytest.approx(1 - 0.025 ** (1 / 7))
    assert share_limit(45, 137, 0.025) == pytest.approx(0.250691221112, rel=1e-9)
    assert share_limit(45, 137, 0.5) == pytest.approx(0.325244570856, rel=1e-9)


@pytest.mark.parametrize(("n", "share"), [(50, 0.38), (200, 0.05), (1_000, 0.5)])
def test_it_fails_as_often_as_the_binomial_distribution_says(n, share):
    """No simulation: the probability of every count at which the limit is above the truth."""
    level = 0.025
    failure = sum(binom.pmf(count, n, share) for count in range(n + 1) if share_limit(count, n, level) > share)
    assert level / 4 < failure <= level


@pytest.mark.parametrize(
    ("count", "n", "level", "side"),
    [
        (1, 0, 0.1, "lower"),
        (-1, 5, 0.1, "lower"),
        (6, 5, 0.1, "lower"),
        (1, 5, 0, "lower"),
        (1, 5, 1, "upper"),
        (1, 5, 0.1, "both"),
    ],
)
def test_what_is_no_share_is_refused(count, n, level, side):
    with pytest.raises(InputError):
        share_limit(count, n, level, side)
