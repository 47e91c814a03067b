"""The very first request to a fresh server: nobody ever sees the names of our files."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from .conftest import MAKE_RUN, ROOT, STREAMLIT, serving, settle, window
from .test_journey import heading, open_demo

WATCH = """
window.seen = [];
new MutationObserver(() => {
  for (const link of document.querySelectorAll('[data-testid^="stSidebar"], [data-testid="stTopNavLink"]')) {
    const what = `${link.dataset.testid}: ${link.innerText.trim().split("\\n").pop()}`;
    if (!window.seen.includes(what)) window.seen.push(what);
  }
}).observe(document, { childList: true, subtree: true, characterData: true });
"""


@pytest.mark.parametrize(("way", "address"), [(STREAMLIT, ""), (STREAMLIT, "solve?run=made-up"), (MAKE_RUN, "")])
def test_a_fresh_server_never_lists_our_files(browser: Browser, tmp_path: Path, way: tuple[str, ...], address: str):
    with serving(tmp_path, way) as server:
        context = window(browser)
        page = context.new_page()
        page.add_init_script(WATCH)
        page.goto(f"{server.url}/{address}")
        expect(heading(page, "Solve" if address else "Change the outlook of a whole group")).to_be_visible()
        settle(page)
        links = [f"stTopNavLink: {name}" for name in ("Overview", "Data", "Model", "Scenario", "Solve", "Results", "Apply")]
        assert page.evaluate("window.seen") == links
        if way == MAKE_RUN:  # its workers are there, too
            open_demo(page, "german_credit", "German Credit")
        context.close()


def test_make_run_starts_what_is_tested_here():
    assert f"$(IN_VENV) {' '.join(MAKE_RUN)} " in (ROOT / "Makefile").read_text(encoding="utf-8")
