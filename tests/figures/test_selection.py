"""Selections as Streamlit tells them, given to each figure: exactly the people one sees in them are picked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discover_core.figures import bars, features, group_differences, impact, outputs
from discover_core.figures.selection import named_in
from discover_core.problem.target import Target
from discover_core.table.schema import Column

from .test_feature_figures import DAY, GRADE, HOME, MANY, NUMBER, column_of

RNG = np.random.default_rng(5)


def selection(*points: dict[str, Any], box: tuple[Any, Any] | None = None, lasso: bool = False) -> dict[str, Any]:
    boxes = [] if box is None else [{"xref": "x", "yref": "y", "x": list(box), "y": [1.02, 0]}]
    return {"points": list(points), "point_indices": [], "box": boxes, "lasso": [{"x": [None], "y": [None]}] if lasso else []}


def point(figure: Any, curve: int, number: int) -> dict[str, Any]:
    """What Streamlit tells of one mark of a figure."""
    trace = figure.data[curve]
    told = {name: np.asarray(trace[name])[number].item() for name in ("x", "y", "customdata") if trace[name] is not None}
    return {"curve_number": curve, "point_number": number, "point_index": number} | told


def points(figure: Any, curve: int) -> list[dict[str, Any]]:
    return [point(figure, curve, number) for number in range(len(figure.data[curve].x))]


def where(mask: Any) -> list[int]:
    return np.flatnonzero(np.asarray(mask)).tolist()


def test_marks_name_their_people() -> None:
    told = [{"curve_number": i % 3, "customdata": who} for i, who in enumerate((7, [3], {"0": 5}, 7.0, None, []))]
    assert named_in(selection(*told, {"curve_number": 0})).tolist() == [3, 5, 7]
    assert named_in(selection()).tolist() == []


# scores


def score_figure(before: Any, after: Any, **given: Any) -> Any:
    return outputs.outputs_figure(before, Target.values([0.2, 0.4]), after, now_name="After", selectable=True, **given)


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=30), st.integers(-1, 10), st.integers(-1, 10)
)
def test_a_box_in_the_scores_picks_by_the_score_after(pairs: list[tuple[int, int]], first: int, last: int) -> None:
    before, after = np.array(pairs, dtype=float).T / 10
    low, high = sorted((first / 10, last / 10))
    found = outputs.people_in(selection(box=(first / 10, last / 10)), before, after)
    assert found.tolist() == where((after >= low) & (after <= high))


def test_a_narrow_box_misses_nobody_between_the_points_of_a_thinned_line() -> None:
    before, after = RNG.random(5_000), RNG.random(5_000)
    drawn = score_figure(before, after).data[outputs.AFTER].x
    at = int(np.argmax(np.diff(drawn[1:-1]))) + 1
    between = (drawn[at] + 1e-9, drawn[at + 1] - 1e-9)  # no drawn point lies here, people do
    held = where((after > drawn[at]) & (after < drawn[at + 1]))
    assert held
    assert outputs.people_in(selection(box=between), before, after).tolist() == held
    points_of_before = [point(score_figure(before, after), outputs.BEFORE, 3)]  # a box is always about after
    assert outputs.people_in(selection(*points_of_before, box=between), before, after).tolist() == held


@pytest.mark.parametrize("n", [1, 40, 5_000])
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("curve", [outputs.BEFORE, outputs.AFTER])
def test_every_point_of_a_line_stands_for_its_people_and_together_for_all(n: int, ties: bool, curve: int) -> None:
    before, after = (RNG.integers(0, 5, n) / 5 if ties else RNG.random(n) for _ in range(2))
    figure, values = score_figure(before, after), before if curve == outputs.BEFORE else after
    marks = points(figure, curve)
    assert outputs.people_in(selection(*marks, lasso=True), before, after).tolist() == list(range(n))
    assert outputs.people_in(selection(marks[0], marks[-1]), before, after).tolist() == []  # its ends are only drawn
    for mark in marks[1 : -1 : max(len(marks) // 20, 1)]:
        lower = [other["x"] for other in marks if other["x"] < mark["x"]]
        wanted = (values <= mark["x"]) & (values > max(lower, default=-np.inf))
        assert outputs.people_in(selection(mark), before, after).tolist() == where(wanted)


def test_a_marked_dot_is_its_person_and_points_add_up() -> None:
    before, after = RNG.random(30), RNG.random(30)
    figure = score_figure(before, after, marked=[4, 17])
    dots = len(figure.data) - 1
    chosen = [point(figure, dots, number) for number in range(2)]
    assert outputs.people_in(selection(chosen[0]), before, after).tolist() == [int(chosen[0]["customdata"])]
    line = point(figure, outputs.BEFORE, 11)
    who = where(before == line["x"])
    assert outputs.people_in(selection(*chosen, line), before, after).tolist() == sorted({4, 17, *who})


def test_only_a_selectable_chart_has_something_to_take_hold_of() -> None:
    seen = outputs.outputs_figure([0.1, 0.4], Target.values([0.2]), [0.3, 0.2])
    assert (seen.layout.hovermode, seen.data[outputs.AFTER].mode) == ("y unified", "lines")
    taken = score_figure([0.1, 0.4], [0.3, 0.2])
    assert [taken.data[curve].name for curve in (outputs.BEFORE, outputs.AFTER)] == ["Before", "After"]
    assert [taken.data[curve].mode for curve in (outputs.BEFORE, outputs.AFTER)] == ["lines+markers"] * 2
    assert (taken.layout.hovermode, taken.layout.selectdirection) == ("closest", "h")


# features


def picked(told: dict[str, Any], was: Any, now: Any, column: Column) -> list[int]:
    return features.people_in(told, column_of(was, column), column_of(now, column), column).tolist()


def test_a_box_on_a_number_is_a_range_of_it_after() -> None:
    was, now = RNG.normal(size=2_000), RNG.normal(size=2_000)
    assert picked(selection(box=(0.5, -0.25)), was, now, NUMBER) == where((now >= -0.25) & (now <= 0.5))
    figure = features.feature_figure(column_of(was, NUMBER), column_of(now, NUMBER), NUMBER)
    for curve, values in ((features.BEFORE, was), (features.AFTER, now)):
        x = figure.data[curve].x
        assert picked(selection(point(figure, curve, 40)), was, now, NUMBER) == where((values > x[39]) & (values <= x[40]))


def test_boxes_over_dates_and_over_ranks() -> None:
    was, now = np.zeros(4), np.array([0, 10.5, 365, 366])
    assert picked(selection(box=("1970-01-11 12:00", "1971-01-01 00:00:00.0001")), was, now, DAY) == [1, 2]
    codes = np.arange(40)
    assert picked(selection(box=(2.6, 5.4)), codes, codes[::-1], GRADE) == [34, 35, 36]


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=30), st.integers(0, 1), st.data())
def test_a_bar_is_the_people_of_its_level(pairs: list[tuple[int, int]], when: int, data: st.DataObject) -> None:
    was, now = np.array(pairs).T
    everybody = range(len(pairs))
    figure = features.feature_figure(column_of(was, HOME), column_of(now, HOME), HOME, marked=everybody)
    codes = (was, now)[when]
    number = data.draw(st.integers(0, len(figure.data[when].x) - 1))
    level = HOME.levels.index(figure.layout.yaxis.ticktext[number])
    wanted = where(codes == level)
    assert picked(selection(point(figure, when, number)), was, now, HOME) == wanted
    rings = [mark for mark in points(figure, 2) if abs(mark["y"] - (number + (-0.2, 0.2)[when])) < 1e-9]
    assert len(rings) == bool(wanted)
    assert picked(selection(*rings), was, now, HOME) == wanted  # the ring lies on the bar
    both = selection(point(figure, 0, number), point(figure, 1, number))
    assert picked(both, was, now, HOME) == where((was == level) | (now == level))


def test_the_bar_of_the_other_levels_is_all_their_people() -> None:
    was, now = np.repeat(np.arange(30), np.arange(1, 31)), np.full(465, 29)
    figure = features.feature_figure(column_of(was, MANY), column_of(now, MANY), MANY)
    last = len(figure.data[0].x) - 1
    assert picked(selection(point(figure, 0, last)), was, now, MANY) == where(was < 18)
    assert picked(selection(point(figure, 1, last)), was, now, MANY) == []
    assert picked(selection(point(figure, 1, last - 1)), was, now, MANY) == list(range(465))


# bars and groups


def test_the_last_bar_is_the_rest() -> None:
    distances = RNG.random(60)
    figure = bars.bars_figure(distances, limit=25)
    order = np.argsort(-distances)
    one, rest = point(figure, 0, 3), point(figure, bars.REST, 0)
    assert bars.people_in(selection(one), distances, 25).tolist() == [order[3]]
    assert bars.people_in(selection(rest), distances, 25).tolist() == sorted(order[25:])
    everybody = [*points(figure, 0), rest]
    assert bars.people_in(selection(*everybody), distances, 25).tolist() == list(range(60))


@pytest.mark.parametrize("ordered", [True, False])
def test_a_line_of_who_bears_it_is_its_group(ordered: bool) -> None:
    names = ["b", "unused", "<i>a</i>", "c"]
    codes = RNG.choice([0, 2, 3], 50)
    groups = pd.Series(np.array(names)[codes], name="g")
    if ordered:
        groups = pd.Series(pd.Categorical(groups, names, ordered=True), name="g")
    index = pd.Index([name for name in names if name != "unused"] if ordered else sorted(set(groups)), name="g")
    sizes = groups.value_counts()[list(index)].to_numpy()
    measures = {f"changed{end}": np.linspace(0.2, 0.6, 3) + shift for end, shift in (("", 0), ("_low", -0.1), ("_high", 0.1))}
    table = pd.DataFrame({"people": sizes, "movers": sizes, **measures}, index=index)
    marked = where(groups == "c")[:4]
    figure = group_differences.differences_figure(table, "changed", groups=groups, marked=marked)
    for line, name in enumerate(index):
        wanted = where(groups == name)
        assert group_differences.people_in(selection(point(figure, 0, line)), table, groups).tolist() == wanted
        assert ("marked" in figure.layout.yaxis.ticktext[line]) == (name == "c")
        assert ("<br>4 of them marked" in figure.data[0].text[line]) == (name == "c")
        assert np.isnan(figure.data[2].x[line]) == (name != "c")
    assert group_differences.people_in(selection(point(figure, 0, 0), point(figure, 0, 2)), table, groups).tolist() == where(
        groups.isin([index[0], index[2]])
    )
    assert group_differences.people_in(selection(), table, groups).tolist() == []


def test_boxes_take_whole_rows_and_columns_and_low_bars_can_be_pointed_at() -> None:
    alone, beside = bars.bars_figure([0.1, 0.0]), bars.bars_figure([0.1, 0.0], {"A": [0.1, 0.2]})
    assert (alone.layout.selectdirection, alone.layout.hovermode, beside.layout.hovermode) == ("h", "x", "closest")
    matrix, chosen = RNG.random((3, 6)), [np.array([1]), np.array([2]), np.array([1])]
    heat = impact.impact_figure([0, 1, 2], matrix, chosen, rows=4, marked=[2])
    assert heat.layout.selectdirection == "v"
    squares = [point(heat, 2, row) for row in range(4)]  # a box over rows holds their squares, which name each row's person
    assert named_in(selection(*squares)).tolist() == sorted(impact.shown_rows(matrix, chosen, rows=4))


def test_many_marks_do_not_hide_each_other_or_the_curves() -> None:
    few, many = (score_figure(RNG.random(60), RNG.random(60), marked=range(n)).data[-1] for n in (3, 40))
    assert few.marker.line.width > many.marker.line.width == 0
    series = column_of(RNG.normal(size=60), NUMBER)
    few, many = (features.feature_figure(series, series, NUMBER, marked=range(n)).data[2] for n in (3, 40))
    assert few.opacity == 1 > many.opacity
