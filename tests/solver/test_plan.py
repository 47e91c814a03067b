"""The plan of a result: one line per person who changes, the same as pages and files say."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import discover_core as dc
from discover_core.outcome.list_of_changes import plan_table
from discover_core.outcome.outcome import Outcome
from discover_core.transport.usual import Usual

from .cases import MIXED, mixed

COLUMNS = ["row", "cells", "effort", "usual_before", "usual_after", "score_before", "score_after", "changes"]


@pytest.fixture(scope="module")
def result():
    problem = mixed(24)
    rows = problem.rows.set_index(np.arange(24) * 7 + 3)
    given = replace(problem, rows=rows, actions=problem.actions.weight("Income", 3.0))
    return dc.run(given, dc.Settings(selection="rowwise", k=6, h=2, iterations=4, seed=1))


def test_a_line_is_told_for_everybody_who_changes(result):
    plan, before, after = result.plan, result.problem.rows, result.counterfactual
    assert list(plan.columns) == COLUMNS
    changed = (before != after).to_numpy()
    assert sorted(plan.index) == list(np.flatnonzero(changed.any(axis=1)))
    assert len(plan) > 3
    assert list(plan["row"]) == list(before.index[plan.index])
    assert list(plan["cells"]) == list(changed.sum(axis=1)[plan.index])
    assert list(plan["effort"]) == sorted(plan["effort"], reverse=True)
    assert list(plan["score_before"]) == list(result.problem.outputs[plan.index])
    assert list(plan["score_after"]) == pytest.approx(list(result.problem.score(result.best)[plan.index]))
    for line in plan.itertuples():
        told = [name for name, new in zip(before.columns, changed[line.Index], strict=True) if new]
        assert len(line.changes.split("; ")) == line.cells
        for name, words in zip(told, line.changes.split("; "), strict=True):
            old, new = (table.loc[line.row, name] for table in (before, after))
            shown = (old, new) if name != "Income" else (f"{value:.2f}".rstrip("0").rstrip(".") for value in (old, new))
            assert words == "{} {} → {}".format(name, *shown)


def test_effort_has_the_weights_and_usual_has_not(result):
    problem, plan = result.problem, result.plan
    points = {}
    for weights in ({}, {"Income": 3.0}):
        encoding = dc.Encoding.fit(problem.reference, MIXED, weights)
        points[len(weights)] = [encoding.encode(table)[plan.index] for table in (problem.factual, result.best)]
    assert plan["effort"].to_numpy() == pytest.approx(np.linalg.norm(points[1][1] - points[1][0], axis=1))
    usual = Usual.of(problem)
    assert list(plan["usual_before"]) == list(usual.percentile(points[0][0], points[0][0]))
    assert list(plan["usual_after"]) == list(usual.percentile(points[0][1], points[0][0]))


def test_it_is_what_pages_and_files_say(result):
    made = Outcome.of_result(result)
    pd.testing.assert_frame_equal(made.plan, result.plan)
    shown = plan_table(made)
    assert list(shown["Row"]) == list(result.plan["row"] + 1)
    headings = ["Features changed", "Effort", "Unusual before", "Unusual after", "Score before", "Score after", "Changes"]
    assert np.array_equal(shown[headings].to_numpy(), result.plan[COLUMNS[1:]].to_numpy())


def test_rows_without_numbers_are_counted():
    problem = mixed(12)
    named = replace(problem, rows=problem.rows.set_index(pd.Index([f"p{i}" for i in range(12)])))
    plan = dc.run(named, dc.Settings(selection="rowwise", k=6, iterations=2)).plan
    assert list(plan["row"]) == list(plan.index)


def test_nobody_changes(result):
    first = next(iter(dc.solve(result.problem, result.settings)))
    plan = replace(result, best_step=first).plan
    assert list(plan.columns) == COLUMNS
    assert not len(plan)
