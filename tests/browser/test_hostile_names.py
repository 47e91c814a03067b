"""Pages of somebody else, and names made to break ours: nothing frames the app, nothing in a table runs, nothing is fetched."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, expect

from .conftest import healthy, window


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
    assert healthy(server)  # it was there, and let nobody frame it
    context.close()
