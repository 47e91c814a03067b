"""Every demo, solved as its page would: the wish is met in steps that one can watch, and nobody is asked for the absurd."""

from dataclasses import replace

import numpy as np
import pytest

import discover_core as dc
from discover_core.problem.presets import PRESETS, QUICK
from discover_core.problem.targets import Threshold
from discover_core.scenario.study import Study
from discover_core.solver.search import layout_of
from discover_core.table.cohort import Cohort
from discover_core.table.dataset import Dataset
from discover_core.table.schema import MISSING

NOT_LEVERS = {
    "Age", "age", "AGE", "Sex", "sex", "SEX", "race", "Purpose", "Job", "Credit history", "Personal status", "Foreign worker",
    "priors_count", "juv_fel_count", "juv_misd_count", "juv_other_count", "native-country", "marital-status", "relationship",
    "capital-gain", "capital-loss", "LIMIT_BAL", "EDUCATION", "MARRIAGE",
    *(f"PAY_{month}" for month in range(2, 7)), *(f"{name}_AMT{month}" for name in ("BILL", "PAY") for month in range(2, 7)),
}  # fmt: skip


def demo(name):
    sample = dc.load_sample(name)
    known = sample.known
    model = dc.train_model(known.model, sample.table, sample.schema, seed=0)
    cohort = Cohort(score_side="above", score_value=known.score_above, sample=known.sample)
    study = Study.of(Dataset.bare(sample.table, sample.schema), model, cohort)
    wish = Threshold(0.5, known.share, "below", 0.02)
    problem = study.problem(sample.actions, wish, dc.Bounds(0.5, 0.05))
    return sample, problem, PRESETS[QUICK].settings(len(study.group), len(sample.actions.editable), study.to_help(wish))


@pytest.mark.slow
@pytest.mark.parametrize("name", dc.samples())
def test_a_demo_asks_nobody_for_the_absurd(name):
    sample, problem, settings = demo(name)
    result = dc.run(problem, settings)
    assert result.verdict.met, result.verdict.sentence
    layout = layout_of(problem, settings)
    before, after = layout.cells(problem.factual), result.best_step.cells
    assert problem.walls.violations(layout.table(after)) == []
    for j, column in enumerate(sample.schema.features):
        rule, moved = sample.actions[column.name], np.flatnonzero(before[:, j] != after[:, j])
        if column.name in NOT_LEVERS or rule.mode == "locked":
            assert not len(moved), column.name
        if not column.categorical:
            ways = np.sign(after[moved, j] - before[moved, j])
            assert {"increase": (ways > 0).all(), "decrease": (ways < 0).all()}.get(rule.mode, True), column.name
            continue
        levels = [column.levels[int(code)] for code in after[moved, j]]
        assert MISSING not in levels, column.name
        ranking = column.levels if column.role == "ordinal" else column.order
        if ranking and rule.mode in ("increase", "decrease"):
            places = {level: place for place, level in enumerate(ranking)}
            old = [places.get(column.levels[int(code)], -1) for code in before[moved, j]]
            ways = np.array([places[level] - was for level, was in zip(levels, old, strict=True)])
            assert (np.array(old) >= 0).all(), f"{column.name}: somebody was outside its order"
            assert (ways > 0).all() if rule.mode == "increase" else (ways < 0).all(), column.name
    changed = (before != after).any(axis=1)
    past = problem.target.past
    assert past.right(result.best_step.outputs[changed]).all(), "somebody changes for nothing"
    assert not past.right(problem.outputs[changed]).any(), "somebody changes who need not"
    steps = result.history["model_rows"].diff().dropna()
    share = [past.reached(step.outputs) for step in dc.solve(problem, replace(settings, iterations=len(steps)))]
    assert (np.diff(share) > 0).sum() >= 20, "the curve moves in at least twenty visible steps"


@pytest.mark.slow
def test_a_plan_of_the_demo_is_the_least_that_each_person_needs():
    """The issue's own case: one value each for most, and less effort than one feature alone can have."""
    _, problem, settings = demo("german_credit")
    result = dc.run(problem, settings)
    measured = dc.metrics(problem, result.counterfactual)
    assert measured.rows_changed == 100
    assert measured.cells_per_person <= 1.3
    assert measured.effort / 100 <= 0.7
    assert measured.broken == 0
    assert result.history["model_rows"].iloc[-1] <= 8_000
    assert list(result.plan.columns) == [
        "row", "cells", "effort", "usual_before", "usual_after", "score_before", "score_after", "changes",
    ]  # fmt: skip
