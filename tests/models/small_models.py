"""Small models of every format, what they were fitted to, and rows to ask them about."""

from __future__ import annotations

from functools import cache
from typing import Any

import lightgbm as lgb
import numpy as np
import pandas as pd
import skops.io
import xgboost as xgb
from skl2onnx import to_onnx
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from discover_core.table.schema import Column, Schema

ROWS = 300
NAMES = ["a", "b", "c", "d"]


def schema() -> Schema:
    return Schema((*(Column(name, "numeric", low=-5, high=5) for name in NAMES),))


def rows() -> pd.DataFrame:
    odd = pd.DataFrame({name: [0.0, np.nan, 1e30, -1e30, -1.0, 4.0, 3e9, np.nan] for name in NAMES})
    return pd.concat([people()[0].head(20), odd, odd.iloc[::-1].assign(a=0.5)], ignore_index=True)


@cache
def people() -> tuple[pd.DataFrame, np.ndarray]:
    draw = np.random.default_rng(7)
    table = pd.DataFrame(draw.normal(size=(ROWS, 4)), columns=NAMES)
    table["d"] = draw.integers(0, 5, ROWS).astype(float)
    return table, ((table["a"] + (table["d"] == 2) + draw.normal(0, 0.3, ROWS)) > 0.5).astype(int).to_numpy()


@cache
def boosters() -> tuple[xgb.Booster, ...]:
    table, outcome = people()
    coded = table.assign(d=pd.Categorical(table["d"].astype(int)))
    kinds: tuple[tuple[dict[str, Any], Any, Any], ...] = (
        ({"objective": "binary:logistic"}, table, outcome),
        ({"objective": "multi:softprob", "num_class": 3}, table, np.arange(ROWS) % 3),
        ({"objective": "binary:logistic", "max_cat_to_onehot": 1}, coded, outcome),
        ({"objective": "binary:logistic", "booster": "dart"}, table, outcome),
        ({"objective": "binary:logistic", "booster": "gblinear"}, table, outcome),
    )
    return tuple(
        xgb.train({"max_depth": 3, "verbosity": 0, **settings}, xgb.DMatrix(x, y, enable_categorical=True), 6)
        for settings, x, y in kinds
    )


@cache
def light() -> tuple[str, ...]:
    table, outcome = people()
    coded = table.assign(d=pd.Categorical(table["d"].astype(int)))
    quiet = {"verbosity": -1, "num_leaves": 6, "min_data_per_group": 5, "cat_smooth": 1}
    kinds: tuple[tuple[dict[str, Any], Any, Any], ...] = (
        ({"objective": "binary"}, table, outcome),
        ({"objective": "multiclass", "num_class": 3}, table, np.arange(ROWS) % 3),
        ({"objective": "binary"}, coded, outcome),
        ({"objective": "regression", "linear_tree": True}, table, table["a"]),
    )
    return tuple(lgb.train(quiet | settings, lgb.Dataset(x, y), 6).model_to_string() for settings, x, y in kinds)


@cache
def estimators() -> tuple[bytes, ...]:
    table, outcome = people()
    made = (
        RandomForestClassifier(6, max_depth=4, random_state=0),
        HistGradientBoostingClassifier(max_iter=6, max_leaf_nodes=6),
        GradientBoostingClassifier(n_estimators=4, max_depth=2),
        KNeighborsClassifier(algorithm="kd_tree"),
        SVC(),
        LogisticRegression(),
        xgb.XGBClassifier(n_estimators=4, max_depth=3),
        lgb.LGBMClassifier(n_estimators=4, num_leaves=5, verbosity=-1),
    )
    return tuple(skops.io.dumps(model.fit(table, outcome)) for model in made)


@cache
def networks() -> tuple[bytes, ...]:
    table, outcome = people()
    matrix = table.to_numpy(np.float32)
    made = (
        RandomForestClassifier(5, max_depth=4, random_state=0),
        GradientBoostingClassifier(n_estimators=4, max_depth=2),
        LogisticRegression(),
        KNeighborsClassifier(),
        SVC(),
    )
    return tuple(to_onnx(model.fit(matrix, outcome), matrix[:1], options={"zipmap": False}).SerializeToString() for model in made)
