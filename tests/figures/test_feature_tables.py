"""The files behind the figures of features: everybody's own values, and names that are only text."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from discover_core.figures import arrows, bars, dynamics, features, impact, outputs
from discover_core.problem.target import Target
from discover_core.table.encoding import Encoding
from discover_core.table.schema import Column, Schema

from .test_figure_tables import AFTER, BEFORE, ROWS, N, a_course, read

AGE = Column("age", "numeric", low=0, high=100, unit="years")
SINCE = Column("since", "numeric", low=0, high=20_000, date=True, unit="days")
SIZE = Column("size", "ordinal", levels=("small", "medium", "large"))
CODE = Column("code", "ordinal", levels=tuple(float(i) for i in range(40)))
HOME = Column("home", "nominal", levels=("rent", "own", "free", "never used"))
COLUMNS = (AGE, SINCE, SIZE, CODE, HOME)


def values_of(column: Column, n: int = N, seed: int = 0) -> pd.Series:
    rng = np.random.default_rng(seed)
    if not column.categorical:
        return pd.Series(rng.integers(18, 90, n).astype(float), name=column.name)
    codes = rng.integers(0, len(column.levels) - (column is HOME), n)
    return pd.Series(pd.Categorical.from_codes(codes, list(column.levels), ordered=column.role == "ordinal"), name=column.name)


def a_group(columns: tuple[Column, ...]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Before and after; the first half of the people stay."""
    before = pd.DataFrame({column.name: values_of(column, seed=1) for column in columns})
    after = pd.DataFrame({column.name: values_of(column, seed=2) for column in columns})
    after.iloc[: N // 2] = before.iloc[: N // 2]
    return before, after


# features


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: column.name)
def test_a_feature_before_and_after(column: Column) -> None:
    before, after = values_of(column, seed=1), values_of(column, seed=2)
    table = read(features.table(before, after, column, labels=ROWS))
    if column.categorical:
        names = [f"{level:g}" if isinstance(level, float) else level for level in column.levels if level != "never used"]
        assert list(table["Category"].astype(str)) == names
        assert set(table["Feature"]) == {column.name}
        for when, part in (("before", before), ("after", after)):
            counts = part.value_counts()
            assert list(table[f"People {when}"]) == [counts[level] for level in column.levels if level != "never used"]
            np.testing.assert_allclose(table[f"Share {when}"] * N, table[f"People {when}"])
        return
    assert list(table["Person"]) == ROWS
    name = "since" if column is SINCE else "age (years)"
    assert list(table.columns[1:]) == [f"{name} before", f"{name} after"]
    for got, part in zip(table.columns[1:], (before, after), strict=True):
        wanted = part if column is AGE else [str(np.datetime64("1970-01-01") + int(day)) for day in part]
        assert list(table[got]) == list(wanted)


# arrows


@pytest.mark.parametrize(("x", "y", "size"), [("age", "home", "code"), ("size", "since", None), ("age", "age", "age")])
def test_everybody_moves_between_the_users_own_values(x: str, y: str, size: str | None) -> None:
    schema = Schema(COLUMNS)
    before, after = a_group(COLUMNS)
    table = arrows.table(arrows.Change(before, after, BEFORE, AFTER, schema, x, y, size), labels=ROWS)
    unit = {"age": "age (years)"}
    across, up = unit.get(x, x), unit.get(y, y)
    axes = [f"{axis} {when}: {name}" for axis, name in (("Across", across), ("Up", up)) for when in ("before", "after")]
    sizes = [f"Size: {unit.get(size, size)}"] if size else []
    assert list(table.columns) == ["Person", "Changes", *axes, *sizes, "Score before", "Score after"]
    assert list(table["Person"]) == ROWS
    moves = (before.astype(str) != after.astype(str)).any(axis=1)
    assert list(table["Changes"] == "yes") == list(moves)
    assert 0 < moves.sum() <= N - N // 2
    for heading, rows, name in zip(axes, (before, after) * 2, (x, x, y, y), strict=True):
        wanted = pd.to_datetime(rows[name], unit="D").to_list() if name == "since" else rows[name].tolist()
        assert table[heading].tolist() == wanted
    if size == "code":
        assert table["Size: code"].tolist() == [f"{value:g}" for value in after["code"]]
    np.testing.assert_array_equal(table[["Score before", "Score after"]], np.column_stack([BEFORE, AFTER]))
    assert len(read(table)) == N > arrows.LIMIT


def test_a_projection_gives_the_places_drawn_for_everybody() -> None:
    schema = Schema(COLUMNS)
    before, after = a_group(COLUMNS)
    encoding = Encoding.fit(before, schema)
    points = encoding.encode(before), encoding.encode(after)
    table = arrows.table(arrows.Change(before, after, BEFORE, AFTER, schema, points=points))
    figure = arrows.arrows_figure(arrows.Change(before, after, BEFORE, AFTER, schema, points=points), limit=N)
    titles = figure.layout.xaxis.title.text, figure.layout.yaxis.title.text
    assert table.columns[2] == f"Across before: {titles[0]}"
    heads = figure.data[arrows.SHADES + 1]
    people = heads.customdata[::3]
    assert list(people) == list(np.flatnonzero(table["Changes"] == "yes"))
    for axis, values in zip(("Across", "Up"), (heads.x, heads.y), strict=True):
        for offset, when in enumerate(("before", "after")):
            name = next(column for column in table.columns if column.startswith(f"{axis} {when}: "))
            np.testing.assert_array_equal(table[name].to_numpy()[people], values[offset::3])


def test_a_feature_called_like_one_of_our_columns_is_a_column_of_its_own() -> None:
    columns = tuple(Column(name, "numeric", low=0, high=100) for name in ("Score before", "Person"))
    before, after = a_group(columns)
    table = arrows.table(arrows.Change(before, after, BEFORE, AFTER, Schema(columns), "Score before", "Person", "Person"))
    assert table.columns.is_unique
    np.testing.assert_array_equal(table["Across before: Score before"], before["Score before"])
    np.testing.assert_array_equal(table["Score before"], BEFORE)
    one = features.table(before["Person"], after["Person"], columns[1])
    assert list(one.columns) == ["Person", "Person before", "Person after"]


# all of them


def test_hostile_names_are_plain_text_and_no_formulas() -> None:
    bad, sum_ = "<script>alert(1)</script>", "=1+1"
    columns = Column(sum_, "numeric", low=0, high=100, unit=bad), Column(bad, "nominal", levels=(sum_, bad))
    before, after = a_group(columns)
    labels = [sum_, bad] * (N // 2)
    encoding = Encoding.fit(before, Schema(columns))
    moved = (before, after, BEFORE, AFTER, Schema(columns))
    tables = {
        "feature": features.table(before[sum_], after[sum_], columns[0], labels=labels),
        "categories": features.table(before[bad], after[bad], columns[1]),
        "arrows": arrows.table(arrows.Change(*moved, sum_, bad, sum_), labels=labels),
        "projection": arrows.table(
            arrows.Change(*moved, points=(encoding.encode(before), encoding.encode(after))), labels=labels
        ),
        "outputs": outputs.table(BEFORE, Target.values(AFTER), AFTER, labels=labels),
        "bars": bars.table(BEFORE, {sum_: AFTER, bad: AFTER}, labels=labels),
        "impact": impact.table([0], BEFORE[None], [[]], labels=labels),
        "dynamics": dynamics.table([a_course(3, 0, bad), a_course(3, 1, sum_)]),
    }
    for name, table in tables.items():
        back = read(table)
        said = [*back.columns, *back.select_dtypes("str").to_numpy().ravel()]
        assert any(bad in str(cell) for cell in said), name
        assert any("'=1+1" in str(cell) for cell in said) or name == "projection", name
        assert not any(str(cell).startswith("=") or "&lt;" in str(cell) for cell in said), name
    assert list(read(tables["feature"]).columns) == ["Person", f"'{sum_} ({bad}) before", f"'{sum_} ({bad}) after"]
