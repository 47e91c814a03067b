"""What the very first visitor of a fresh server waits for: seconds from the request to the Overview, best and median of several
servers, started as `make run` does and by `streamlit run app.py`. Needs Chromium, as the browser tests do."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

from playwright.sync_api import Browser, sync_playwright

from benchmarks.pages import FLAGS, ROOT, free_port

SERVERS = 5
STREAMLIT = ["-m", "streamlit", "run", "app.py", "--server.address=127.0.0.1", "--server.headless=true", "--server.port"]
WAYS = {"make run": ["-m", "discover_dashboard", "serve", "--port"], "streamlit run app.py": STREAMLIT}
PARTS = ("the server answers", "Streamlit's own page", "the Overview's title", "all of the Overview")
IMPORTS = "import time, {0}; before = time.process_time(); import {1}; print(time.process_time() - before)"


def first_visit(browser: Browser, way: list[str]) -> list[float]:
    """Seconds from the start to the first answer; and from the first request to each part of the page."""
    url = f"http://127.0.0.1:{(port := free_port())}"
    with tempfile.TemporaryDirectory() as home:
        start = time.perf_counter()
        server = subprocess.Popen(
            [sys.executable, *way, str(port)],
            cwd=ROOT,
            env=dict(os.environ, DISCOVER_HOME=home),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            while not answers(url):
                time.sleep(0.02)
            seconds = [time.perf_counter() - start]
            page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
            start = time.perf_counter()
            page.goto(url, wait_until="commit")
            for part in ('[data-testid="stApp"]', "h1", "text=Saved scenarios"):
                page.locator(part).first.wait_for(timeout=120_000)
                seconds.append(time.perf_counter() - start)
            page.context.close()
        finally:
            server.terminate()
            server.wait(20)
    return seconds


def answers(url: str) -> bool:
    try:
        return bool(urllib.request.urlopen(f"{url}/_stcore/health", timeout=2).read() == b"ok")
    except OSError:
        return False


def import_seconds(before: str, measured: str) -> float:
    """Seconds of computing that imports cost, whatever else the machine is doing."""
    code = IMPORTS.format(before, measured)
    return min(
        float(subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout)
        for _ in range(3)
    )


def main() -> None:
    found = subprocess.run([str(ROOT / "scripts" / "find_chromium.sh")], capture_output=True, text=True, check=True)
    print(f"{os.cpu_count()} cores, {os.getloadavg()[0]:.1f} processes wanted one in the last minute")
    first = "discover_core.workers.runner, discover_core.outcome.summary, discover_core.table.known"
    seconds = import_seconds("streamlit.web.cli", first), import_seconds(f"streamlit.web.cli, {first}", "ui.model.model_report")
    print("computing that imports cost: {:.2f} s for the first page, {:.2f} s more for the others".format(*seconds))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found.stdout.strip(), args=FLAGS)
        for name, way in WAYS.items():
            visits = [first_visit(browser, way) for _ in range(SERVERS)]
            print(f"{name}: best and median of {SERVERS} fresh servers, each asked as soon as it answers")
            for part, seconds in zip(PARTS, zip(*visits, strict=True), strict=True):
                print(f"  {part:<38} {min(seconds):6.2f} s {statistics.median(seconds):6.2f} s", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
