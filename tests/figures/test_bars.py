"""The bars of a finished run: parts of the group's distance and own changes, drawn, told and listed."""

from __future__ import annotations

import numpy as np
import pytest

from discover_core.figures import bars
from discover_core.figures.text import amount

RNG = np.random.default_rng(3)


@pytest.mark.parametrize("n", [1, 7, 200])
def test_each_person_has_a_bar_the_largest_first(n: int) -> None:
    distances = RNG.random(n) ** 3
    labels = [f"<b>{i}" for i in range(n)]
    other = RNG.random(n // 2 + 1)
    bar, rest, line = bars.bars_figure(distances, {"<i>A</i>": other}, labels=labels).data
    assert list(bar.x) == list(range(1, n + 1))
    assert list(bar.y) == sorted(n * distances, reverse=True)
    assert np.mean(bar.y) == pytest.approx(distances.sum())  # OT(x)
    np.testing.assert_array_equal(n * distances[bar.customdata], bar.y)
    assert sorted(bar.customdata) == list(range(n))
    for person, told, value in zip(bar.customdata, bar.hovertext, bar.y, strict=True):
        assert told.startswith(f"&lt;b&gt;{person}<br>{amount(value)}, ")
    assert bar.marker.opacity == 1
    assert (list(rest.x), rest.showlegend) == ([None], False)
    assert list(line.y) == sorted(len(other) * other, reverse=True)
    assert line.name == "&lt;i&gt;A&lt;/i&gt;"


def test_the_rest_share_one_bar() -> None:
    distances, other = RNG.random(60), RNG.random(80)
    bar, rest, line = bars.bars_figure(distances, {"A": other}, limit=25).data
    ordered, beside = 60 * np.sort(distances)[::-1], 80 * np.sort(other)[::-1]
    np.testing.assert_array_equal(bar.y, ordered[:25])
    assert rest.y[0] == pytest.approx(ordered[25:].mean())
    assert rest.x[0] - rest.width / 2 > 25.5  # clear of the last bar
    assert rest.customdata is None
    assert rest.name == "The other 35 people, on average"
    np.testing.assert_array_equal(line.y[:25], beside[:25])
    np.testing.assert_allclose(line.y[26:], beside[25:].mean())
    np.testing.assert_allclose(line.x[26:], [rest.x[0] - rest.width / 2, rest.x[0] + rest.width / 2])
    figure = bars.bars_figure(distances, {"A": other}, limit=25)
    assert figure.layout.xaxis.range[1] > rest.x[0] + rest.width / 2


def test_marked_bars_are_bright_and_the_others_dim() -> None:
    distances = np.arange(10.0, 0, -1)
    bar, rest = bars.bars_figure(distances, marked=[1, 8, 9], limit=4).data
    np.testing.assert_array_equal(bar.marker.opacity, [bars.DIM, 1, bars.DIM, bars.DIM])
    assert rest.marker.opacity == 1
    assert "2 of them marked" in rest.hovertemplate
    assert bars.bars_figure(distances, marked=[1], limit=4).data[1].marker.opacity == bars.DIM


@pytest.mark.parametrize("seed", range(5))
def test_the_caption_of_the_parts_counts_those_with_a_bar_who_did_not_change(seed: int) -> None:
    rng = np.random.default_rng(seed)
    distances, changed = rng.random(50) ** 4 + 0.001, np.arange(50) % 4 > 0
    still = np.flatnonzero(~changed)
    distances[still[:5]] = 0
    half = half_of(distances)
    other = distances * 2
    assert bars.caption(distances, {"A": other}, changed=changed, limit=30) == (
        f"Half of the group's distance from before comes from {half} of 50 people. "
        f"13 people did not change at all, yet 8 of them have a bar above 0: the group is compared in order, the first before "
        "with the first after and so on, and where others pass them, they come to another place in it. "
        f"The bars' mean is {amount(sum(distances))} here, “A” {amount(sum(other))}. "
        "Only the 30 largest are drawn one by one; the last bar is the mean of the other 20."
    )
    distances[still] = 1e-3
    assert "13 people did not change at all, yet all of them have a bar above 0: " in bars.caption(distances, changed=changed)
    distances[still] = 1e-20  # what rounding leaves is no bar
    assert bars.caption(distances, changed=changed).endswith(" 13 people did not change at all and have no bar.")


def half_of(values: np.ndarray) -> int:
    ordered = sorted(values, reverse=True)
    return next(k for k in range(1, len(ordered) + 1) if sum(ordered[:k]) >= sum(values) / 2)


def test_own_changes_are_drawn_and_told_without_the_words_of_the_distance() -> None:
    effort, other = np.append(RNG.random(30), np.zeros(20)), np.linspace(0, 3, 50)
    bar, rest, line = bars.bars_figure(effort, {"A": other}, kind="own", limit=40).data
    np.testing.assert_array_equal(bar.y, np.sort(effort)[::-1][:40])
    assert rest.y[0] == 0
    np.testing.assert_array_equal(line.y[:40], np.sort(other)[::-1][:40])
    assert bars.caption(effort, {"A": other}, kind="own") == (
        f"Half of all change comes from {half_of(effort)} of 50 people; 1 is one standard deviation of a number, or one "
        "category switched. 20 people did not change at all and have no bar. "
        f"The bars' mean is {amount(effort.mean())} here, “A” 1.5."
    )
    assert bars.caption([0.0, 0.0], kind="own") == "Nobody changes."
    part, own = (bars.bars_figure(effort, kind=kind).layout for kind in ("part", "own"))
    assert part.uirevision != own.uirevision  # a zoom into one is none into the other
    assert "distance" in part.yaxis.title.text
    assert "distance" not in own.yaxis.title.text + own.meta["title"] + bars.caption(effort, kind="own")
    np.testing.assert_array_equal(bars.table(effort, kind="own")["Own change (effort)"], np.sort(effort)[::-1])


def test_live_bars_keep_their_traces_and_need_no_legend() -> None:
    live = [bars.bars_figure(RNG.random(n), height=260) for n in (1, 150, 200)]
    assert {tuple((t.type, t.showlegend) for t in figure.data) for figure in live} == {(("bar", False), ("bar", False))}
    assert {figure.layout.height for figure in live} == {260}
    assert bars.bars_figure(RNG.random(201)).data[0].showlegend


def test_the_caption_of_equal_and_of_no_bars() -> None:
    assert bars.caption([0.1] * 10) == "Half of the group's distance from before comes from 5 of 10 people."
    assert bars.caption([0.0, 0.0], changed=[False] * 2) == (
        "The group's distance from before is 0. 2 people did not change at all and have no bar."
    )
    assert " 1 person did not change at all, yet has a bar above 0: " in bars.caption([0.1, 0.1], changed=[True, False])
    assert bars.caption([0.1, 0.1], changed=[True, True]).endswith(" Everybody changed.")
    assert bars.caption([]) == "Nobody is in the group."
    assert len(bars.bars_figure([]).data) == len(bars.bars_figure([0.0]).data) == 2
