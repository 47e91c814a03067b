"""The model's figures show what its report says, and their captions give the right numbers."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest

from discover_core.figures import calibration, palette, residuals, roc, scores
from discover_core.figures.text import amount, percent, plain
from discover_core.models.evaluate import Report, evaluate

RNG = np.random.default_rng(4)
TRUTH = (RNG.random(2_000) < 0.3).astype(float)
SCORES = np.clip(0.2 + 0.3 * TRUTH + 0.15 * RNG.normal(size=2_000), 0, 1)
REPORT = evaluate(SCORES, TRUTH, "binary", outcome="risk", positive="<b>bad</b>", negative="good & fair", train_rows=10)
ACTUAL = RNG.normal(1_000, 200, 5_000)
NUMBERS = evaluate(ACTUAL + RNG.normal(0, 50, 5_000), ACTUAL, "regression", outcome="price", unit="EUR", train_rows=10)
ONE_CLASS = evaluate([0.2, 0.4], [0, 0], "binary", positive="bad", negative="good")
NO_PROBABILITY = evaluate([-2.0, 4.0, 1.0], [0, 1, 1], "binary", positive="bad", negative="good")


def trace(figure: go.Figure, start: str) -> go.Scatter:
    return next(t for t in figure.data if t.name.startswith(start))


def test_roc_shows_the_curve_and_says_the_auc() -> None:
    figure = roc.roc_figure(REPORT)
    curve = trace(figure, "Model")
    assert REPORT.roc is not None
    np.testing.assert_array_equal(np.column_stack([curve.x, curve.y]), REPORT.roc)
    assert curve.name == f"Model (AUC {REPORT.auc:.2f})"
    assert trace(figure, "Coin").line.dash == "dash"
    good, bad = SCORES[TRUTH == 0], SCORES[TRUTH == 1]
    ranked = np.mean((bad[:, None] > good) + 0.5 * (bad[:, None] == good))
    assert roc.caption(REPORT) == (
        f"Of 100 random pairs of a “good & fair” and a “<b>bad</b>” case, the model ranks {100 * ranked:.0f} correctly."
    )
    assert "coin toss" in roc.caption(evaluate(1 - SCORES, TRUTH, "binary"))
    assert len(roc.roc_figure(ONE_CLASS).data) == 1
    assert "same outcome" in roc.caption(ONE_CLASS)


def test_calibration_shows_the_bins_and_says_the_gaps() -> None:
    marks = trace(calibration.calibration_figure(REPORT), "Model")
    assert REPORT.calibration is not None
    predicted, observed, count = REPORT.calibration.T
    np.testing.assert_array_equal(marks.x, predicted)
    np.testing.assert_array_equal(marks.y, observed)
    np.testing.assert_array_equal(marks.customdata, count)
    assert np.argmax(marks.marker.size) == np.argmax(count)
    off = sum(c * abs(p - o) for p, o, c in REPORT.calibration) / len(SCORES)
    assert f"off by {100 * off:.0f} percentage points" in calibration.caption(REPORT)
    worst = max(REPORT.calibration, key=lambda b: abs(b[0] - b[1]))
    assert f"says {percent(worst[0])} where {percent(worst[1])} of {worst[2]:.0f} rows" in calibration.caption(REPORT)
    assert len(calibration.calibration_figure(NO_PROBABILITY).data) == 1
    assert "not known to be probabilities" in calibration.caption(NO_PROBABILITY)


def staircase(line: go.Scatter) -> tuple[np.ndarray, np.ndarray]:
    """The bin edges and the share in each bin, read back from the drawn line."""
    return np.asarray(line.x)[::2], np.asarray(line.y)[1:-1:2]


@pytest.mark.parametrize("report", [REPORT, NO_PROBABILITY], ids=["probability", "any number"])
def test_scores_are_counted_by_class(report: Report) -> None:
    figure = scores.score_figure(report)
    assert len(figure.data) == 2
    for value, line in zip((0, 1), figure.data, strict=True):
        chosen = report.scores[report.truth == value]
        edges, share = staircase(line)
        assert share.sum() == pytest.approx(1)
        assert share[:10].sum() == pytest.approx(np.mean(chosen < edges[10]))
        assert line.name.endswith(f"({len(chosen):,})")


def test_score_captions_are_the_medians() -> None:
    bad, good = (amount(float(np.median(REPORT.scores[REPORT.truth == v]))) for v in (1, 0))
    assert (
        scores.caption(REPORT)
        == f"Half of the “<b>bad</b>” cases score above {bad}, half of the “good & fair” cases above {good}."
    )
    assert len(scores.score_figure(ONE_CLASS).data) == 1
    assert "same outcome" in scores.caption(ONE_CLASS)


def test_the_cohort_against_everybody() -> None:
    cohort = SCORES[SCORES > 0.4]
    figure = scores.cohort_scores_figure(SCORES, cohort, threshold=0.5)
    for name, chosen in (("Everybody", SCORES), ("The group", cohort)):
        edges, share = staircase(trace(figure, name))
        assert (edges[0], edges[-1]) == (0, 1)
        assert share.sum() == pytest.approx(1)
        assert share[:15].sum() == pytest.approx(np.mean(chosen < edges[15]))
    (line,) = figure.layout.shapes
    assert (line.x0, line.line.dash, line.line.color) == (0.5, "dash", palette.TARGET_ON_LIGHT)
    assert scores.cohort_scores_figure(SCORES, cohort, 0.5, dark=True).layout.shapes[0].line.color == palette.TARGET_ON_DARK
    text = scores.cohort_caption(SCORES, cohort, 0.5)
    assert f"group's median score is {amount(float(np.median(cohort)))}, everybody's {amount(float(np.median(SCORES)))}" in text
    assert (
        f"{100 * np.mean(cohort > 0.5):.0f}% of the group and {100 * np.mean(SCORES > 0.5):.0f}% of everybody score above 0.5"
        in text
    )
    assert "above" not in scores.cohort_caption(SCORES, cohort)


def test_an_empty_cohort_still_draws() -> None:
    nobody = np.array([], dtype=float)
    assert [t.name for t in scores.cohort_scores_figure(SCORES, nobody).data] == ["Everybody (2,000)"]
    assert scores.cohort_caption(SCORES, nobody) == "No row is in the group yet."
    assert len(scores.cohort_scores_figure(nobody, nobody).data) == 0


def test_residuals_are_thinned_true_pairs() -> None:
    points = trace(residuals.residual_figure(NUMBERS), "Held-out")
    assert len(points.x) == residuals.MAX_POINTS
    pairs = set(zip(NUMBERS.truth, NUMBERS.scores, strict=True))
    assert set(zip(points.x, points.y, strict=True)) <= pairs
    assert min(points.x) == NUMBERS.truth.min()
    assert max(points.x) == NUMBERS.truth.max()
    half = np.median(np.abs(NUMBERS.truth - NUMBERS.scores))
    assert NUMBERS.r2 is not None
    assert residuals.caption(NUMBERS) == (
        f"Half of the 5,000 predictions are within {amount(half)} EUR of the actual price; "
        f"the model explains {100 * NUMBERS.r2:.0f}% of its variation."
    )
    useless = evaluate(RNG.normal(0, 1, 50), RNG.normal(9, 1, 50), "regression")
    assert "no better than" in residuals.caption(useless)
    assert trace(residuals.residual_figure(useless), "Rows") is not None


FIGURES = {
    "roc": roc.roc_figure(REPORT),
    "calibration": calibration.calibration_figure(REPORT),
    "scores": scores.score_figure(REPORT),
    "cohort-scores": scores.cohort_scores_figure(SCORES, SCORES[:100], 0.3),
    "residuals": residuals.residual_figure(NUMBERS),
}


@pytest.mark.parametrize("key", FIGURES)
def test_figures_are_small_stable_and_free_of_markup(key: str) -> None:
    figure = FIGURES[key]
    assert figure.layout.uirevision == key
    assert figure.layout.paper_bgcolor == figure.layout.plot_bgcolor == "rgba(0, 0, 0, 0)"
    text = figure.to_json()
    assert "\\u003cb\\u003e" not in text  # "<b>", as Plotly's JSON spells it
    assert len(text) < 120_000


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colour", [palette.FACTUAL, palette.ACCENT, palette.INFEASIBLE, palette.FEASIBLE])
def test_colours_read_on_white_and_on_the_dark_page(colour: str) -> None:
    assert contrast(colour, "#ffffff") >= 3
    assert contrast(colour, "#0e1117") >= 3


def test_the_target_reads_on_its_own_page() -> None:
    assert contrast(palette.target(False), "#ffffff") > 10
    assert contrast(palette.target(True), "#0e1117") > 10
    assert palette.translucent("#0f6fde", 0.5) == "rgba(15, 111, 222, 0.5)"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (0.6123, "0.612"),
        (0.5, "0.5"),
        (12_345.6, "12,346"),
        (1.0, "1"),
        (-0.0000001, "0"),
        (-3.14159, "-3.14"),
        (0.00123, "0.00123"),
        (100, "100"),
    ],
)
def test_amounts_read_like_numbers(value: float, text: str) -> None:
    assert amount(value) == text
    assert amount(value, "EUR") == f"{text} EUR"


def test_percent_never_rounds_something_to_nothing_or_all() -> None:
    assert [percent(s) for s in (0, 0.001, 0.004999, 0.005001, 0.5, 0.994, 0.999, 1)] == [
        "0%", "under 1%", "under 1%", "1%", "50%", "99%", "over 99%", "100%"
    ]  # fmt: skip


def test_plain_text_stays_text() -> None:
    assert plain("a<b & 'c'") == "a&lt;b &amp; 'c'"
    assert plain(True) == "True"
