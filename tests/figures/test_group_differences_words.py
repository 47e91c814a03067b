"""Who bears it, in words: numbers that add up, and no comparison where there is none."""

from __future__ import annotations

import re
from decimal import Decimal

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from discover_core.figures.group_differences import caption, difference_words, differences_figure
from discover_core.outcome.group_differences import Difference, Measure

NUMBER = r"(-?[\d,]+(?:\.\d+)?)"
SENTENCE = re.compile(rf": {NUMBER}%? against {NUMBER}%?, .*difference of {NUMBER}.*interval {NUMBER} to {NUMBER}")


def numbers(words: str) -> list[Decimal]:
    """First, second, difference, and the interval's two ends, as they are read."""
    return [Decimal(number.replace(",", "")) for number in SENTENCE.search(words).groups()]


def of(measure: Measure, more: float, less: float, low: float, high: float) -> Difference:
    return Difference(measure, "g", "a", "b", (more, less), low, high, 1)


def a_table(people: int, effort: float, low: float, high: float) -> pd.DataFrame:
    row = {"people": people, "movers": people, "effort": effort, "effort_low": low, "effort_high": high}
    return pd.DataFrame([row], index=["a"])


@settings(max_examples=300, deadline=None)
@given(st.integers(5, 400), st.integers(5, 400), st.data())
def test_shares_add_up_with_as_few_decimals_as_it_takes(n: int, m: int, data: st.DataObject) -> None:
    p, q = sorted((data.draw(st.integers(0, n)) / n, data.draw(st.integers(0, m)) / m), reverse=True)
    if p == q:
        return
    words = difference_words(of("changed", p, q, p - q - 0.11, p - q + 0.2))
    more, less, size, low, high = numbers(words)
    places = {-number.as_tuple().exponent for number in (more, less, size, low, high)}
    assert len(places) == 1
    assert more - less == size > 0
    (digits,) = places
    assert abs(float(size) - 100 * (p - q)) <= 10.0**-digits
    if digits:
        small = min(x for x in (p, q, 1 - p, p - q, abs(p - q - 0.11)) if x > 0)
        assert round(100 * p) - round(100 * q) != round(100 * (p - q)) or small <= 0.0051


def test_shares_that_did_not_add_up() -> None:
    words = difference_words(of("changed", 0.4442, 0.3861, -0.1, 0.2))  # 44% against 39%, but 6 points
    assert "44.4% against 38.6%, but the difference of 5.8 points may be chance (95% interval -10.0 to 20.0)" in words
    words = difference_words(of("changed", 8 / 18, 7 / 18, -0.1, 0.2))  # do not add up with any number of decimals
    assert "44.4% against 38.9%, but the difference of 5.5 points may be chance" in words


def test_the_ends_of_an_interval_are_equally_precise() -> None:
    assert "interval 0.3 to 68.0" in difference_words(of("success", 0.7, 0.36, 0.00256, 0.68))
    assert "40.3 against 6.2, a difference of 34.1 (95% interval 0.3 to 68.0)" in difference_words(
        of("effort", 40.31, 6.2, 0.256, 68)
    )
    (told,) = differences_figure(a_table(20, 34.1, 0.2561, 68), "effort").data[0].text
    assert told == "a, 20 people: 34.1, 95% interval 0.3 to 68.0"


def test_without_two_groups_nothing_is_compared() -> None:
    table = a_table(1, 2.0, np.nan, np.nan)
    assert caption(table, "effort", None) == (
        "There are no two groups large enough to compare. An effort of 1 is one standard deviation of a number, "
        "or one category switched. A dot without a bar has too few or too equal values for an interval."
    )
    assert caption(table, "effort", of("effort", 2, 1, 0.5, 1.5)).endswith("it does not say why they differ.")
    assert differences_figure(table, "effort").data[0].text == ("a, 1 person: 2, no interval",)
