"""Runs stored before verdicts were: their heads and answers lack some parts, and open all the same."""

import json
from dataclasses import replace

import pytest

from discover_core.outcome.run_outcome import RunOutcome
from discover_core.outcome.summary import Summary, summary_of
from discover_core.scenario.question import Question
from discover_core.scenario.sources import ModelCopy
from discover_core.store.array_codec import pack, unpack
from discover_core.store.store import Store
from discover_core.store.tables import RUNS
from discover_core.workers.runner import Runner

from ..workers.scenarios import german, until


@pytest.fixture
def stored(tmp_path, monkeypatch) -> tuple[Store, str]:
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path))
    runner = Runner(Store())
    run_id = runner.start(Question("a run", german(6)))
    until(runner.store, run_id, lambda run: run.over)
    runner.close()
    return runner.store, run_id


def test_a_head_that_does_not_say_its_share_and_an_answer_without_a_verdict(stored):
    store, run_id = stored
    new = RunOutcome.open(store, run_id)
    parts = unpack(store.head(run_id))
    answer = json.loads(store.run(run_id).summary)
    for name in ("past", "named"):
        del parts[name]
    del answer["verdict"]
    with store.writing() as connection:
        connection.execute(RUNS.update().where(RUNS.c.id == run_id).values(head=pack(**parts), summary=json.dumps(answer)))
    old = RunOutcome.open(store, run_id)
    assert old.group.target == new.group.target
    assert old.group.target.past.share == 0.8
    assert old.iteration == new.iteration
    assert old.names == new.names
    assert Summary.from_json(old.progress.run.summary) is None  # worked out by whoever opens it
    assert old.summary == summary_of(new) == new.summary


@pytest.mark.parametrize("missing", [("sampled",), ("sampled", "past")])
def test_a_head_that_does_not_say_whether_its_target_was_sampled(stored, missing):
    """Then every list of values was, and its band is part of what the run said."""
    store, run_id = stored
    new = RunOutcome.open(store, run_id)
    parts = unpack(store.head(run_id))
    for name in missing:
        del parts[name]
    with store.writing() as connection:
        connection.execute(RUNS.update().where(RUNS.c.id == run_id).values(head=pack(**parts)))
    old = RunOutcome.open(store, run_id)
    assert old.group.target == replace(new.group.target, sampled=True)
    assert summary_of(old).ucl_y != summary_of(new).ucl_y


def test_what_was_kept_of_a_model_before_its_quality_was():
    assert ModelCopy.from_json('{"model": null, "approved": []}').quality == ""
