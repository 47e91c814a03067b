"""How the pages feel with 200 features, a group of 20,000 people and 300 iterations: seconds from a click to rest, and the
largest message to the browser. Needs Chromium, as the browser tests do."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
ROWS, NUMBERS, CATEGORIES = 25_000, 150, 50
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]


def table() -> bytes:
    rng = np.random.default_rng(0)
    columns = {f"number {j}": rng.normal(50, 10, ROWS).round(2) for j in range(NUMBERS)}
    columns |= {f"category {j}": rng.choice(["a", "b", "c", "d"], ROWS) for j in range(CATEGORIES)}
    odds = sum((columns[f"number {j}"] - 50) / 10 for j in range(8))
    columns["late"] = np.where(rng.random(ROWS) < 1 / (1 + np.exp(-odds - 3)), "yes", "no")
    return pd.DataFrame(columns).to_csv(index=False).encode()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def rest(page: Page) -> None:
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for(timeout=120_000)


def timed(page: Page, label: str, action: Callable[[], None]) -> None:
    """Seconds until the page has been at rest for 300 ms, those left out."""
    start = time.perf_counter()
    action()
    quiet = time.perf_counter()
    while time.perf_counter() - quiet < 0.3:
        if page.locator('[data-testid="stApp"]').get_attribute("data-test-script-state") != "notRunning":
            quiet = time.perf_counter()
        page.wait_for_timeout(20)
    print(f"  {label:<38} {quiet - start:6.2f} s", flush=True)


def go(page: Page, name: str) -> None:
    page.get_by_test_id("stTopNavLink").filter(has_text=name).click()
    page.wait_for_timeout(100)


def everybody(page: Page, name: str, content: bytes, family: str) -> None:
    """An own table with the outcome “late” is open, its model trained, and the question is about all of it."""
    rest(page)
    page.locator('[class*="st-key-own"] [data-testid="stFileUploaderDropzoneInput"]').set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content}
    )
    page.get_by_text(f"{name} was read").wait_for(timeout=180_000)
    rest(page)
    page.get_by_role("combobox", name="Outcome").click()
    page.keyboard.type("late")
    page.keyboard.press("Enter")
    page.wait_for_timeout(1000)
    rest(page)
    go(page, "Model")
    page.get_by_role("combobox", name="Kind of model").click()
    page.get_by_role("option", name=family).click()
    page.locator(".st-key-train button").click()
    page.get_by_text("is ready. Every row has its score.").wait_for(timeout=300_000)
    rest(page)
    go(page, "Data")
    page.get_by_role("button", name="Everybody, all").click()
    rest(page)


def journey(page: Page, url: str) -> None:
    largest = {"frame": 0}

    def received(data: str | bytes) -> None:
        largest["frame"] = max(largest["frame"], len(data))

    page.on("websocket", lambda socket: socket.on("framereceived", received))
    page.goto(url)
    everybody(page, "wide.csv", table(), "Logistic")
    page.get_by_text("Take a random sample of them").click()
    page.get_by_role("spinbutton", name="Rows").fill("20000")
    page.keyboard.press("Enter")
    page.get_by_text("20,000 rows of them drawn").wait_for(timeout=60_000)
    rest(page)
    print("Scenario, 200 features, 20,000 people")
    timed(page, "open the page, first time", lambda: go(page, "Scenario"))
    page.wait_for_timeout(2000)
    timed(page, "lock the categories", lambda: page.get_by_role("button", name="Lock categories").click())
    find = page.get_by_placeholder("by a part of its name")
    timed(page, "find a feature", lambda: (find.fill("number 1"), page.keyboard.press("Enter"), None)[-1])
    timed(page, "another kind of target", lambda: page.get_by_role("radio", name="Shift and spread").click())
    timed(page, "back to the first kind", lambda: page.get_by_role("radio", name="Reach a threshold").click())
    timed(page, "a preset", lambda: page.get_by_role("radio", name="Paper").click())
    tries = page.get_by_role("spinbutton", name="Tries per iteration")
    timed(page, "40 tries", lambda: (tries.fill("40"), page.keyboard.press("Enter"), None)[-1])
    iterations = page.get_by_role("spinbutton", name="Iterations")
    timed(page, "300 iterations", lambda: (iterations.fill("300"), page.keyboard.press("Enter"), None)[-1])
    timed(page, "another page", lambda: go(page, "Model"))
    timed(page, "open the page again", lambda: go(page, "Scenario"))
    print("Solve")
    timed(page, "open the page", lambda: go(page, "Solve"))
    largest["frame"] = 0
    start = time.perf_counter()
    page.locator(".st-key-solve button").click()
    page.locator(".st-key-run-state").get_by_text("Iteration").wait_for(timeout=120_000)
    print(f"  {'press the button, first chart':<38} {time.perf_counter() - start:6.2f} s", flush=True)
    shown: list[float] = []
    state, last = page.locator(".st-key-run-state"), ""
    while not page.locator(".st-key-run-next").count() and time.perf_counter() - start < 600:
        text = state.inner_text() if state.count() else last
        if text != last:
            last = text
            shown.append(time.perf_counter())
        page.wait_for_timeout(30)
    gaps = np.diff(shown)
    print(
        f"  {len(shown)} updates in {shown[-1] - shown[0]:.0f} s, half of them within {np.median(gaps):.2f} s of the one before"
    )
    page.wait_for_timeout(3000)
    timed(page, "open the what-if", lambda: page.get_by_role("button", name="What if the bounds were").click())
    page.get_by_role("slider").first.focus()
    timed(page, "move a bound", lambda: page.keyboard.press("ArrowRight"))
    print(f"  {'largest message during the run':<38} {largest['frame'] / 1e6:6.2f} MB")


@contextmanager
def serving(home: str) -> Iterator[tuple[str, Browser]]:
    """The app on a data folder, and a browser to visit it."""
    url = f"http://127.0.0.1:{(port := free_port())}"
    chromium = subprocess.run(
        [str(ROOT / "scripts" / "find_chromium.sh")], capture_output=True, text=True, check=True
    ).stdout.strip()
    flags = ["--server.headless=true", "--browser.gatherUsageStats=false", "--server.fileWatcherType=none"]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.address=127.0.0.1", f"--server.port={port}", *flags]
    environment = dict(os.environ, DISCOVER_HOME=home)
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            try:
                if urllib.request.urlopen(f"{url}/_stcore/health", timeout=2).read() == b"ok":
                    break
            except OSError:
                time.sleep(0.1)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            yield url, browser
            browser.close()
    finally:
        server.terminate()
        server.wait(20)


def main() -> None:
    with tempfile.TemporaryDirectory() as home, serving(home) as (url, browser):
        journey(browser.new_page(viewport={"width": 1440, "height": 900}), url)


if __name__ == "__main__":
    main()
