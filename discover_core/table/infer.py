"""Guess what each column means, and say why."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from joblib import cpu_count
from pandas.api import types

from ..errors import InputError
from .dates import is_dayfirst, looks_like_dates
from .describe import SAMPLE, describe, describe_outcome, few
from .levers import suggestion
from .names import adverse_level, is_identifier, is_postcode
from .orders import natural_order
from .schema import Action, Column, Schema
from .values import as_text, is_text, plain_values

MANY = 200  # more text levels than this are no categories unless the user says so
LONGEST = 2**53  # whole numbers beyond it are names, not amounts


def infer_schema(table: pd.DataFrame, outcome: str | None = None) -> Schema:
    """A column description for every column of the table; see `Schema.infer`."""
    if not all(isinstance(name, str) for name in table.columns):
        raise InputError("The columns' names must be text: rename them, for example with table.columns.astype(str).")
    if outcome is not None and outcome not in table.columns:
        raise InputError(f"The outcome column “{outcome}” is not in the table.")
    with ThreadPoolExecutor(cpu_count()) as pool:  # counting and sorting release the interpreter
        each = [table.iloc[:, i] for i in range(len(table.columns))]
        columns = list(pool.map(lambda series: describe_outcome(series) if series.name == outcome else guess(series), each))
    schema = Schema(tuple(columns))
    return schema if outcome is None else schema.with_outcome(outcome, adverse_level(schema[outcome]))


def guess(series: pd.Series[Any]) -> Column:
    """The role a person would most likely give this column."""
    name, rows = str(series.name), len(series)
    present = rows - int(series.isna().sum())
    lever = suggestion(name)
    action: Action = "locked" if lever else "free"

    def excluded(reason: str, **fixed: Any) -> Column:
        return Column(name, "excluded", reason, missing=rows - present, action=action, lever=lever, **fixed)

    if present == 0:
        return excluded("It has no values.")
    if types.is_datetime64_any_dtype(series.dtype):
        return excluded("A date: choose Number to use it as days.", date=True)
    series = plain_values(series)
    if is_text(series):
        return _guess_text(series, excluded, action=action, lever=lever)
    distinct = few(series, MANY)
    if distinct is not None and len(distinct) == 1:
        return excluded(f"Every row has the same value, {as_text(distinct[0])}.")
    if distinct is not None and len(distinct) == 2:
        return describe(series, "nominal", action=action, lever=lever, reason="Two values.")
    if is_postcode(name):
        return excluded("A postcode: its digits are a name, not an amount.")
    if types.is_integer_dtype(series.dtype):
        if max(abs(int(series.min())), abs(int(series.max()))) > LONGEST:
            return excluded("Numbers too long to be amounts: an identifier.")
        if present >= 20 and _counts_rows(series, name):
            return excluded("A running number or identifier: different in every row.")
    column = describe(series, "numeric", action=action, lever=lever)
    return replace(column, reason="Whole numbers." if column.integer else "Numbers.")


def _guess_text(series: pd.Series[Any], excluded: Callable[..., Column], **said: Any) -> Column:
    """Text is a date, numbers with a few words among them, an identifier, free text, an order, or categories."""
    sample = series.iloc[:SAMPLE].dropna()
    if sample.empty:  # the first rows have gaps: look further down
        sample = series.dropna().iloc[:SAMPLE]
    unique = sample.unique()
    texts = pd.Series(unique).astype(str)
    if len(unique) > 1 and looks_like_dates(texts.iloc[:200]):
        return excluded("Dates: choose Number to use them as days.", date=True, dayfirst=is_dayfirst(series.dropna()))
    if _mostly_numbers(texts):
        column = describe(series, "numeric", **said)
        return replace(column, reason="Numbers; cells with something else count as missing.")
    if len(unique) > 20 and len(unique) > 0.95 * len(sample):
        words = float(texts.str.count(" ").mean()) + 1
        return excluded("Free text." if words > 3 else "Different in nearly every row: an identifier or a name.")
    if float(texts.str.len().mean()) > 60 and len(unique) > 20:
        return excluded("Free text.")
    counts = series.value_counts(sort=False) if len(unique) <= MANY else None
    if counts is None or len(counts) > MANY:
        return excluded(f"More than {MANY} different texts: too many for categories.")
    levels = list(counts.index)
    if len(levels) == 1:
        return excluded(f"Every row has the same value, “{str(levels[0])[:40]}”.")
    order = natural_order([str(level) for level in levels])
    if order:
        reason = "Its values have a natural order."
        return describe(series, "ordinal", counts=counts, levels=tuple(order), reason=reason, **said)
    return describe(series, "nominal", counts=counts, reason=f"{len(levels)} different texts.", **said)


def _mostly_numbers(texts: pd.Series[Any]) -> bool:
    """At least nine in ten of the distinct texts are numbers, the few others are words, and no number is a code like 007."""
    numbers = pd.to_numeric(texts, errors="coerce").notna()
    share = float(numbers.mean())
    return len(texts) > 20 and 0.9 <= share < 1 and not bool(texts[numbers].str.match(r"^0\d").any())


def _counts_rows(series: pd.Series[Any], name: str) -> bool:
    values = series.dropna().to_numpy()
    running = bool(np.all(np.diff(values.astype(np.int64)) == 1))
    return running or (is_identifier(name) and len(np.unique(values)) == len(values))
