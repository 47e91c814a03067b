"""An uploaded target: one column of numbers is a list of outputs, probabilities beside values are quantiles."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from ..errors import InputError, sound
from ..problem.targets import Quantiles, Values
from ..table.archive import is_workbook
from ..table.delimited import DELIMITERS
from ..table.excel import sheet_rows
from ..table.limits import megabytes
from ..table.numerals import COMMA, MISSING_TEXTS, looks_numeric, to_numbers
from ..table.parquet import MAGIC as PARQUET
from ..table.parquet import packed_table
from ..table.read import read_table

MAX_BYTES = 20 * 2**20
MOST = 100_000  # values that a scenario keeps
PROBABILITY_NAMES = ("probability", "prob", "p", "quantile", "quantiles", "share", "level", "percent", "percentile", "%")
HUNDREDTHS = ("percent", "percentile", "%")
VALUE_NAMES = ("value", "values", "score", "scores", "output", "x", "y")
WANTED = "give one column of numbers, or the two columns “probability” and “value”"
_BINARY = re.compile(r"[\x00-\x08\x0e-\x1f]")


def target_values(content: bytes, name: str, interval: tuple[float, float] | None = None) -> Values | Quantiles:
    """The target in a CSV, text, Excel or Parquet file, with all its outputs inside the interval if there is one.

    A header over a single column may be left out. Anything that cannot be used is an InputError of one sentence.
    """
    shown = f"“{sound(name)}”"
    if len(content) > MAX_BYTES:
        raise InputError(
            f"{shown} has more than the {megabytes(MAX_BYTES)} that a target may have: draw a sample of its numbers."
        )
    cells = _single_column(content, shown)
    made = _pairs(read_table(content, name), shown) if cells is None else Values(_numbers(cells, shown))
    low, high = min(made.values), max(made.values)
    if interval is not None and (low < interval[0] or high > interval[1]):
        raise InputError(
            f"{shown} has numbers from {low:g} to {high:g}, but the model's scores lie between {interval[0]:g} and "
            f"{interval[1]:g}: bring the numbers onto that scale."
        )
    return made


def _single_column(content: bytes, shown: str) -> list[str] | None:
    """All cells of a file with only one column, as text; None when it has more, or is for `read_table` to complain about."""
    if content.startswith(PARQUET):
        table = packed_table(content, shown)
        if table.num_columns > 1:
            return None
        _check_count(table.num_rows, shown)
        return [str(cell) for cell in table.column(0).to_pylist()]
    if is_workbook(content):
        return _sheet_column(content, shown)
    text = content.decode("utf-8-sig", "replace")  # only a header may hold more than ASCII
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines or _BINARY.search(text):
        return None
    decimal_comma = re.fullmatch(COMMA.pattern, lines[0]) is not None
    if not decimal_comma and any(delimiter in lines[0] for delimiter in DELIMITERS):
        return None
    _check_count(len(lines) - 1, shown)  # one may be a header
    return lines


def _sheet_column(content: bytes, shown: str) -> list[str] | None:
    cells: list[str] = []
    for row in sheet_rows(content, shown):
        if len(row) > 1:
            return None
        cells += [str(cell) for cell in row.values()]
        _check_count(len(cells) - 1, shown)  # one may be a header
    return cells or None


def _numbers(cells: list[str], shown: str) -> tuple[float, ...]:
    """The numbers below the header, if there is one; blanks are passed over."""
    if not looks_numeric(cells[0]) and len(cells) > 1:
        cells = cells[1:]
    cells = [cell for cell in map(str.strip, cells) if cell not in MISSING_TEXTS]
    if not cells:
        raise InputError(f"{shown} has no numbers in it: {WANTED}.")
    odd = next((cell for cell in cells if not looks_numeric(cell)), None)
    read = to_numbers([pa.chunked_array([pa.array(cells, pa.string())])], ";")[0] if odd is None else None
    if read is None or not (pa.types.is_integer(read.type) or pa.types.is_floating(read.type)):
        raise InputError(f"{shown} holds “{(odd or cells[0])[:40]}”, which is no plain number: {WANTED}.")
    return _kept(read.to_numpy(), shown)


def _pairs(table: pd.DataFrame, shown: str) -> Quantiles:
    """The quantiles in two columns, in the order of their probabilities."""
    names = {str(name).strip().lower(): str(name) for name in table.columns}
    probability = next((name for name in PROBABILITY_NAMES if name in names), None)
    value = next((name for name in VALUE_NAMES if name in names), None)
    if len(table.columns) != 2 or probability is None or value is None:
        few = ", ".join(f"“{name}”" for name in list(table.columns)[:3]) + (", …" if len(table.columns) > 3 else "")
        raise InputError(f"{shown} has the columns {few}: {WANTED}.")
    for name in (names[probability], names[value]):
        kind = table[name].dtype
        if not pd.api.types.is_numeric_dtype(kind) or pd.api.types.is_bool_dtype(kind) or table[name].isna().any():
            raise InputError(f"The column “{name}” of {shown} must have a number in every row: fill in or correct the others.")
    table = table.sort_values([names[probability], names[value]])
    levels = np.array(_kept(table[names[probability]], shown)) / (100 if probability in HUNDREDTHS else 1)
    made = Quantiles(tuple(levels.tolist()), _kept(table[names[value]], shown))
    if levels.min() < 0 or levels.max() > 1:
        most = "100" if probability in HUNDREDTHS else "1"
        raise InputError(f"The column “{names[probability]}” of {shown} must lie between 0 and {most}: correct the others.")
    if (np.diff(made.values) < 0).any():
        at = int(np.flatnonzero(np.diff(made.values) < 0)[0])
        raise InputError(
            f"The column “{names[value]}” of {shown} must rise with the probability, but {made.values[at + 1]:g} comes after "
            f"{made.values[at]:g}: correct it."
        )
    return made


def _kept(numbers: Any, shown: str) -> tuple[float, ...]:
    found = np.asarray(numbers, dtype=np.float64)
    _check_count(len(found), shown)
    if not np.isfinite(found).all():
        raise InputError(f"{shown} holds a number that is infinite: remove it.")
    return tuple(found.tolist())


def _check_count(count: int, shown: str) -> None:
    if count > MOST:
        raise InputError(f"{shown} has more than the {MOST:,} numbers that are kept: draw a sample of them.")
