"""How unusual those who change are: the dots are the people, the words their counts, the file has everybody."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest

from discover_core.figures import usual
from discover_core.figures.selection import named_in
from discover_core.table.write import to_csv

RNG = np.random.default_rng(5)
BEFORE, AFTER = RNG.random((2, 60))
CHANGED = RNG.random(60) < 0.6


def drawn(figure) -> dict[int, tuple[float, float]]:
    """Everybody with a dot: where they stand."""
    return {
        int(person): (x, y)
        for dots in figure.data[2:]
        for person, x, y in zip(dots.customdata, dots.x, dots.y, strict=True)
        if person is not None
    }


@pytest.mark.parametrize("dark", [False, True])
def test_whoever_changes_has_a_dot(dark: bool) -> None:
    figure = usual.usual_figure(BEFORE, AFTER, changed=CHANGED, dark=dark)
    assert drawn(figure) == {int(i): (BEFORE[i], AFTER[i]) for i in np.flatnonzero(CHANGED)}
    same, line, fine, rare = figure.data
    assert list(same.x) == list(same.y)
    assert set(line.y) == {0.95}
    assert line.line.color == ("#f4f6fa" if dark else "#16181d")
    assert max(fine.y) <= 0.95 < min(rare.y)
    assert fine.marker.color != rare.marker.color


def test_a_dot_is_somebody_to_mark() -> None:
    figure = usual.usual_figure(BEFORE, AFTER, changed=CHANGED, marked={3}, labels=[f"<b>{i}" for i in range(60)])
    fine = figure.data[2]
    assert fine.text[0] == f"&lt;b&gt;{fine.customdata[0]}"
    assert list(named_in({"points": [{"curve_number": 2, "customdata": int(fine.customdata[0])}]})) == [fine.customdata[0]]
    dim = np.array(fine.marker.opacity) < 1
    assert dim.sum() == len(fine.customdata) - (3 in fine.customdata)


def test_of_many_the_marked_and_all_ranks_are_drawn() -> None:
    before, after = RNG.random((2, 900))
    everybody = np.ones(900, dtype=bool)
    order = np.argsort(after)
    marked = {int(order[7])}
    people = drawn(usual.usual_figure(before, after, changed=everybody, marked=marked, limit=50))
    assert 50 <= len(people) <= 51
    assert {*marked, int(order[0]), int(order[-1])} <= set(people)
    assert usual.caption(before, after, changed=everybody, limit=50).endswith(
        "50 of them are drawn, evenly chosen by how unusual they are after, and whoever is marked."
    )


def test_the_words_count() -> None:
    before, after = [0.2, 0.4, 0.96, 0.97, 0.1], [0.3, 0.99, 0.5, 0.98, 0.99]
    said = usual.caption(before, after, changed=[True] * 4 + [False])
    assert said == (
        "The middle one of the 4 who change is more unusual than 68% of all people before and 74% after. "
        "1 person rises above the dashed line (95%). 1 person comes back below it."
    )
    assert "2 people rise above the dashed line (95%)." in usual.caption(before, after, changed=[True] * 5)
    assert usual.caption([0.2, 0.3], [0.3, 0.2], changed=[True] * 2).endswith("Nobody rises above the dashed line (95%).")
    assert usual.caption([0.2, 0.1], [0.3, 0.1], changed=[True, False]) == (
        "The one who changes is more unusual than 20% of all people before and 30% after."
    )
    assert usual.caption([0.2], [0.2], changed=[False]) == "Nobody changes."


def test_the_file_has_everybody_who_changes() -> None:
    names = [f"C-{i}" for i in range(60)]
    back = pd.read_csv(io.BytesIO(to_csv(usual.table(BEFORE, AFTER, changed=CHANGED, labels=names))), encoding="utf-8-sig")
    assert sorted(back["Person"]) == sorted(names[i] for i in np.flatnonzero(CHANGED))
    place = [int(name[2:]) for name in back["Person"]]
    assert list(back["Unusual before"]) == list(BEFORE[place])
    assert list(back["Unusual after"]) == list(AFTER[place]) == sorted(AFTER[CHANGED], reverse=True)
    assert not len(usual.table([0.5], [0.5], changed=[False]))


def test_nobody_to_draw() -> None:
    figure = usual.usual_figure([0.5], [0.5], changed=[False])
    assert drawn(figure) == {}
    assert [dots.showlegend for dots in figure.data[2:]] == [False, False]
