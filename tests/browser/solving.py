"""What the tests of runs share: asking, starting, and looking at a run both on the page and in the store."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, TimeoutError, expect

from discover_core.store.run import Run
from discover_core.store.store import Store

from .conftest import WAIT, Visit, settle
from .test_journey import choose, go

STATE = ".st-key-run-state"
CHART = ".st-key-live-outputs .js-plotly-plot"
ITERATION = re.compile(r"Iteration ([\d,]+) of")
MAIN = '[data-testid="stMain"]'
LONG = 200_000  # iterations that last until somebody stops them


def ask(visit: Visit, iterations: int, demo: str = "german_credit") -> Page:
    """A demo opened by its address, at the button, with so many small iterations: nothing ends them before they are done,
    as a search for the least change per person would be once nobody is left to help."""
    page = open_scenario(visit, demo)
    page.get_by_role("radio", name="Quick look").click()
    settle(page)
    choose(page, "What is taken from an iteration", "Each person’s own best version")
    set_number(page, "People per iteration (k)", 2)
    set_number(page, "Tries per iteration", 5)
    set_number(page, "Iterations", iterations)
    go(page, "Solve")
    return page


def open_scenario(visit: Visit, demo: str = "german_credit") -> Page:
    """The Scenario page of a demo, opened by its address."""
    page = visit(f"scenario?demo={demo}")
    expect(page.get_by_text("its model is trained")).to_be_visible()
    settle(page)
    return page


def set_number(page: Page, label: str, value: float) -> None:
    field = page.get_by_role("spinbutton", name=label, exact=True)
    for _ in range(3):  # a page that is drawn anew while one types shows its own number again
        field.fill(str(value))
        page.keyboard.press("Enter")
        settle(page)
        if field.input_value() == f"{value:g}":
            break
    expect(field).to_have_value(re.compile(rf"^{value:g}$"))
    settle(page)  # its own part of the page is drawn first, and then the rest


def solve(page: Page) -> str:
    """Press the button and wait for the first chart. The run's id, which is in the address."""
    before = shown_run(page)
    page.locator(".st-key-solve button").click()
    page.wait_for_function("id => (new URL(location)).searchParams.get('run') !== id", arg=before)
    says(page, ITERATION)
    page.locator(CHART).wait_for()
    return str(shown_run(page))


def go_on(page: Page) -> None:
    page.get_by_role("button", name="Continue from here").click()


def show(page: Page, name: str) -> None:
    """Go to a page that is never idle, because a run is followed there."""
    page.get_by_test_id("stTopNavLink").filter(has_text=name).click()


def shown_run(page: Page) -> str | None:
    return parse_qs(urlsplit(page.url).query).get("run", [None])[0]


def stop(page: Page) -> None:
    press_until(page, "Stop", "Stopp")
    says(page, "Stopped")


def press_until(page: Page, name: str, words: str) -> None:
    """Press a button of a run until the run obeys: one that is drawn anew under the pointer may miss a click."""
    for _ in range(4):
        with suppress(TimeoutError):  # a run that obeyed meanwhile has no such button any more
            page.get_by_role("button", name=name, exact=True).click(timeout=1000 * WAIT / 4)
        with suppress(AssertionError):
            says(page, words, WAIT / 4)
            return
    says(page, words)


def says(page: Page, words: str | re.Pattern[str], seconds: float = WAIT) -> None:
    expect(page.locator(STATE)).to_contain_text(words, timeout=1000 * seconds)


def finishes(page: Page, store: Store) -> None:
    """Wait for the end of the run in the address: the page itself may for a moment still show the one before."""
    run_id = str(shown_run(page))
    eventually(lambda: stored(store, run_id).state == "finished", "the run does not finish", 2 * WAIT)
    says(page, "Finished")
    settle(page)


def said(page: Page) -> str:
    """All that a page says from its title on."""
    title = page.get_by_role("heading", level=1).inner_text()
    return title + page.locator(MAIN).inner_text().partition(title)[2]


def iteration(page: Page) -> int:
    """The iteration that the page shows."""
    says(page, ITERATION)
    found = ITERATION.search(page.locator(STATE).inner_text())
    assert found is not None
    return int(found[1].replace(",", ""))


def moves(page: Page, times: int = 1) -> int:
    """Wait until the page shows another iteration, so many times. The last one."""
    for _ in range(times):
        expect(page.locator(STATE)).not_to_contain_text(f"Iteration {iteration(page):,} of")
    return iteration(page)


def eventually(condition: Callable[[], Any], otherwise: str, seconds: float = WAIT) -> None:
    """Wait for what no page shows."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, otherwise
        time.sleep(0.05)


def stored(store: Store, run_id: str) -> Run:
    run = store.run(run_id)
    assert run is not None
    return run


def end_all(store: Store) -> None:
    """Stop whatever is still at work, and wait until it has obeyed."""
    for run, _ in store.unfinished():
        store.request(run.id, "stop")
    eventually(lambda: not store.unfinished(), "a run does not stop")
