"""Feature by feature: amounts against brute force, lines and bars read back and compared with the tables."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discover_core.figures.features import LEVELS, MARKS, POINTS, caption, feature_figure, moved, those_changed
from discover_core.table.schema import Column, Schema

NUMBER = Column("Duration", "numeric", low=-100, high=100, unit="months")
SIZE = Column("size", "ordinal", levels=("small", "medium", "large"))
HOME = Column("Housing", "nominal", levels=("rent", "own", "free"))
DAY = Column("joined", "numeric", low=0, high=30_000, date=True, unit="days since 1970-01-01")
MANY = Column("town", "nominal", levels=tuple(f"t{i}" for i in range(40)))
GRADE = Column("grade", "ordinal", levels=tuple(f"g{i:02}" for i in range(40)))


def column_of(values, column: Column) -> pd.Series:
    """A prepared column from numbers or level codes."""
    if not column.categorical:
        return pd.Series(np.asarray(values, dtype=float), name=column.name)
    return pd.Series(pd.Categorical.from_codes(values, list(column.levels), ordered=column.role == "ordinal"), name=column.name)


def amounts(before, after, *columns: Column) -> list[tuple[str, float]]:
    tables = [
        pd.DataFrame({c.name: column_of(values, c) for c, values in zip(columns, part, strict=True)}) for part in (before, after)
    ]
    return moved(*tables, Schema(columns))


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=1, max_size=6))
def test_numbers_move_by_their_best_matching(pairs):
    was, now = np.array(pairs, dtype=float).T
    best = min(np.mean((was - np.array(order)) ** 2) for order in itertools.permutations(now))
    variance = np.concatenate([was, now]).var()
    ((_, found),) = amounts([was], [now], NUMBER)
    assert found == pytest.approx(best / (4 * variance) if variance else 0)
    assert 0 <= found <= 1 + 1e-12


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=30))
def test_categories_move_by_total_variation_and_ranks_like_numbers(pairs):
    was, now = np.array(pairs).T
    first, last = Counter(was.tolist()), Counter(now.tolist())
    found = dict(amounts([was, was, was], [now, now, now], NUMBER, SIZE, HOME))
    assert found["Housing"] == pytest.approx(sum(max(first[i] - last[i], 0) for i in range(3)) / len(pairs))
    assert found["size"] == found["Duration"]


def test_the_amounts_compare():
    everybody = [0] * 10, [1] * 10
    assert [x for _, x in amounts([everybody[0]] * 3, [everybody[1]] * 3, NUMBER, SIZE, HOME)] == pytest.approx([1, 1, 1])
    was, now = [0] * 6 + [1] * 4, [0] * 4 + [1] * 6  # a yes/no feature in balance
    found = dict(amounts([was, was], [now, now], SIZE, HOME))
    assert found["size"] == pytest.approx(found["Housing"])


def test_the_most_moved_comes_first_and_ties_go_to_who_changes_more():
    still, swap, move = ([0, 1, 0, 1], [0, 1, 0, 1]), ([0, 1, 0, 1], [1, 0, 0, 1]), ([0, 1, 0, 1], [2, 2, 2, 2])
    names = [name for name, _ in amounts(*zip(still, swap, move, strict=True), NUMBER, SIZE, HOME)]
    assert names == ["Housing", "size", "Duration"]


def cdf_of(values, x) -> np.ndarray:
    return np.array([np.mean(np.asarray(values) <= at) for at in x])


@pytest.mark.parametrize("n", [1, 7, 200])
def test_lines_are_the_cdfs_in_the_users_units(n):
    rng = np.random.default_rng(n)
    was, now = rng.integers(0, 30, n), rng.integers(0, 20, n)
    figure = feature_figure(column_of(was, NUMBER), column_of(now, NUMBER), NUMBER)
    for trace, values in zip(figure.data[:2], (was, now), strict=True):
        np.testing.assert_allclose(trace.y, cdf_of(values, trace.x))
        assert set(values) <= set(trace.x)
        assert trace.line.shape == "hv"
    assert figure.layout.xaxis.title.text == "Duration (months)"
    assert [t.x[0] for t in figure.data[:2]] == [figure.layout.xaxis.range[0]] * 2


def test_long_lines_are_thinned_and_stay_true():
    values = np.random.default_rng(0).normal(size=20_000)
    trace = feature_figure(column_of(values, NUMBER), column_of(values + 1, NUMBER), NUMBER).data[0]
    assert len(trace.x) <= POINTS + 2
    np.testing.assert_allclose(trace.y, cdf_of(values, trace.x))
    assert np.diff(trace.y).max() < 1.1 / (POINTS - 1)


def test_dates_are_dates():
    was, now = column_of([0, 365], DAY), column_of([0, 10.5], DAY)
    figure = feature_figure(was, now, DAY, marked=[1])
    assert str(figure.data[0].x[2])[:10] == "1971-01-01"
    assert str(figure.data[2].x[1]).startswith("1970-01-11T12:00")
    assert figure.layout.xaxis.title.text == "joined"
    assert caption(was, now, DAY) == "joined: 1 person changes; the median falls from 1970-07-02 to 1970-01-06."


@pytest.mark.parametrize("column", [SIZE, HOME])
def test_bars_are_shares_in_the_order_of_the_levels(column):
    was, now = [0, 0, 2, 1, 0], [2, 0, 2, 1, 1]
    figure = feature_figure(column_of(was, column), column_of(now, column), column)
    assert list(figure.layout.yaxis.ticktext) == list(column.levels)
    np.testing.assert_allclose(figure.data[0].x, [0.6, 0.2, 0.2])
    np.testing.assert_allclose(figure.data[1].x, [0.2, 0.4, 0.4])
    assert figure.data[1].text[2] == f"{column.levels[2]}: 2 people, 40%"
    assert figure.data[0].text[2] == f"{column.levels[2]}: 1 person, 20%"
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]  # the first is on top


def test_many_categories_are_the_largest_and_the_rest():
    rng = np.random.default_rng(3)
    was, now = rng.permutation(np.repeat(np.arange(30), np.arange(1, 31))), np.zeros(465, dtype=int) + 29
    figure = feature_figure(column_of(was, MANY), column_of(now, MANY), MANY, marked=[0])
    names = list(figure.layout.yaxis.ticktext)
    assert names == [f"t{i}" for i in range(18, 30)] + ["other 18"]
    np.testing.assert_allclose(figure.data[0].x, [*(np.arange(19, 31) / 465), sum(range(1, 19)) / 465])
    assert sum(figure.data[1].x) == pytest.approx(1)
    few = feature_figure(column_of(np.arange(LEVELS + 1), MANY), column_of(np.arange(LEVELS + 1), MANY), MANY)
    assert len(few.layout.yaxis.ticktext) == LEVELS + 1  # "other 1" would take as much room as its name


def test_an_order_of_many_levels_is_drawn_like_a_number():
    was, now = np.arange(40), np.minimum(np.arange(40) + 3, 39)
    figure = feature_figure(column_of(was, GRADE), column_of(now, GRADE), GRADE)
    np.testing.assert_allclose(figure.data[1].y, cdf_of(now, figure.data[1].x))
    assert list(figure.layout.xaxis.ticktext) == [f"g{i:02}" for i in figure.layout.xaxis.tickvals]


def test_marked_people_stand_on_both_curves():
    was, now = np.array([5.0, 1, 3, 9]), np.array([5.0, 2, 8, 0])
    trace = feature_figure(column_of(was, NUMBER), column_of(now, NUMBER), NUMBER, marked={2, 0}, dark=True).data[2]
    assert list(trace.customdata) == [0, 0, 0, 2, 2, 2]
    np.testing.assert_allclose(trace.x, [5, 5, np.nan, 3, 8, np.nan])
    np.testing.assert_allclose(trace.y, [0.75, 0.75, np.nan, 0.5, 1, np.nan])
    assert trace.text[3:5] == ("row 3: 3 months", "row 3: 8 months")
    bars = feature_figure(column_of([0, 0, 1], HOME), column_of([0, 1, 1], HOME), HOME, marked=[0, 1]).data[2]
    assert bars.x == pytest.approx([2 / 3, 1 / 3, 2 / 3])
    assert bars.y == pytest.approx([-0.2, 0.2, 1.2])
    assert list(bars.text) == [
        "2 of 2 marked, before<br>row 1, row 2",
        "1 of 2 marked, after<br>row 1",
        "1 of 2 marked, after<br>row 2",
    ]


def test_marked_people_have_the_names_of_the_table():
    names = [f"<Row> {100 + i}" for i in range(6)]
    told = {"marked": range(1, 6), "labels": names}
    line = feature_figure(column_of(range(6), NUMBER), column_of(range(6), NUMBER), NUMBER, **told).data[2]
    assert line.text[:2] == ("&lt;Row&gt; 101: 1 months",) * 2
    bars = feature_figure(column_of([0] * 6, HOME), column_of([1] * 3 + [2] * 3, HOME), HOME, **told).data[2]
    first, second, third = ("&lt;Row&gt; 101", "&lt;Row&gt; 102", "&lt;Row&gt; 103")
    assert list(bars.text) == [
        f"5 of 5 marked, before<br>{first}, {second}, {third} and 2 more",
        f"2 of 5 marked, after<br>{first}, {second}",
        f"3 of 5 marked, after<br>{third}, &lt;Row&gt; 104, &lt;Row&gt; 105",
    ]


def test_a_swap_is_a_change():
    """Two people who trade their values move no spread at all."""
    columns, was, now = (NUMBER, SIZE, HOME), ([5, 5], [0, 1], [0, 0]), ([5, 5], [1, 0], [1, 2])
    before, after = (
        pd.DataFrame({c.name: column_of(part, c) for c, part in zip(columns, parts, strict=True)}) for parts in (was, now)
    )
    changed = np.array(was).T != np.array(now).T
    assert dict(moved(before, after, Schema(columns)))["size"] == 0
    assert those_changed(before, after, Schema(columns), changed) == ["Housing", "size"]


@pytest.mark.parametrize("seed", range(6))
def test_the_caption_counts(seed):
    rng = np.random.default_rng(seed)
    was = rng.integers(0, 3, 30)
    now = np.where(rng.random(30) < 0.5, rng.integers(0, 3, 30), was)
    moves = Counter((HOME.levels[a], HOME.levels[b]) for a, b in zip(was, now, strict=True) if a != b)
    (first, last), most = max(moves.items(), key=lambda item: item[1])
    words = caption(column_of(was, HOME), column_of(now, HOME), HOME)
    assert words.startswith(f"Housing: {sum(moves.values())} people change, most often from ")
    assert words.endswith(f" ({most}).")
    if list(moves.values()).count(most) == 1:
        assert f"from {first} to {last} (" in words


def test_captions_in_all_their_forms():
    def said(was, now, column):
        return caption(column_of(was, column), column_of(now, column), column)

    assert said([24, 24, 30], [18, 18, 30], NUMBER) == "Duration: 2 people change; the median falls from 24 to 18 months."
    assert said([1, 2, 3], [1, 2.5, 3], NUMBER) == "Duration: 1 person changes; the median rises from 2 to 2.5 months."
    assert said([1, 2, 3], [0, 2, 3], NUMBER) == "Duration: 1 person changes; the median stays at 2 months."
    assert said([1], [1], NUMBER) == "Duration: nobody changes."
    assert said([0, 0], [1, 1], HOME) == "Housing: 2 people change, all from rent to own."
    assert said([0, 0], [1, 0], HOME) == "Housing: 1 person changes, from rent to own."
    assert said([0, 0], [1, 2], HOME) == "Housing: 2 people change, each in a different way."
    assert said([], [], HOME) == "Housing: nobody changes."


@pytest.mark.parametrize("column", [NUMBER, SIZE, HOME, DAY, GRADE])
def test_every_redraw_has_the_same_three_traces(column):
    parts = [([], []), ([0], [1]), (np.arange(20) % 3, np.zeros(20, dtype=int))]
    figures = [feature_figure(column_of(a, column), column_of(b, column), column) for a, b in parts]
    assert {tuple(t.name for t in f.data) for f in figures} == {("Before", "After", "Marked")}
    assert {f.layout.uirevision for f in figures} == {f"feature-{column.name}"}


def test_hostile_names_are_text():
    bad = "<script>alert(1)</script>"
    for column in (
        Column(bad, "nominal", levels=(bad, "<b>b</b>")),
        Column(bad, "numeric", low=0, high=1, unit=bad),
        Column(bad, "ordinal", levels=tuple(f"<i>{i}</i>" for i in range(40))),
    ):
        codes = np.arange(40) % 2 if column.role != "ordinal" else np.arange(40)
        series = column_of(codes, column)
        data = feature_figure(series, series, column, marked=[0, 1]).to_dict()
        del data["layout"]["uirevision"]  # never shown
        text = str(data)
        assert "<script" not in text
        assert "<b>" not in text
        assert "<i>" not in text
        assert "&lt;" in text


def test_thousands_of_people_stay_small():
    values = np.random.default_rng(0).normal(size=5_000)
    figure = feature_figure(column_of(values, NUMBER), column_of(values + 1, NUMBER), NUMBER, marked=range(5_000))
    assert len(figure.to_json()) < 60_000
    assert figure.data[2].name == f"{MARKS} of 5,000 marked"
    assert len(figure.data[2].x) == 3 * MARKS
