"""Servers of the app for the tests of faults, each on a data folder of its own, and their logs looked at."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from discover_core.store.store import Store
from tests.browser.conftest import STREAMLIT, Server

Serve = Callable[..., Server]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Processes are looked at in /proc."""
    for item in items:
        if Path(__file__).parent in item.path.parents and sys.platform != "linux":
            item.add_marker(pytest.mark.skip("processes are looked at in /proc, which only Linux has"))


@contextmanager
def serving(folder: Path) -> Iterator[Serve]:
    """Starts servers, ended in the end. Whatever happened to them, their logs may hold sentences, but no trace of a bug."""
    with ExitStack() as stack:

        def serve(way: tuple[str, ...] = STREAMLIT, home: Path | None = None) -> Server:
            server = Server(folder, way)
            server.home = home or server.home
            stack.callback(check_log, server)
            stack.callback(server.stop)
            server.start()
            return server

        yield serve


def check_log(server: Server) -> None:
    said = server.log.read_text(errors="replace")
    assert "Traceback" not in said, f"the server's log holds a traceback:\n{said[-8000:]}"


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """For a test that does something to its server."""
    with serving(tmp_path) as serve:
        yield serve


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """For tests that only use it."""
    with serving(tmp_path_factory.mktemp("faults")) as serve:
        yield serve()


@pytest.fixture
def store(server: Server) -> Iterator[Store]:
    """The server's run store, as another process sees it."""
    found = Store(server.store)
    yield found
    found.engine.dispose()
