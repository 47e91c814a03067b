"""The price of one more person, and how many are enough, from the lines of a trade-off."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discover_core.outcome.tradeoff_words import Price, enough, has_share, price, reached


def lines(efforts, shares=None, ot_y=None, step: int = 1) -> pd.DataFrame:
    """One line per person, or every `step`-th of them and the last."""
    n = len(efforts)
    table = pd.DataFrame(
        {
            "people": np.arange(n + 1),
            "effort": np.cumsum([0.0, *efforts]),
            "ot_y": np.linspace(0.25, 0.01, n + 1) if ot_y is None else ot_y,
            "share": np.nan if shares is None else shares,
        }
    )
    return table.iloc[sorted({*range(0, n + 1, step), n})].reset_index(drop=True)


@given(st.lists(st.floats(0, 100), min_size=1, max_size=40), st.integers(1, 7))
def test_the_prices_of_all_add_up_to_the_effort_in_all(efforts, step):
    table = lines(efforts, step=step)
    prices = [price(table, helped) for helped in range(len(efforts))]
    assert sum(one.effort for one in prices if one is not None) == pytest.approx(sum(efforts))
    assert sum(one.gap for one in prices if one is not None) == pytest.approx(0.4)
    assert all(one is not None and 1 <= one.span <= step for one in prices)
    assert price(table, len(efforts)) is None


def test_the_next_person_is_the_next_line():
    table = lines([0.5, 2.0, 3.0], [0.0, 0.25, 0.25, 0.5])
    assert has_share(table)
    assert [price(table, k).effort for k in range(3)] == [0.5, 2.0, 3.0]
    assert [price(table, k).brings for k in range(3)] == ["+25 points", "0 points", "+25 points"]
    assert price(table, 1).whom == "the next person"
    thin = lines([1.0, 2.0, 3.0, 4.0], step=4)
    assert price(thin, 2) == Price(2.5, pytest.approx(np.nan, nan_ok=True), pytest.approx(0.1), 4)
    assert price(thin, 2).whom == "each of the next 4 people"
    assert price(thin, 2).brings == "0.1 nearer"
    assert Price(1.0, 0.00002, 0.0, 1).brings == "+0.002 points"
    assert Price(1.0, np.nan, -0.2, 1).brings == "0.2 further"


def test_how_many_are_enough():
    table = lines([1.0] * 4, [0.0, 0.2, 0.4, 0.4, 0.6])
    assert [enough(table, asked) for asked in (0.0, 0.2, 0.3, 0.4, 0.6, 0.7)] == [0, 1, 2, 2, 4, None]
    shape = lines([1.0, 1.0], ot_y=[0.25, 0.04, 0.01])
    assert not has_share(shape)
    np.testing.assert_allclose(reached(shape), [0.5, 0.2, 0.1])
    assert [enough(shape, asked) for asked in (0.5, 0.3, 0.1, 0.05)] == [0, 1, 2, None]
