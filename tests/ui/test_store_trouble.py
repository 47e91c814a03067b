"""A store that cannot be used is one sentence, and stays as it is."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from discover_core.errors import InputError
from discover_core.scenario.question import Question
from discover_core.store.store import Store
from discover_core.workers.runner import Runner
from tests.store.stored import change
from tests.workers.scenarios import german
from ui.app import tab_runs

APP = Path(__file__).resolve().parents[2] / "app.py"
ANOTHER = ["CREATE TABLE runs (id INTEGER)", "CREATE TABLE songs (title TEXT)", "INSERT INTO songs VALUES ('So What')"]
NUMBERED = ["CREATE TABLE alembic_version (version_num)", "INSERT INTO alembic_version VALUES ('4')", "CREATE TABLE songs (x)"]


@pytest.fixture
def path(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path))
    return tmp_path / "runs.sqlite3"


def make(path: Path, statements: list[str]) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def newer(path: Path) -> None:
    Store().engine.dispose()
    change(path, "UPDATE alembic_version SET version_num = 'later'")


def torn(path: Path) -> None:
    """The first half of a page is that of a database, the rest is not."""
    Store().engine.dispose()
    content = path.read_bytes()
    path.write_bytes(content[:2000] + b"\xff" * (len(content) - 2000))


TROUBLE = {
    "file is not a database": lambda path: path.write_bytes(b"no database, but a diary" * 500),
    "made by another program and is left alone": lambda path: make(path, ANOTHER),
    "made by another program": lambda path: make(path, NUMBERED),
    "written by a newer version": newer,
    "malformed": torn,
}


@pytest.mark.parametrize("sentence", TROUBLE)
def test_what_is_no_store_of_ours_is_a_sentence_on_the_page_and_is_left_alone(path, sentence):
    TROUBLE[sentence](path)
    before = path.read_bytes()
    with pytest.raises(InputError, match=sentence):
        Store()
    tab_runs.runner.clear()
    page = AppTest.from_file(str(APP), default_timeout=120).run()
    assert not page.exception
    assert sentence in page.error[0].value
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir() if file.is_file()] == [path.name]


def test_a_store_that_can_only_be_read_is_a_sentence(path, monkeypatch):
    Store().add(Question("a run", german()), "server")
    before = path.read_bytes()
    monkeypatch.setenv("DISCOVER_STORE", f"sqlite:///file:{path}?mode=ro&uri=true")
    with pytest.raises(InputError, match="The data folder can only be read"):
        Runner(Store(), ThreadPoolExecutor(1))
    assert path.read_bytes() == before
