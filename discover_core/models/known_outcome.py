"""The outcome column as the 0/1 or the number that a model learns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..errors import InputError
from ..table.schema import MISSING, Column, Level, Schema


@dataclass(frozen=True, eq=False)
class KnownOutcome:
    """`known` marks the rows whose outcome is known; `truth` is their outcome: 1 for `positive`, or the number itself."""

    name: str
    task: Literal["binary", "regression"]
    known: NDArray[np.bool_]
    truth: NDArray[np.float64]
    positive: Level | None = None
    negative: str = ""


def read_outcome(table: pd.DataFrame, schema: Schema) -> KnownOutcome:
    """The outcome of every row where it is known. More than two classes become one against the rest."""
    if schema.outcome is None:
        raise InputError("No outcome is chosen: say which column the model should predict.")
    column = schema[schema.outcome]
    if column.role == "excluded":
        raise InputError(f"The outcome column “{column.name}” is excluded: give it a role, or choose another outcome.")
    if column.name not in table.columns:
        raise InputError(f"The outcome column “{column.name}” is not in the table.")
    alone = Schema((column,), column.name)
    values = alone.prepare(table[[column.name]])[column.name]
    known = values.notna().to_numpy(dtype=bool)
    if column.role == "numeric":
        return KnownOutcome(column.name, "regression", known, values.to_numpy(dtype=np.float64)[known])
    codes = values.cat.codes.to_numpy()
    if MISSING in column.levels:
        known = known & (codes != column.levels.index(MISSING))
    codes = codes[known]
    positive, negative = _classes(column, codes, schema.positive)
    truth = (codes == column.levels.index(positive)).astype(np.float64)
    return KnownOutcome(column.name, "binary", known, truth, positive, negative)


def _classes(column: Column, codes: NDArray[np.integer[Any]], positive: Level | None) -> tuple[Level, str]:
    """The class whose probability is the score, and a name for the others."""
    levels = [level for level in column.levels if level != MISSING]
    present = {column.levels[code] for code in np.unique(codes)}
    seen = [level for level in levels if level in present]
    classes = seen if len(seen) >= 2 else levels
    if positive is None:
        if len(classes) > 2:
            names = ", ".join(f"“{c}”" for c in classes)
            raise InputError(f"The outcome “{column.name}” has {len(classes)} classes: choose which one to predict: {names}.")
        positive = max(classes, key=_order)
    others = [level for level in classes if level != positive]
    return positive, str(others[0]) if len(others) == 1 else f"not {positive}"


def _order(level: Level) -> tuple[bool, float, str]:
    """Numbers by size, then text by alphabet."""
    return (True, 0.0, level) if isinstance(level, str) else (False, float(level), "")
