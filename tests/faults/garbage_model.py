"""Real models that lose their mind after some calls: what they return then no solver can use."""

from __future__ import annotations

import os
import pickle
import signal
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

import discover_core as dc
from discover_core.scenario.sources import ModelFile
from discover_core.store.files import data_files
from tests.workers.held_model import COLUMNS

SANE = 8  # calls before it happens: the run has made a few steps then


def raises(scores: Any) -> Any:
    raise RuntimeError("the model has lost its mind")


def ends(scores: Any) -> Any:
    """As native code does that reads where it must not."""
    os.kill(os.getpid(), signal.SIGSEGV)
    time.sleep(60)


GARBAGE: dict[str, Callable[[Any], Any]] = {
    "nan": lambda scores: np.full_like(scores, np.nan),
    "infinite": lambda scores: np.where(scores > 0.5, np.inf, scores),
    "too few": lambda scores: scores[:-1],
    "too many": lambda scores: np.vstack([scores, scores]),
    "words": lambda scores: np.full(scores.shape, "bad", dtype=object),
    "nothing": lambda scores: None,
    "an exception": raises,
    "a crash": ends,
}


class GarbageModel(LogisticRegression):
    def predict_proba(self, table: Any) -> Any:
        self.calls_ = getattr(self, "calls_", 0) + 1
        scores = super().predict_proba(table)
        return GARBAGE[self.kind_](scores) if self.calls_ > SANE else scores


def garbage(kind: str) -> ModelFile:
    """A model in the data folder that returns this after a while."""
    sample = dc.load_sample("german_credit")
    model = GarbageModel(max_iter=10_000).fit(sample.table[COLUMNS], sample.table[sample.schema.outcome])
    model.kind_ = kind
    return ModelFile(data_files().put(pickle.dumps(model), "model.pkl"), output=str(sample.schema.positive))
