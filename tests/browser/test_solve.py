"""The Solve page in a real browser: from a demo to a certified result, pause, stop, other bounds, and a zoom that stays."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import func, select

from discover_core.outcome.summary import Summary
from discover_core.store.run_progress import RunProgress
from discover_core.store.store import Store
from discover_core.store.tables import RUNS

from .conftest import Visit, settle
from .solving import (
    CHART,
    LONG,
    ask,
    end_all,
    finishes,
    iteration,
    moves,
    press_until,
    said,
    says,
    shown_run,
    solve,
    stop,
    stored,
)
from .test_journey import go, heading, open_demo

NOW = f"JSON.stringify(document.querySelector('{CHART}').data.find(trace => trace.name === 'Now'))"
RANGE = f"document.querySelector('{CHART}')._fullLayout.xaxis.range"
LARGEST = 2_000_000  # bytes of a message to the browser


@pytest.fixture(autouse=True)
def _rest(store: Store) -> Iterator[None]:
    yield
    end_all(store)


def test_the_demo_from_overview_to_a_certified_result(page: Page, store: Store):
    messages: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda content: messages.append(len(content))))
    page.reload()
    settle(page)
    open_demo(page, "german_credit", "German Credit")
    go(page, "Scenario")
    for section in ("Who may change what", "What outcome", "How close, how sure", "Search budget"):
        expect(heading(page, section)).to_be_visible()
    page.get_by_role("link", name="Go on to solve").click()
    settle(page)
    before = len(messages)
    run_id = solve(page)
    drawn, first = page.evaluate(NOW), iteration(page)
    if first < 30:  # on a busy machine a run may be at its end before its page is drawn
        assert moves(page) > first
        page.wait_for_function(f"drawn => {NOW} !== drawn", arg=drawn)

    finishes(page, store)
    progress = RunProgress.open(store, run_id)
    answer = Summary.from_json(progress.run.summary)
    assert answer is not None
    assert answer.certified
    cells, _ = progress.iterate(answer.iteration)
    movers = int((cells != progress.head.cells).any(axis=1).sum())
    assert 0 < movers < 200
    verdict = page.locator(".st-key-verdict").get_by_test_id("stAlertContentInfo")
    expect(verdict).to_contain_text("Reached. Score at or below 0.5: asked 50%, reached 50%, before 0%.")
    expect(verdict).to_contain_text(
        "In-sample certificate (as in the paper): We are 95% sure that the group still looks like itself"
    )
    assert answer.audit is not None
    expect(page.locator(".st-key-audit")).to_contain_text(answer.audit.audits[0].share.sentence)
    expect(page.locator(".st-key-question")).to_contain_text(
        "Change the group of 200 people so that 50% of the scores are at most 0.5"
    )
    page.get_by_text("Details of the certificate").click()
    expect(page.get_by_text(answer.sentence)).to_be_visible()
    done, since = stored(store, run_id).done, int(progress.numbers("feasible").argmax())
    expect(page.get_by_text(f"The run finished after iteration {done}, when nothing moved any more.")).to_contain_text(
        f"{movers} of 200 people change. Both limits were within their bounds first at iteration {since}."
    )
    assert iteration(page) == done < 100
    assert len(messages) > before
    assert max(messages) < LARGEST

    page.get_by_role("button", name="See the results").click()
    page.locator(".st-key-in-words").wait_for()
    settle(page)
    told = said(page)
    assert answer.verdict.sentence in told
    assert answer.verdict.certificate in told
    page.reload()
    page.locator(".st-key-in-words").wait_for()
    settle(page)
    assert said(page) == told, "the address alone shows what the tab of the run showed"


def test_pause_nothing_moves_resume_and_stop(visit: Visit, store: Store):
    page = ask(visit, LONG)
    run_id = solve(page)
    moves(page)
    press_until(page, "Pause", "Paus")
    says(page, "Paused")
    paused = stored(store, run_id)
    assert paused.state == "paused"
    assert iteration(page) == paused.done
    page.wait_for_timeout(1500)  # there is nothing to wait for: nothing is to happen
    assert stored(store, run_id) == paused
    assert iteration(page) == paused.done

    press_until(page, "Resume", "Running")
    assert moves(page, 2) > paused.done
    stop(page)
    settle(page)
    stopped = stored(store, run_id)
    assert stopped.state == "stopped"
    assert paused.done < stopped.done < LONG
    assert iteration(page) == stopped.done
    assert [step.iteration for step in store.steps(run_id)] == list(range(stopped.done + 1))
    page.get_by_text("Details of the certificate").click()
    expect(page.get_by_text(f"The run stopped at iteration {stopped.done:,}")).to_be_visible()
    expect(page.get_by_test_id("stAlert").filter(has_text="failed")).to_have_count(0)
    expect(page.get_by_role("button", name="Continue from here")).to_be_visible()


def test_other_bounds_over_the_same_iterates(visit: Visit, store: Store):
    page = ask(visit, 15)
    run_id = solve(page)
    finishes(page, store)
    with store.engine.connect() as connection:
        count = connection.execute(select(func.count()).select_from(RUNS)).scalar_one()
    progress = RunProgress.open(store, run_id)
    ucl_x, ucl_y = progress.numbers("ucl_x"), progress.numbers("ucl_y")
    told = page.get_by_test_id("stAlert").filter(has_text="would have been within both bounds")
    expect(told).to_have_count(0)
    page.get_by_role("button", name="What if the bounds were").click()
    slider = page.get_by_role("slider", name="Inputs may differ by (U_x)")
    slider.press("Home")
    expect(told).to_contain_text("With U_x 0,")
    expect(told).to_contain_text("0 of 16 iterations")
    slider.press("End")
    within = (ucl_x <= float(slider.get_attribute("max"))) & (ucl_y <= progress.scenario.bounds.u_y)
    expect(told).to_contain_text(f"{within.sum()} of 16 iterations")
    scores = page.get_by_role("slider", name="Scores may differ by (U_y)")
    scores.press("End")
    expect(told).to_contain_text("16 of 16 iterations would have been within both bounds, the first at iteration 0.")
    scores.press("ArrowLeft")
    settle(page)
    scores.press("Home")
    expect(told).to_contain_text("0 of 16 iterations")
    with store.engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(RUNS)).scalar_one() == count
    assert shown_run(page) == run_id
    assert stored(store, run_id).done == 15


def test_a_zoom_survives_live_updates(visit: Visit, store: Store):
    page = ask(visit, LONG)
    page.emulate_media(reduced_motion="no-preference")  # the line glides from one update to the next
    solve(page)
    chart = page.locator(CHART)
    chart.scroll_into_view_if_needed()
    moves(page)
    whole = page.evaluate(RANGE)
    page.evaluate(f"document.querySelector('{CHART}').marked = true")
    box = chart.locator(".nsewdrag").first.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 0.2 * box["width"], box["y"] + 0.2 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.8 * box["height"], steps=5)
    page.mouse.up()
    page.wait_for_function(f"whole => {RANGE}[0] !== whole[0]", arg=whole)
    zoomed, drawn = page.evaluate(RANGE), page.evaluate(NOW)
    assert whole[0] < zoomed[0] < zoomed[1] < whole[1]
    moves(page, 2)
    page.wait_for_function(f"drawn => {NOW} !== drawn", arg=drawn)
    assert page.evaluate(RANGE) == zoomed
    assert page.evaluate(f"document.querySelector('{CHART}').marked") is True
    assert page.evaluate("document.querySelectorAll('.st-key-live-outputs .js-plotly-plot').length") == 1
