"""A real server and a real Chromium for the browser tests: one of each per test process, a fresh context per test."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from discover_core.scenario.question import Question
from discover_core.scenario.scenario import Scenario
from discover_core.store.store import Store
from discover_core.workers.runner import Runner
from tests.workers.scenarios import demo, until

from . import traffic

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 300
WAIT = 120.0  # seconds that anything may take: a machine may have much else to do
SETTLE_MS = 1000 * WAIT
BUSY = '[data-testid="stStatusWidget"], [data-testid="stSkeleton"], [data-testid="stSpinner"]'
Motion = Literal["reduce", "no-preference"]
SUSPICIOUS = re.compile(r"warning|error|traceback|exception|deprecat", re.IGNORECASE)
# Opened at a page's own address, Streamlit first looks for its endpoints below that address, and then at the root.
PROBE = re.compile(r"/\w+/_stcore/(health|host-config)$")
STREAMLIT = ("-m", "streamlit", "run", "app.py", "--server.port")
MAKE_RUN = ("-m", "discover_dashboard", "serve", "--port")
SETTINGS = {
    "STREAMLIT_SERVER_ADDRESS": "127.0.0.1",
    "STREAMLIT_SERVER_HEADLESS": "true",
    "STREAMLIT_BROWSER_GATHER_USAGE_STATS": "false",
    "STREAMLIT_SERVER_FILE_WATCHER_TYPE": "none",
    # The default leaves out that a line is a warning.
    "STREAMLIT_LOGGER_MESSAGE_FORMAT": "%(asctime)s %(levelname)s %(message)s",
}
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test in the browser is marked as one. It may be tried once more; the output names those that were."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.flaky(reruns=1))


expect.set_options(timeout=1000 * WAIT)


def settle(page: Page) -> None:
    """Wait until all that the page asked of the app is answered and drawn, and it asks nothing more."""
    page.wait_for_function(traffic.SETTLED, arg=BUSY, polling=traffic.TURN_MS, timeout=SETTLE_MS)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2) as answer:
            return bool(answer.read() == b"ok")
    except OSError:
        return False


class Server:
    """The app, or another script, on a port and a data folder that stay the same however often it is started.

    `way` is what Python is given before the port."""

    def __init__(self, folder: Path, way: tuple[str, ...] = MAKE_RUN) -> None:
        self.way = way
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.home, self.log = folder / "home", folder / "log.txt"
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def store(self) -> str:
        """The address of the run store."""
        return f"sqlite:///{self.home / 'runs.sqlite3'}"

    def start(self) -> None:
        self.home.mkdir(exist_ok=True)
        environment = os.environ | SETTINGS | {"DISCOVER_HOME": str(self.home)}
        for name in ("DISCOVER_ALLOW_PICKLE", "OMP_NUM_THREADS"):
            environment.pop(name, None)
        command = [sys.executable, *self.way, str(self.port)]
        with self.log.open("ab") as sink:
            self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=sink, stderr=subprocess.STDOUT)
        deadline = time.monotonic() + START_SECONDS
        while not healthy(self.url):
            if self.process.poll() is not None or time.monotonic() > deadline:
                pytest.fail(f"The server did not start; its log says:\n{self.log.read_text()}", pytrace=False)
            time.sleep(0.1)

    def stop(self) -> None:
        """As a service manager does: ask, and end it if it does not go."""
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """As a power cut does: the server has no time to say anything."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def check_log(self) -> None:
        """The log must hold no warning and no error."""
        text = self.log.read_text(errors="replace")
        if SUSPICIOUS.search(text):
            pytest.fail(f"The server's log has warnings or errors:\n{text[-8000:]}", pytrace=False)


@contextmanager
def serving(folder: Path, way: tuple[str, ...] = MAKE_RUN) -> Iterator[Server]:
    """A server that is up, ended when it is not needed any more, and its log looked at."""
    server = Server(folder, way)
    try:
        server.start()
        yield server
    finally:
        server.stop()
    server.check_log()


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="session")
def server(app: Server) -> str:
    """The app's address."""
    return app.url


@pytest.fixture(scope="session")
def store(app: Server) -> Iterator[Store]:
    """The server's run store, as another process sees it."""
    store = Store(app.store)
    yield store
    store.engine.dispose()


@pytest.fixture(scope="session")
def solved(app: Server, store: Store) -> str:
    """A run of 200 people that reached its wish, certified. Its id."""
    return put_run(app, store, demo())


def put_run(app: Server, store: Store, scenario: Scenario) -> str:
    """Solve a scenario about German Credit into the server's store from here, so that no browser need wait for it. Its id."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCOVER_HOME", str(app.home))
        runner = Runner(store, ThreadPoolExecutor(1))
        run_id = runner.start(Question("German Credit, 200 people", scenario, data_title="German Credit", model_title="XGBoost"))
        until(store, run_id, lambda run: run.over)
        runner.close()
    return run_id


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = subprocess.run([str(ROOT / "scripts" / "find_chromium.sh")], capture_output=True, text=True, check=False)
    if found.returncode != 0:
        pytest.fail(found.stderr.strip(), pytrace=False)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found.stdout.strip(), args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()


def window(browser: Browser, width: int = 1440, height: int = 900, motion: Motion = "reduce") -> BrowserContext:
    """A browser of its own, as patient as all of the tests. Nothing moves in it: that is the subject of test_moving_chart."""
    context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion=motion)
    context.set_default_timeout(1000 * WAIT)
    context.add_init_script(traffic.LISTEN)
    return context


Visit = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, server: str) -> Iterator[Visit]:
    """Opens an address of the app: in a browser of its own, or in another tab `beside` a page.

    At the end no console may hold an error.
    """
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error" and not PROBE.search(message.location.get("url", "")):
            errors.append(f"{message.text} ({message.location.get('url', '')})")

    def visit(address: str = "", beside: Page | None = None) -> Page:
        if beside is None:
            contexts.append(window(browser))
        page = (contexts[-1] if beside is None else beside.context).new_page()
        page.on("console", heard)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{server}/{address}")
        return page

    yield visit
    for context in contexts:
        context.close()
    assert errors == [], "the browser's console has errors"


@pytest.fixture
def page(visit: Visit) -> Page:
    """The app, opened and settled, in a window of its own."""
    page = visit()
    settle(page)
    return page
