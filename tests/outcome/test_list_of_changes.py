"""The plan tells every changed cell and nothing else, and comes back from its files as it was stored."""

import io
import json

import numpy as np
import openpyxl
import pandas as pd
import pytest

from discover_core.outcome.list_of_changes import changes_table, filter_people, plan_excel, plan_json, plan_table, search
from discover_core.table.schema import Column, Schema
from discover_core.table.write import to_csv

from .made import SCHEMA, outcome, random_outcome

SEEDS = range(5)


def cell(column, told):
    """What a cell of a file stands for: the number, the days since 1970, or the code of the level."""
    if column.categorical:
        return [str(level) for level in column.levels].index(str(told).removeprefix("'"))
    return (pd.Timestamp(told) - pd.Timestamp("1970-01-01")) / pd.Timedelta(days=1) if column.date else float(told)


def stored(found):
    """Every changed cell by brute force: person and feature to before and after."""
    before, after = found.group.cells, found.cells
    return {
        (int(found.group.rows[i]) + 1, column.name): (before[i, j], after[i, j])
        for i in range(len(before))
        for j, column in enumerate(found.schema.features)
        if before[i, j] != after[i, j]
    }


def told(lines):
    """The lines of a file in the same shape."""
    return {(int(person), name): (cell(SCHEMA[name], before), cell(SCHEMA[name], after)) for person, name, before, after in lines}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_csv_read_back_is_the_stored_result(seed):
    found = random_outcome(seed=seed)
    back = pd.read_csv(io.BytesIO(to_csv(changes_table(found))), encoding="utf-8-sig", dtype=str)
    assert told(back[["Row", "Feature", "Before", "After"]].itertuples(index=False)) == stored(found)
    assert len(back) == found.changed.sum()


@pytest.mark.parametrize("seed", SEEDS)
def test_the_json_read_back_is_the_stored_result(seed):
    found = random_outcome(seed=seed)
    back = json.loads(plan_json(found))
    assert back["run"] == {"name": "A run", "iteration": 1}
    lines = [(who["row"], c["feature"], c["before"], c["after"]) for who in back["people"] for c in who["changes"]]
    assert told(lines) == stored(found)
    assert len(lines) == found.changed.sum()
    plan = plan_table(found)
    assert [who["person"] for who in back["people"]] == list(plan["Person"])
    assert [who["row"] for who in back["people"]] == list(plan["Row"])
    for key, name in (("effort", "Effort"), ("score_before", "Score before"), ("score_after", "Score after")):
        assert [who[key] for who in back["people"]] == list(plan[name])


def test_the_excel_file_has_both_sheets_and_the_stored_result():
    found = random_outcome()
    book = openpyxl.load_workbook(io.BytesIO(plan_excel(found)))
    plan, changes = (list(book[name].values) for name in ("Plan", "Changes"))
    wanted = stored(found)
    assert told(line[1:5] for line in changes[1:]) == {key: pytest.approx(pair, rel=1e-15) for key, pair in wanted.items()}
    for line, own in zip(plan[1:], plan_table(found).itertuples(index=False), strict=True):
        assert line[:4] == own[:4]
        assert line[4:] == pytest.approx(own[4:], rel=1e-15)


def test_a_line_says_who_how_hard_and_the_scores():
    found = random_outcome()
    plan = plan_table(found)
    assert sorted(plan.index) == list(np.flatnonzero((found.cells != found.group.cells).any(axis=1)))
    assert list(plan["Row"]) == list(found.group.rows[plan.index] + 1)
    assert list(plan["Person"]) == [f"Row {row}" for row in plan["Row"]]
    assert list(plan["Effort"]) == list(found.effort[plan.index]) == sorted(plan["Effort"], reverse=True)
    assert list(plan["Score before"]) == list(found.group.outputs[plan.index])
    assert list(plan["Score after"]) == list(found.outputs[plan.index])
    assert list(plan["Features changed"]) == list(found.changed.sum(axis=1)[plan.index])


def test_only_the_changed_cells_are_told_in_the_users_units():
    before = [[24, 1.25, 19_782, 0, 0, 0], [30, 2, 19_000, 1, 1, 1]]
    after = [[18, 1.3, 19_783, 2, 1, 1], [30, 2, 19_000, 1, 1, 1]]
    assert list(plan_table(outcome(before, after))["Changes"]) == [
        "Duration 24 → 18 months; Rate 1.25 → 1.3 %; Since 2024-02-29 → 2024-03-01; Savings none → rich; Housing rent → own; "
        "<script>; =a → b -1 → @x"
    ]


@pytest.mark.parametrize(
    ("column", "before", "after", "words"),
    [
        (Column("x", "numeric", low=0, high=1), 0.1 + 0.2, 0.123456789, "x 0.3 → 0.123"),
        (Column("x", "numeric", low=0, high=1), 0.12345678, 0.12345679, "x 0.12345678 → 0.12345679"),
        (Column("x", "numeric", low=0, high=1), 0.3, 0.1 + 0.2, "x 0.3 → 0.30000000000000004"),
        (Column("x", "numeric", low=0, high=1, step=0.1), 0.1, 0.1 + 0.2, "x 0.1 → 0.3"),
        (Column("x", "numeric", low=0, high=1e6, unit="€"), 12_345.678, 1_234_567.9, "x 12,346 → 1,234,568 €"),
        (Column("x", "numeric", low=-1, high=1), -0.00001, 0.5, "x 0 → 0.5"),
        (Column("x", "nominal", levels=(1, 2.5)), 1, 0, "x 2.5 → 1"),
        (Column("x", "numeric", low=0, high=9, date=True), 1.25, 1.5,
         "x 1970-01-02T06:00:00.000000 → 1970-01-02T12:00:00.000000"),
    ],
)  # fmt: skip
def test_numbers_as_people_read_them(column, before, after, words):
    found = outcome([[before]], [[after]], Schema((column,)))
    assert list(plan_table(found)["Changes"]) == [words]


def test_the_change_is_a_number_without_dust():
    column = Column("x", "numeric", low=0, high=1, step=0.1, unit="m")
    table = changes_table(outcome([[0.1], [0.2]], [[0.3], [0.2]], Schema((column,))))
    assert table.to_dict("records") == [
        {"Person": "Row 1", "Row": 1, "Feature": "x", "Before": 0.1, "After": 0.3, "Unit": "m", "Change": 0.2}
    ]
    assert table.index.tolist() == [0]


def test_search_and_filter():
    found = random_outcome()
    plan, people = plan_table(found), found.by_effort
    for text in ("own", "OWN", " rent → own ", "1", "<SCRIPT>", ".*", "nowhere"):
        wanted = text.strip().lower()
        hits = [wanted in f"{line.Person}\n{line.Row}\n{line.Changes}".lower() for line in plan.itertuples()]
        assert search(found, people, text).tolist() == hits
        assert search(found, people[5:9], text).tolist() == hits[5:9]
    assert search(found, people, "OWN").any()
    assert not search(found, people, "nowhere").any()
    assert search(found, people, "  ").all()
    some = list(plan.index[[3, 1]])
    assert list(filter_people(plan, some).index) == [plan.index[1], plan.index[3]]
    assert filter_people(plan, []).empty


@pytest.mark.parametrize("seed", SEEDS)
def test_the_lines_of_some_people_are_those_of_the_whole_plan(seed):
    found, rng = random_outcome(seed=seed), np.random.default_rng(seed)
    whole = plan_table(found)
    assert found.by_effort.tolist() == whole.index.tolist()
    for people in (found.by_effort, found.by_effort[:7], rng.permutation(found.movers)[:5], found.movers[:0]):
        pd.testing.assert_frame_equal(plan_table(found, people), filter_people(whole, people))


def test_nobody_changes():
    found = random_outcome(share=0)
    assert plan_table(found).empty
    assert changes_table(found).empty
    assert not len(search(found, found.by_effort, "x"))
    assert json.loads(plan_json(found))["people"] == []
    assert len(to_csv(plan_table(found)).splitlines()) == 1
    assert openpyxl.load_workbook(io.BytesIO(plan_excel(found))).sheetnames == ["Plan", "Changes", "Answer"]
