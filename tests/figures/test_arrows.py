"""Arrows start and end where the tables say, in the colour of the change, and a sample says that it is one."""

from __future__ import annotations

import html

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from discover_core.errors import InputError
from discover_core.figures import plane
from discover_core.figures.arrows import SHADES, Change, arrows_figure, caption
from discover_core.figures.plane import JITTER, Plane
from discover_core.table.encoding import Encoding
from discover_core.table.schema import Column, Schema

BAD = "<script>alert(1)</script>"
SCHEMA = Schema(
    (
        Column("age", "numeric", low=0, high=100, unit="years"),
        Column("income", "numeric", low=0, high=1e6),
        Column("size", "ordinal", levels=("small", "medium", "large")),
        Column("home", "nominal", levels=("rent", BAD, "free")),
    )
)


def group(n: int, moving: float = 0.6, seed: int = 0):
    """Before, after, outputs before and after: some people change some features."""
    rng = np.random.default_rng(seed)
    cells = [[rng.integers(20, 60, n), rng.normal(3e4, 1e4, n), rng.integers(0, 3, n), rng.integers(0, 3, n)] for _ in range(2)]
    moves = (rng.random((n, 4)) < 0.5) & (rng.random(n) < moving)[:, None]
    tables = []
    for part in (cells[0], [np.where(moves[:, j], cells[1][j], cells[0][j]) for j in range(4)]):
        values = [
            pd.Categorical.from_codes(v, list(c.levels), ordered=c.role == "ordinal") if c.categorical else v
            for c, v in zip(SCHEMA, part, strict=True)
        ]
        tables.append(pd.DataFrame(dict(zip(SCHEMA.feature_names, values, strict=True))))
    return (*tables, rng.random(n), rng.random(n))


def changed(before: pd.DataFrame, after: pd.DataFrame) -> np.ndarray:
    return np.array([any(before.iloc[i].astype(str) != after.iloc[i].astype(str)) for i in range(len(before))])


def parts(figure: go.Figure):
    """The dots, the shafts, the heads and the rings."""
    return figure.data[0], figure.data[1 : SHADES + 1], figure.data[SHADES + 1], figure.data[SHADES + 2]


def ends(trace) -> dict[int, tuple]:
    """Person -> start and end of their segment."""
    if trace.x[0] is None:
        return {}
    x, y = np.asarray(trace.x).reshape(-1, 3), np.asarray(trace.y).reshape(-1, 3)
    people = np.asarray(trace.customdata).reshape(-1, 3)
    assert (people == people[:, :1]).all()
    assert np.isnan(x[:, 2]).all()
    return {int(p): ((a, c), (b, d)) for p, (a, b, _), (c, d, _) in zip(people[:, 0], x, y, strict=True)}


def test_an_arrow_per_person_who_changes_and_a_dot_for_the_others():
    before, after, was, now = group(40)
    dots, shafts, heads, rings = parts(arrows_figure(Change(before, after, was, now, SCHEMA, "age", "income")))
    moves = changed(before, after)
    assert list(dots.customdata) == list(np.flatnonzero(~moves))
    np.testing.assert_allclose(dots.x, before["age"][~moves])
    drawn = [ends(trace) for trace in shafts]
    assert sum(map(len, drawn)) == moves.sum()
    for found in (ends(heads), {p: at for part in drawn for p, at in part.items()}):
        assert sorted(found) == list(np.flatnonzero(moves))
        for person, (start, end) in found.items():
            assert start == (before["age"][person], before["income"][person])
            assert end == (after["age"][person], after["income"][person])
    assert rings.x == (None,)


def test_colours_are_the_change_with_zero_in_the_middle():
    before, after, was, now = group(60)
    change = now - was
    moves = changed(before, after)
    most = np.abs(change[moves]).max()
    _, shafts, heads, _ = parts(arrows_figure(Change(before, after, was, now, SCHEMA, "age", "income")))
    assert heads.marker.cmax == -heads.marker.cmin == pytest.approx(most)
    np.testing.assert_allclose(heads.marker.color, np.repeat(change[moves], 3))
    for i, trace in enumerate(shafts):
        for person in ends(trace):
            assert -1 + 2 * i / SHADES - 1e-9 <= change[person] / most <= -1 + 2 * (i + 1) / SHADES + 1e-9
    assert len({trace.line.color for trace in shafts}) == SHADES


def test_a_head_points_and_is_round_where_nothing_moves():
    before, after, was, now = group(60)
    heads = parts(arrows_figure(Change(before, after, was, now, SCHEMA, "age", "income")))[2]
    symbols = np.asarray(heads.marker.symbol)[1::3]
    still = [start == end for start, end in ends(heads).values()]
    assert any(still)
    assert list(symbols) == [0 if s else 53 for s in still]
    assert heads.marker.angleref == "previous"
    assert set(np.asarray(heads.marker.size)[0::3]) == {0}
    assert f"{sum(still)} of them change only what the axes do not show" in caption(
        Change(before, after, was, now, SCHEMA, "age", "income")
    )


def test_categories_are_jittered_and_an_unchanged_one_stays_in_place():
    before, after, was, now = group(80)
    figure = arrows_figure(Change(before, after, was, now, SCHEMA, "size", "home"))
    found = ends(parts(figure)[2])
    for axis, name in enumerate(("size", "home")):
        codes = before[name].cat.codes, after[name].cat.codes
        for person, places in found.items():
            for place, code in zip(places, codes, strict=True):
                assert abs(place[axis] - code[person]) <= JITTER
            assert (places[0][axis] == places[1][axis]) == (codes[0][person] == codes[1][person])
    assert len({start for start, _ in found.values()}) == len(found)
    assert list(figure.layout.xaxis.ticktext) == ["small", "medium", "large"]
    again = arrows_figure(Change(before, after, was, now, SCHEMA, "size", "home"))
    assert figure == again


def test_size_is_linear_in_a_feature_with_an_order():
    before, after, was, now = group(50)
    moves = changed(before, after)
    for name, values in (("income", after["income"]), ("size", after["size"].cat.codes)):
        heads = parts(arrows_figure(Change(before, after, was, now, SCHEMA, "age", "age", name)))[2]
        still = np.asarray(heads.marker.symbol)[1::3] == 0
        sizes = np.asarray(heads.marker.size)[1::3] / np.where(still, 0.7, 1)
        shown = values[moves].to_numpy(dtype=float)
        np.testing.assert_allclose(sizes, 6 + 14 * (shown - shown.min()) / np.ptp(shown))
    words = caption(Change(before, after, was, now, SCHEMA, "age", "income", "size"))
    assert "The head's size is size after, from small to large." in words
    with pytest.raises(InputError, match="“home” has no order"):
        arrows_figure(Change(before, after, was, now, SCHEMA, "age", "income", "home"))


def test_one_feature_is_not_enough():
    before, after, was, now = group(5)
    for given in ({"x": "age"}, {"y": "age"}, {}):
        with pytest.raises(InputError, match="choose both"):
            arrows_figure(Change(before, after, was, now, SCHEMA, **given))


@pytest.mark.parametrize("encoding", ["onehot", "label"])
def test_the_projection_is_the_first_two_principal_axes_of_before(encoding):
    before, after, was, now = group(60)
    fitted = Encoding.fit(before, SCHEMA, {"income": 5.0, "home": 3.0}, encoding)
    points = fitted.encode(before), fitted.encode(after)
    centre = points[0].mean(axis=0)
    _, values, axes = np.linalg.svd(points[0] - centre, full_matrices=False)
    figure = arrows_figure(Change(before, after, was, now, SCHEMA, points=points))
    found = ends(parts(figure)[2])
    for axis in (0, 1):
        for end, where in enumerate(points):
            expected = (where - centre)[list(found)] @ axes[axis]
            drawn = np.array([places[end][axis] for places in found.values()])
            sign = np.sign(drawn[0] * expected[0])
            np.testing.assert_allclose(drawn, sign * expected, atol=1e-9)
    words = caption(Change(before, after, was, now, SCHEMA, points=points))
    assert "across mostly income, up mostly home" in words  # the two with weights above the others
    assert f"They show {100 * (values[:2] ** 2).sum() / (values**2).sum():.0f}% of how people differ." in words
    assert figure.layout.xaxis.title.text == "mostly income"


def test_the_axes_of_a_large_group_are_nearly_those_of_everybody(monkeypatch):
    before, after, was, now = group(3_000)
    fitted = Encoding.fit(before, SCHEMA, {"income": 5.0, "home": 3.0})
    points = fitted.encode(before), fitted.encode(after)
    whole = Change(before, after, was, now, SCHEMA, points=points).plane
    monkeypatch.setattr(plane, "FITTED", 1_000)
    some = Change(before, after, was, now, SCHEMA, points=points).plane
    assert some.titles == whole.titles
    for axis in (0, 1):
        assert abs(np.corrcoef(some.start[:, axis], whole.start[:, axis])[0, 1]) > 0.9
    assert len(some.end) == 3_000


def test_long_axis_titles_are_broken_into_lines_that_fit():
    three = "mostly NetFractionRevolvingBurden, MSinceMostRecentInqexcl7days and NumTrades60Ever2DerogPubRec"
    columns = ("<b>" + 130 * "very long ", three)
    for title in columns:
        shown = Plane(np.zeros((1, 2)), np.zeros((1, 2)), (title, title), ()).axis(1)["title"]["text"]
        lines = [html.unescape(line) for line in shown.split("<br>")]
        assert len(lines) <= 3
        assert max(map(len, lines)) <= 40
        assert "<b>" not in shown
        assert " ".join(lines) == title or lines[-1].endswith("…")
    assert " ".join(lines) == three


def test_groups_without_two_directions_are_drawn_all_the_same():
    fitted = Encoding.fit(group(30)[0], SCHEMA)
    for before, after, was, now in (group(0), group(1, 1), group(2, 1), group(3, 0)):
        points = fitted.encode(before), fitted.encode(after)
        figure = arrows_figure(Change(before, after, was, now, SCHEMA, points=points))
        assert len(figure.data) == SHADES + 3
        assert caption(Change(before, after, was, now, SCHEMA, points=points))
    before, after, was, now = group(20)
    same = fitted.encode(before.iloc[[0] * 20])
    assert ends(parts(arrows_figure(Change(before, after, was, now, SCHEMA, points=(same, fitted.encode(after)))))[2])


def test_more_than_the_limit_is_a_sample_that_says_so():
    before, after, was, now = group(300)
    moves = changed(before, after)
    marked = [*np.flatnonzero(moves)[-3:], *np.flatnonzero(~moves)[:2]]
    figure = arrows_figure(Change(before, after, was, now, SCHEMA, "age", "income"), limit=20, marked=marked)
    dots, _, heads, rings = parts(figure)
    assert len(ends(heads)) == len(dots.x) == 20
    assert set(marked) <= {*ends(heads), *dots.customdata}
    assert sorted(ends(rings)) == sorted(marked)
    words = caption(Change(before, after, was, now, SCHEMA, "age", "income"), limit=20)
    assert words.endswith(
        f"Drawn are 20 of the {moves.sum()} people who change and 20 of the {(~moves).sum()} people who stay as they are, "
        "picked at random."
    )
    all_drawn = caption(Change(before, after, was, now, SCHEMA, "age", "income"))
    assert "Drawn" not in all_drawn
    assert all_drawn.startswith(
        f"{moves.sum()} of 300 people change: the score falls for {((now < was) & moves).sum()} "
        f"and rises for {((now > was) & moves).sum()} of them."
    )
    crowd = arrows_figure(Change(before, after, was, now, SCHEMA, "age", "income"), limit=20, marked=range(300))
    assert len(ends(parts(crowd)[3])) == 40


def test_words_on_hover():
    before, after = group(2, 0)[:2]
    after.loc[0, "age"] = 99
    figure = arrows_figure(Change(before, after, [0.5, 0.5], [0.25, 0.5], SCHEMA, "income", "home"), labels=["Ann", BAD])
    dots, _, heads, _ = parts(figure)
    income = [f"income: {value:,.0f}" for value in before["income"]]
    assert heads.text[1].split("<br>")[:2] == ["Ann", income[0]]
    assert heads.text[1].endswith(f"age: {before['age'][0]} years → 99 years<br>score 0.5 → 0.25")
    assert dots.text[0].endswith("score 0.5")


def test_hostile_names_are_text():
    schema = Schema((Column(BAD, "nominal", levels=(BAD, "<b>")), Column("<i>", "numeric", low=0, high=1, unit="<u>")))
    values = pd.Categorical.from_codes([0, 1, 1], [BAD, "<b>"])
    before = pd.DataFrame({BAD: values, "<i>": [0.1, 0.2, 0.3]})
    after = pd.DataFrame({BAD: values, "<i>": [0.3, 0.1, 0.3]})
    fitted = Encoding.fit(before, schema)
    for given in ({"x": BAD, "y": "<i>"}, {"points": (fitted.encode(before), fitted.encode(after))}):
        data = arrows_figure(Change(before, after, [0] * 3, [1] * 3, schema, **given), labels=[BAD] * 3, marked=[0]).to_dict()
        del data["layout"]["uirevision"]  # never shown
        text = str(data)
        assert "&lt;" in text
        for tag in ("<script", "<b>", "<i>", "<u>"):
            assert tag not in text


def test_thousands_of_people_stay_small():
    before, after, was, now = group(5_000)
    assert len(arrows_figure(Change(before, after, was, now, SCHEMA, "age", "home", "income")).to_json()) < 400_000
