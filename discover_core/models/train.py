"""Train a model of one of our families on a table, and measure it on rows it has not seen."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split
from sklearn.pipeline import Pipeline

from ..errors import InputError
from ..table.schema import Schema
from .columns import Match
from .evaluate import evaluate
from .families import build_pipeline, encoded_features
from .known_outcome import KnownOutcome, read_outcome
from .loaded import PROBABILITY, predicted, probability
from .matrix import Reader, reader
from .model import Model, Scores, score
from .row_threads import ask
from .settings import Family, family_named

HELD_OUT = 0.25
MIN_ROWS = 20
MIN_CLASS_ROWS = {"svm": 6}  # its probabilities need three folds of the training part; the others need 2
THREADED = ("random_forest", "xgboost", "lightgbm")
UNSCALED = ("random_forest", "xgboost")  # their encoders only look numbers up; LightGBM also minds the type of a matrix
THREAD_ROWS = 20_000  # below, threads cost more than they bring

Progress = Callable[[float, str], None]
Rows = NDArray[np.intp]


@dataclass(frozen=True)
class PipelineScorer:
    """A fitted pipeline as a scorer: the probability of its class 1, called `positive`, or its prediction if that is None.

    `reader`, if given, makes the numbers that the pipeline's encoder would make, but straight from the category codes: the same
    bits in a tenth of the time.
    """

    pipeline: Pipeline
    positive: str | None
    reader: Reader | None = field(default=None, kw_only=True)

    def __call__(self, table: pd.DataFrame) -> Scores:
        model: Any = self.pipeline if self.reader is None else self.pipeline[-1]
        features: Any = table[list(self.pipeline.feature_names_in_)] if self.reader is None else self.reader(table)
        raw = ask(model, "predict", features) if self.positive is None else ask(model, "predict_proba", features)[:, 1]
        return np.asarray(raw, dtype=np.float64)


def train_model(
    family: str,
    table: pd.DataFrame,
    schema: Schema,
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
) -> Model:
    """Train on three quarters of the rows, measure on the held-out quarter, and return the model with its report.

    The model returned is the one that was measured: it is not fitted again on all rows. Rows without a known outcome
    are not learnt from, and large tables are sampled; both are said in the model's notes. Same seed, same model.
    """
    chosen = family_named(family)
    say = progress or (lambda share, words: None)
    say(0.0, "Reading the outcome")
    pipeline = build_pipeline(family, schema, seed, settings)
    outcome = read_outcome(table, schema)
    notes = []
    unknown = len(table) - len(outcome.truth)
    if unknown:
        notes.append(f"{unknown:,} rows without a known “{outcome.name}” were not used for training.")

    picked = _sample(outcome, chosen.max_rows, seed)
    truth = outcome.truth[picked]
    _check(outcome, truth, chosen, schema)
    if len(picked) < len(outcome.truth):
        notes.append(f"{chosen.title} learns from at most {chosen.max_rows:,} rows, drawn at random from {len(outcome.truth):,}.")
    say(0.1, "Preparing the table")
    prepared = schema.prepare(table.iloc[np.flatnonzero(outcome.known)[picked]])[schema.feature_names]
    train, test = _split(truth, HELD_OUT, outcome.task, seed)

    title = chosen.title_regression if outcome.task == "regression" else chosen.title
    say(0.2, f"Fitting {title} to {len(train):,} rows")
    if not _fit(pipeline, family, prepared.iloc[train], truth[train], outcome.task):
        notes.append(f"{title} had not fully settled when its training stopped; its scores can still be used.")
    say(0.9, f"Measuring on {len(test):,} held-out rows")
    positive = str(outcome.positive) if outcome.task == "binary" else None
    scorer = PipelineScorer(pipeline, positive, reader=_reader(schema) if family in UNSCALED else None)
    report = evaluate(
        score(scorer, prepared.iloc[test], title),
        truth[test],
        outcome.task,
        outcome=outcome.name,
        positive=outcome.positive,
        negative=outcome.negative,
        unit=schema[outcome.name].unit,
        train_rows=len(train),
        note="Measured on held-out rows that the model has not seen in training.",
    )
    say(1.0, "Done")
    return Model(
        scorer=scorer,
        schema=schema,
        family=family,
        title=title,
        inputs=tuple(schema.feature_names),
        output=predicted(outcome.name) if positive is None else probability(outcome.name, positive),
        interval=None if positive is None else PROBABILITY,
        report=report,
        notes=tuple(notes),
    )


def learnt_from(table: pd.DataFrame, schema: Schema, family: str, seed: int) -> NDArray[np.bool_]:
    """The rows that `train_model` fits a model to. Of the others it knows nothing, or only how good it is there."""
    outcome = read_outcome(table, schema)
    picked = _sample(outcome, family_named(family).max_rows, seed)
    train, _ = _split(outcome.truth[picked], HELD_OUT, outcome.task, seed)
    found = np.zeros(len(table), dtype=bool)
    found[np.flatnonzero(outcome.known)[picked][train]] = True
    return found


def _reader(schema: Schema) -> Reader:
    """The encoded matrix of our pipelines, without scikit-learn's encoder."""
    return reader([Match(column, level) for column, level in encoded_features(schema)], schema, ranks=True)[0]


def _check(outcome: KnownOutcome, truth: NDArray[np.float64], family: Family, schema: Schema) -> None:
    """Is there something to learn from, and something to learn? `truth` is that of the rows to be used."""
    if not schema.features:
        raise InputError("No feature is left to learn from: give at least one column besides the outcome a role.")
    rows, positives = len(truth), int(truth.sum())
    if rows < MIN_ROWS:
        raise InputError(f"Only {rows:,} rows have a known “{outcome.name}”: training needs at least {MIN_ROWS}.")
    if outcome.task == "regression":
        if np.ptp(truth) == 0:
            raise InputError(f"“{outcome.name}” is {truth[0]:g} in every row: there is nothing to learn.")
        return
    names = {str(outcome.positive): positives, outcome.negative: rows - positives}
    for name, count in names.items():
        if count == rows:
            raise InputError(f"“{outcome.name}” is “{name}” in every row: a model needs rows of at least two classes.")
    need = MIN_CLASS_ROWS.get(family.name, 2)
    for name, count in names.items():
        if count < need:
            found = f"only {count} of {rows:,} rows"
            raise InputError(f"“{outcome.name}” is “{name}” in {found}: {family.title} needs at least {need} of each class.")


def _split(truth: NDArray[np.float64], held_out: float | int, task: str, seed: int) -> tuple[Rows, Rows]:
    """Row numbers to train on and to hold out; classes keep their shares."""
    rows = np.arange(len(truth))
    train, test = train_test_split(rows, test_size=held_out, random_state=seed, stratify=truth if task == "binary" else None)
    return np.sort(train), np.sort(test)


def _sample(outcome: KnownOutcome, max_train: int, seed: int) -> Rows:
    """All rows, or as many as give `max_train` training rows after the split; a rare class keeps its share."""
    rows, most = len(outcome.truth), int(max_train / (1 - HELD_OUT))
    if rows <= most:
        return np.arange(rows)
    rare = outcome.task == "binary" and min(outcome.truth.sum(), rows - outcome.truth.sum()) * most / rows >= 2
    return _split(outcome.truth, rows - most, "binary" if rare else "regression", seed)[0]


def _fit(pipeline: Pipeline, family: str, features: pd.DataFrame, truth: NDArray[np.float64], task: str) -> bool:
    """Fit in place, and say whether the fit settled. What the libraries warn about stays here."""
    threads = family in THREADED and len(features) >= THREAD_ROWS
    if threads:
        pipeline.set_params(model__n_jobs=-1)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        pipeline.fit(features, truth.astype(np.int64) if task == "binary" else truth)
    if threads and family == "random_forest":
        pipeline.set_params(model__n_jobs=1)  # while scoring, threads add up the trees in any order: the last bit would move
    return not any(issubclass(w.category, ConvergenceWarning) for w in caught)
