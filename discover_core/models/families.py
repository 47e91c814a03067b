"""The families of models we train: their settings, and one scikit-learn pipeline over the raw columns for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from lightgbm import LGBMClassifier, LGBMRegressor
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.svm import SVC, SVR
from xgboost import XGBClassifier, XGBRegressor

from ..errors import InputError
from ..table.schema import MISSING, Column, Level, Schema
from .settings import family_named


def build_pipeline(family: str, schema: Schema, seed: int, settings: Mapping[str, Any] | None = None) -> Pipeline:
    """An unfitted pipeline: the encoder (step "encode"), then the estimator (step "model").

    It holds classes of scikit-learn, XGBoost and LightGBM only, so that skops can save it. The encoded matrix has the
    columns that `encoded_features` lists, in that order.
    """
    chosen = family_named(family)
    values = chosen.resolve(settings)
    estimator = _regressor(family, values, seed) if schema.task == "regression" else _classifier(family, values, seed)
    return Pipeline([("encode", _encoder(schema, scaled=family in ("logistic", "svm", "mlp"))), ("model", estimator)])


def encoded_features(schema: Schema) -> list[tuple[str, Level | None]]:
    """(column, level) of every column of the encoded matrix: numeric, then ordinal (both with level None), then one-hot."""
    numeric, ranked, one_hot = _groups(schema)
    plain: list[tuple[str, Level | None]] = [(c.name, None) for c in numeric + ranked]
    return plain + [(c.name, level) for c in one_hot for level in _encoder_levels(c)]


def _groups(schema: Schema) -> tuple[list[Column], list[Column], list[Column]]:
    """Numeric columns, columns encoded as ranks, columns encoded as one-hot; each in the order of the schema."""
    features = schema.features
    ranked = [c for c in features if c.role == "ordinal" and _encoder_levels(c) == list(c.levels)]
    one_hot = [c for c in features if c.categorical and c not in ranked]
    return [c for c in features if c.role == "numeric"], ranked, one_hot


def _encoder_levels(column: Column) -> list[Level]:
    """The levels in the order scikit-learn accepts: numbers ascending, and never mixed with text.

    "(missing)" among numbers has no column of its own, it is all zeros. An ordinal column whose order scikit-learn
    cannot express (numbers not ascending, or with "(missing)") is encoded as one-hot instead.
    """
    levels = list(column.levels)
    if all(isinstance(level, str) for level in levels):
        return levels
    numbers = [level for level in levels if level != MISSING]
    if any(isinstance(level, str) for level in numbers):
        raise InputError(f"Column “{column.name}” mixes text and numbers: have its values read as text, or exclude it.")
    return sorted(numbers)


def _encoder(schema: Schema, scaled: bool) -> ColumnTransformer:
    numeric, ranked, one_hot = _groups(schema)
    ranks = OrdinalEncoder(categories=[_as_categories(c) for c in ranked])
    parts = [
        ("numeric", StandardScaler() if scaled else "passthrough", numeric),
        ("ordinal", Pipeline([("rank", ranks), ("scale", StandardScaler())]) if scaled else ranks, ranked),
        (
            "nominal",
            OneHotEncoder(categories=[_as_categories(c) for c in one_hot], handle_unknown="ignore", sparse_output=False),
            one_hot,
        ),
    ]
    return ColumnTransformer(
        [(name, part, [c.name for c in columns]) for name, part, columns in parts if columns], sparse_threshold=0
    )


def _as_categories(column: Column) -> Any:
    levels = _encoder_levels(column)
    return np.array(levels, dtype=object if isinstance(levels[0], str) else None)


def _classifier(family: str, v: Mapping[str, Any], seed: int) -> Any:
    if family == "logistic":
        return LogisticRegression(C=v["c"], max_iter=v["iterations"])
    if family == "svm":
        return CalibratedClassifierCV(SVC(C=v["c"], kernel=v["kernel"]), ensemble=False, cv=3)
    if family == "mlp":
        return MLPClassifier(**_network(v, seed))
    if family == "random_forest":
        return RandomForestClassifier(v["trees"], max_depth=v["depth"], min_samples_leaf=v["leaf"], random_state=seed)
    if family == "xgboost":
        return XGBClassifier(**_xgboost(v, seed))
    return LGBMClassifier(**_lightgbm(v, seed))


def _regressor(family: str, v: Mapping[str, Any], seed: int) -> Any:
    """SVM and neural network see a standardised outcome, since their settings assume one."""
    if family == "logistic":
        return Ridge(alpha=1 / v["c"], max_iter=v["iterations"])
    if family == "svm":
        return TransformedTargetRegressor(SVR(C=v["c"], kernel=v["kernel"]), transformer=StandardScaler())
    if family == "mlp":
        return TransformedTargetRegressor(MLPRegressor(**_network(v, seed)), transformer=StandardScaler())
    if family == "random_forest":
        return RandomForestRegressor(v["trees"], max_depth=v["depth"], min_samples_leaf=v["leaf"], random_state=seed)
    if family == "xgboost":
        return XGBRegressor(**_xgboost(v, seed))
    return LGBMRegressor(**_lightgbm(v, seed))


def _network(v: Mapping[str, Any], seed: int) -> dict[str, Any]:
    return {
        "hidden_layer_sizes": (v["units"],) * v["layers"],
        "alpha": v["penalty"],
        "max_iter": 200,
        "random_state": seed,
    }


def _xgboost(v: Mapping[str, Any], seed: int) -> dict[str, Any]:
    return {
        "n_estimators": v["trees"],
        "max_depth": v["depth"],
        "learning_rate": v["learning_rate"],
        "random_state": seed,
        "n_jobs": 1,
    }


def _lightgbm(v: Mapping[str, Any], seed: int) -> dict[str, Any]:
    fixed = {"random_state": seed, "n_jobs": 1, "deterministic": True, "force_row_wise": True, "verbosity": -1}
    return {"n_estimators": v["trees"], "num_leaves": v["leaves"], "learning_rate": v["learning_rate"], **fixed}
