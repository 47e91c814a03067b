"""Guess what each column means, and say why."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types

from ..errors import InputError
from .orders import natural_order
from .schema import MAX_LEVELS, MISSING, Action, Column, Level, Role, Schema
from .values import Numbers, as_level, as_numbers, as_text, is_text

SAMPLE = 10_000  # rows looked at before deciding whether a full count is worth it
EXACT_MEDIAN = 100_000  # up to so many rows the median is always exact
MANY = 200  # more text levels than this are no categories unless the user says so
PROTECTED = re.compile(
    r"(^|[^a-z])(age|sex|gender|race|ethnicity|ethnic\w*|nationality|religion|birth\w*|marital\w*|disab\w*|native\w*)([^a-z]|$)",
    re.I,
)
IDENTIFIER = re.compile(r"(^|[^a-z])(id|uuid|guid|key|index|identifier)$|id$(?<=[a-z]Id|.ID)", re.IGNORECASE)
OUTCOMES = re.compile(
    r"^(target|outcome|label|class|y|risk|default|churn\w*|response|result|income|.*default.*|is_\w+|.*recid.*)$", re.I
)
ADVERSE = ("bad", "yes", "true", "1", "y", "default", "high", "positive", ">50k", "churned", "risky", "ja", "oui", "sí", "si")


def infer_schema(table: pd.DataFrame, outcome: str | None = None) -> Schema:
    """A column description for every column of the table; see `Schema.infer`."""
    if outcome is not None and outcome not in table.columns:
        raise InputError(f"The outcome column “{outcome}” is not in the table.")
    with ThreadPoolExecutor() as pool:  # counting and sorting release the interpreter
        each = [table.iloc[:, i] for i in range(len(table.columns))]
        columns = list(pool.map(lambda series: describe_outcome(series) if series.name == outcome else guess(series), each))
    schema = Schema(tuple(columns))
    return schema if outcome is None else schema.with_outcome(outcome, adverse_level(schema[outcome]))


def suggest_outcome(schema: Schema) -> str | None:
    """The column most likely to be the outcome: by its name, the last such one; otherwise none."""
    named = [c.name for c in schema if OUTCOMES.match(c.name.strip()) and c.role != "excluded"]
    return named[-1] if named else None


def adverse_level(column: Column) -> Level | None:
    """The level of a two-valued outcome that reads like the risk; its last one otherwise; None for more values."""
    if not column.categorical or len(column.levels) > 2:
        return None
    for level in column.levels:
        if str(level).strip().strip(".").lower() in ADVERSE:
            return level
    return column.levels[-1]


def guess(series: pd.Series[Any]) -> Column:
    """The role a person would most likely give this column."""
    name, rows = str(series.name), len(series)
    present = rows - int(series.isna().sum())
    action: Action = "locked" if PROTECTED.search(name) else "free"

    def excluded(reason: str, **fixed: Any) -> Column:
        return Column(name, "excluded", reason, missing=rows - present, action=action, **fixed)

    if present == 0:
        return excluded("It has no values.")
    if types.is_datetime64_any_dtype(series.dtype):
        return excluded("A date: choose numeric to use it as days.", date=True)
    if isinstance(series.dtype, pd.CategoricalDtype):
        series = series.astype(series.cat.categories.dtype)
    if is_text(series):
        return _guess_text(series, excluded, action)
    distinct = series.unique() if types.is_bool_dtype(series.dtype) else _few(series, MANY)
    if distinct is not None and len(distinct) == 1:
        return excluded(f"Every row has the same value, {as_text(distinct[0])}.")
    if distinct is not None and len(distinct) == 2:
        return describe(series, "nominal", action=action, reason="Two values.")
    if types.is_integer_dtype(series.dtype) and present >= 20 and _counts_rows(series, name):
        return excluded("A running number or identifier: different in every row.")
    column = describe(series, "numeric", action=action)
    return replace(column, reason="Whole numbers." if column.integer else "Numbers.")


def _guess_text(series: pd.Series[Any], excluded: Callable[..., Column], action: Action) -> Column:
    """Text is a date, an identifier, free text, an order, or categories."""
    sample = series.dropna().iloc[:SAMPLE]
    unique = sample.unique()
    if len(unique) > 1 and _looks_like_dates(unique[:200]):
        return excluded("Dates: choose numeric to use them as days.", date=True)
    texts = pd.Series(unique).astype(str)
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
        return describe(series, "ordinal", counts=counts, levels=tuple(order), action=action, reason=reason)
    return describe(series, "nominal", counts=counts, action=action, reason=f"{len(levels)} different texts.")


def describe_outcome(series: pd.Series[Any]) -> Column:
    """The outcome is never excluded: few distinct values are classes, many numbers are a quantity."""
    distinct = _few(series, MAX_LEVELS)
    plain_number = types.is_numeric_dtype(series.dtype) and not types.is_bool_dtype(series.dtype)
    if plain_number and (distinct is None or len(distinct) > 10):
        return describe(series, "numeric", reason="The outcome: a number to predict.", action="locked")
    if distinct is None:
        raise InputError(f"The outcome column “{series.name}” has more than {MAX_LEVELS:,} different texts: choose another one.")
    if len(distinct) == 0:
        raise InputError(f"The outcome column “{series.name}” has no values: choose another one.")
    column = describe(series, "nominal", missing_level=False, reason="The outcome.", action="locked")
    return replace(column, reason=f"The outcome: {len(column.levels)} classes.")


def describe(
    series: pd.Series[Any], role: Role, missing_level: bool = True, counts: pd.Series[int] | None = None, **fixed: Any
) -> Column:
    """The column under a given role, its range or levels read off its values; `fixed` fields are kept as given.

    `counts` are the rows per value, for a caller that has them already.
    """
    name = str(series.name)
    blank = int(series.isna().sum())
    fixed.setdefault("missing", blank)
    if role == "excluded":
        return Column(name, role, **fixed)
    if role == "numeric":
        return _describe_numbers(series, **fixed)
    text = bool(fixed.get("text", False)) or (role == "nominal" and blank > 0 and missing_level and not is_text(series))
    if blank == len(series):
        raise InputError(f"Column “{name}” has no values: exclude it.")
    counts = series.value_counts(sort=False) if counts is None else counts
    if len(counts) > MAX_LEVELS:
        raise InputError(
            f"Column “{name}” has {len(counts):,} different values, too many for categories: exclude it or use it as a number."
        )
    plain = counts.index if text or not types.is_datetime64_any_dtype(series.dtype) else counts.index.astype(str)
    seen: dict[Level, int] = {}
    for value, count in zip(plain, counts, strict=True):
        level = as_text(value) if text else as_level(value)
        seen[level] = seen.get(level, 0) + int(count)
    given = tuple(fixed.pop("levels", ()))
    found = sorted(seen, key=lambda v: (isinstance(v, str), v)) if not text else sorted(seen, key=_by_number)
    levels = given + tuple(level for level in found if level not in given)
    if role == "nominal" and blank and missing_level:
        levels = (*(level for level in levels if level != MISSING), MISSING)
        fill: Level = MISSING
    elif role == "ordinal":
        ranks = np.repeat(np.arange(len(levels)), [seen.get(level, 0) for level in levels])
        fill = levels[int(ranks[len(ranks) // 2])]
    else:
        fill = max(seen, key=lambda level: seen[level])
    return Column(name, role, levels=levels, **{"fill": fill, **fixed, "text": text})


def _describe_numbers(series: pd.Series[Any], **fixed: Any) -> Column:
    date = fixed.pop("date", False) or types.is_datetime64_any_dtype(series.dtype)
    codes = tuple(fixed.get("missing_codes", ()))
    numbers = as_numbers(series, codes, date)
    known = numbers[~np.isnan(numbers)]
    if not len(known):
        raise InputError(f"Column “{series.name}” has no numbers: choose nominal, or exclude it.")
    low, high, step = float(known.min()), float(known.max()), step_of(known)
    # Only missing values need the exact median; without any, every so-manieth value tells enough.
    exact = len(known) < len(numbers) or len(known) <= EXACT_MEDIAN
    middle = float(np.median(known if exact else known[:: len(known) // EXACT_MEDIAN]))
    if step is not None:
        middle = float(np.round(np.round(middle / step) * step, 12))
    fixed["missing"] = len(numbers) - len(known)
    if date:
        fixed.setdefault("unit", "days since 1970-01-01")
    return Column(str(series.name), "numeric", date=date, **{"low": low, "high": high, "step": step, "fill": middle, **fixed})


def step_of(numbers: Numbers) -> float | None:
    """The coarsest of 1, .1, .01, ... on which all numbers lie, or None when that takes more than 13 digits."""
    largest = float(np.max(np.abs(numbers)))
    for places in range(7):
        if largest * 10**places > 1e13:
            return None
        if np.array_equal(np.round(numbers[:SAMPLE], places), numbers[:SAMPLE]) and np.array_equal(
            np.round(numbers, places), numbers
        ):
            return float(10**-places) if places else 1.0
    return None


def _few(series: pd.Series[Any], limit: int) -> list[Any] | None:
    """The distinct values if there are at most `limit` of them. A sample with more saves the full count."""
    if series.iloc[:SAMPLE].nunique() > limit:
        return None
    unique = series.dropna().unique()
    return list(unique) if len(unique) <= limit else None


def _counts_rows(series: pd.Series[Any], name: str) -> bool:
    values = series.dropna().to_numpy()
    running = bool(np.all(np.diff(values.astype(np.int64)) == 1))
    return running or (bool(IDENTIFIER.search(name)) and len(np.unique(values)) == len(values))


def _looks_like_dates(values: Any) -> bool:
    texts = pd.Series(values).astype(str).str.strip()
    if not texts.str.match(r"^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T]\d{1,2}:\d{2}.*)?$").mean() > 0.95:
        return False
    return bool(pd.to_datetime(texts, errors="coerce", format="mixed").notna().mean() > 0.95)


def _by_number(level: Level) -> tuple[int, float, str]:
    try:
        return (0, float(level), "")
    except ValueError:
        return (1, 0.0, str(level))
