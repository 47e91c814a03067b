"""Codes that somebody corrected go wherever the model goes: a scenario file, a kept run, a page that opens it again."""

import json
from dataclasses import replace

import numpy as np
import pytest

import discover_core as dc
from discover_core.models.load import load_model
from discover_core.problem.targets import Threshold
from discover_core.scenario.question import Question
from discover_core.scenario.sources import ModelCopy, ModelFile, TableFile, source_to_dict
from discover_core.workers import page_jobs
from tests.models.test_codes import TRUE, people, saved

TABLE, SCHEMA = people(600)
CONTENT, NAME = saved("xgboost", TABLE, TRUE)


@pytest.fixture
def kept(tmp_path, monkeypatch) -> dc.Scenario:
    """A scenario whose table and model lie in the data folder, its codes guessed."""
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path))
    folder = tmp_path / "files"
    folder.mkdir()
    TABLE.to_csv(folder / "people.csv", index=False)
    (folder / NAME).write_bytes(CONTENT)
    return dc.Scenario(
        TableFile("people.csv"),
        SCHEMA,
        dc.Cohort(score_side="above", score_value=0.5),
        ModelFile(NAME),
        dc.Actionability.default(SCHEMA),
        Threshold(0.5, 0.5, "below"),
        dc.Bounds(u_x=0.5, u_y=0.1),
        dc.Settings(iterations=2),
        folder,
    )


def silent(share: float, doing: str) -> None:
    pass


def test_a_scenario_file_scores_as_the_page_does(kept):
    guessed = page_jobs.load_again(NAME, kept.data, SCHEMA, ModelFile(NAME), (), silent)
    assert guessed.better is not None
    page = page_jobs.load_again(NAME, kept.data, SCHEMA, replace(guessed.source, codes=TRUE), (), silent)
    assert page.better is None
    assert page.model.report.auc > guessed.model.report.auc + 0.1
    assert np.array_equal(page.scores, load_model(CONTENT, SCHEMA, NAME, codes=TRUE)(TABLE))

    path = kept.folder / "scenario.json"
    replace(kept, model=page.source).write(path)
    back = dc.Scenario.read(path)
    assert back.model.codes == TRUE
    problem = back.problem()
    assert np.array_equal(problem.model(TABLE), page.scores)
    assert len(problem.rows) == np.count_nonzero(page.scores > 0.5) != np.count_nonzero(guessed.scores > 0.5)
    assert ModelCopy.from_json(page.model_copy.to_json()) == page.model_copy
    assert page.model_copy.model.codes == TRUE


def test_a_scenario_from_before_there_were_codes_opens_and_is_written_as_it_was(kept):
    data = kept.to_dict()
    assert data["model"] == {"file": NAME, "mapping": {}, "output": None} == source_to_dict(ModelFile(NAME))
    old = dc.Scenario.from_dict(json.loads(json.dumps(data)))
    assert old.model == ModelFile(NAME)
    assert old.model.codes == {}
    stored = ModelCopy.from_json(json.dumps({"model": data["model"], "approved": []}))
    assert stored.model == ModelFile(NAME)
    assert np.array_equal(replace(old, folder=kept.folder).problem().model(TABLE), load_model(CONTENT, SCHEMA, NAME)(TABLE))


def test_opening_a_scenario_with_other_codes_than_the_model_at_hand_loads_it_again(kept):
    at_hand = page_jobs.load_again("my model", kept.data, SCHEMA, ModelFile(NAME), (), silent)

    def opened(scenario):
        question = Question("", scenario, "people.csv", "my model")
        return page_jobs.open_scenario(question, not at_hand.belongs_to(scenario), silent).scored

    assert opened(kept) is None  # it is at hand
    other = opened(replace(kept, model=ModelFile(NAME, codes=TRUE)))
    assert other.source.codes == TRUE
    assert other.model.title == "my model"
    assert np.array_equal(other.scores, load_model(CONTENT, SCHEMA, NAME, codes=TRUE)(TABLE))
    with pytest.raises(dc.InputError, match="“Z”, which is no value"):
        opened(replace(kept, model=ModelFile(NAME, codes={"grade": {**TRUE["grade"], "Z": 9}})))
