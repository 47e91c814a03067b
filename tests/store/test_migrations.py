"""Stores of every earlier version open as if they had been made today; one from later is refused and left alone."""

import hashlib
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from discover_core.errors import InputError
from discover_core.store import migrations
from discover_core.store.migrations import NEWEST, VERSIONS, upgrade, version
from discover_core.store.saved_scenarios import SavedScenarios
from discover_core.store.store import Store
from discover_core.store.tables import METADATA
from discover_core.workers.child_process import CONTEXT

from .opening import open_stores

FIRST = Path(__file__).parent.parent / "fixtures" / "first_version" / "home" / "runs.sqlite3"
RENAMED = {"wish": "request", "owner": "worker_token", "beat": "heartbeat", "kept": "model_copy", "answer": "summary"}
ADDED = {"policy", "changed", "maker"}  # columns that came later: rows of before have nothing there


def address(path: Path) -> str:
    return f"sqlite:///{path}"


def at_version(path: Path, wanted: str) -> None:
    """What the program of that version would have left: the data of the first one, brought on by the steps up to there."""
    shutil.copy(FIRST, path)
    engine = create_engine(address(path))
    with engine.begin() as connection:
        upgrade(connection, wanted)
    engine.dispose()


def content(path: Path) -> dict[str, list[dict]]:
    """Every row of every table by today's names, what came later and is empty left out."""
    with sqlite3.connect(path) as connection:
        connection.row_factory = sqlite3.Row
        tables = {name: [dict(row) for row in connection.execute(f"SELECT * FROM {name}")] for name in METADATA.tables}
    connection.close()

    def today(row: dict) -> dict:
        return {RENAMED.get(key, key): value for key, value in row.items() if value is not None or key not in ADDED}

    return {name: [today(row) for row in rows] for name, rows in tables.items()}


def assert_newest(store: Store) -> None:
    with store.engine.connect() as connection:
        assert version(connection) == NEWEST
        assert compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), METADATA) == []


def test_every_step_has_its_number():
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    steps = list(ScriptDirectory.from_config(config).walk_revisions())
    assert tuple(step.revision for step in reversed(steps)) == VERSIONS


def test_a_new_store_has_the_tables_of_today(tmp_path):
    assert_newest(Store(address(tmp_path / "new.sqlite3")))


def test_a_store_of_the_first_version_keeps_every_row(tmp_path):
    path = tmp_path / "first.sqlite3"
    shutil.copy(FIRST, path)
    before = content(path)
    assert len(before["steps"]) > 1
    store = Store(address(path))
    assert_newest(store)
    assert len(SavedScenarios(store).all()) == 1
    store.engine.dispose()
    assert content(path) == before


@pytest.mark.parametrize("number", VERSIONS)
def test_a_store_of_every_version_keeps_every_row(tmp_path, number):
    path = tmp_path / "numbered.sqlite3"
    at_version(path, number)
    store = Store(address(path))
    assert_newest(store)
    store.engine.dispose()
    assert content(path) == content(FIRST)


def test_a_first_store_whose_making_was_cut_off_is_completed(tmp_path):
    path = tmp_path / "half.sqlite3"
    shutil.copy(FIRST, path)
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE scenarios")
    connection.close()
    assert_newest(Store(address(path)))


@pytest.mark.parametrize("wal", [False, True])
def test_a_store_from_later_is_refused_and_left_alone(tmp_path, wal):
    path = tmp_path / "later.sqlite3"
    at_version(path, NEWEST)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'from later'")
    if wal:
        connection.execute("PRAGMA journal_mode=WAL")
    connection.close()
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    for _ in range(2):
        with pytest.raises(InputError, match=r"^The run store was written by a newer version of this program: update"):
            Store(address(path))
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_migration_that_fails_leaves_the_store_as_it_was(tmp_path):
    path = tmp_path / "odd.sqlite3"
    shutil.copy(FIRST, path)
    with sqlite3.connect(path) as connection:
        connection.execute("ALTER TABLE scenarios RENAME COLUMN kept TO other")  # the last step will miss it
    connection.close()
    before = path.read_bytes()
    with pytest.raises(InputError, match="run store cannot be used"):
        Store(address(path))
    assert path.read_bytes() == before


@pytest.mark.slow
def test_several_processes_open_stores_at_the_same_moment(tmp_path):
    new, old, at_once = tmp_path / "new.sqlite3", tmp_path / "old.sqlite3", 6
    shutil.copy(FIRST, old)
    barrier, answers = CONTEXT.Barrier(at_once), CONTEXT.Queue()
    given = ([address(new), address(old)], barrier, answers)
    processes = [CONTEXT.Process(target=open_stores, args=given, daemon=True) for _ in range(at_once)]
    for process in processes:
        process.start()
    assert [answers.get(timeout=600) for _ in processes] == [[NEWEST, NEWEST]] * at_once
    for path in (new, old):
        assert_newest(Store(address(path)))
    assert content(old) == content(FIRST)


def test_who_opens_a_store_of_today_does_not_load_alembic(tmp_path):
    url = address(tmp_path / "new.sqlite3")
    Store(url)
    script = f"import sys; from discover_core.store.store import Store; Store({url!r}); print('alembic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
