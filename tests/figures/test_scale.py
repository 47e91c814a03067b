"""The scale of a bound: everything has its place, and no two labels cover each other."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discover_core.figures.scale import LETTER, WIDTH, Mark, drawable, scale_figure

PLACE = st.floats(1e-6, 100)


def extents(figure):
    """(row, from, to) of each label, as shares of the narrowest width."""
    end = figure.layout.xaxis.range[1]
    for note in figure.layout.annotations:
        width = len(note.text.replace("<b>", "").replace("</b>", "")) * LETTER / WIDTH
        begin = note.x / end - {"left": 0, "center": width / 2, "right": width}[note.xanchor]
        yield note.y, begin, begin + width


@given(PLACE, PLACE, PLACE, PLACE)
def test_labels_stay_apart_and_inside(yours, low, high, suggested):
    figure = scale_figure(yours, Mark("perfect match", low), Mark("no change", high), suggested, "x")
    placed = list(extents(figure))
    assert len(placed) == (3 if yours == suggested else 4)
    for i, (row, begin, stop) in enumerate(placed):
        assert begin >= -1e-9
        assert stop <= 1 + 1e-9
        for other, left, right in placed[i + 1 :]:
            assert other != row or stop <= left + 1e-9 or begin >= right - 1e-9


def test_the_marker_is_ones_own_number_and_the_blue_is_the_room_it_leaves():
    figure = scale_figure(0.5, Mark("no change", 0.2), Mark("anything goes", 0.8), 0.4, "x")
    assert list(figure.data[0].x) == [0.5]
    assert [note.text for note in figure.layout.annotations] == [
        "no change 0.2",
        "anything goes 0.8",
        "suggested 0.4",
        "<b>yours 0.5</b>",
    ]
    assert [(shape.x0, shape.x1) for shape in figure.layout.shapes if shape.type == "rect"][1:] == [(0.2, 0.8), (0.2, 0.5)]
    tight = scale_figure(0.1, Mark("no change", 0.2), Mark("anything goes", 0.8), 0.1, "x")
    assert [(shape.x0, shape.x1) for shape in tight.layout.shapes if shape.type == "rect"][1:] == [(0.2, 0.8)]
    assert [note.text for note in tight.layout.annotations][-1] == "<b>as suggested 0.1</b>"


@pytest.mark.parametrize(("values", "answer"), [((1, 2), True), ((1, math.inf), False), ((0, 0), False), ((0, 1), True)])
def test_only_finite_numbers_have_a_place(values, answer):
    assert drawable(*values) is answer
