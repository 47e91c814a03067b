"""A policy's file: strict in every part, of either version, and it knows its model."""

import json
from pathlib import Path

import numpy as np
import pytest

import discover_core as dc
from discover_core.errors import InputError
from discover_core.policy.policy_file import policy_archive
from discover_core.policy.policy_upload import uploaded_policy
from tests.policy.cases import Plain, bad_rows, question

FIRST = Path(__file__).resolve().parents[1] / "fixtures" / "first_policy"
COHORT = dc.Cohort((dc.Rule("Months", "between", (0.0, 60.0)), dc.Rule("Job", "is", ("a", "b"))), "any", "above", 0.5, 50, 7)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A policy's file, as it was read."""
    path = tmp_path_factory.mktemp("policy") / "policy.json"
    dc.learn_policy(question(40), dc.Settings(seed=0)).with_cohort(COHORT).write(path)
    return json.loads(path.read_text(encoding="utf-8"))


def read(folder, data, model=None):
    (folder / "policy.json").write_text(json.dumps(data), encoding="utf-8")
    return dc.read_policy(folder / "policy.json", Plain() if model is None else model)


def test_a_file_of_the_first_version_is_read_and_tells_people_the_same():
    policy = dc.read_policy(FIRST / "policy.json", Plain())
    assert len(policy.notes) == 1
    assert "of an earlier version" in policy.notes[0]
    told = policy.told(bad_rows(30, 17))
    assert told.everybody["changes"].tolist() == json.loads((FIRST / "changes.json").read_text(encoding="utf-8"))
    assert policy.audited.n == 40
    assert policy.warnings(told)[0] == policy.notes[0]
    assert policy.usual is policy.ground.usual  # the people it was learnt from are not in it


def test_what_was_read_from_the_first_version_stays_of_it(tmp_path):
    policy = dc.read_policy(FIRST / "policy.json", Plain())
    policy.write(tmp_path / "policy.json")
    again = json.loads((tmp_path / "policy.json").read_text(encoding="utf-8"))
    assert again == json.loads((FIRST / "policy.json").read_text(encoding="utf-8"))


def test_the_people_and_the_group_are_the_same_after_the_file(tmp_path, data):
    made = read(tmp_path, data)
    assert made.cohort == dc.Cohort(COHORT.rules, "any", "above", 0.5)  # whoever keeps the rules belongs to it, drawn or not
    people = question(40).rows
    assert made.design.cells.shape == (40, 5)
    assert [ends.tolist() for ends in made.design.seen[:2]] == [[c.min(), c.max()] for c in (people["Income"], people["Months"])]
    assert data["group"]["words"] == "(Months between 0 and 60 or Job is a or b) and score above 0.5"
    made.write(tmp_path / "again.json")
    assert json.loads((tmp_path / "again.json").read_text(encoding="utf-8")) == data


def test_a_file_is_no_larger_than_its_numbers_need(tmp_path, data):
    size = len(json.dumps(data))
    read(tmp_path, data).write(tmp_path / "again.json")
    assert (tmp_path / "again.json").stat().st_size < 1.05 * size


def changed(data, *path, value):
    """A copy in which one part is another."""
    copy = json.loads(json.dumps(data))
    part = copy
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = value
    return copy


BAD = {
    "a target with more": (("target", "size"), 3, "There is no “size” in the target"),
    "a threshold that is a list": (("target", "past", "tau"), [0.5], "“tau” must be a finite number"),
    "a threshold that is a word": (("target", "past", "tau"), "half", "“tau” must be a finite number"),
    "a share beyond all": (("target", "past", "share"), 2, "“share” must be at least 0 and at most 1"),
    "a margin that is none": (("target", "past", "margin"), None, "“margin” must be a finite number"),
    "a side that is none": (("target", "past", "side"), "beside", "side of a policy's target must be one of above, below"),
    "strictness that is none": (("target", "past", "strict"), "no", "“strict” of a policy's target must be true or false"),
    "a past without a threshold": (("target", "past"), {}, "“tau” is missing from the past of the target"),
    "fewer levels than there are": (("geometry", "tried", "Home"), [0], "all of its 2 levels, not 1 of them"),
    "programmes that nobody is given": (("programmes",), [{}], "A personal policy has no programmes"),
    "a model that is a word": (("model",), "x", "The model of a policy must be names with values"),
    "an unknown name of the model": (("model", "size"), 1, "There is no “size” in the model"),
    "a title that is none": (("model", "title"), None, "title of the model"),
    "a hash that is none": (("model", "hash"), "abc", "hash of the model of a policy must be 64 digits"),
    "a file without its hash": (("model", "file"), "model.json", "both a file and its hash"),
    "an interval that falls": (("model", "interval"), [1, 0], "interval of the model"),
    "nothing that is tried": (("geometry", "tried"), {}, "“Income” is missing from the values that are tried"),
    "values that fall": (("geometry", "tried", "Months"), [5, 3], "must rise"),
    "a level that there is not": (("geometry", "tried", "Home"), [0, 2], "places among its 2 levels"),
    "a budget of people": (("budget", "people"), 3, "may hold “features” and “effort” only"),
    "people left alone": (("budget", "untouched"), [1], "may hold “features” and “effort” only"),
    "an effort in all": (("budget", "total_effort"), 5, "may hold “features” and “effort” only"),
    "a sample of the group": (("group", "cohort", "sample"), 10, "must have rules, and no sample"),
    "a group without rules": (("group", "cohort"), {}, "must have rules"),
    "a rule about no column": (
        ("group", "cohort", "rules"),
        [{"column": "Age", "comparison": "<", "value": 3}],
        "“Age”, which is no",
    ),
    "a rule about no level": (
        ("group", "cohort", "rules"),
        [{"column": "Job", "comparison": "is", "value": "z"}],
        "no level “z”",
    ),
    "words that are none": (("group", "words"), 3, "words of the group"),
    "more of a group": (("group", "size"), 3, "There is no “size” in the group"),
    "fewer people than cells": (("design", "people"), 39, "more than its 39 people"),
    "people beyond what is seen": (("design", "seen", "Months"), [20, 21], "not among those said to be seen"),
    "ends that fall": (("design", "seen", "Months"), [61, 0], "the lower one first"),
    "a level never seen": (("design", "seen", "Job"), [0, 9], "places among its 5 levels"),
    "cells that are no levels": (("design", "cells", "Job"), [9] * 40, "places among its 5 levels"),
}


@pytest.mark.parametrize(("path", "value", "sentence"), BAD.values(), ids=BAD)
def test_what_would_be_passed_over_is_refused(tmp_path, data, path, value, sentence):
    with pytest.raises(InputError, match=sentence):
        read(tmp_path, changed(data, *path, value=value))


@pytest.fixture(scope="module")
def sample():
    return dc.load_sample("german_credit_10")


def policy_of(sample, model):
    rows = sample.table[model(sample.table) > 0.5].iloc[:40]
    target = dc.Target.threshold(model(rows), 0.5, 0.5, "below")
    reference = sample.table.iloc[:120]
    problem = dc.Problem(rows, sample.schema, model, sample.actions, target, dc.Bounds(0.1, 0.1), reference=reference)
    return dc.learn_policy(problem, dc.Settings(seed=0))


def trained(sample, family, **settings):
    return dc.train_model(family, sample.table, sample.schema, seed=0, settings=settings)


@pytest.mark.parametrize("family", ["xgboost", "logistic"])
def test_a_model_is_known_by_its_file_or_else_by_its_scores(tmp_path, sample, family):
    own, others = ({"trees": 10}, {"trees": 11}) if family == "xgboost" else ({"c": 1.0}, {"c": 0.1})
    model, path = trained(sample, family, **own), tmp_path / "policy.json"
    policy_of(sample, model).write(path)
    assert dc.read_policy(path).notes == ()
    assert dc.read_policy(path, model).notes == ()
    assert dc.read_policy(path, trained(sample, family, **own)).notes == ()
    said = dc.read_policy(path, trained(sample, family, **others)).notes
    assert len(said) == 1
    assert said[0].startswith(f"This is not the model that the policy was learnt with, “{model.title}”: it scores")
    assert dc.read_policy(path, lambda table: model(table)).notes[0].startswith("The model does not say the same")


def test_another_file_is_named_as_such_though_it_scores_the_same(tmp_path, sample):
    policy = policy_of(sample, trained(sample, "xgboost", trees=10))
    policy.write(tmp_path / "policy.json")
    beside = tmp_path / "policy-model.json"
    beside.write_bytes(beside.read_bytes() + b"\n")
    said = dc.read_policy(tmp_path / "policy.json").notes
    assert len(said) == 1
    assert "its file is another, though it scores the known people alike" in said[0]
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert uploaded_policy(files).notes == said
    assert uploaded_policy({"policy.zip": policy_archive(policy)}).notes == ()
    first = json.loads((tmp_path / "policy.json").read_text(encoding="utf-8")) | {"version": 1}
    del first["group"], first["design"]["cells"], first["design"]["seen"]
    (tmp_path / "policy.json").write_text(json.dumps(first), encoding="utf-8")
    notes = dc.read_policy(tmp_path / "policy.json").notes
    assert [note.startswith("This policy is of an earlier version") for note in notes] == [True]  # its hash is not to be trusted


def test_an_upload_whose_model_is_a_word_is_refused(data):
    with pytest.raises(InputError, match="The model of a policy must be names with values"):
        uploaded_policy({"policy.json": json.dumps(changed(data, "model", value="x")).encode()})


def test_of_very_many_people_some_are_kept_and_all_are_seen(monkeypatch):
    from discover_core.policy import design

    monkeypatch.setattr(design, "reference_sample", lambda rows: np.arange(0, rows, 4))
    made = dc.learn_policy(question(80), dc.Settings(seed=0))
    rows = question(80).rows
    assert made.design.cells.shape == (20, 5)
    assert made.design.people == 80
    assert made.design.seen[0].tolist() == [rows["Income"].min(), rows["Income"].max()]
    assert not made.told(rows).membership.beyond.any()
