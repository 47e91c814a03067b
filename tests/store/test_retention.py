"""Runs go after so many days, if the operator says so."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from discover_core.errors import InputError
from discover_core.scenario.question import Question
from discover_core.scenario.sources import TableFile
from discover_core.store.files import data_files
from discover_core.store.retention import DAY
from discover_core.store.saved_scenarios import SavedScenarios
from discover_core.store.store import Store
from discover_core.store.tables import RUNS
from discover_core.workers import housekeeping
from discover_core.workers.housekeeping import Housekeeping
from discover_core.workers.runner import Runner

from ..workers.scenarios import german


@pytest.fixture
def store(tmp_path, monkeypatch) -> Store:
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path / "home"))
    return Store()


def put(store: Store, state: str, days: float, before: bool = False) -> str:
    """A run that was last touched so many days ago; `before` runs said when."""
    then = time.time() - days * DAY
    run_id = store.add(Question(state, german()), "server")
    values = {"state": state, "created": then, "queued": then, "changed": None if before else then}
    with store.writing() as connection:
        connection.execute(RUNS.update().where(RUNS.c.id == run_id).values(**values))
    return run_id


def test_what_is_old_and_rests_goes(store, monkeypatch):
    old = [put(store, "finished", 31), put(store, "paused", 31), put(store, "failed", 31, before=True)]
    kept = [
        put(store, "finished", 29),
        put(store, "stopped", 29, before=True),
        put(store, "queued", 31),
        put(store, "stopped", -400),
    ]
    again = put(store, "finished", 31)
    store.enqueue(again, "server", 8)  # somebody goes on with it
    table, needed = (data_files().put(content, "a.csv") for content in (b"old", b"needed"))
    SavedScenarios(store).save(Question("saved", replace(german(), data=TableFile(needed))))
    for name in (table, needed):
        os.utime(data_files().get(name), (time.time() - 8 * DAY,) * 2)
    monkeypatch.setenv("DISCOVER_KEEP_DAYS", "30")
    Housekeeping(store, data_files()).look()
    assert {run.id for run in store.runs([*old, *kept, again])} == {*kept, again}
    assert list(data_files().untouched(-60)) == [needed]
    with store.reading() as connection:
        assert len(connection.execute(RUNS.select()).all()) == len(kept) + 1


def test_everything_is_kept_unless_somebody_says_so(store, monkeypatch):
    monkeypatch.delenv("DISCOVER_KEEP_DAYS", raising=False)
    old = put(store, "finished", 4000)
    Housekeeping(store, data_files()).look()
    assert store.run(old) is not None


def test_it_is_checked_once_in_a_while_and_not_by_a_clock_that_has_jumped(store, monkeypatch):
    monkeypatch.setenv("DISCOVER_KEEP_DAYS", "30")
    tidy, steady = Housekeeping(store, data_files()), [1000.0]
    monkeypatch.setattr(housekeeping.time, "monotonic", lambda: steady[0])
    tidy._clock = time.time() - 1000.0
    tidy.look()
    old = put(store, "finished", 31)
    tidy.look()
    assert store.run(old) is not None  # not yet
    tidy._clock -= 40 * DAY  # as if the clock had been set ahead
    steady[0] += 1
    tidy.look()
    assert store.run(old) is not None
    steady[0] += housekeeping.HOUR + 1
    tidy._clock = time.time() - steady[0]
    tidy.look()
    assert store.run(old) is None


@pytest.mark.parametrize("given", ["soon", "0", "-3", "nan", "inf"])
def test_days_that_are_none_are_a_sentence(store, monkeypatch, given):
    monkeypatch.setenv("DISCOVER_KEEP_DAYS", given)
    with pytest.raises(InputError, match="DISCOVER_KEEP_DAYS must be a number of days above 0"):
        Runner(store, ThreadPoolExecutor(1))
