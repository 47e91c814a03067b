"""The store's promises without workers: who may write, what rests, what is kept and what is swept."""

import sqlite3
import sys
from contextlib import closing
from dataclasses import replace

import pytest
from sqlalchemy import event

import discover_core as dc
from discover_core.scenario.question import Question
from discover_core.scenario.sources import ModelCopy, ModelFile
from discover_core.store.array_codec import pack, unpack
from discover_core.store.data_folder import data_folder
from discover_core.store.engine import Unwritable
from discover_core.store.erase import erase
from discover_core.store.files import data_files
from discover_core.store.run_progress import RunProgress
from discover_core.store.saved_scenarios import SavedScenarios
from discover_core.store.store import Lost, Store
from discover_core.store.tables import RUNS, SCENARIOS

from ..workers.scenarios import german


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path / "home"))
    return Store()


def added(store, **more):
    return store.add(Question("a run", german(), **more), "server")


def asked(name, iterations=8, saved=None):
    return Question(name, german(iterations), "German Credit", "XGBoost", saved=saved)


def step(iteration=0):
    numbers = dict.fromkeys(("q", "q_x", "q_y", "q_before", "ucl_x", "ucl_y", "eta", "low", "high"), 0.5)
    more = {"feasible": False, "model_rows": 1, "still": 0, "random": "{}", "arrays": pack()}
    return {"iteration": iteration, **numbers, **more, "ucl_x": float("inf")}


def test_it_is_a_database_file_in_wal_mode(store):
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
    assert (data_folder() / "runs.sqlite3").is_file()


def test_only_the_worker_that_claimed_a_run_may_write(store):
    run_id = added(store)
    first = store.claim(run_id, 1)
    with pytest.raises(Lost):
        store.claim(run_id, 2)
    assert store.write(run_id, first, step(), 0.1) is None
    store.fail(run_id, "stopped", "gone")
    for late in (
        lambda: store.write(run_id, first, step(1), 0.2),
        lambda: store.end(run_id, first, "finished"),
        lambda: store.read_request(run_id, first),
    ):
        with pytest.raises(Lost):
            late()
    assert store.enqueue(run_id, "server", 8)
    second = store.claim(run_id, 3)
    with pytest.raises(Lost):
        store.write(run_id, first, step(1), 0.2)
    store.write(run_id, second, step(1), 0.2)
    assert [row.iteration for row in store.steps(run_id)] == [0, 1]
    assert store.steps(run_id)[0].ucl_x == float("inf")


def test_requests_reach_the_worker_with_its_next_step(store):
    run_id = added(store)
    token = store.claim(run_id, 1)
    store.request(run_id, "pause")
    assert (store.run(run_id).state, store.write(run_id, token, step(), 0.1)) == ("running", "pause")
    store.request(run_id, "stop")
    assert (store.run(run_id).state, store.read_request(run_id, token)) == ("stopping", "stop")
    store.end(run_id, token, "stopped")
    store.request(run_id, "pause")
    assert store.run(run_id).state == "stopped"


def test_a_run_at_work_cannot_be_queued_again(store):
    run_id = added(store)
    assert not store.enqueue(run_id, "server", 8)
    store.claim(run_id, 1)
    assert not store.enqueue(run_id, "server", 8)


def test_a_run_is_found_by_its_id_only(store):
    mine, other = added(store), added(store, saved="shelf")
    assert mine != other
    assert len(mine) >= 16
    assert store.run(mine[:-1]) is None
    assert [run.id for run in store.runs([mine])] == [mine]
    assert [run.id for run in store.runs([mine, other])] == [other, mine]
    assert store.runs([]) == []
    erase(store, data_files(), [mine])
    assert store.run(mine) is None


def test_arrays_come_back_and_nothing_is_unpickled():
    import numpy as np

    arrays = {"a": np.arange(6, dtype=np.int16).reshape(2, 3), "b": np.array([np.inf, -0.0])}
    back = unpack(pack(**arrays))
    assert all(back[name].tobytes() == arrays[name].tobytes() and back[name].dtype == arrays[name].dtype for name in arrays)
    with pytest.raises(ValueError, match="not packed"):
        pack(c=np.array([{}], dtype=object))


def test_a_question_comes_back_as_it_was(store):
    copy = ModelCopy(ModelFile("model.json"), ("some.Type",), "AUC .7")
    question = Question("a run", german(), "German Credit", "XGBoost", copy, "saved")
    assert store.run(store.add(question, "server")).question == question
    saved = SavedScenarios(store).save(question)
    assert SavedScenarios(store).get(saved.id).question == saved.question == replace(question, saved=saved.id)


@pytest.mark.parametrize(
    "odd",
    [{"scenario": "{}"}, {"scenario": "not JSON"}, {"scenario": '{"version": 2}'}, {"model_copy": "{}"}, {"model_copy": "[]"}],
)
def test_a_question_that_cannot_be_read_any_more_spoils_no_list(store, odd):
    good, bad, saved = added(store), added(store), SavedScenarios(store).save(asked("saved"))
    with store.writing() as connection:
        connection.execute(RUNS.update().where(RUNS.c.id == bad).values(**odd))
        connection.execute(SCENARIOS.update().values(**odd))
    runs = {run.id: run for run in store.runs([good, bad])}
    assert {run.name for run in runs.values()} == {"a run"}
    assert runs[good].question.scenario == german()
    assert [item.name for item in SavedScenarios(store).all()] == ["saved"]
    for unreadable in (runs[bad], SavedScenarios(store).get(saved.id)):
        with pytest.raises(dc.InputError):
            _ = unreadable.question


def test_following_a_run_never_reads_its_question(store):
    run_id = added(store)
    progress = RunProgress.open(store, run_id)
    scenario, statements = progress.scenario, []
    event.listen(store.engine, "before_cursor_execute", lambda *given: statements.append(given[2]))
    token = store.claim(run_id, 1)
    assert progress.refresh(store)
    for iteration in range(3):
        store.write(run_id, token, step(iteration), 0.1)
        store.request(run_id, "pause")
        store.read_request(run_id, token)
        assert progress.refresh(store)
        assert (progress.run.request, progress.run.done) == ("pause", iteration)
    store.unfinished()
    store.before(progress.run)
    store.end(run_id, token, "stopped", "Why", '{"verdict": 1}')
    assert progress.refresh(store)
    assert progress.run == store.run(run_id)
    assert progress.scenario is scenario
    assert len(statements) > 20
    assert [text for text in statements[:-1] if "scenario" in text] == []
    assert "scenario" in statements[-1]  # the run as a whole, just above


def test_saved_scenarios_are_replaced_listed_and_deleted(store):
    saved_scenarios = SavedScenarios(store)
    first = saved_scenarios.save(asked("one")).id
    second = saved_scenarios.save(asked("two")).id
    assert saved_scenarios.save(asked("three", 5, first)).id == first
    assert [saved.name for saved in saved_scenarios.all()] == ["three", "two"]
    saved_scenarios.delete(second, None, data_files())
    assert [saved.id for saved in saved_scenarios.all()] == [first]
    assert saved_scenarios.get(second) is None
    assert saved_scenarios.save(asked("two", saved=second)).id != first


def test_a_save_that_somebody_else_made_meanwhile_is_not_overwritten(store):
    saved_scenarios = SavedScenarios(store)
    seen = saved_scenarios.save(asked("mine"))
    theirs = saved_scenarios.save(asked("theirs", 5, seen.id), seen.changed)
    assert theirs.id == seen.id
    assert theirs.created == seen.created
    beside = saved_scenarios.save(asked("mine", 7, seen.id), seen.changed)
    assert beside.id != seen.id
    assert beside.name == "mine (copy)"
    assert [saved_scenarios.get(item.id) for item in (theirs, beside)] == [theirs, beside]
    assert saved_scenarios.save(asked("mine", 9, beside.id), beside.changed).id == beside.id


def test_the_address_of_the_store_may_be_given(tmp_path, monkeypatch):
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("DISCOVER_STORE", f"sqlite:///{tmp_path / 'elsewhere.sqlite3'}")
    run_id = added(Store())
    assert (tmp_path / "elsewhere.sqlite3").is_file()
    assert not (tmp_path / "home" / "runs.sqlite3").exists()
    monkeypatch.delenv("DISCOVER_STORE")
    assert Store().run(run_id) is None


@pytest.mark.parametrize("url", ["nonsense", "nonsense://here/there", "mssql+nodriver://here", "sqlite:////no/such/folder/x"])
def test_an_address_that_cannot_be_used_is_one_sentence(url):
    with pytest.raises(dc.InputError, match=r"^The run store cannot be used: .+\.$"):
        Store(url)


def test_a_database_whose_driver_is_not_installed_is_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "oracledb", None)
    with pytest.raises(dc.InputError, match="needs the package “oracledb”"):
        Store("oracle+oracledb://here/there")


def test_a_store_that_another_process_holds_is_one_sentence_and_what_is_to_be_said_is_said_later(store):
    run_id = added(store)
    hasty = Store(patience=0.05)
    with closing(sqlite3.connect(data_folder() / "runs.sqlite3")) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(dc.InputError, match=r"^Another process has been writing to the run store for a long time: try again"):
            hasty.request(run_id, "stop")
        with pytest.raises(Unwritable):
            hasty.fail(run_id, "failed", "Its worker is gone.")
        assert (hasty.state(run_id).state, hasty.state(run_id).sentence) == ("failed", "Its worker is gone.")
        other.rollback()
    assert store.state(run_id).state == "queued"
    hasty.catch_up()
    assert (store.state(run_id).state, store.state(run_id).sentence) == ("failed", "Its worker is gone.")
