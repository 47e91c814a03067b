"""A backup made in the middle of a run, put back somewhere else, goes on as if nothing had been."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from discover_core.scenario.question import Question
from discover_core.store.backup import back_up
from discover_core.store.files import data_files
from discover_core.store.saved_scenarios import SavedScenarios
from discover_core.store.store import Store
from discover_core.workers.processes import Processes
from discover_core.workers.runner import Runner
from discover_dashboard.command import main
from tests.workers.scenarios import german, until

ROOT = Path(__file__).resolve().parents[2]
AT_WORK = """
import sys, time
from discover_core.scenario.question import Question
from discover_core.workers.runner import Runner
from tests.workers.scenarios import german

if __name__ == "__main__":
    print(Runner().start(Question("Kept", german(iterations=20_000))), flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("DISCOVER_STORE", raising=False)
    return tmp_path / "home"


def q(store: Store, run_id: str) -> list[float]:
    with store.reading() as connection:
        return [
            row.q for row in connection.exec_driver_sql("SELECT q FROM steps WHERE run = ? ORDER BY iteration", (run_id,)).all()
        ]


@pytest.mark.slow
def test_a_run_in_the_middle_is_restored_elsewhere_and_goes_on(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    script = tmp_path / "at_work.py"
    script.write_text(AT_WORK)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    server = subprocess.Popen([sys.executable, str(script)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    run_id = server.stdout.readline().strip()
    live = Store()
    until(live, run_id, lambda run: run.done >= 5)
    uploaded = data_files().put(b"a,b\n1,2\n", "people.csv")
    SavedScenarios(live).save(Question("Kept, too", german()))
    assert main(["backup", str(tmp_path / "kept")]) == 0
    at_backup = live.run(run_id)
    assert at_backup is not None
    assert at_backup.working, "the run was over before it was backed up"
    until(live, run_id, lambda run: run.done >= at_backup.done + 3)
    server.communicate("")
    live.engine.dispose()

    restored = tmp_path / "elsewhere"
    (tmp_path / "kept").rename(restored)
    monkeypatch.setenv("DISCOVER_HOME", str(restored))
    store = Store()
    runner = Runner(store, Processes())
    run = until(store, run_id, lambda run: run.over)
    assert run.state == "stopped"
    assert 5 <= run.done <= at_backup.done
    assert data_files().get(uploaded).read_bytes() == b"a,b\n1,2\n"
    assert [saved.name for saved in SavedScenarios(store).all()] == ["Kept, too"]
    before = q(store, run_id)
    assert len(before) == run.done + 1
    runner.go_on(run_id)
    until(store, run_id, lambda again: again.done >= run.done + 3)
    runner.stop(run_id)
    until(store, run_id, lambda again: again.over)
    runner.close()
    assert q(store, run_id)[: len(before)] == before
    store.engine.dispose()
    original = Store(f"sqlite:///{home / 'runs.sqlite3'}")  # it went on after the backup: the same steps
    steps = run.done + 4
    assert len(q(original, run_id)) >= steps > len(before)
    again = Store()
    assert q(again, run_id)[:steps] == q(original, run_id)[:steps]
    original.engine.dispose()
    again.engine.dispose()


def test_a_backup_never_overwrites_and_says_what_is_missing(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["backup", str(tmp_path / "kept")]) == 2
    assert "There is no store" in capsys.readouterr().err
    assert not (tmp_path / "kept").exists()
    Store().engine.dispose()
    full = tmp_path / "full"
    full.mkdir()
    (full / "notes.txt").write_text("mine")
    assert main(["backup", str(full)]) == 2
    assert "is not empty" in capsys.readouterr().err
    assert [path.name for path in full.iterdir()] == ["notes.txt"]


def test_a_backup_is_a_data_folder_for_its_owner_alone(home: Path, tmp_path: Path):
    Store().engine.dispose()
    files = data_files()
    name = files.put(b"abc", "table.csv")
    (home / "files" / ".unfinished").write_bytes(b"half")
    (home / "files" / "outside").symlink_to(tmp_path)
    made = back_up(tmp_path / "kept")
    assert (made.runs, made.files) == (0, 1)
    assert {path.relative_to(tmp_path / "kept").as_posix() for path in (tmp_path / "kept").rglob("*")} == {
        "files",
        f"files/{name}",
        "runs.sqlite3",
    }
    assert (tmp_path / "kept").stat().st_mode & 0o077 == 0


def test_a_damaged_store_is_not_called_a_backup(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    Store().engine.dispose()
    path = home / "runs.sqlite3"
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(path.read_bytes())
    content[4096:8192] = b"\xff" * 4096
    path.write_bytes(content)
    assert main(["backup", str(tmp_path / "kept")]) == 2
    assert "The store" in capsys.readouterr().err
    assert not (tmp_path / "kept" / "runs.sqlite3").exists()
