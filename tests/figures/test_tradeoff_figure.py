"""The trade-off: the curve is the lines, blue up to the plan; a click is a number of people; the words say what it reaches."""

import io

import numpy as np
import pandas as pd
import pytest

import discover_core as dc
from discover_core.figures import tradeoff as figures
from discover_core.problem.wish import Wish
from discover_core.table.write import to_csv

SCORES = np.linspace(0.6, 0.9, 20)
SHARE = Wish.of(dc.Target.threshold(SCORES, tau=0.5, share=0.4, side="below"), SCORES)
SHAPE = Wish.of(dc.Target.values(np.zeros(20)), SCORES)


def lines(n: int, share: bool = True) -> pd.DataFrame:
    people = np.arange(n + 1)
    return pd.DataFrame(
        {
            "people": people,
            "effort": np.cumsum([0.0, *np.linspace(0.1, 2, n)]),
            "ot_y": np.linspace(0.25, 0.01, n + 1),
            "share": people / 20 if share else np.nan,
        }
    )


@pytest.mark.parametrize("against", ["people", "effort"])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(("wish", "share"), [(SHARE, True), (SHAPE, False)])
def test_the_two_parts_are_the_lines_and_meet_at_the_plan(wish, share, against, dark):
    table = lines(10, share)
    asked, left, done, plan = figures.tradeoff_figure(table, wish, chosen=4, against=against, dark=dark).data
    values = table["share"] if share else np.sqrt(table["ot_y"])
    np.testing.assert_allclose([*done.x[:-1], *left.x[1:]], table[against])
    np.testing.assert_allclose([*done.y[:-1], *left.y[1:]], values)
    assert (plan.x[0], plan.y[0]) == (left.x[0], left.y[0]) == (done.x[-1], done.y[-1])
    assert plan.x[0] == pytest.approx(table[against][4])
    assert set(asked.y) == {wish.asked}
    assert asked.line.dash == "dash"
    assert done.line.color != left.line.color


def test_a_click_is_a_number_of_people():
    figure = figures.tradeoff_figure(lines(10), SHARE, chosen=4)
    point = {"curve_number": 1, "point_number": 3, "customdata": int(figure.data[1].customdata[3])}
    assert figures.people_at({"points": [point]}) == 7
    assert figures.people_at({"points": []}) is None


def test_between_two_lines_of_a_thinned_one_is_in_between():
    table = lines(10).iloc[[0, 4, 10]].reset_index(drop=True)
    plan = figures.tradeoff_figure(table, SHARE, chosen=7).data[3]
    assert (plan.x[0], plan.y[0]) == (7, pytest.approx(7 / 20))


def test_the_words():
    table = lines(10)
    assert figures.caption(table, SHARE, 4) == (
        "Score at or below 0.5: 20.0% with 4 people and an effort of 1.67 in all; asked 40%. It takes 8 people to reach it."
    )
    assert figures.caption(lines(3), SHARE, 1).endswith("asked 40%. All 3 together do not reach it.")
    assert figures.caption(lines(10, share=False), SHAPE, 10).startswith("Typical gap to the target: 0.1 with 10 people")
    assert figures.caption(lines(0), SHARE, 0) == "Nobody changes."
    assert figures.tradeoff_figure(lines(0), SHARE, chosen=0).layout.meta["title"] == "The trade-off against people changed"


def test_the_file_has_every_line():
    back = pd.read_csv(io.BytesIO(to_csv(figures.table(lines(10)))), encoding="utf-8-sig")
    assert list(back.columns) == ["People changed", "Effort in all", "Share past the threshold", "Typical gap to the target"]
    np.testing.assert_allclose(back["Effort in all"], lines(10)["effort"])
    assert "Share past the threshold" not in figures.table(lines(4, share=False))
