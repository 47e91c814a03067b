"""How usual people are: a stored run needs neither table nor model for it, and one of before leaves it out."""

import io
import json
from dataclasses import replace

import numpy as np
import openpyxl
import pandas as pd
import pytest

from discover_core.outcome.group import Group
from discover_core.outcome.list_of_changes import UNUSUAL, changes_table, plan_excel, plan_json, plan_table
from discover_core.outcome.outcome import Outcome
from discover_core.solver.search import layout_of
from discover_core.store.array_codec import pack, unpack
from discover_core.store.step_codec import pack_head, unpack_head
from discover_core.table.write import to_csv


@pytest.fixture(scope="module", params=["onehot", "label"])
def both(request, german):
    """An answer of the library, and the same as the store would open it: every second person becomes another."""
    asked = replace(
        german, settings=replace(german.settings, encoding=request.param), actions=german.actions.weight("Duration", 4)
    )
    problem = asked.problem()
    group = Group.of_problem(problem, asked.settings, specification=asked.target)
    head = pack_head(problem, layout_of(problem, asked.settings))
    return moved(group), moved(Group.of_run(unpack_head(head), asked))


@pytest.fixture(scope="module")
def of_before(german):
    """A run whose head has no reference yet."""
    problem = german.problem()
    parts = unpack(pack_head(problem, layout_of(problem, german.settings)))
    head = unpack_head(pack(**{name: part for name, part in parts.items() if name != "reference"}))
    return moved(Group.of_run(head, german))


def moved(group):
    cells = group.cells.copy()
    cells[::2] = group.cells[1::2]
    return Outcome("", group, cells, group.outputs[::-1].copy())


def test_a_stored_run_says_it_to_the_bit(both):
    made, opened = both
    assert np.array_equal(made.usual_before, opened.usual_before)
    assert np.array_equal(made.usual_after, opened.usual_after)
    pd.testing.assert_frame_equal(made.plan, opened.plan)
    stay = ~made.changed.any(axis=1)
    assert np.array_equal(made.usual_before[stay], made.usual_after[stay])
    assert ((made.usual_after >= 0) & (made.usual_after <= 1)).all()
    assert (made.usual_after != made.usual_before).any()
    for shares, everybody in zip(made.usual_movers, (made.usual_before, made.usual_after), strict=True):
        assert np.array_equal(shares, np.where(stay, np.nan, everybody), equal_nan=True)
    for points, cells in zip(made.points, (made.group.cells, made.cells), strict=True):
        assert np.array_equal(points, made.group.layout.encode(cells))
    pd.testing.assert_frame_equal(made.plan_of(made.movers[::-2]), made.plan[made.plan.index.isin(made.movers[::-2])])


def test_files_have_it(both):
    found, _ = both
    plan = plan_table(found)
    assert list(plan.columns[-4:]) == ["Score before", "Score after", *UNUSUAL]
    assert list(plan[UNUSUAL[1]]) == list(found.usual_after[plan.index])
    people = json.loads(plan_json(found))["people"]
    assert [who["usual_before"] for who in people] == list(plan[UNUSUAL[0]])
    assert [who["usual_after"] for who in people] == list(plan[UNUSUAL[1]])
    book = openpyxl.load_workbook(io.BytesIO(plan_excel(found)))
    assert set(UNUSUAL) <= {cell.value for cell in book["Plan"][1]}
    lines = pd.read_csv(io.BytesIO(to_csv(changes_table(found))), encoding="utf-8-sig")
    rows = dict(zip(found.group.rows + 1, found.usual_after, strict=True))
    assert list(lines[UNUSUAL[1]]) == pytest.approx([rows[row] for row in lines["Row"]])


def test_a_run_of_before_leaves_it_out(of_before):
    assert of_before.group.usual is None
    assert np.isnan(of_before.usual_before).all()
    assert np.isnan(of_before.usual_after).all()
    assert np.isnan(of_before.plan[["usual_before", "usual_after"]]).all(axis=None)
    assert not set(UNUSUAL) & {*plan_table(of_before).columns, *changes_table(of_before).columns}
    people = json.loads(plan_json(of_before))["people"]
    assert people
    assert not any({"usual_before", "usual_after"} & set(who) for who in people)


def test_a_head_stays_small(german):
    problem = german.problem()
    layout = layout_of(problem, german.settings)
    parts = unpack(pack_head(problem, layout))
    assert np.array_equal(parts["reference"].T, layout.cells(problem.reference))
    assert len(pack(reference=parts["reference"])) < 12_000  # of 72,000 bytes
