"""A real server and a real Chromium for the browser tests: one of each per test process, a fresh context per test."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60
SETTLE_MS = 60_000
BUSY = '[data-testid="stStatusWidget"], [data-testid="stSkeleton"], [data-testid="stSpinner"]'
SUSPICIOUS = re.compile(r"warning|error|traceback|exception|deprecat", re.IGNORECASE)
SERVER_FLAGS = (
    "--server.address=127.0.0.1",
    "--server.headless=true",
    "--browser.gatherUsageStats=false",
    "--server.fileWatcherType=none",
    "--logger.messageFormat=%(asctime)s %(levelname)s %(message)s",  # the default leaves out that a line is a warning
)
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]

expect.set_options(timeout=20_000)


def settle(page: Page) -> None:
    """Wait until the page has finished its run and nothing is still being drawn."""
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for(timeout=SETTLE_MS)
    expect(page.locator(BUSY)).to_have_count(0, timeout=SETTLE_MS)
    # A click reaches the server a moment later: only a page that stays idle is settled.
    page.wait_for_timeout(250)
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for(timeout=SETTLE_MS)
    expect(page.locator(BUSY)).to_have_count(0, timeout=SETTLE_MS)


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


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app's address. At the end the server's log must hold no warning and no error."""
    url = f"http://127.0.0.1:{(port := free_port())}"
    log = tmp_path_factory.mktemp("server") / "log.txt"
    environment = dict(os.environ, DISCOVER_HOME=str(tmp_path_factory.mktemp("home")))
    environment.pop("DISCOVER_ALLOW_PICKLE", None)
    command = [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={port}", *SERVER_FLAGS]
    with log.open("wb") as sink:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=sink, stderr=subprocess.STDOUT)
    try:
        deadline = time.monotonic() + START_SECONDS
        while not healthy(url):
            if process.poll() is not None or time.monotonic() > deadline:
                pytest.fail(f"The server did not start; its log says:\n{log.read_text()}", pytrace=False)
            time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    text = log.read_text(errors="replace")
    if SUSPICIOUS.search(text):
        pytest.fail(f"The server's log has warnings or errors:\n{text[-8000:]}", pytrace=False)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = subprocess.run([str(ROOT / "scripts" / "find_chromium.sh")], capture_output=True, text=True, check=False)
    if found.returncode != 0:
        pytest.fail(found.stderr.strip(), pytrace=False)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found.stdout.strip(), args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser, server: str) -> Iterator[Page]:
    """The app, opened and settled, in a window of its own. At the end its console must hold no error."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True)
    page = context.new_page()
    errors: list[str] = []
    # Opened at a page's own address, Streamlit first looks for its endpoints below that address, and then at the root.
    probe = re.compile(r"/\w+/_stcore/(health|host-config)$")
    page.on(
        "console",
        lambda m: errors.append(m.text) if m.type == "error" and not probe.search(m.location.get("url", "")) else None,
    )
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(server)
    settle(page)
    yield page
    context.close()
    assert errors == [], "the browser's console has errors"
