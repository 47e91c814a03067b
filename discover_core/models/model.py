"""A model is anything that turns a DataFrame into one score per row; `Model` is how ours travel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..errors import InputError, said
from ..table.schema import Schema

if TYPE_CHECKING:
    from .evaluate import Report

Scores = NDArray[np.float64]
Scorer = Callable[[pd.DataFrame], Any]
Codes = Mapping[str, Mapping[str, float | None]]  # by column, then by level as text; None: no number, as for a missing value


@dataclass(frozen=True)
class Model:
    """A scorer with what is known about it. Picklable, so that a worker can have it.

    `scorer` sees a table prepared by `schema`. `interval` is where scores lie by construction: (0, 1) for
    probabilities, None when unknown. `codes` are the numbers given for the levels of those columns of which the model's
    file does not say how they were numbered: a guess, unless somebody said them.
    """

    scorer: Scorer
    schema: Schema
    family: str
    title: str
    inputs: tuple[str, ...]
    output: str
    interval: tuple[float, float] | None = None
    report: Report | None = None
    notes: tuple[str, ...] = ()
    codes: Codes = field(default_factory=dict, hash=False)

    def __call__(self, table: pd.DataFrame) -> Scores:
        return score(self.scorer, self.schema.prepare(table), self.title)


def score(scorer: Scorer, table: pd.DataFrame, name: str = "The model") -> Scores:
    """Ask any callable for its scores, and accept only one finite number per row. It is not asked about no rows."""
    if not len(table):
        return np.empty(0)
    try:
        raw = scorer(table)
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"{name} failed while scoring {len(table):,} rows; it said: {said(error)}.") from error
    try:
        scores = np.asarray(raw, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} returned something other than numbers: a model must give one number per row.") from error
    if scores.ndim == 2 and scores.shape[1] == 1:
        scores = scores[:, 0]
    if scores.ndim != 1:
        width = "x".join(map(str, scores.shape[1:])) or "a single value"
        raise InputError(
            f"{name} returned {width} outputs per row, but one number per row is needed: choose which output counts."
        )
    if len(scores) != len(table):
        raise InputError(f"{name} returned {len(scores):,} scores for {len(table):,} rows: it must return one per row.")
    bad = int(np.count_nonzero(~np.isfinite(scores)))
    if bad:
        raise InputError(
            f"{name} returned no usable number (NaN or infinite) for {bad:,} of {len(scores):,} rows: check its missing values."
        )
    return scores
