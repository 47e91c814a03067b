"""A data folder that cannot be used: every page says so in one sentence, and nothing in it is touched."""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

from discover_core.store.store import Store
from tests.browser.conftest import Server
from tests.workers.scenarios import german

from .asked import BEGIN, ask
from .bad_disk import content, mounted
from .conftest import Serve
from .visitor import Visitor

STORE = "runs.sqlite3"
PAGES = ("", "solve")


@contextmanager
def corrupt(home: Path) -> Iterator[None]:
    """A store whose first pages are overwritten."""
    Store(f"sqlite:///{home / STORE}").engine.dispose()
    with (home / STORE).open("r+b") as file:
        file.write(os.urandom(8192))
    yield


@contextmanager
def foreign(home: Path) -> Iterator[None]:
    """Somebody else's database, which happens to have the store's name."""
    with closing(sqlite3.connect(home / STORE)) as connection:
        connection.execute("CREATE TABLE runs (distance REAL)")
        connection.execute("INSERT INTO runs VALUES (42.2)")
        connection.commit()
    yield


@contextmanager
def newer(home: Path) -> Iterator[None]:
    """The store of a version to come."""
    Store(f"sqlite:///{home / STORE}").engine.dispose()
    with closing(sqlite3.connect(home / STORE)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    yield


@contextmanager
def picture(home: Path) -> Iterator[None]:
    """No database at all."""
    (home / STORE).write_bytes(b"\x89PNG\r\n\x1a\n" + os.urandom(4096))
    yield


@contextmanager
def read_only(home: Path) -> Iterator[None]:
    """A disk that may not be written to, and holds no store yet."""
    with mounted(home, "size=1m,ro"):
        yield


@contextmanager
def no_room(home: Path) -> Iterator[None]:
    """A disk with no room left for a store."""
    with mounted(home, "size=4k"):
        yield


BAD: dict[Callable[[Path], AbstractContextManager[None]], str] = {
    picture: "The run store",
    corrupt: "The run store",
    foreign: "The run store",
    newer: "The run store was written by a newer version of this program",
    read_only: "The data folder",
    no_room: "The disk of the data folder is full",
}


def test_a_bad_data_folder_is_one_sentence_until_it_is_put_right(serve: Serve) -> None:
    """One server all the time: nobody has to start it again."""
    server = serve()
    for bad, sentence in BAD.items():
        with bad(server.home):
            before = content(server.home)
            for page in PAGES:
                with Visitor(server.url) as visitor:
                    visitor.open(page)
                    assert visitor.text.startswith(sentence), bad.__name__
                    assert "\n" not in visitor.text, f"{bad.__name__}: more than a sentence"
                    assert visitor.troubles == [], bad.__name__
            if bad is not no_room:
                assert content(server.home) == before, f"{bad.__name__}: what was found there has been changed"
        for name in content(server.home):
            (server.home / name).unlink()
    with Visitor(server.url) as visitor:
        visitor.open()
        assert "Open a demo" in visitor.text
        breaks(server, visitor)
    print(
        f"\n{len(BAD) + 1} stores that cannot be used: {', '.join(bad.__name__.replace('_', ' ') for bad in BAD)}, broken in use."
    )


def breaks(server: Server, visitor: Visitor) -> None:
    """The store is fine, and turns into noise while somebody looks at a run."""
    store = Store(server.store)
    visitor.open("solve", f"run={ask(store, german())}")
    visitor.until(lambda: visitor.has(BEGIN))
    store.engine.dispose()
    for path in server.home.glob(f"{STORE}*"):
        with path.open("r+b") as file:  # the server has it mapped: it must not become shorter
            file.write(random.Random(0).randbytes(path.stat().st_size))
    for page in PAGES:
        visitor.go(page)
        assert visitor.text.startswith("The run store cannot be used"), visitor.text
        assert visitor.troubles == []
