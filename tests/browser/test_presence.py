"""A job of a page waits for a place, says so, and ends when its tab was closed."""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.faults.process_tree import children, fork_server

from .conftest import WAIT, serving, settle, window
from .solving import eventually
from .test_journey import open_demo


def workers(server: int) -> list[int]:
    """The processes that are forked from the fork server of this server."""
    parent = fork_server(server)
    return [] if parent is None else children(parent)


def test_a_job_whose_tab_was_closed_ends_and_the_next_one_has_its_place(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DISCOVER_JOBS", "1")
    monkeypatch.setenv("STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL", "2")
    with serving(tmp_path) as server:
        context = window(browser)
        first = context.new_page()
        first.goto(server.url)
        open_demo(first, "german_credit", "German Credit")  # what jobs are forked from is loaded
        assert server.process is not None
        asked = context.new_page()
        server_pid = server.process.pid
        eventually(lambda: not workers(server_pid), "the first job does not end")
        with ThreadPoolExecutor(1) as pool:  # the job may be over before the page is there
            held_job = pool.submit(held, server_pid)
            asked.goto(f"{server.url}/?demo=adult")
            job = held_job.result()
        waiting = context.new_page()
        waiting.goto(f"{server.url}/?demo=compas")
        expect(waiting.get_by_text("Waiting for a place: next in line")).to_be_visible()
        last = context.new_page()
        last.goto(f"{server.url}/?demo=compas")
        expect(last.get_by_text("Waiting for a place: 1 other before this one")).to_be_visible()
        last.locator(".st-key-stop_job button").click()
        expect(last.get_by_text("was stopped. Nothing else has changed.")).to_be_visible()
        assert os.path.exists(f"/proc/{job}")
        asked.close()
        expect(waiting.get_by_text("its model is trained")).to_be_visible()
        assert not os.path.exists(f"/proc/{job}")
        settle(waiting)
        context.close()


def held(server: int) -> int:
    """The next worker, stopped so that its job lasts."""
    end = time.monotonic() + WAIT
    while not (found := workers(server)):
        assert time.monotonic() < end, "no job begins"
        time.sleep(0.005)
    os.kill(found[0], signal.SIGSTOP)
    return found[0]
