"""How good a model's scores are, against outcomes that are known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.metrics import (
    accuracy_score,
    brier_score_loss,
    mean_absolute_error,
    r2_score,
    roc_auc_score,
    roc_curve,
    root_mean_squared_error,
)

from ..errors import InputError
from ..table.schema import Level, Schema
from .known_outcome import read_outcome
from .model import Model

Floats = NDArray[np.float64]
ROC_POINTS = 200
CALIBRATION_BINS = 10


@dataclass(frozen=True, eq=False)
class Report:
    """A model measured on rows whose outcome is known. What does not apply or cannot be computed is None or empty.

    `truth` is 1 for the positive class and 0 for the rest, or the number itself for regression; `base_rate` is its
    mean. `roc` has the columns false and true positive rate; `calibration` has mean score, observed share and count.
    """

    task: Literal["binary", "regression"]
    outcome: str
    positive: Level | None
    negative: str
    unit: str
    train_rows: int
    test_rows: int
    scores: Floats
    truth: Floats
    base_rate: float
    auc: float | None = None
    accuracy: float | None = None
    brier: float | None = None
    r2: float | None = None
    mae: float | None = None
    rmse: float | None = None
    roc: Floats | None = None
    calibration: Floats | None = None
    note: str = ""

    @property
    def quality(self) -> str:
        """How good the model is, in one number people know; empty when nothing could be measured."""
        where = "" if self.held_out else " on rows it may know"
        if self.auc is not None:
            return f"AUC {self.auc:.2f}{where}"
        return "" if self.r2 is None else f"R² {self.r2:.2f}{where}"

    @property
    def held_out(self) -> bool:
        """Measured on rows that were kept from training; otherwise the numbers may flatter."""
        return self.train_rows > 0


def evaluate(
    scores: Any,
    truth: Any,
    task: Literal["binary", "regression"],
    *,
    outcome: str = "outcome",
    positive: Level | None = None,
    negative: str = "other",
    unit: str = "",
    train_rows: int = 0,
    probability: bool = True,
    note: str = "",
) -> Report:
    """Measure scores against the truth. `probability=False`: only their order means something, so no Brier score."""
    scores, truth = np.asarray(scores, dtype=np.float64), np.asarray(truth, dtype=np.float64)
    if scores.shape != truth.shape or scores.ndim != 1 or not len(scores):
        raise InputError("A model is measured on one score and one known outcome per row, at least one row.")
    measured: dict[str, Any] = {}
    if task == "regression":
        measured["r2"] = float(r2_score(truth, scores)) if np.ptp(truth) > 0 else None
        measured["mae"] = float(mean_absolute_error(truth, scores))
        measured["rmse"] = float(root_mean_squared_error(truth, scores))
    else:
        if 0 < truth.sum() < len(truth):
            measured["auc"] = float(roc_auc_score(truth, scores))
            measured["roc"] = _roc(scores, truth)
        if probability and scores.min() >= 0 and scores.max() <= 1:
            measured["accuracy"] = float(accuracy_score(truth, scores >= 0.5))
            measured["brier"] = float(brier_score_loss(truth, scores))
            measured["calibration"] = _calibration(scores, truth)
    return Report(
        task,
        outcome,
        positive,
        negative,
        unit,
        train_rows,
        len(scores),
        scores,
        truth,
        float(truth.mean()),
        note=note,
        **measured,
    )


def evaluate_model(model: Model, table: pd.DataFrame, schema: Schema) -> Report | None:
    """Measure any model on every row whose outcome is known; None if the table has no outcome that it could predict."""
    if schema.outcome is None or schema.outcome not in table.columns:
        return None
    try:
        outcome = read_outcome(table, schema)
    except InputError:
        return None
    if not len(outcome.truth):
        return None
    outside = outcome.truth.min() < 0 or outcome.truth.max() > 1
    if outcome.task == "regression" and model.interval == (0, 1) and outside:
        return None
    return evaluate(
        model(table.loc[outcome.known]),
        outcome.truth,
        outcome.task,
        outcome=outcome.name,
        positive=outcome.positive,
        negative=outcome.negative,
        unit=schema[outcome.name].unit,
        probability=model.interval == (0, 1),
        note="Measured on all rows whose outcome is known; the model may have seen some of them in training.",
    )


def _roc(scores: Floats, truth: Floats) -> Floats:
    """The ROC curve, thinned evenly along its length."""
    false_rate, true_rate, _ = roc_curve(truth, scores)
    along = false_rate + true_rate
    picks = np.unique(np.searchsorted(along, np.linspace(0, along[-1], ROC_POINTS)))
    picks[0], picks[-1] = 0, len(along) - 1
    return np.column_stack([false_rate, true_rate])[picks]


def _calibration(scores: Floats, truth: Floats) -> Floats:
    """Rows in bins of about equal size by score: mean score, share of positives, count."""
    edges = np.unique(np.quantile(scores, np.linspace(0, 1, CALIBRATION_BINS + 1)))
    place = np.searchsorted(edges[1:-1], scores, side="right")
    count = np.bincount(place)
    sums = np.column_stack([np.bincount(place, scores), np.bincount(place, truth)])[count > 0]
    count = count[count > 0]
    return np.column_stack([sums / count[:, None], count]).astype(np.float64)
