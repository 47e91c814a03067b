"""Which features nearly decide the outcome alone: they may have been filled in after it was known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..errors import InputError
from ..table.schema import Column, Schema
from .known_outcome import KnownOutcome, read_outcome

DECIDES = 0.98  # from here on one feature alone is too good to be true
NOTICED = 0.9  # from here on it is the first to look at, if the whole model is too good to be true
BEYOND_BELIEF = 0.995  # of a whole model on rows it has not seen
ROWS = 6_000  # more are sampled
FEWEST = 10  # rows of the rarer class, or in all for a number
BINS, BIN_ROWS = 50, 10  # at most so many ranges of a number, at least so many rows in each
PRIOR = 5.0  # rows of the overall mean that are added to each level: one that is seen once says little

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


@dataclass(frozen=True)
class Alone:
    """What one feature tells of the outcome without the others, on rows that were kept apart.

    `strength` is the AUC for a class, and for a number the share of its ranks' variation that is explained: .5 and 0 are
    guessing, 1 is knowing.
    """

    name: str
    strength: float

    @property
    def decides(self) -> bool:
        return self.strength >= DECIDES


def alone(table: pd.DataFrame, ready: pd.DataFrame, schema: Schema, seed: int = 0) -> tuple[Alone, ...]:
    """Every feature by what it tells alone, the strongest first; nothing without an outcome or with too few rows.

    `ready` is the table prepared by the schema. The rows are split in two halves; each half's levels, or ranges of
    numbers, get the mean outcome they have there and are judged by the other half. The weaker of the two verdicts counts, so
    a category with many levels cannot shine by remembering.
    """
    try:
        outcome = read_outcome(table, schema)
    except InputError:
        return ()
    rows = np.random.default_rng(seed).permutation(len(outcome.truth))[:ROWS]
    truth = _scale(outcome)[rows]
    if _rarer(outcome, truth) < FEWEST:
        return ()
    half = np.arange(len(rows)) % 2 == 0
    picked = ready.iloc[np.flatnonzero(outcome.known)[rows]]
    found = [Alone(c.name, _strength(picked[c.name], c, truth, half, outcome.task == "binary")) for c in schema.features]
    return tuple(sorted(found, key=lambda one: -one.strength))


def _scale(outcome: KnownOutcome) -> Floats:
    """Classes as 0 and 1; numbers as ranks from 0 to 1, so that a few huge ones do not decide."""
    if outcome.task == "binary" or len(outcome.truth) < 2:
        return outcome.truth
    return np.asarray((_ranks(outcome.truth) - 1) / (len(outcome.truth) - 1))


def _rarer(outcome: KnownOutcome, truth: Floats) -> int:
    if outcome.task == "regression":
        return len(np.unique(truth))
    return int(min(truth.sum(), len(truth) - truth.sum()))


def _strength(values: pd.Series[Any], column: Column, truth: Floats, half: NDArray[np.bool_], classes: bool) -> float:
    verdicts = []
    for learnt in (half, ~half):
        places = _places(values, column, learnt)
        guess = _means(places, truth, learnt, PRIOR if column.categorical else 0.0)[places]
        verdicts.append((_auc if classes else _explained)(guess[~learnt], truth[~learnt]))
    return float(min(verdicts))


def _places(values: pd.Series[Any], column: Column, learnt: NDArray[np.bool_]) -> Codes:
    """Levels by their code; numbers by the range they lie in, its ends chosen on the rows to learn from."""
    if column.categorical:
        return np.asarray(values.cat.codes.to_numpy(), dtype=np.int64)
    numbers = values.to_numpy(dtype=np.float64)
    bins = min(BINS, max(int(learnt.sum()) // BIN_ROWS, 2))
    ends = np.unique(np.quantile(numbers[learnt], np.linspace(0, 1, bins + 1)[:-1], method="inverted_cdf"))
    return np.asarray(np.searchsorted(ends, numbers), dtype=np.int64)


def _means(places: Codes, truth: Floats, learnt: NDArray[np.bool_], prior: float) -> Floats:
    """The mean outcome of each place on the rows to learn from, drawn to the overall mean by `prior` rows of it."""
    size = int(places.max()) + 1
    count = np.bincount(places[learnt], minlength=size)
    total = np.bincount(places[learnt], truth[learnt], minlength=size)
    overall = truth[learnt].mean()
    return np.asarray(np.where(count > 0, (total + prior * overall) / np.maximum(count + prior, 1), overall))


def _auc(guess: Floats, truth: Floats) -> float:
    """How often a positive row is guessed above a negative one; ties count half."""
    positive = truth == 1
    pairs = int(positive.sum()) * int((~positive).sum())
    if not pairs:
        return 0.5
    above = _ranks(guess)[positive].sum() - positive.sum() * (positive.sum() + 1) / 2
    return float(above / pairs)


def _ranks(values: Floats) -> Floats:
    return np.asarray(pd.Series(values).rank(), dtype=np.float64)


def _explained(guess: Floats, truth: Floats) -> float:
    around = float(np.sum((truth - truth.mean()) ** 2))
    return 1 - float(np.sum((truth - guess) ** 2)) / around if around > 0 else 0.0
