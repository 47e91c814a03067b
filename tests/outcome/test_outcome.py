"""A stored run opened as a result says what the solver itself says."""

import io
import json
from dataclasses import asdict, replace

import numpy as np
import pandas as pd
import pytest

import discover_core as dc
from discover_core.outcome.group import Group
from discover_core.outcome.list_of_changes import plan_excel, plan_json
from discover_core.outcome.other_method import group_rows, other_method
from discover_core.outcome.outcome import Outcome
from discover_core.outcome.run_outcome import RunOutcome
from discover_core.outcome.summary import Summary, summary_of
from discover_core.outcome.typical_moves import in_words
from discover_core.problem.targets import Threshold
from discover_core.scenario.question import Question
from discover_core.solver.efforts import Efforts
from discover_core.solver.search import layout_of as search_layout
from discover_core.store.files import data_files
from discover_core.store.geometry import layout_of
from discover_core.store.step_codec import pack_head, unpack_head
from discover_core.store.store import Store
from discover_core.transport.plan import sliced2
from discover_core.workers.processes import Processes
from discover_core.workers.runner import Runner
from discover_core.workers.worker import solve_run

from ..workers.scenarios import german, until


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCOVER_HOME", str(tmp_path_factory.mktemp("home")))
        runner = Runner(Store(), Processes(1))
        run_id = runner.start(Question("finished", german(12)))
        until(runner.store, run_id, lambda run: run.over)
        found = RunOutcome.open(runner.store, run_id)
        yield found, found.raw(data_files())
        runner.close()


@pytest.fixture(scope="module")
def result():
    scenario = german(12)
    return dc.run(scenario.problem(), scenario.settings)


def test_the_best_iterate_and_its_outputs(outcome, result):
    found, _ = outcome
    assert found.iteration == result.best_step.iteration
    assert np.array_equal(found.cells, result.best_step.cells)
    assert np.array_equal(found.outputs, result.best_step.outputs)
    pd.testing.assert_frame_equal(found.after, result.best)
    pd.testing.assert_frame_equal(found.before, result.problem.factual)


def test_a_run_of_the_library_and_one_of_the_store_amount_to_the_same(outcome, result):
    found, raw = outcome
    made = Outcome.of_result(result, found.name)
    for part in ("distances", "effort", "changed", "outputs"):
        assert np.array_equal(getattr(made, part), getattr(found, part))
    assert made.verdict == found.verdict == result.verdict
    assert made.certificate == found.certificate == result.certificate
    assert made.violations == found.violations == []
    assert summary_of(made) == found.summary
    pd.testing.assert_frame_equal(found.into_rows(raw), result.counterfactual)


def test_another_methods_rows_are_an_outcome_too(outcome, result):
    """Its scores, its distance from the target, the cells that break the walls, and a verdict that gives no advice."""
    found, _ = outcome
    same = other_method(found.group, group_rows(replace(found.group, cells=found.cells)), "ours", result.problem.score).outcome
    assert np.allclose(same.outputs, found.outputs)
    assert same.output_distance == pytest.approx(found.metrics.ot_y)
    assert same.violations == []
    assert (same.verdict.met, same.verdict.reached, same.verdict.help) == (found.verdict.met, found.verdict.reached, ())
    locked = next(rule.name for rule in found.group.actions if rule.mode == "locked")
    column = found.schema[locked]
    table = group_rows(found.group)
    other = column.levels[-1] if column.categorical else table[locked].max()
    there = other_method(found.group, table.assign(**{locked: other}), "theirs", result.problem.score).outcome
    assert len(there.violations) == there.changed.sum() == (table[locked].astype(str) != str(other)).sum() > 0
    assert np.allclose(there.outputs, result.problem.score(there.after))


def test_every_persons_part_of_the_distance_sums_to_it(outcome, result):
    """On the certificate's slices. The search looked along its own, which tell about the same."""
    found, _ = outcome
    encode = found.group.layout.encoding.encode
    expected = sliced2(encode(found.after), encode(found.before), found.group.slices)
    assert found.distances.sum() == pytest.approx(expected, rel=1e-9)
    assert found.distances.sum() == pytest.approx(result.best_step.q_x, rel=0.7)


def test_a_run_at_work_knows_the_same_of_its_last_iterate(outcome):
    """From the projections of its edits, without encoding everybody anew at every look."""
    found, _ = outcome
    progress = found.progress
    cells, outputs = progress.iterate(progress.done)
    assert np.array_equal(progress.cells, cells)
    assert np.array_equal(progress.outputs, outputs)
    assert np.allclose(progress.distances, found.group.distances(cells), rtol=1e-9, atol=1e-15)
    assert np.array_equal(progress.changed, (cells != found.group.cells).any(axis=1))
    assert progress.distances.sum() == pytest.approx(progress.numbers("q_x")[-1], rel=0.7)


def test_who_moves_and_how_far(outcome, result):
    found, _ = outcome
    metrics = dc.metrics(result.problem, result.counterfactual)
    assert len(found.movers) == metrics.rows_changed > 0
    assert found.changed.sum() == metrics.cells_changed
    assert metrics.cells_per_person == found.changed.sum() / len(found.movers)
    assert metrics.effort == pytest.approx(found.effort.sum())
    assert metrics.usual == np.median(found.usual_after[found.movers])
    assert metrics.broken == len(found.violations) == 0
    assert np.array_equal(found.effort > 0, found.changed.any(axis=1))


def test_the_effort_of_every_iteration_is_that_of_its_people_to_the_bit(outcome):
    progress = outcome[0].progress
    assert sum(edit is not None for edit in progress.edits) > 5
    efforts = Efforts.of(layout_of(progress.head, progress.scenario))
    for iteration, effort in enumerate(progress.numbers("effort")):
        assert effort == efforts.total(progress.head.cells, progress.iterate(iteration)[0])


def test_the_stored_answer_has_the_metrics(outcome, result):
    found, _ = outcome
    told, measured = asdict(found.summary.metrics), asdict(dc.metrics(result.problem, result.counterfactual))
    assert told == pytest.approx(measured, rel=1e-9)
    assert Summary.from_json(found.progress.run.summary) == found.summary
    assert found.summary.words == tuple(in_words(found))


def test_what_is_unknown_comes_back_unknown(outcome):
    found, _ = outcome
    nobody = replace(found.summary, metrics=replace(found.summary.metrics, usual=np.nan))
    assert "NaN" not in nobody.to_json()
    back = Summary.from_json(nobody.to_json())
    assert np.isnan(back.metrics.usual)
    assert replace(back, metrics=replace(back.metrics, usual=0.5)) == replace(nobody, metrics=replace(back.metrics, usual=0.5))


@pytest.mark.parametrize(
    "other", ['{"verdict": {}}', "[]", "no JSON", '{"iteration": 3, "verdict": {"met": true}, "ucl_x": null, "ucl_y": 1}']
)
def test_a_summary_of_another_version_is_worked_out_again(outcome, other):
    found, _ = outcome
    assert Summary.from_json(other) is None
    more = json.loads(found.summary.to_json()) | {"of a later version": 1}
    assert Summary.from_json(json.dumps(more)) is None
    progress = replace(found.progress, run=replace(found.progress.run, summary=other))
    assert RunOutcome.of(progress).summary == found.summary


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


@pytest.mark.parametrize(("state", "ended"), [("finished", True), ("stopped", False), ("failed", False), ("running", False)])
def test_a_run_that_did_not_finish_was_cut_off(outcome, state, ended):
    progress = outcome[0].progress
    progress = replace(progress, run=replace(progress.run, state=state))
    assert RunOutcome.of(progress).course.ended == ended
    assert RunOutcome.of(progress, ended=True).course.ended  # its worker knows before the store does
    longer = replace(progress, run=replace(progress.run, more=True, iterations=40))
    assert RunOutcome.of(longer).course.settings == replace(progress.scenario.settings, iterations=40)
    assert RunOutcome.of(progress).course.cut
    assert RunOutcome.of(longer).course.cut == (not ended)


@pytest.mark.parametrize("iterations", [1, 80])
def test_a_worker_knows_whether_its_personal_search_came_to_its_own_end(iterations, tmp_path, monkeypatch):
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path))
    asked = german(iterations, family="logistic", selection="personal", k=40, h=1)
    scenario = replace(asked, target=Threshold(0.2, 1.0, "below"))
    store, result = Store(), dc.run(scenario.problem(), scenario.settings)
    run_id = store.add(Question("out of reach", scenario), "server")
    solve_run(store.url, data_files(), run_id)
    said = Summary.from_json(store.run(run_id).summary)
    assert said.verdict.help == result.verdict.help
    assert any(way.startswith("More iterations") for way in said.verdict.help) == (iterations == 1)


@pytest.mark.parametrize("first", [None, "Age"])
def test_a_stored_run_knows_who_comes_first(first):
    scenario = replace(german(12), budget=dc.Budget(first=first))
    problem = scenario.problem()
    group = Group.of_run(unpack_head(pack_head(problem, search_layout(problem, scenario.settings))), scenario)
    if first is None:
        assert group.places is None
    else:
        assert group.places.tolist() == problem.places.tolist()
        assert len(set(problem.places.tolist())) > 10
