"""Many rows on all cores: models that score on one core are asked about parts of the rows at once, which moves no bit."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import joblib
import lightgbm as lgb
import numpy as np
import xgboost as xgb
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor, RandomForestClassifier, RandomForestRegressor
from sklearn.pipeline import Pipeline

ROWS = 20_000  # below, threads cost more than they bring
FORESTS = (RandomForestClassifier, RandomForestRegressor, ExtraTreesClassifier, ExtraTreesRegressor)


def ask(estimator: Any, method: str, features: Any) -> Any:
    """What the estimator's method gives for these rows. A pipeline's steps see all rows, only its model sees parts of them."""
    last = estimator.steps[-1][1] if type(estimator) is Pipeline else estimator
    count = min(cores(), 2 * features.shape[0] // ROWS)
    if features.shape[0] < ROWS or count < 2 or not _by_rows(last):
        return getattr(estimator, method)(features)
    if last is not estimator:
        for _, step in estimator.steps[:-1]:
            features = features if step is None or step == "passthrough" else step.transform(features)
    rows = features.iloc if hasattr(features, "iloc") else features
    ends = np.linspace(0, features.shape[0], count + 1).astype(int).tolist()
    parts = [rows[start:end] for start, end in pairwise(ends)]
    with ThreadPoolExecutor(count) as pool:
        return np.concatenate(list(pool.map(getattr(last, method), parts)))


def cores() -> int:
    """Those that this process may use; LOKY_MAX_CPU_COUNT may say that they are fewer."""
    return int(joblib.cpu_count())


def _by_rows(model: Any) -> bool:
    """Whether it scores each row by itself, on one core, without holding the others up."""
    if type(model) in FORESTS:
        return model.n_jobs in (None, 1)
    if isinstance(model, xgb.XGBModel):
        return model.n_jobs == 1 and model.booster in (None, "gbtree")
    return isinstance(model, lgb.LGBMModel) and model.n_jobs == 1
