"""Tables we know by their columns: the samples we ship and some public ones that people upload."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from ..errors import InputError
from .describe import describe
from .schema import Column, Level, Schema

PACKAGE = Path(__file__).parents[1]
# A wheel carries the samples inside the package; in the tree they are next to it.
FOLDER = (PACKAGE if (PACKAGE / "sample_data").is_dir() else PACKAGE.parent) / "sample_data"
EXTRA = 3  # more unknown columns than this make it another table
MISSING, MISSING_SHARE = 3, 0.2  # and so do more columns than this that are not there


@dataclass(frozen=True)
class KnownTable:
    """What we know about a public table before looking at its rows.

    `file` is None when we may not ship it. `positive` is the outcome's level that counts as the risk. `model`,
    `score_above` and `sample` make the ready demo: a trained family, and a group of rows it scores above a value; `share` of them
    is what a demo asks to get below it, no more than can be done.
    `columns` holds, for each column, the fields of `Column` that its values alone cannot tell; `rules` are rules between columns.
    """

    name: str
    title: str
    story: str
    file: str | None
    model: str
    outcome: str
    positive: Level
    score_above: float
    sample: int | None
    columns: Mapping[str, Mapping[str, Any]]
    share: float = 0.5
    rules: tuple[str, ...] = ()

    @property
    def path(self) -> Path | None:
        """Where the shipped table is."""
        return None if self.file is None else FOLDER / self.file


@cache
def known_tables() -> tuple[KnownTable, ...]:
    """Every definition in `sample_data`, by name."""
    read = (json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json")))
    return tuple(KnownTable(**{**given, "rules": tuple(given.get("rules", ()))}) for given in read)


def recognise(table: pd.DataFrame) -> KnownTable | None:
    """The known table whose outcome and columns are here, but for a few, with at most a few others; the one with most of them."""
    names = {str(name).strip() for name in table.columns}
    matches = [known for known in known_tables() if known.outcome in names and _alike(set(known.columns), names)]
    return max(matches, key=lambda known: (len(names & set(known.columns)), -len(known.columns)), default=None)


def _alike(known: set[str], names: set[str]) -> bool:
    return len(known - names) <= min(MISSING, MISSING_SHARE * len(known)) and len(names - known) <= EXTRA


def ready_schema(table: pd.DataFrame, known: KnownTable) -> Schema:
    """The inferred schema, corrected by what we know; columns we do not know keep their guess."""
    outcome = next((str(name) for name in table.columns if str(name).strip() == known.outcome), None)
    guessed = Schema.infer(table, outcome=outcome)
    columns = tuple(_corrected(table[column.name], column, known, outcome) for column in guessed)
    positive = guessed.positive
    if outcome is not None and known.positive in next(c.levels for c in columns if c.name == outcome):
        positive = known.positive
    return Schema(columns, outcome, positive)


def _corrected(series: pd.Series[Any], guess: Column, known: KnownTable, outcome: str | None) -> Column:
    """One column with the known fields in place of the guessed ones."""
    given = known.columns.get(guess.name.strip())
    if given is None:
        return guess
    fields: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in given.items()}
    fields.setdefault("reason", f"Known from {known.title}.")
    role = fields.pop("role", guess.role)
    if "levels" in fields and not set(fields["levels"]) & set(series.unique()):
        del fields["levels"]  # the same columns, but coded in another way
        fields.pop("fill", None)
    if role != "excluded" and not series.notna().any():
        return guess
    order, new_levels = fields.pop("order", ()), fields.pop("new_levels", ())
    try:
        column = describe(series, role, missing_level=guess.name != outcome, **fields)
    except InputError:  # the same columns, but other values than we know
        return guess
    return _with_order(column, order, new_levels)


def _with_order(column: Column, order: tuple[Level, ...], new_levels: tuple[Level, ...]) -> Column:
    """The column with what we know of its levels. Where they are coded in another way, nothing is known, and so it is locked."""
    kept = tuple(level for level in order if level in column.levels)
    fit = tuple(level for level in new_levels if level in column.levels)
    if (order and len(kept) < 2) or (new_levels and not fit):
        lever = f"{column.lever} Its values are not those we know: say yourself what may change.".strip()
        return replace(column, action="locked", lever=lever)
    return replace(column, order=kept, new_levels=fit)
