"""The heatmap of q_i shows the right people, the right cells and a dot on everybody picked."""

from __future__ import annotations

import json

import numpy as np
import plotly.graph_objects as go
import pytest

from discover_core.figures.impact import CELLS, COLUMNS, DIM, DOTS, Order, Scale, caption, impact_figure, shown_rows
from discover_core.figures.text import percent

Picked = list[np.ndarray]


def a_run(count: int, people: int, k: int = 3, seed: int = 0) -> tuple[np.ndarray, np.ndarray, Picked]:
    """Iterations, impact and who was picked: nobody at the start, then the largest impacts of the iteration before."""
    rng = np.random.default_rng(seed)
    impact = rng.random((count, people)) ** 4 / people
    picked = [np.empty(0, dtype=np.int64), *(np.argsort(-row)[:k] for row in impact[:-1])]
    return np.arange(count), impact, picked[:count]


def dots(figure: go.Figure) -> set[tuple[float, int]]:
    return {(x, y) for x, y in zip(figure.data[1].x, figure.data[1].y, strict=True) if x is not None}


@pytest.mark.parametrize("seed", range(5))
def test_people_are_ordered_by_how_often_they_were_picked(seed: int) -> None:
    _, impact, picked = a_run(30, 50, seed=seed)
    times = [sum(person in rows for rows in picked) for person in range(50)]
    by_hand = sorted(range(50), key=lambda i: (-times[i], -impact[:, i].sum()))
    for rows in (1, 7, 40, 50):
        assert list(shown_rows(impact, picked, "frequency", rows)) == by_hand[:rows]
    assert list(shown_rows(impact, picked, "frequency", 99)) == by_hand
    assert list(shown_rows(impact, picked, "initial", 7)) == sorted(range(50), key=lambda i: -impact[0, i])[:7]


@pytest.mark.parametrize("order", ["frequency", "initial"])
@pytest.mark.parametrize("scale", ["iteration", "global"])
def test_cells_are_shares_of_the_largest(order: Order, scale: Scale) -> None:
    at, impact, picked = a_run(25, 60)
    figure = impact_figure(at, impact, picked, order=order, scale=scale, rows=12)
    heat = figure.data[0]
    people = shown_rows(impact, picked, order, 12)
    for row, person in enumerate(people):
        for t in at:
            largest = impact[t].max() if scale == "iteration" else impact.max()
            assert heat.z[row][t] == pytest.approx(impact[t, person] / largest, rel=1e-6)
            assert heat.customdata[row][t] == pytest.approx([impact[t, person], impact[t, person] / impact[t].sum()], rel=1e-6)
    assert (heat.zmin, heat.zmax) == (0, 1)
    np.testing.assert_array_equal(heat.x, at)
    assert list(figure.layout.yaxis.ticktext) == [f"row {i + 1}" for i in people]
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]  # the first is on top
    assert dots(figure) == {(t, r) for t in at for r, person in enumerate(people) if person in picked[t]}


def test_a_long_run_is_thinned_with_its_dots_in_place() -> None:
    at, impact, picked = a_run(400, 40)
    figure = impact_figure(at + 7, impact, picked, rows=20)
    heat = figure.data[0]
    columns = np.asarray(heat.x) - 7
    assert len(columns) <= COLUMNS
    assert (columns[0], columns[-1]) == (0, 399)
    people = shown_rows(impact, picked, "frequency", 20)
    expected = impact[np.ix_(columns, people)].T / impact[columns].max(axis=1)
    np.testing.assert_allclose(heat.z, expected, rtol=1e-6)
    assert dots(figure) == {(t + 7, r) for t in columns for r, person in enumerate(people) if person in picked[t]}
    assert caption(at, impact, picked).endswith(" Only one iteration in 3 is drawn, and the last.")


def test_names_are_text_and_short() -> None:
    at, impact, picked = a_run(5, 3)
    labels = ["<script>alert(1)</script>", "a & b", "x" * 80]
    figure = impact_figure(at, impact, picked, labels=labels, order="initial")
    ticks = dict(zip(shown_rows(impact, picked, "initial"), figure.layout.yaxis.ticktext, strict=True))
    assert ticks == {0: "&lt;script&gt;aler…1)&lt;/script&gt;", 1: "a &amp; b", 2: f"{'x' * 12}…{'x' * 11}"}
    text = figure.to_json()
    assert "<script" not in text
    assert "\\u003cscript" not in text


def test_the_caption_counts() -> None:
    impact = np.array([[4.0, 3, 2, 1], [1, 3, 2, 1], [1, 1, 1, 1]])
    picked = [np.array([], dtype=np.int64), np.array([0, 1]), np.array([1])]
    assert caption([0, 1, 2], impact, picked, rows=3) == (
        "2 people were picked for change at least once, most often row 2 (2×), row 1 (1×); "
        "the 3 of 4 people shown carry 75% of what the search weighs (Q)."
    )
    assert caption([0, 1, 2], impact, picked, labels=["Ann", "Bob", "Cy", "Di"]) == (
        "2 people were picked for change at least once, most often Bob (2×), Ann (1×); all 4 people are shown."
    )
    assert caption([0], impact[:1], picked[:1], rows=1) == (
        "Nobody was picked for change yet; the 1 of 4 people shown carries 40% of what the search weighs (Q)."
    )
    assert caption([0], np.zeros((1, 4)), picked[:1], rows=1).endswith("carries 0% of what the search weighs (Q).")
    assert caption([0, 1], impact[:2], [picked[0], np.array([2])], rows=2).startswith(
        "1 person was picked for change, row 3 (1×); the 2 of 4 people shown carry "
    )
    assert caption([0, 1], impact[:2, :1], [picked[0], np.array([0])]) == (
        "1 person was picked for change, row 1 (1×); there is nobody else."
    )


@pytest.mark.parametrize("order", ["frequency", "initial"])
@pytest.mark.parametrize("seed", range(3))
def test_marked_people_always_have_a_row(order: Order, seed: int) -> None:
    at, impact, picked = a_run(30, 50, seed=seed)
    everybody = list(shown_rows(impact, picked, order, 50))
    marked = [everybody[i] for i in (2, 49, 33)]
    drawn = [*everybody[:8], everybody[33], everybody[49]]  # the last two of the first ten make room
    assert list(shown_rows(impact, picked, order, 10, marked)) == drawn
    assert list(shown_rows(impact, picked, order, 10, everybody[:9])) == everybody[:10]
    figure = impact_figure(at, impact, picked, order=order, rows=10, marked=marked)
    assert set(figure.data[3].customdata) == set(marked)
    assert sum(name.startswith("<b>") for name in figure.layout.yaxis.ticktext) == 3
    share = percent(impact[-1, drawn].sum() / impact[-1].sum())
    assert f"the 10 of 50 people shown carry {share} of what the search weighs (Q)." in caption(
        at, impact, picked, order=order, rows=10, marked=marked
    )
    many = everybody[20:]
    assert list(shown_rows(impact, picked, order, 10, many)) == many[:10]
    assert "Only 10 of the 30 marked people have a row." in caption(at, impact, picked, order=order, rows=10, marked=many)


def test_every_redraw_has_the_same_traces() -> None:
    at, impact, picked = a_run(60, 40)
    figures = [impact_figure(at[:n], impact[:n], picked[:n], key="mine", marked=[] if n < 2 else [3]) for n in (0, 1, 2, 60)]
    assert {tuple((t.type, t.name) for t in f.data) for f in figures} == {
        (("heatmap", None), ("scatter", "Picked for change"), ("scatter", "People"), ("scatter", "Marked"))
    }
    assert {f.layout.uirevision for f in figures} == {"mine"}
    assert all(len(t.x) for f in figures for t in f.data[1:])  # an empty trace would leave the legend
    assert caption(at[:0], impact[:0], picked[:0]) == "No iteration is done yet."


def test_no_distance_left_is_no_division_by_zero() -> None:
    figure = impact_figure([0, 1], np.zeros((2, 4)), [np.array([], dtype=np.int64), np.array([2])])
    assert not np.any(figure.data[0].z)
    assert not np.any(figure.data[0].customdata)


@pytest.mark.parametrize("rows", [10, 200, 201, 500])
def test_marks_know_their_people(rows: int) -> None:
    at, impact, picked = a_run(20, 500, k=9)
    people = shown_rows(impact, picked, "frequency", rows)
    assert len(people) == rows
    marked = {int(people[1]), int(people[5]), int(people[-1])}
    dot, everybody, chosen = impact_figure(at, impact, picked, rows=rows, marked=marked).data[1:]
    np.testing.assert_array_equal(dot.customdata, people[dot.y])
    np.testing.assert_array_equal(dot.marker.opacity, [1 if i in marked else DIM for i in dot.customdata])
    np.testing.assert_array_equal(everybody.customdata, people)
    assert list(everybody.hovertext) == [f"row {i + 1}" for i in people]
    assert max(everybody.x) < -0.5  # left of the first cell
    assert set(chosen.customdata) == marked
    np.testing.assert_array_equal(people[chosen.y], chosen.customdata)
    assert chosen.showlegend
    other = impact_figure(at, impact, picked, rows=rows).data
    assert other[1].marker.opacity == 1
    assert not other[3].showlegend


def test_marked_names_are_bold_and_still_text() -> None:
    at, impact, picked = a_run(5, 3)
    figure = impact_figure(at, impact, picked, labels=["<i>", "b", "c"], order="initial", marked=[0])
    ticks = dict(zip(shown_rows(impact, picked, "initial"), figure.layout.yaxis.ticktext, strict=True))
    assert ticks == {0: "<b>&lt;i&gt;</b>", 1: "b", 2: "c"}


@pytest.mark.parametrize("scale", ["iteration", "global"])
def test_everybody_can_be_drawn(scale: Scale) -> None:
    at, impact, picked = a_run(301, 5_000, k=200)
    figure = impact_figure(at, impact, picked, rows=5_000, scale=scale)
    heat, dot = figure.data[:2]
    columns = np.asarray(heat.x)
    assert np.shape(heat.z) == (5_000, len(columns))
    assert 5_000 * len(columns) <= CELLS
    people = shown_rows(impact, picked, "frequency", 5_000)
    assert sorted(people) == list(range(5_000))
    largest = impact[columns].max(axis=1) if scale == "iteration" else impact.max()
    np.testing.assert_allclose(heat.z, 100 * impact[np.ix_(columns, people)].T / largest, atol=0.5001)
    assert (heat.zmin, heat.zmax) == (0, 100)
    assert list(heat.colorbar.tickvals) == [0, 100]
    assert not figure.layout.yaxis.showticklabels
    assert figure.layout.height <= 1_000
    assert len(dot.x) == DOTS
    row_of = {person: row for row, person in enumerate(people)}
    all_dots = {(t, row_of[person]) for t in columns for person in picked[t]}
    assert dots(figure) <= all_dots
    assert caption(at, impact, picked, rows=5_000).endswith(
        f"all 5,000 people are shown. Of {len(all_dots):,} dots 3,000 are drawn. Only one iteration in 7 is drawn, and the last. "
        "The rows are too thin for names: point at the left end of a row to see whose it is."
    )
    assert caption(at[:9], impact[:9], picked[:9], rows=500).endswith("point at a cell to see whose it is.")


@pytest.fixture(scope="module")
def many() -> tuple[np.ndarray, np.ndarray, Picked]:
    return a_run(301, 20_000, k=200)


@pytest.mark.parametrize(("rows", "most"), [(30, 150_000), (60, 250_000), (200, 750_000), (1_000, 750_000), (20_000, 1_000_000)])
def test_many_people_and_iterations_stay_small(rows: int, most: int, many: tuple[np.ndarray, np.ndarray, Picked]) -> None:
    at, impact, picked = many
    labels = ["<&>" * 40] * 20_000 if rows <= 1_000 else [f"Row {i}" for i in range(20_000)]
    text = impact_figure(at, impact, picked, rows=rows, labels=labels).to_json()
    assert len(text) < most
    json.loads(text, parse_constant=pytest.fail)
