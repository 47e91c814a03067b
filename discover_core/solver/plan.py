"""The plan: a line per person who changes, with the changes in words, what they cost and how usual the person stays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..problem.change_words import change_words
from ..problem.problem import Problem
from ..table.schema import Column
from ..transport.usual import Usual, reference_sample
from .cells import Cells, Layout

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


class FeatureChanges(NamedTuple):
    """The cells of one feature that differ: whose, and their values there."""

    column: Column
    people: list[int]
    before: list[Any]
    after: list[Any]


class UsualPeople(NamedTuple):
    """The share of real people who are less unusual than each, before and after."""

    before: Floats
    after: Floats


def plan_lines(
    layout: Layout,
    cells: tuple[Cells, Cells],
    rows: NDArray[np.int64],
    effort: Floats,
    usual: UsualPeople,
    scores: tuple[Floats, Floats],
    unknown: Mask | None = None,
) -> pd.DataFrame:
    """One line per person who changes, the greatest effort first; the index is the person's place in the group.

    `cells` and `scores` are those before and after, `unknown` the cells before that are not the people's own. Numbers of a
    continuous feature are rounded in `changes`.
    """
    changed = np.asarray(cells[0] != cells[1])
    movers = np.flatnonzero(changed.any(axis=1))
    table = pd.DataFrame(
        {
            "row": rows[movers],
            "cells": changed[movers].sum(axis=1),
            "effort": effort[movers],
            "usual_before": usual.before[movers],
            "usual_after": usual.after[movers],
            "score_before": scores[0][movers],
            "score_after": scores[1][movers],
            "changes": changes_in_words(layout, *cells, unknown),
        },
        index=movers,
    )
    return table.sort_values("effort", ascending=False, kind="stable")


def changes_in_words(layout: Layout, before: Cells, after: Cells, unknown: Mask | None = None) -> pd.Series:
    """What each of those who change would do, by the place in the group; `unknown` are cells that another value was taken for."""
    movers = np.flatnonzero((before != after).any(axis=1))
    words: dict[int, list[str]] = {int(person): [] for person in movers}
    features = [block.column.name for block in layout.encoding.blocks]
    for column, people, old, new in feature_changes(layout, before, after):
        said: dict[tuple[Any, Any, bool], str] = {}
        lacks = np.zeros(len(people), dtype=bool) if unknown is None else unknown[people, features.index(column.name)]
        for person, change in zip(people, zip(old, new, lacks.tolist(), strict=True), strict=True):
            if change not in said:
                said[change] = change_words(column, *change)
            words[person].append(said[change])
    return pd.Series(["; ".join(parts) for parts in words.values()], dtype=object, index=movers)


def feature_changes(layout: Layout, before: Cells, after: Cells) -> Iterator[FeatureChanges]:
    """What differs, feature by feature, in the order of the table."""
    changed = before != after
    movers = np.flatnonzero(changed.any(axis=1))
    tables = [layout.table(cells[movers]) for cells in (before, after)]
    for j, block in enumerate(layout.encoding.blocks):
        places = np.flatnonzero(changed[movers, j])
        if len(places):
            values = (table[block.column.name].to_numpy()[places].tolist() for table in tables)
            yield FeatureChanges(block.column, movers[places].tolist(), *values)


def effort_of(layout: Layout, before: Cells, after: Cells) -> Floats:
    """How far each person moves: the length of the change in the encoded space, weights included."""
    effort, moves = np.zeros(len(before)), (before != after).any(axis=1)
    effort[moves] = np.linalg.norm(layout.encode(after[moves]) - layout.encode(before[moves]), axis=1)
    return effort


def usual_movers(usual: Usual | None, before: Cells, after: Cells) -> UsualPeople:
    """The same for those who change alone, which is far less work in a large group; NaN for the others."""
    changed = (before != after).any(axis=1)
    found, out = usual_people(usual, before[changed], after[changed]), []
    for shares in (found.before, found.after):
        out.append(np.full(len(before), np.nan))
        out[-1][changed] = shares
    return UsualPeople(*out)


def usual_people(usual: Usual | None, before: Cells, after: Cells) -> UsualPeople:
    """How usual everybody is; unknown (NaN) where nobody is there to compare them with."""
    if usual is None:
        return UsualPeople(*(np.full(len(before), np.nan) for _ in range(2)))
    points, moved = (Layout(usual.encoding).encode(cells) for cells in (before, after))
    was = usual.percentile(points, points)
    now, changed = was.copy(), (before != after).any(axis=1)
    now[changed] = usual.percentile(moved[changed], points[changed])
    return UsualPeople(was, now)


def reference_cells(problem: Problem, layout: Layout) -> Cells:
    """The people of the reference table with whom everybody is compared."""
    return layout.cells(problem.reference.iloc[reference_sample(len(problem.reference))])


def row_places(rows: pd.DataFrame) -> NDArray[np.int64]:
    """People's places in the user's table: the index of their rows if it is whole numbers, else their places in the group."""
    index = rows.index
    return np.asarray(index if index.dtype.kind in "iu" else np.arange(len(index)), dtype=np.int64)
