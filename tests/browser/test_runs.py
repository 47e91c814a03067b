"""Runs that nothing can lose: reload, other tabs, other people, a worker that is killed, a server that is gone."""

import os
import re
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from discover_core.store.store import Store
from discover_core.store.tables import STEPS
from discover_core.workers.limits import cores
from discover_core.workers.runner import Runner

from .conftest import Visit, serving, settle, window
from .solving import (
    LONG,
    ask,
    end_all,
    eventually,
    finishes,
    go_on,
    iteration,
    moves,
    says,
    set_number,
    show,
    shown_run,
    solve,
    stop,
    stored,
)
from .test_journey import go, heading

ROUNDS = 400  # enough to be in the middle when the server goes, few enough to do all of them twice


@pytest.fixture(autouse=True)
def _rest(store: Store) -> Iterator[None]:
    yield
    end_all(store)


def test_reload_another_page_and_a_second_tab_find_the_run_again(visit: Visit, store: Store):
    page = ask(visit, LONG)
    run_id = solve(page)
    before = moves(page)
    page.reload()
    assert moves(page) > before
    assert shown_run(page) == run_id
    go(page, "Data")
    expect(page.locator(".facts")).to_contain_text("German Credit")  # its question is back, too
    settle(page)
    before = stored(store, run_id).done
    show(page, "Solve")
    assert moves(page) > before
    expect(heading(page, "German Credit, 200 people")).to_be_visible()

    tab = visit(page.url.split("/", 3)[3], beside=page)
    says(tab, "Running")
    expect(heading(tab, "German Credit, 200 people")).to_be_visible()
    assert moves(tab) > before
    assert shown_run(tab) == run_id
    stop(tab)
    for each in (tab, page):
        says(each, "Stopped")
        settle(each)
        assert iteration(each) == stored(store, run_id).done


def test_an_address_with_a_made_up_run_gets_one_sentence(visit: Visit):
    page = visit("solve?run=made-up")
    alert = page.get_by_test_id("stAlert")
    expect(alert).to_have_text(re.compile("There is no run with this id"))
    settle(page)
    expect(alert).to_have_count(1)
    assert shown_run(page) is None
    expect(page.get_by_role("link", name="Open a demo")).to_be_visible()


def test_two_people_at_once_see_their_own_runs_only(visit: Visit, store: Store):
    ann, ben = (ask(visit, LONG, demo) for demo in ("german_credit", "compas"))
    runs = [solve(ann), solve(ben)]
    for page, title in ((ann, "German Credit"), (ben, "COMPAS")):
        moves(page)
        expect(page.get_by_role("heading", level=1)).to_contain_text(title)
    assert runs[0] != runs[1]
    assert {stored(store, run).state for run in runs} == {"running"}

    # a second run waits where there are only two cores, and says so
    go(ann, "Scenario")
    set_number(ann, "Seed", 1)
    show(ann, "Solve")
    ann.locator(".st-key-solve button").click()
    expect(ann.get_by_role("button", name="Show")).to_have_count(1)
    if cores() == 2:
        says(ann, "Waiting for one of 2 runs at work to end")
    stop(ann)
    ann.locator(f".st-key-show-{runs[0]} button").click()
    for page, mine, other in ((ann, *runs), (ben, *reversed(runs))):
        moves(page)
        assert shown_run(page) == mine
        assert other not in page.content()
        stop(page)
    assert {stored(store, run).state for run in runs} == {"stopped"}


def test_a_killed_worker_leaves_its_steps_and_a_sentence(visit: Visit, store: Store):
    page = ask(visit, LONG)
    run_id = solve(page)
    moves(page)
    pid = stored(store, run_id).pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    says(page, "Failed")
    settle(page)
    failed = stored(store, run_id)
    assert [step.iteration for step in store.steps(run_id)] == list(range(failed.done + 1))
    alert = page.get_by_test_id("stAlert").filter(has_text="signal 9")
    expect(alert).to_contain_text(f"Everything up to iteration {failed.done} is kept")
    assert iteration(page) == failed.done
    go_on(page)
    assert moves(page, 2) > failed.done
    assert shown_run(page) == run_id
    assert stored(store, run_id).pid not in (None, pid)
    expect(alert).to_have_count(0)


def test_a_server_that_is_killed_and_started_again_continues_to_the_same_bits(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with serving(tmp_path) as server:
        context = window(browser)
        page = context.new_page()

        def visit(address: str) -> Page:
            page.goto(f"{server.url}/{address}")
            return page

        ask(visit, ROUNDS)
        store = Store(server.store)
        page.locator(".st-key-solve button").click()
        eventually(lambda: [run for run, _ in store.unfinished() if run.done > 0], "the run does not start")
        server.kill()  # at once: a page that is still being drawn may be slower than the run
        ((run, _),) = store.unfinished()
        run_id = run.id
        server.start()  # it says so itself of a run whose worker had no time to
        eventually(lambda: stored(store, run_id).state == "stopped", "nobody says that the server was gone")
        visit(f"solve?run={run_id}")
        says(page, "Stopped")
        settle(page)
        halted = stored(store, run_id)
        assert 0 < halted.done < ROUNDS
        expect(page.get_by_test_id("stAlert").filter(has_text="The server was shut down")).to_be_visible()
        assert iteration(page) == halted.done
        go_on(page)
        finishes(page, store)

        # the same question again, in one go
        monkeypatch.setenv("DISCOVER_HOME", str(server.home))
        runner, asked = Runner(store, ThreadPoolExecutor(1)), stored(store, run_id)
        again = runner.start(asked.question)
        eventually(lambda: stored(store, again).over, "the second run does not end", 600)
        runner.close()
        first, second = stored(store, run_id), stored(store, again)
        assert first.done == second.done == ROUNDS
        columns = [c.name for c in STEPS.columns if c.name not in ("run", "seconds")]
        for one, other in zip(store.steps(run_id), store.steps(again), strict=True):
            assert all(getattr(one, name) == getattr(other, name) for name in columns), f"iteration {one.iteration} differs"
        assert store.head(run_id) == store.head(again)
        assert first.summary == second.summary
        store.engine.dispose()
        context.close()
