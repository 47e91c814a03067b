"""A row of the store that holds garbage is shown as damaged, can be exported and deleted, and spoils nothing else."""

import contextlib
import json
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import discover_core as dc
from discover_core.outcome.run_outcome import RunOutcome
from discover_core.outcome.summary import stored_verdict
from discover_core.scenario.question import Question
from discover_core.store.erase import erase, needed_files
from discover_core.store.files import data_files
from discover_core.store.raw_rows import raw_run, raw_scenario
from discover_core.store.row_check import Damaged
from discover_core.store.run_progress import RunProgress
from discover_core.store.saved_scenarios import SavedScenarios
from discover_core.store.store import Store
from discover_core.store.tables import RUNS, SCENARIOS, SERVERS, STEPS
from discover_core.workers.runner import Runner
from ui.app.run_line import run_line

from ..workers.scenarios import german
from .stored import change, solved

COLUMNS = [(table.name, column.name) for table in (RUNS, STEPS, SCENARIOS, SERVERS) for column in table.columns]
GARBAGE = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(max_size=20),
    st.binary(max_size=40),
    st.sampled_from(["{}", "[]", "null", '{"verdict": 1}', '{"verdict": {"help": []}}', "[" * 30_000, "queued", "deleted"]),
)


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """Two runs, two scenarios and two servers; the first of each stays as it is."""
    home = tmp_path_factory.mktemp("original")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCOVER_HOME", str(home))
        store = Store()
        asked = [Question(name, german(3, family="logistic"), "German Credit", "Logistic") for name in ("good", "bad")]
        runs, saved = solved(store, *asked), [SavedScenarios(store).save(question, maker="me").id for question in asked]
        for server in ("good", "bad"):
            store.heartbeat(server, "elsewhere", 1)
        store.engine.dispose()
        yield home, runs, saved


def damaged(home: Path, table: str, column: str, value: object, victims: dict[str, str]) -> None:
    where = {"runs": "id = ?", "scenarios": "id = ?", "servers": "id = ?", "steps": "run = ? AND iteration = 1"}[table]
    try:
        change(home / "runs.sqlite3", f"UPDATE {table} SET {column} = ? WHERE {where}", value, victims[table])
    except sqlite3.IntegrityError:
        assume(False)


@settings(max_examples=40)
@example(("runs", "state"), "odd")
@example(("runs", "pid"), -5)
@example(("runs", "scenario"), "{")
@example(("runs", "model_copy"), "no JSON")
@example(("runs", "summary"), "no JSON")
@example(("runs", "head"), b"\x00")
@example(("scenarios", "changed"), "yesterday")
@example(("steps", "arrays"), b"\x00")
@example(("servers", "pid"), "none")
@given(st.sampled_from(COLUMNS), GARBAGE)
def test_damage_anywhere_spoils_nothing_else(original, tmp_path_factory, where, value):
    home, runs, saved = original
    copy = tmp_path_factory.mktemp("copy") / "home"
    shutil.copytree(home, copy)
    damaged(copy, *where, value, {"runs": runs[1], "steps": runs[1], "scenarios": saved[1], "servers": "bad"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCOVER_HOME", str(copy))
        look((runs[0], saved[0]), (runs[1], saved[1]))
    shutil.rmtree(copy, ignore_errors=True)  # the runner's last look may still be at work in it


@pytest.mark.parametrize(
    ("column", "value"),
    [("state", "odd"), ("done", -7), ("created", "x"), ("scenario", "{"), ("model_copy", "x"), ("pid", "x"), ("head", b"x")],
)
def test_a_damaged_run_says_so(original, tmp_path, monkeypatch, column, value):
    home, runs, _ = original
    shutil.copytree(home, tmp_path / "home")
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path / "home"))
    change(tmp_path / "home" / "runs.sqlite3", f"UPDATE runs SET {column} = ? WHERE id = ?", value, runs[1])
    store = Store()
    with pytest.raises(Damaged, match=r"damaged|cannot be read any more"):
        _ = RunProgress.open(store, runs[1]).scenario
    run = store.run(runs[1])
    assert (run.damage is None) == (column == "head")
    assert ("damaged" in run_line(run)) == (column != "head")
    assert not run.working
    exported = json.loads(raw_run(store, run.id))["run"][0][column]
    assert exported == (value if column != "head" else {"base64": "eA=="})


@pytest.mark.parametrize("table", ["runs", "scenarios"])
def test_letters_that_are_none_spoil_no_list(original, tmp_path, monkeypatch, table):
    home, runs, _ = original
    shutil.copytree(home, tmp_path / "home")
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path / "home"))
    change(tmp_path / "home" / "runs.sqlite3", f"UPDATE {table} SET name = CAST(x'ff41' AS TEXT)")
    store = Store()
    names = {"runs": [run.name for run in store.runs(runs)], "scenarios": [item.name for item in SavedScenarios(store).all()]}
    assert names[table] == ["\ufffdA"] * 2


def look(good: tuple[str, str], bad: tuple[str, str]) -> None:
    store = Store()
    runner = Runner(store, ThreadPoolExecutor(1))
    try:
        runs = store.runs([good[0], bad[0]])
        assert [run_line(run).startswith("**good**") for run in runs].count(True) == 1
        saved = SavedScenarios(store)
        for item in saved.all():
            assert item.name or item.damage
        assert saved.get(good[1]).question.scenario == german(3, family="logistic")
        for run in runs:
            stored_verdict(run.summary)
            store.before(run)
        found = RunOutcome.open(store, good[0])
        assert found.summary.verdict is not None
        for _ in range(2):
            runner._say()
            runner._reconcile()
        runner._housekeeping.tidy()
        needed_files(store)
        store.workers([*good, *bad])
        with contextlib.suppress(dc.InputError):
            RunProgress.open(store, bad[0])
        json.loads(raw_run(store, bad[0]))
        json.loads(raw_scenario(store, bad[1]))
        erase(store, data_files(), [bad[0]], [bad[1]])
        assert store.run(bad[0]) is saved.get(bad[1]) is None
        assert store.run(good[0]).state == "finished"
    finally:
        runner.close()
        store.engine.dispose()
