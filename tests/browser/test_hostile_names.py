"""Pages of somebody else, and names made to break ours: nothing frames the app, nothing in a table runs, nothing is fetched."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, expect

from discover_core.store.store import Store

from .conftest import PROBE, Server, healthy, serving, settle, window
from .hostile import FILE, MARK, TITLE, harm, harm_of_files, put, table
from .solving import eventually, says
from .test_apply import choose_files
from .test_journey import go, upload
from .test_results import VIEWS, look_at


@pytest.fixture
def elsewhere(server: str, tmp_path: Path) -> Iterator[str]:
    """A page of another origin that frames the app. Its address."""
    (tmp_path / "index.html").write_text(f'<h1>Win a prize</h1><iframe src="{server}" width="600" height="400"></iframe>')
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(tmp_path))) as other:
        Thread(target=other.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{other.server_port}"
        other.shutdown()


def test_nobody_frames_the_app(browser: Browser, server: str, elsewhere: str):
    context = window(browser)
    page = context.new_page()
    page.goto(elsewhere)
    expect(page.get_by_role("heading", name="Win a prize")).to_be_visible()
    expect(page.frame_locator("iframe").locator("body")).to_contain_text("refused to connect")
    assert page.frame_locator("iframe").locator("#root").count() == 0
    eventually(lambda: healthy(server), "the server does not answer")  # it was there, and let nobody frame it
    context.close()


@pytest.fixture
def hostile(tmp_path: Path) -> Iterator[tuple[Server, str]]:
    """A server of its own, with a run and a saved scenario about a table of hostile names."""
    with serving(tmp_path) as running:
        store = Store(running.store)
        yield running, put(running.home, store)
        store.engine.dispose()


def test_hostile_names_are_text_on_every_page_and_in_every_file(browser: Browser, hostile: tuple[Server, str], tmp_path: Path):
    server, run_id = hostile
    context = window(browser)
    page = context.new_page()
    errors: list[str] = []
    page.on(
        "console",
        lambda said: errors.append(said.text) if said.type == "error" and not PROBE.search(said.location["url"]) else None,
    )
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("dialog", lambda dialog: (errors.append(f"a dialog: {dialog.message}"), dialog.dismiss()))
    asked: set[str] = set()
    page.on("request", lambda request: asked.add(request.url))
    harms: dict[str, list[str]] = {}

    def look(where: str, *texts: str) -> None:
        for summary in page.locator("details:not([open]) > summary").all():
            if summary.is_visible():
                summary.click()
        settle(page)
        if found := harm(page, *texts) + harm_of_files(page):
            harms[where] = found

    page.goto(f"{server.url}/solve?run={run_id}")
    says(page, "Finished")
    settle(page)
    look("Solve", TITLE)
    go(page, "Data")
    expect(page.get_by_test_id("stMetric").filter(has_text="Rows")).to_contain_text("240")
    look("Data", FILE)
    go(page, "Model")
    look("Model", FILE)
    go(page, "Scenario")
    look("Scenario", FILE)
    go(page, "Results")
    page.locator(".st-key-in-words").wait_for()
    for view in (*VIEWS, "Trade-off", "Policy"):
        look_at(page, view)
        if view == "Policy":
            page.get_by_role("button", name="Prepare the files").click()
            expect(page.get_by_role("button", name="Policy (ZIP)")).to_be_visible()
            settle(page)
        look(f"Results, {view}", TITLE)
    archive = tmp_path / "policy.zip"
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Policy (ZIP)").click()
    waiting.value.save_as(archive)
    go(page, "Apply")
    people = tmp_path / FILE
    table().to_csv(people, index=False)
    choose_files(page, "apply-files", archive)
    choose_files(page, "apply-people", people)
    page.get_by_role("button", name="Apply the policy").click()
    expect(page.locator(".st-key-applied")).to_contain_text("people would change")
    look("Apply")
    go(page, "Overview")
    look("Overview", TITLE, FILE)
    upload(page, "own", people.name, people.read_bytes())
    expect(page.get_by_text("was read: 240 rows")).to_be_visible()
    look("Data of an upload", people.name)
    context.close()
    assert harms == {}
    assert errors == []
    assert {url for url in asked if not url.startswith((f"{server.url}/", "data:", f"blob:{server.url}/"))} == set()
    assert MARK not in server.log.read_text(errors="replace")
