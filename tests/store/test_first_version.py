"""A store, a run, a saved scenario and a `scenario.json` of the first version still open, say the same, and go on."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import discover_core as dc
from discover_core.__main__ import main
from discover_core.outcome.list_of_changes import plan_json
from discover_core.outcome.opposite_changes import opposite_words
from discover_core.outcome.run_outcome import RunOutcome
from discover_core.outcome.summary import Summary, stored_verdict, summary_of
from discover_core.outcome.typical_moves import in_words
from discover_core.store.erase import needed_files
from discover_core.store.files import data_files
from discover_core.store.saved_scenarios import SavedScenarios
from discover_core.store.store import Store
from discover_core.workers.runner import Runner

from ..workers.scenarios import until

FIRST = Path(__file__).parent.parent / "fixtures" / "first_version"
EXPECTED = json.loads((FIRST / "expected.json").read_text(encoding="utf-8"))


@pytest.fixture
def home(tmp_path, monkeypatch) -> Path:
    """The data folder as it was left, in a place where it may be written to."""
    shutil.copytree(FIRST / "home", tmp_path / "home")
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_the_run_opens_and_says_what_it_said(home):
    store = Store()
    found = RunOutcome.open(store, EXPECTED["finished"])
    assert found.iteration == EXPECTED["best"]
    assert found.names == EXPECTED["names"]
    assert found.names[0].startswith("C-")
    assert found.progress.run.state == "finished"
    assert Summary.from_json(json.dumps(EXPECTED["answer"])) is None  # it has fewer measures, so it is worked out again
    assert stored_verdict(json.dumps(EXPECTED["answer"])) == found.summary.verdict
    assert json.loads(plan_json(found)) == EXPECTED["plan"]
    assert in_words(found) == [*EXPECTED["words"], opposite_words(found)]  # the warning is new


def test_its_answer_worked_out_anew_is_the_same(home):
    found = RunOutcome.open(Store(), EXPECTED["finished"])
    said = json.loads(summary_of(found).to_json())
    expected = EXPECTED["answer"]
    assert said["verdict"] == expected["verdict"]
    assert said["sentence"] == expected["sentence"]
    assert {name: said["metrics"][name] for name in expected["metrics"]} == pytest.approx(expected["metrics"], rel=1e-9)
    assert said["metrics"]["usual"] is None  # nobody was kept to compare with
    assert said["metrics"]["effort"] > 0
    assert said["words"] == [*EXPECTED["words"], opposite_words(found)]


def test_the_run_goes_on_as_if_it_had_been_longer_from_the_start(home):
    runner = Runner()
    runner.go_on(EXPECTED["finished"], more=6)
    until(runner.store, EXPECTED["finished"], lambda run: run.over)
    runner.close()
    found = RunOutcome.open(runner.store, EXPECTED["finished"])
    assert found.progress.run.state == "finished"
    assert np.allclose(found.progress.numbers("q"), EXPECTED["q_of_a_run_of_14"], rtol=1e-6)
    assert np.allclose(found.progress.numbers("q_y"), EXPECTED["q_y_of_a_run_of_14"], rtol=1e-6)


def test_the_saved_scenario_opens(home):
    saved_scenarios = SavedScenarios(Store())
    (saved,) = saved_scenarios.all()
    assert saved.id == EXPECTED["saved"]
    assert saved.name == "Fewer bad risks"
    assert saved.question.saved == saved.id
    kept = saved.question.model_copy
    assert kept.quality == "AUC .7"
    assert data_files().get(kept.model.file).is_file()
    scenario = saved.question.scenario
    assert scenario.people == "Client"
    assert {scenario.data.file, kept.model.file} == needed_files(saved_scenarios.store)


def test_the_scenario_file_is_solved(tmp_path, capsys):
    folder = tmp_path / "scenario"
    shutil.copytree(FIRST / "scenario", folder)
    assert dc.Scenario.read(folder / "scenario.json").name == "Fewer bad risks"
    assert main(["solve", str(folder / "scenario.json"), "--quiet"]) == 3
    # solved anew, its wish is exact and needs no band: U_y holds earlier, and the search eases off there
    assert "Partly: 44 of the 60 points asked." in capsys.readouterr().out
    assert json.loads((folder / "scenario-result" / "settings.json").read_text()) == json.loads(
        (folder / "scenario.json").read_text()
    )
