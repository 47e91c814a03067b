"""A stored run opened as a result says what the solver itself says."""

import io
import json

import numpy as np
import pandas as pd
import pytest

import discover_core as dc
from discover_core.outcome.list_of_changes import plan_excel, plan_json
from discover_core.outcome.outcome import Outcome
from discover_core.store.data_folder import files
from discover_core.store.store import Store
from discover_core.workers.processes import Processes
from discover_core.workers.runner import Runner

from ..workers.asking import german, until


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCOVER_HOME", str(tmp_path_factory.mktemp("home")))
        runner = Runner(Store(), Processes(1))
        run_id = runner.start("finished", german(12))
        until(runner.store, run_id, lambda run: run.over)
        found = Outcome.open(runner.store, run_id)
        yield found, found.raw(files())
        runner.close()


@pytest.fixture(scope="module")
def result():
    scenario = german(12)
    return dc.run(scenario.problem(), scenario.settings)


def test_the_best_iterate_and_its_outputs(outcome, result):
    found, _ = outcome
    assert found.best == result.best_step.iteration
    assert np.array_equal(found.cells, result.best_step.cells)
    assert np.array_equal(found.outputs, result.best_step.outputs)
    pd.testing.assert_frame_equal(found.after, result.best)
    pd.testing.assert_frame_equal(found.before, result.problem.factual)


def test_every_persons_part_of_the_distance_sums_to_it(outcome, result):
    found, _ = outcome
    assert found.distances.sum() == pytest.approx(result.best_step.q_x, rel=1e-9)


def test_a_run_at_work_knows_the_same_of_its_last_iterate(outcome):
    """From the projections of its edits, without encoding everybody anew at every look."""
    found, _ = outcome
    progress = found.progress
    cells, outputs = progress.iterate(progress.done)
    assert np.array_equal(progress.cells, cells)
    assert np.array_equal(progress.outputs, outputs)
    assert np.allclose(progress.distances, found.distances_of(cells), rtol=1e-9, atol=1e-15)
    assert np.array_equal(progress.changed, (cells != found.head.cells).any(axis=1))
    assert progress.distances.sum() == pytest.approx(progress.numbers("q_x")[-1], rel=1e-9)


def test_who_moves_and_how_far(outcome, result):
    found, _ = outcome
    metrics = dc.metrics(result.problem, result.counterfactual)
    assert len(found.movers) == metrics.rows_changed > 0
    assert found.changed.sum() == metrics.cells_changed
    assert np.array_equal(found.effort > 0, found.changed.any(axis=1))


def test_the_stored_answer_has_the_metrics(outcome, result):
    found, _ = outcome
    told, measured = found.progress.answer["metrics"], dc.metrics(result.problem, result.counterfactual)
    assert {name: pytest.approx(getattr(measured, name), rel=1e-9) for name in told} == told


def test_the_users_own_rows(outcome, result):
    _, raw = outcome
    pd.testing.assert_frame_equal(raw, result.problem.rows)


def test_the_plan_taken_away_says_question_and_verdict(outcome, result):
    found, _ = outcome
    told = json.loads(plan_json(found))
    assert told["question"].startswith("Change the group of 80 people so that 80% of the scores are at most 0.5")
    assert told["verdict"]["sentence"] == result.verdict.sentence
    assert (told["verdict"]["met"], told["verdict"]["reached"]) == (result.verdict.met, result.verdict.reached)
    sheet = pd.read_excel(io.BytesIO(plan_excel(found)), sheet_name="Answer")
    assert sheet["What"].tolist() == ["Question", "Answer", "Certificate"]
    assert sheet["In words"].tolist() == [told["question"], result.verdict.sentence, result.verdict.certificate]
