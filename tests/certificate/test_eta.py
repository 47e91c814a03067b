"""The weight between the sides, all cases, and its narrowing interval."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discover_core.certificate.eta import balance, narrow

gaps = st.floats(-10, 10) | st.just(0.0)


@pytest.mark.parametrize(
    ("a", "b", "share"),
    [
        (-1, -3, 0.75),
        (-3, -1, 0.25),
        (1, 3, 0.25),
        (3, 1, 0.75),
        (0, 0, 0.5),
        (0, 2, 0.0),
        (2, 0, 1.0),
        (-1, 2, 0.0),
        (2, -1, 1.0),
        (-1, 0, 0.0),
        (0, -1, 1.0),
    ],
)
def test_every_case_of_the_rule(a, b, share):
    assert balance(a, b) == share


@given(gaps, gaps)
def test_the_share_is_a_share(a, b):
    assert 0 <= balance(a, b) <= 1


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.floats(0.01, 0.99))
def test_narrowing_is_the_papers_algorithm(share, first, second, kappa):
    left, right = sorted((first, second))
    eta = left + share * (right - left)
    low, high = narrow(eta, (left, right), kappa)
    if eta > (left + right) / 2:
        assert (low, high) == (left + kappa * (right - left), right)
    else:
        assert (low, high) == (left, right - kappa * (right - left))
    assert left <= low <= high <= right


def test_narrowing_by_hand():
    assert narrow(0.9, (0.2, 1.0), 0.05) == pytest.approx((0.24, 1.0))
    assert narrow(0.6, (0.2, 1.0), 0.05) == pytest.approx((0.2, 0.96))
