"""What is deleted is gone from the disk: a test looks at every byte of the data folder."""

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from discover_core.errors import InputError
from discover_core.scenario.question import Question
from discover_core.store.data_folder import data_folder
from discover_core.store.erase import erase, finish, hide
from discover_core.store.files import data_files
from discover_core.store.run import DELETED
from discover_core.store.saved_scenarios import SavedScenarios, maker_of
from discover_core.store.store import Lost, Store
from discover_core.store.tables import RUNS, STEPS
from discover_core.workers.housekeeping import Housekeeping

from ..workers.scenarios import german
from .stored import solved, uploaded

MARKER = "Zaphod"
PIECE = 24  # bytes of a compressed value by which it is recognised


@pytest.fixture
def store(tmp_path, monkeypatch) -> Store:
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path / "home"))
    return Store()


def traces(store: Store, run_id: str) -> list[bytes]:
    """What would show that something is left of a run: its words, and pieces of what is stored compressed."""
    with store.reading() as connection:
        blobs = [connection.execute(RUNS.select().where(RUNS.c.id == run_id)).one().head]
        blobs += [row.arrays for row in connection.execute(STEPS.select().where(STEPS.c.run == run_id))]
    pieces = [blob[at : at + PIECE] for blob in blobs for at in (len(blob) // 2, len(blob) - PIECE)]  # not where all are alike
    return [run_id.encode(), MARKER.encode(), *pieces]


def found(pieces: list[bytes]) -> set[bytes]:
    everything = b"\0\0".join(path.read_bytes() for path in data_folder().rglob("*") if path.is_file())
    return {piece for piece in pieces if piece in everything}


def test_a_run_and_its_files_are_gone_from_the_disk(store):
    asked = uploaded(MARKER)
    other, mine = solved(store, Question("other", german(3, family="logistic")), asked)
    pieces, theirs = traces(store, mine), traces(store, other)[2:]
    assert len(found(pieces)) == len(set(pieces))
    erase(store, data_files(), [mine])
    assert found(pieces) == set()
    assert found(theirs) == set(theirs)
    assert list(data_files().untouched(-60)) == []
    assert (data_folder() / "runs.sqlite3-wal").stat().st_size == 0


def test_a_log_that_somebody_reads_is_emptied_as_soon_as_they_are_done(store):
    run_id = store.add(Question(MARKER, german()), "server")
    with store.engine.connect() as connection:
        connection.exec_driver_sql("BEGIN")
        connection.execute(RUNS.select()).all()
        erase(store, data_files(), [run_id])
        assert store.run(run_id) is None
        assert found([MARKER.encode()])
    Housekeeping(store, data_files()).look()
    assert not found([MARKER.encode()])


def test_a_scenario_is_gone_from_the_disk(store):
    saved = SavedScenarios(store).save(uploaded(MARKER), maker=maker_of("mine"))
    assert found([MARKER.encode()])
    with pytest.raises(InputError, match="belongs to somebody else"):
        SavedScenarios(store).delete(saved.id, maker_of("theirs"), data_files())
    assert SavedScenarios(store).get(saved.id) == saved
    SavedScenarios(store).delete(saved.id, maker_of("mine"), data_files())
    assert not found([MARKER.encode()])


def test_a_file_stays_that_somebody_else_needs_or_has_open(store):
    asked, saved_scenarios = uploaded(MARKER), SavedScenarios(store)
    name = asked.scenario.data.file
    first, second = store.add(asked, "server"), saved_scenarios.save(asked)
    erase(store, data_files(), [first])
    assert data_files().get(name).is_file()
    erase(store, data_files(), scenarios=[second.id], kept={name})
    assert data_files().get(name).is_file()
    erase(store, data_files(), names=[name])
    assert list(data_folder().joinpath("files").iterdir()) == []


def test_what_is_left_of_writing_a_file_goes_with_it(store):
    name = data_files().put(b"table", "table.csv")
    left, fresh = (data_folder() / "files" / f".{name}.{number}.1" for number in (1, 2))
    for path in (left, fresh):
        path.write_bytes(MARKER.encode())
    os.utime(left, (time.time() - 600,) * 2)
    erase(store, data_files(), names=[name])
    assert (left.exists(), fresh.exists()) == (False, True)  # somebody may be writing it just now


def test_a_worker_of_a_run_that_is_deleted_writes_nothing_more(store):
    run_id = store.add(Question("a run", german()), "server")
    token = store.claim(run_id, 1)
    hide(store, [run_id])
    assert store.run(run_id) is store.state(run_id) is None
    assert store.runs([run_id]) == store.unfinished() == []
    assert not store.enqueue(run_id, "server", 8)
    with pytest.raises(Lost):
        store.end(run_id, token, "finished")
    with store.reading() as connection:
        assert connection.execute(RUNS.select()).one().state == DELETED
    finish(store)  # as the next server does when this one was cut off
    with store.reading() as connection:
        assert connection.execute(RUNS.select()).all() == []


def test_a_file_that_cannot_be_deleted_is_a_sentence(store, monkeypatch):
    name = data_files().put(b"table", "table.csv")

    def refuse(path, missing_ok=False):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(InputError, match="cannot be deleted: Permission denied"):
        erase(store, data_files(), names=[name])


def test_only_the_maker_of_a_scenario_overwrites_it(store):
    saved_scenarios, asked = SavedScenarios(store), Question("ours", german())
    saved = saved_scenarios.save(asked, maker=maker_of("ann"))
    assert saved_scenarios.save(replace(asked, saved=saved.id), maker=maker_of("ann")).id == saved.id
    for maker in (maker_of("ben"), None):
        theirs = saved_scenarios.save(replace(asked, saved=saved.id), maker=maker)
        assert (theirs.id != saved.id, theirs.name, theirs.maker) == (True, "ours (copy)", maker)
    renamed = saved_scenarios.save(replace(asked, name="mine", saved=saved.id), maker=maker_of("ben"))
    assert renamed.name == "mine"
    assert saved_scenarios.get(saved.id).maker == maker_of("ann")


def test_a_scenario_of_before_belongs_to_nobody(store):
    saved_scenarios = SavedScenarios(store)
    old = saved_scenarios.save(Question("old", german()))
    assert old.belongs_to(maker_of("ann"))
    again = saved_scenarios.save(replace(Question("new", german()), saved=old.id), maker=maker_of("ann"))
    assert (again.id, again.maker) == (old.id, None)
    saved_scenarios.delete(old.id, maker_of("ben"), data_files())
    assert saved_scenarios.all() == []


def test_the_store_has_no_secret(store):
    SavedScenarios(store).save(Question("ours", german()), maker=maker_of("c0ffee" * 5))
    assert not found([b"c0ffee"])
