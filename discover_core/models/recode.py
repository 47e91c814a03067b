"""Which number a loaded model gives to which level of a column, where its file does not say so: seen, and said better."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..errors import InputError
from .boosters import BoosterScorer
from .codes import check_codes
from .estimator import EstimatorScorer
from .matrix import Reader
from .model import Codes, Model
from .onnx_model import OnnxScorer


def codes_of(model: Model) -> dict[str, dict[str, float | None]]:
    """The number given for each level of every column whose numbers the model's file does not say."""
    found: dict[str, dict[str, float | None]] = {}
    for reader in _readers(model.scorer):
        for place in sorted(reader.assumed):
            column, lookup = model.schema[reader.columns[place]], reader.lookups[place] or ()
            numbers = (None if math.isnan(number) else number for number in lookup)
            found[column.name] = dict(zip(map(str, column.levels), numbers, strict=True))
    return found


def with_codes(model: Model, codes: Codes) -> Model:
    """The same model, reading these numbers; columns that `codes` does not name keep theirs."""
    if not codes:
        return model
    for name, given in codes.items():
        _check(model, name, given)
    lookups = {
        name: tuple(math.nan if (number := given[str(level)]) is None else float(number) for level in model.schema[name].levels)
        for name, given in codes.items()
    }

    def changed(reader: Reader) -> Reader:
        new = [
            lookups.get(name, old) if place in reader.assumed else old
            for place, (name, old) in enumerate(zip(reader.columns, reader.lookups, strict=True))
        ]
        return replace(reader, lookups=tuple(new))

    made = replace(model, scorer=_with_readers(model.scorer, changed))
    return replace(made, codes=codes_of(made))


def _check(model: Model, name: str, given: Any) -> None:
    check_codes({name: given})
    if name not in model.codes:
        open_ones = ", ".join(f"“{column}”" for column in model.codes)
        only = f"codes can be given for {open_ones}" if model.codes else "no column of it can be given codes"
        raise InputError(f"The codes of “{name}” cannot be used: the model's file reads this column otherwise; {only}.")
    levels = [str(level) for level in model.schema[name].levels]
    absent = [level for level in levels if level not in given]
    if absent:
        raise InputError(f"The codes of “{name}” lack its value “{absent[0]}”: give every value a number.")
    unknown = [level for level in given if level not in levels]
    if unknown:
        raise InputError(f"The codes of “{name}” name “{unknown[0]}”, which is no value of this column: take it out.")


def _readers(scorer: Any) -> list[Reader]:
    if isinstance(scorer, BoosterScorer):
        return [scorer.reader]
    if isinstance(scorer, EstimatorScorer):
        return [] if scorer.matrix is None else [scorer.matrix]
    return [feed.reader for feed in scorer.feeds] if isinstance(scorer, OnnxScorer) else []


def _with_readers(scorer: Any, changed: Callable[[Reader], Reader]) -> Any:
    """The scorer with its readers changed; what it has opened stays open."""
    if isinstance(scorer, BoosterScorer):
        return replace(scorer, reader=changed(scorer.reader))
    if isinstance(scorer, EstimatorScorer):
        return replace(scorer, matrix=None if scorer.matrix is None else changed(scorer.matrix))
    return replace(scorer, feeds=tuple(replace(feed, reader=changed(feed.reader)) for feed in scorer.feeds))
