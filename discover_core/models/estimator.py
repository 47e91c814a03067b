"""Any fitted scikit-learn style estimator as a Model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import lightgbm as lgb
import numpy as np
import pandas as pd
import xgboost as xgb

from ..errors import InputError
from ..table.schema import Schema
from .boosters import load_lightgbm, load_xgboost
from .columns import Match, match_names, match_positions, plain_values, used_columns
from .loaded import PROBABILITY, Origin, Pick, Signature, choose, column_of, pick_class, predicted
from .matrix import Reader, reader
from .model import Model, Scores
from .questions import ChooseOutput
from .row_threads import ask
from .train import PipelineScorer

SIGNATURE = "discover_"  # the attribute by which we know our own pipelines
Method = Literal["predict_proba", "decision_function", "predict"]


@dataclass(frozen=True)
class OwnScorer(PipelineScorer):
    """A pipeline we trained, saved and read again; `columns` are what it reads, in its order."""

    origin: Origin
    columns: tuple[str, ...]

    def __call__(self, table: pd.DataFrame) -> Scores:
        return super().__call__(table[list(self.columns)].set_axis(self.pipeline.feature_names_in_, axis=1))


@dataclass(frozen=True)
class EstimatorScorer:
    """Asks an estimator in the form it was trained with: a table of plain values, or a matrix of numbers."""

    estimator: Any
    origin: Origin
    schema: Schema
    names: tuple[str, ...]
    matches: tuple[Match, ...]
    matrix: Reader | None
    categories: bool
    method: Method
    index: int | None
    width: int
    sign: float = 1.0

    def __call__(self, table: pd.DataFrame) -> Any:
        given = self._frame(table) if self.matrix is None else self.matrix(table)
        raw = column_of(ask(self.estimator, self.method, given), self.index, self.width)
        return raw if self.sign > 0 else -raw

    def _frame(self, table: pd.DataFrame) -> pd.DataFrame:
        columns: dict[str, Any] = {}
        for name, match in zip(self.names, self.matches, strict=True):
            column = self.schema[match.column]
            if match.level is not None:
                columns[name] = (table[match.column] == match.level).to_numpy()
            else:
                values = plain_values(table, column)
                columns[name] = pd.Categorical(values) if self.categories and column.categorical else values
        return pd.DataFrame(columns, index=table.index)


def estimator_model(
    estimator: Any, origin: Origin, schema: Schema, mapping: Mapping[str, str] | None, output: int | str | None
) -> Model:
    """A Model of whatever object a file held, or an InputError that says what is wrong with it."""
    if isinstance(estimator, xgb.Booster):
        return load_xgboost(Origin(bytes(estimator.save_raw("ubj")), ".ubj", origin.name), schema, mapping, output)
    if isinstance(estimator, lgb.Booster):
        return load_lightgbm(Origin(estimator.model_to_string().encode(), ".txt", origin.name), schema, mapping, output)
    if not hasattr(estimator, "predict"):
        raise InputError(f"“{origin.title}” holds a {type(estimator).__name__}, not a model: save the fitted estimator itself.")
    signature = Signature.read(getattr(estimator, SIGNATURE, None))
    if signature is not None and hasattr(estimator, "feature_names_in_"):
        return _own(estimator, origin, schema, mapping, signature)
    _one_thread(estimator)
    names, matches, notes = _columns(estimator, schema, mapping)
    method, pick, width = _method(estimator, origin, schema, output)
    read = None
    if not hasattr(estimator, "feature_names_in_") and hasattr(estimator, "n_features_in_"):
        read, guesses = reader(matches, schema)
        notes += guesses
    first_class = method == "decision_function" and width == 2 and pick.index == 0
    scorer = EstimatorScorer(
        estimator=estimator,
        origin=origin,
        schema=schema,
        names=names,
        matches=tuple(matches),
        matrix=read,
        categories=_wants_categories(estimator),
        method=method,
        index=None if method == "predict" or (method == "decision_function" and width <= 2) else pick.index,
        width=width,
        sign=-1.0 if first_class else 1.0,
    )
    return Model(
        scorer=scorer,
        schema=schema,
        family="scikit-learn",
        title=origin.title,
        inputs=used_columns(matches),
        output=pick.output,
        interval=PROBABILITY if method == "predict_proba" else None,
        notes=notes + pick.notes,
    )


def _own(pipeline: Any, origin: Origin, schema: Schema, mapping: Mapping[str, str] | None, signature: Signature) -> Model:
    matches = match_names([str(name) for name in pipeline.feature_names_in_], schema, mapping, whole=True)
    columns = tuple(m.column for m in matches)
    return Model(
        scorer=OwnScorer(pipeline, signature.positive, origin, columns),
        schema=schema,
        family=signature.family,
        title=origin.title,
        inputs=used_columns(matches),
        output=signature.output(),
        interval=None if signature.positive is None else PROBABILITY,
        notes=signature.notes(schema),
    )


def _columns(
    estimator: Any, schema: Schema, mapping: Mapping[str, str] | None
) -> tuple[tuple[str, ...], list[Match], tuple[str, ...]]:
    names = getattr(estimator, "feature_names_in_", None)
    if names is not None:
        wanted = tuple(str(name) for name in names)
        return wanted, match_names(wanted, schema, mapping), ()
    count = getattr(estimator, "n_features_in_", None)
    if count is not None:
        wanted = tuple(f"f{i}" for i in range(int(count)))
        return wanted, *match_positions(wanted, schema, mapping)
    wanted = tuple(schema.feature_names)
    return (
        wanted,
        match_names(wanted, schema, mapping),
        ("The file does not say which columns it reads: it is given all of them.",),
    )


def _method(estimator: Any, origin: Origin, schema: Schema, output: int | str | None) -> tuple[Method, Pick, int]:
    """How to ask for a score, which output of it counts, and how many outputs there are."""
    classes = getattr(estimator, "classes_", None)
    if classes is None:
        if not hasattr(estimator, "decision_function"):
            return "predict", Pick(0, predicted(schema.outcome if schema.task == "regression" else None)), 1
        return "decision_function", Pick(0, "model output"), 1
    if isinstance(classes, list):
        raise InputError(f"“{origin.title}” predicts {len(classes)} outcomes at once: save a model of one outcome.")
    known = np.asarray(classes)
    if known.ndim != 1:
        raise InputError(f"“{origin.title}” does not list the classes it knows: save the fitted estimator itself.")
    names = list(known.tolist())
    if len(names) < 2:
        raise InputError(f"“{origin.title}” knows only one class, so its score never changes: train it on rows of two classes.")
    if hasattr(estimator, "predict_proba"):
        return "predict_proba", pick_class(names, schema, output), len(names)
    if not hasattr(estimator, "decision_function"):
        raise InputError(f"“{origin.title}” gives only labels, not scores: save a model that has predict_proba.")
    if len(names) > 2 and output is None:
        raise ChooseOutput([str(name) for name in names])
    pick = pick_class(names, schema, output) if output is None else Pick(choose([str(n) for n in names], output), "")
    note = "The model has no probabilities; its score is how far a row lies on the side of its class."
    return "decision_function", Pick(pick.index, f"decision value for {names[pick.index]}", (note, *pick.notes)), len(names)


def _last(estimator: Any) -> Any:
    estimator = getattr(estimator, "best_estimator_", estimator)
    return estimator.steps[-1][1] if hasattr(estimator, "steps") else estimator


def _one_thread(estimator: Any) -> None:
    """Threads of a forest add up its trees in any order, which would move the last bit from call to call: see `row_threads`."""
    last = _last(estimator)
    if hasattr(last, "n_jobs") and any(word in type(last).__name__ for word in ("Forest", "ExtraTrees", "Bagging", "Voting")):
        last.n_jobs = 1


def _wants_categories(estimator: Any) -> bool:
    """Was it trained on pandas categories?"""
    last = _last(estimator)
    if isinstance(last, xgb.XGBModel):
        return "c" in (last.get_booster().feature_types or [])
    if isinstance(last, lgb.LGBMModel):
        return bool(last.booster_.pandas_categorical)
    flags = getattr(last, "is_categorical_", None)
    return flags is not None and bool(np.any(flags))
