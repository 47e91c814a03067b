"""The report's numbers against scikit-learn, against counting by hand, and at their edges."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from discover_core.errors import InputError
from discover_core.models.evaluate import Report, evaluate, evaluate_model
from discover_core.models.model import Model
from discover_core.table.schema import Column, Schema

RNG = np.random.default_rng(0)
TRUTH = (RNG.random(3_000) < 0.4).astype(float)
SCORES = np.clip(0.3 + 0.3 * TRUTH + 0.2 * RNG.normal(size=3_000), 0, 1)


def pairs_ranked(scores: np.ndarray, truth: np.ndarray) -> float:
    """AUC by its meaning: over all pairs, how often the positive one scores higher; a tie counts half."""
    difference = scores[truth == 1][:, None] - scores[truth == 0][None, :]
    return float(np.mean((difference > 0) + 0.5 * (difference == 0)))


def test_classification_agrees_with_sklearn_and_with_counting() -> None:
    report = evaluate(SCORES, TRUTH, "binary", outcome="risk", positive="bad", negative="good", train_rows=9)
    assert report.auc == pytest.approx(metrics.roc_auc_score(TRUTH, SCORES))
    assert report.auc == pytest.approx(pairs_ranked(SCORES, TRUTH))
    assert report.accuracy == pytest.approx(np.mean((SCORES >= 0.5) == TRUTH))
    assert report.brier == pytest.approx(np.mean((SCORES - TRUTH) ** 2))
    assert report.base_rate == pytest.approx(TRUTH.mean())
    assert (report.train_rows, report.test_rows, report.r2, report.mae, report.rmse) == (9, 3_000, None, None, None)


def test_regression_agrees_with_its_formulas() -> None:
    truth, scores = RNG.normal(5, 2, 500), RNG.normal(5, 2, 500)
    report = evaluate(scores, truth, "regression")
    error = truth - scores
    assert report.mae == pytest.approx(np.abs(error).mean())
    assert report.rmse == pytest.approx(np.sqrt((error**2).mean()))
    assert report.r2 == pytest.approx(1 - (error**2).sum() / ((truth - truth.mean()) ** 2).sum())
    assert (report.auc, report.brier, report.roc, report.calibration) == (None, None, None, None)


def test_the_roc_curve_is_short_and_keeps_its_area() -> None:
    report = evaluate(SCORES, TRUTH, "binary")
    assert report.roc is not None
    assert len(report.roc) <= 200
    assert report.roc[0].tolist() == [0, 0]
    assert report.roc[-1].tolist() == [1, 1]
    assert (np.diff(report.roc, axis=0) >= 0).all()
    assert np.trapezoid(report.roc[:, 1], report.roc[:, 0]) == pytest.approx(report.auc, abs=0.005)
    false_rate, true_rate, _ = metrics.roc_curve(TRUTH, SCORES, drop_intermediate=False)
    assert {tuple(p) for p in report.roc} <= set(zip(false_rate, true_rate, strict=True))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.500001, 0.9, 1.0]), st.booleans()), min_size=1, max_size=60))
def test_small_and_tied_reports(rows: list[tuple[float, bool]]) -> None:
    scores, truth = np.array([r[0] for r in rows]), np.array([r[1] for r in rows], dtype=float)
    report = evaluate(scores, truth, "binary")
    assert report.calibration is not None
    predicted, observed, count = report.calibration.T
    assert count.sum() == len(rows)
    assert (count > 0).all()
    assert predicted @ count == pytest.approx(scores.sum())
    assert observed @ count == pytest.approx(truth.sum())
    assert (np.diff(predicted) > 0).all()
    assert len(count) <= 10
    if 0 < truth.sum() < len(truth):
        assert report.auc == pytest.approx(pairs_ranked(scores, truth))
        assert report.roc is not None
        assert report.roc[[0, -1]].tolist() == [[0, 0], [1, 1]]
    else:
        assert report.auc is None
        assert report.roc is None


def test_calibration_bins_are_about_equal_in_size() -> None:
    scores = RNG.permutation(1_000) / 1_000
    report = evaluate(scores, scores > 0.5, "binary")
    assert report.calibration is not None
    assert report.calibration[:, 2].tolist() == [100] * 10


@pytest.mark.parametrize("scores", [SCORES * 8 - 4, SCORES + 0.5])
def test_scores_that_are_no_probabilities_still_rank(scores: np.ndarray) -> None:
    report = evaluate(scores, TRUTH, "binary")
    assert report.auc == pytest.approx(metrics.roc_auc_score(TRUTH, scores))
    assert (report.brier, report.accuracy, report.calibration) == (None, None, None)


def test_nothing_to_measure_is_refused() -> None:
    for scores, truth in (([], []), ([0.1], [0.0, 1.0])):
        with pytest.raises(InputError, match="at least one row"):
            evaluate(scores, truth, "binary")


TABLE = pd.DataFrame(
    {"x": [0.1, 0.9, 0.4, 0.8, 0.3, 0.6], "y": ["no", "yes", "no", "yes", "yes", None], "z": [1.0, 2, 3, 4, 5, 600]}
)
COLUMNS = (
    Column("x", "numeric", low=0, high=1),
    Column("y", "nominal", levels=("no", "yes")),
    Column("z", "numeric", low=0, high=1_000),
)


def measured(outcome: str | None, interval: tuple[float, float] | None, table: pd.DataFrame = TABLE) -> Report | None:
    schema = Schema(COLUMNS, outcome)
    model = Model(lambda t: t["x"], schema, "own", "Mine", ("x",), "score", interval)
    return evaluate_model(model, table, schema)


def test_any_model_is_measured_where_the_outcome_is_known() -> None:
    report = measured("y", (0, 1))
    assert report is not None
    assert (report.test_rows, report.positive, report.negative, report.train_rows) == (5, "yes", "no", 0)
    assert report.auc == pytest.approx(5 / 6)
    assert report.brier == pytest.approx(np.mean(np.square([0.1, 0.1, 0.4, 0.2, 0.7])))
    assert "seen" in report.note


def test_a_model_of_unknown_range_gets_its_auc_only() -> None:
    report = measured("y", None)
    assert report is not None
    assert report.auc == pytest.approx(5 / 6)
    assert report.brier is None


def test_what_cannot_be_measured_is_none() -> None:
    assert measured(None, (0, 1)) is None
    assert measured("y", (0, 1), TABLE.drop(columns="y")) is None
    assert measured("y", (0, 1), TABLE.assign(y=None)) is None
    assert measured("z", (0, 1)) is None  # probabilities cannot predict 600
    report = measured("z", None)
    assert report is not None
    assert report.mae == pytest.approx((TABLE.z - TABLE.x).abs().mean())
    three = Schema((COLUMNS[0], Column("y", "nominal", levels=("a", "b", "c"))), "y")
    model = Model(lambda t: t["x"], three, "own", "Mine", ("x",), "score")
    assert evaluate_model(model, pd.DataFrame({"x": [0.1, 0.2, 0.3], "y": ["a", "b", "c"]}), three) is None
