"""What a model wants to read, matched with what the table has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..errors import InputError
from ..table.schema import MISSING, Column, Level, Schema
from .codes import numeric_levels
from .families import encoded_features
from .questions import ColumnMismatch, counted

_NUMBERED = re.compile(r"(?:f|x|Column_|feature_|feature )?(\d+)")


@dataclass(frozen=True)
class Match:
    """Where one wanted value comes from: a column, or whether a column has a certain level."""

    column: str
    level: Level | None = None

    def __str__(self) -> str:
        return self.column if self.level is None else f"{self.column}={self.level}"


def saved_name(column: str, level: Level | None = None) -> str:
    """The name under which our own files keep a feature; every column and level has exactly one, free of odd characters."""
    name = quote(column, safe="")
    return name if level is None else f"{name}={quote(str(level), safe='')}"


def targets(schema: Schema, whole: bool = False) -> dict[str, Match]:
    """Everything a wanted column may be mapped to, by the text shown for it: whole columns first, and they win."""
    columns = {c.name: Match(c.name) for c in schema.features}
    return columns if whole else columns | {str(m): m for m in _indicators(schema) if str(m) not in columns}


def match_saved(wanted: Sequence[str], schema: Schema) -> list[Match]:
    """Matches for a file of ours, whose names are exact."""
    known = {saved_name(c.name): Match(c.name) for c in schema.features}
    known |= {saved_name(m.column, m.level): m for m in _indicators(schema)}
    return _complete(wanted, {name: known[name] for name in wanted if name in known}, schema, targets(schema))


def match_names(
    wanted: Sequence[str], schema: Schema, mapping: Mapping[str, str] | None = None, whole: bool = False
) -> list[Match]:
    """Matches by name: the user's mapping first, then a column's own name, then the usual names of indicator columns.

    `whole`: only columns will do, no indicators.
    """
    there = targets(schema, whole)
    known = there if whole else _known_names(schema)
    found = {name: known[name] for name in wanted if name in known}
    return _complete(wanted, found | _mapped(wanted, there, mapping), schema, there)


def match_positions(
    wanted: Sequence[str], schema: Schema, mapping: Mapping[str, str] | None = None
) -> tuple[list[Match], tuple[str, ...]]:
    """Matches by position for a file that names no columns, with the note that says so."""
    there = targets(schema)
    chosen = _mapped(wanted, there, mapping)
    ways = {
        "the table's columns in their order": [Match(c.name) for c in schema.features],
        "the table's columns in their order, categories spread over one column each": [
            Match(column, level) for column, level in encoded_features(schema)
        ],
    }
    for words, matches in ways.items():
        if len(matches) == len(wanted):
            note = f"The file names no columns: its {counted(len(wanted), 'input')} are taken as {words}."
            return [chosen.get(name, m) for name, m in zip(wanted, matches, strict=True)], (note,)
    return _complete(wanted, chosen, schema, there), ()


def numbered(names: Sequence[str] | None) -> bool:
    """Are these no names at all, only positions such as f0, f1, f2?"""
    if not names:
        return True
    found = [_NUMBERED.fullmatch(name) for name in names]
    return all(m is not None for m in found) and [int(m[1]) for m in found if m] in (
        [*range(len(names))],
        [*range(1, len(names) + 1)],
    )


def used_columns(matches: Iterable[Match]) -> tuple[str, ...]:
    """The table's columns a model reads, each once."""
    return tuple(dict.fromkeys(m.column for m in matches))


def _complete(wanted: Sequence[str], found: Mapping[str, Match], schema: Schema, there: Mapping[str, Match]) -> list[Match]:
    missing = [name for name in wanted if name not in found]
    if missing:
        alike = _alike(schema)
        likely = {name: str(alike[key]) for name in missing if (key := _alike_key(name, alike)) is not None}
        suggested = {name: target for name, target in likely.items() if target in there}
        excluded = [name for name in missing if name in schema and schema[name].role == "excluded"]
        matched = {name: str(m) for name, m in found.items()}
        raise ColumnMismatch(wanted, schema.feature_names, matched, suggested, excluded, list(there))
    return [found[name] for name in wanted]


def _mapped(wanted: Sequence[str], there: Mapping[str, Match], mapping: Mapping[str, str] | None) -> dict[str, Match]:
    chosen = {}
    for name, target in (mapping or {}).items():
        if target not in there:
            raise InputError(f"“{name}” cannot be read from “{target}”: the table has no such column to give to a model.")
        chosen[name] = there[target]
    return {name: chosen[name] for name in wanted if name in chosen}


def _indicators(schema: Schema) -> list[Match]:
    return [Match(c.name, level) for c in schema.features if c.categorical for level in c.levels]


def _known_names(schema: Schema) -> dict[str, Match]:
    """Every name we understand. A name that could mean two things means nothing, unless a clearer form of it exists."""
    columns = [Match(c.name) for c in schema.features]
    levels = _indicators(schema)
    saved = [(saved_name(m.column, m.level), m) for m in columns + levels]
    dummies = [
        (form.format(m.column, word), m)
        for m in levels
        for word in _words(m.level)
        for form in ("{}={}", "{}_{}", "{}-{}", "{}[{}]")
    ]
    plain = [(m.column, m) for m in columns] + dummies
    tiers = [
        [(m.column, m) for m in columns],
        saved,
        dummies,
        [(re.sub(r"\s", "_", name), m) for name, m in plain],  # LightGBM allows no blanks
        [(re.sub(r"[^0-9A-Za-z_]", "_", name), m) for name, m in plain],  # ONNX converters allow letters and digits only
    ]
    known: dict[str, Match | None] = {}
    for tier in tiers:
        fresh: dict[str, Match | None] = {}
        for name, match in tier:
            fresh[name] = match if fresh.get(name, match) == match else None
        known = fresh | known
    return {name: match for name, match in known.items() if match is not None}


def _words(level: Level | None) -> list[str]:
    """How a level may be written: 1.0 also as 1."""
    whole = isinstance(level, float) and level.is_integer()
    return [str(level), str(int(level))] if whole and isinstance(level, float) else [str(level)]


def _alike(schema: Schema) -> dict[str, Match]:
    """Names without case, blanks and signs, if that leaves only one meaning."""
    found: dict[str, Match | None] = {}
    for match in [Match(c.name) for c in schema.features] + _indicators(schema):
        key = _plain(str(match))
        found[key] = match if found.get(key, match) == match else None
    return {key: match for key, match in found.items() if key and match is not None}


def _alike_key(name: str, alike: Mapping[str, Match]) -> str | None:
    """scikit-learn puts the step's name before a column's ("num__Age"): try with and without it."""
    return next((key for key in (_plain(name), _plain(name.split("__", 1)[-1])) if key in alike), None)


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.casefold())


def plain_values(table: pd.DataFrame, column: Column) -> Any:
    """A column as a model trained on the original file saw it: plain words or numbers, gaps as NaN."""
    series = table[column.name]
    if not column.categorical:
        return series.to_numpy()
    numbers = (
        numeric_levels(column) if column.text or not any(isinstance(v, str) and v != MISSING for v in column.levels) else None
    )
    values: NDArray[Any] = np.empty(len(column.levels), dtype=object)
    values[:] = [np.nan if v == MISSING else v for v in column.levels]
    if numbers is not None:
        whole = all(float(v).is_integer() for v in numbers)
        words = all(isinstance(v, bool) for v in column.levels)
        values = np.array(column.levels if words else numbers, dtype=bool if words else np.int64 if whole else np.float64)
    return values[series.cat.codes.to_numpy()]
