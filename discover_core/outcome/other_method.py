"""Another method's answer: the same people, changed elsewhere, measured on the run's own slices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..errors import InputError
from ..problem.change_words import file_value
from ..solver.cells import Cells
from ..table.encoding import Block
from ..table.prepare import prepare_column
from ..table.schema import MISSING, Column, Schema
from ..table.values import as_text, is_text, plain_values
from ..table.write import as_was, harmless
from .group import Group
from .outcome import Outcome

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
PERSON, ROW = "Person", "Row"
PLAN = (PERSON, "Feature", "After")  # the plan's own CSV, one line per changed value
LONGEST = 40  # characters of a name or a value that are shown
SAME = 1e-12  # of a number: what spreadsheets round away
FAR = 1e9  # standard deviations past which a distance says nothing


@dataclass(frozen=True, eq=False)
class OtherMethod:
    """Its answer for the same group, and the features that its table said nothing about."""

    outcome: Outcome
    absent: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.outcome.name


class FeatureValues(NamedTuple):
    """What a table says about one feature, given by its place: the values of these people, by theirs."""

    feature: int
    people: Places
    values: pd.Series[Any]


def other_method(group: Group, table: pd.DataFrame, name: str, score: Callable[[pd.DataFrame], Floats]) -> OtherMethod:
    """The group as `table` would have it. Whoever and whatever it does not speak of stays as before; other columns do not count.

    A row per person with the features as columns: in the group's order, or with a column “Row” (of the user's table, counted
    from 1) or “Person” (the name) that says who is who. The plan's own CSV will do, too. `score` scores prepared rows.
    """
    name, schema, before = short(name), group.schema, group.cells
    long = set(PLAN) <= set(table.columns) and not set(PLAN[1:]) <= set(schema.feature_names)
    given = list((_plan_lines if long else _columns)(group, table, f"“{name}”"))
    cells = before.copy()
    for feature, people, values in given:
        cells[people, feature] = _cells(values, group.layout.encoding.blocks[feature], before[people, feature], f"“{name}”")
    spoken_of = {feature for feature, _, _ in given}
    absent = () if long else (column.name for j, column in enumerate(schema.features) if j not in spoken_of)
    outputs, movers = group.outputs.copy(), np.flatnonzero((cells != before).any(axis=1))
    if len(movers):
        outputs[movers] = score(group.layout.table(cells[movers]))
    return OtherMethod(Outcome(name, group, cells, outputs), tuple(absent))


def group_rows(group: Group) -> pd.DataFrame:
    """The group before the run, ready for another method: a row per person, the features as columns, gaps filled."""
    rows: dict[str, Any] = {row_column(group.schema): group.rows + 1}
    if group.named and PERSON not in group.schema.feature_names:
        rows = {PERSON: group.names, **rows}
    for column in group.schema.features:
        values = group.table[column.name]
        rows[column.name] = [file_value(column, value) for value in values] if column.date else values
    return pd.DataFrame(rows)


def row_column(schema: Schema) -> str:
    """The column that says which row of the user's table a row is about; it gives way to a feature of that name."""
    return ROW if ROW not in schema.feature_names else f"{ROW} (of the table)"


def short(name: str) -> str:
    """A file's name in one line; its end stays, because that is where names differ."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in name).split()) or "table"
    return line if len(line) <= LONGEST else f"{line[: LONGEST // 2]}…{line[1 - LONGEST // 2 :]}"


def _columns(group: Group, table: pd.DataFrame, shown: str) -> Iterator[FeatureValues]:
    """A row per person."""
    features, who = group.schema.features, _who(group, table)
    columns = {j: name for j, c in enumerate(features) for name in (c.name, harmless(c.name)) if name in table.columns}
    if not columns:
        raise InputError(
            f"{shown} has no column with the name of a feature, such as “{features[0].name}”: give a row per person and the "
            "features as columns, as the group's own file has them."
        )
    size = len(group.rows)
    if who is not None:
        people = _people(group, table[who], shown)
        _check_once(table[who], pd.Series(people), shown)
    elif len(table) == size:
        people = np.arange(size)
    else:
        raise InputError(
            f"{shown} has {len(table):,} rows, but this group has {size:,} people: give a row for each of them in the order "
            f"of the group's file, or a column “{row_column(group.schema)}” that says who is who."
        )
    for j, name in columns.items():
        yield FeatureValues(j, people, table[name])


def _plan_lines(group: Group, table: pd.DataFrame, shown: str) -> Iterator[FeatureValues]:
    """A line per changed value."""
    features = {name: j for j, c in enumerate(group.schema.features) for name in (harmless(c.name), c.name)}
    who = ROW if ROW in table.columns else PERSON
    people, named = _people(group, table[who], shown), table["Feature"].map(features)
    if named.isna().any():
        odd = table["Feature"][named.isna()].iloc[0]
        raise InputError(
            f"{shown} changes the feature “{_cut(odd)}”, which this run does not have: give the plan of a run like it."
        )
    _check_once(table[who], pd.Series(list(zip(people, named, strict=True))), shown)
    for j in named.unique():
        lines = (named == j).to_numpy()
        yield FeatureValues(int(j), people[lines], table["After"][lines])


def _who(group: Group, table: pd.DataFrame) -> str | None:
    """The column of a table that says who a row is about."""
    names = [row_column(group.schema), *([PERSON] if PERSON not in group.schema.feature_names else [])]
    return next((name for name in names if name in table.columns), None)


def _people(group: Group, named: pd.Series[Any], shown: str) -> Places:
    """The places in the group of people given by their rows, or by their names if they have any and the column is “Person”."""
    if named.name == PERSON and group.named:
        called = named.map(lambda value: as_text(as_was(value)), na_action="ignore")
        people = pd.Index(list(group.names), dtype=object).get_indexer(pd.Index(called, dtype=object))
    else:
        people = pd.Index(group.rows + 1).get_indexer(pd.Index(pd.to_numeric(named, errors="coerce")))
    if (people < 0).any():
        odd = named[people < 0].iloc[0]
        said = "a row without a value" if pd.isna(odd) else f"“{_cut(odd)}”"
        raise InputError(
            f"{shown} has {said} in the column “{named.name}”, which is nobody of this group: say who it is as the group's own "
            f"file does, in a column “{row_column(group.schema)}” with the row of the table, counted from 1."
        )
    return people


def _check_once(named: pd.Series[Any], whom: pd.Series[Any], shown: str) -> None:
    twice = whom.duplicated().to_numpy()
    if twice.any():
        raise InputError(f"{shown} has person {_cut(named[twice].iloc[0])} more than once: keep one row for each.")


def _cells(series: pd.Series[Any], block: Block, before: Cells, shown: str) -> Cells:
    """A feature's values, prepared as the user's table was, except that no gap is filled."""
    column = block.column
    if column.categorical and is_text(series):
        series = series.map(lambda value: value if value in column.levels else as_was(value), na_action="ignore")
    ready, _ = prepare_column(series, column, keep_gaps=True)
    cells = np.array(ready.codes if column.categorical else ready, dtype=np.float64)
    gaps = cells < 0 if column.categorical else np.isnan(cells)
    if gaps.any():
        _check_gaps(plain_values(series[gaps]), column, shown)
        cells[gaps] = column.levels.index(MISSING)
    if column.categorical:
        return cells
    far = np.abs(cells - block.centre) > FAR * block.scale
    if far.any():
        odd = f"“{cells[far][0]:g}” in the column “{column.name}”"
        raise InputError(f"{shown} has {odd}, which is too far from its other values: correct it.")
    with np.errstate(over="ignore"):
        same = (np.abs(cells - before) <= SAME * np.abs(before)) | (cells == before.astype(np.float32))  # as some methods keep it
    return np.where(same, before, cells)


def _check_gaps(gaps: pd.Series[Any], column: Column, shown: str) -> None:
    """Whatever is no value of the column is refused, and so is a blank, unless missing is a category of its own."""
    odd = gaps[~(gaps.isna() | gaps.isin(list(column.missing_codes)))]
    if len(odd):
        known = ", ".join(f"“{_cut(level)}”" for level in column.levels[:5]) + (", …" if len(column.levels) > 5 else "")
        why = f"not one of its categories ({known})" if column.categorical else "no date" if column.date else "no number"
        raise InputError(f"{shown} has “{_cut(odd.iloc[0])}” in the column “{column.name}”, which is {why}: correct it.")
    if MISSING not in column.levels:
        what = "a value" if len(gaps) == 1 else f"{len(gaps):,} values"
        raise InputError(f"{shown} lacks {what} in the column “{column.name}”: fill in all of them.")


def _cut(value: object) -> str:
    text = as_text(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
