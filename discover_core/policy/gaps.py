"""Values that people's rows lack: missing and unknown ones, for which a policy takes another."""

from __future__ import annotations

from itertools import compress

import numpy as np
from numpy.typing import NDArray

from ..problem.amounts import people as so_many
from ..problem.change_words import unit_text, value_text
from ..table.prepare import Prepared, filling
from ..table.schema import MISSING, Column, Schema

Gaps = NDArray[np.int8]  # [person, feature]: 0 where the value is the person's own, else one of these
BLANK, UNKNOWN = 1, 2
Counts = NDArray[np.int64]  # [feature, kind]: how many people have a gap of each kind


def gaps_of(prepared: Prepared, schema: Schema) -> Gaps:
    """Where "(missing)" is a category of the column, whoever has no value is in it and lacks nothing."""
    found = np.zeros((len(prepared.table), len(schema.features)), dtype=np.int8)
    places = {name: j for j, name in enumerate(schema.feature_names)}
    for gaps in prepared.gaps:
        kinds = BLANK * (gaps.blank & (gaps.fill != MISSING)) + UNKNOWN * gaps.unknown
        found[:, places[gaps.column.name]] = kinds
    return found


def counted(gaps: Gaps) -> Counts:
    return np.stack([(gaps == kind).sum(axis=0) for kind in (BLANK, UNKNOWN)], axis=1)


def gap_sentences(counts: Counts, schema: Schema) -> list[str]:
    """One for each column in which somebody has a gap."""
    pairs = zip(schema.features, counts.tolist(), strict=True)
    return [_sentence(column, blank, unknown) for column, (blank, unknown) in pairs if blank or unknown]


def gap_words(gaps: Gaps, schema: Schema) -> list[str]:
    """For a case worker, of each person; empty for those who have none."""
    words = [""] * len(gaps)
    for person in np.flatnonzero(gaps.any(axis=1)).tolist():
        words[person] = f"missing or unknown, so replaced: {', '.join(compress(schema.feature_names, gaps[person]))}"
    return words


def _sentence(column: Column, blank: int, unknown: int) -> str:
    said = []
    if blank:
        what = "" if column.categorical else " or no date" if column.date else " or no number"
        said.append(f"missing{what} for {so_many(blank)}")
    if unknown:
        said.append(f"an unknown category for {so_many(unknown)}")
    text = value_text(column, filling(column))
    taken = f"“{text}”" if column.categorical else f"{text}{unit_text(column)}"
    return f"“{column.name}” is {' and '.join(said)}: {taken} was taken in its place."
