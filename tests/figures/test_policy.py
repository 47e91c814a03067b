"""The curve of shared measures: what it draws, says, and gives away as data."""

from discover_core.figures import policy


def test_the_curve_and_the_personal_reach_beside_it():
    figure = policy.curve_figure([0.4, 0.55], 0.6)
    curve, personal = figure.data
    assert list(curve.y) == [0.4, 0.55]
    assert list(curve.text) == ["40%", "55%"]
    assert set(personal.y) == {0.6}
    assert policy.caption([0.4, 0.55], 0.6) == (
        "The first measure alone brings 40% of the people it was learnt from where they should be, all 2 bring 55%; each "
        "person's own least change brings 60%."
    )
    assert policy.table(["a", "b"], [0.4, 0.55])["Have what is wished"].tolist() == [0.4, 0.55]


def test_one_measure_alone():
    figure = policy.curve_figure([1.0])
    assert len(figure.data) == 1
    assert policy.caption([1.0]) == "The first measure alone brings 100% of the people it was learnt from where they should be."
