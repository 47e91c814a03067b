"""One row to go by: the journey. Back and Forward lead through pages and runs, and the address finds them again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from discover_core.store.store import Store

from .conftest import Visit, settle
from .solving import finishes, open_scenario, set_number, shown_run, solve
from .test_journey import go, heading, open_demo

ROW = ["Overview", "Data", "Model", "Scenario", "Solve", "Results", "Apply"]


def row(page: Page):
    return page.get_by_test_id("stTopNavLink")


def icons(page: Page) -> list[str]:
    return row(page).get_by_test_id("stIconMaterial").all_inner_texts()


def here(page: Page, name: str) -> None:
    """The page is `name`, by its address, in the row, and nowhere else in it."""
    expect(page.locator('[data-testid="stTopNavLink"][aria-current="page"]')).to_have_text(re.compile(rf"{name}$"))
    expect(page).to_have_url(re.compile(rf"//[^/]+/{'' if name == 'Overview' else name.lower()}(\?|$)"))
    settle(page)


def test_the_journey_is_the_only_row_and_ticks_what_is_done(page: Page):
    expect(row(page)).to_have_count(7)
    assert [link.aria_snapshot().splitlines()[0] for link in row(page).all()] == [f'- link "{name}":' for name in ROW]
    assert icons(page) == ["home", *(f"counter_{number}" for number in range(1, 6)), "group_add"]
    for name in ROW:
        expect(page.get_by_role("link", name=name, exact=True)).to_have_count(1)
    open_demo(page, "german_credit", "German Credit")
    here(page, "Data")
    assert icons(page) == ["home", "check_circle", "check_circle", "counter_3", "counter_4", "counter_5", "group_add"]


def test_back_and_forward_pass_every_page_once(page: Page):
    open_demo(page, "german_credit", "German Credit")
    page.get_by_role("link", name="Go on to the model").click()
    here(page, "Model")
    go(page, "Scenario")
    set_number(page, "Iterations", 3)
    page.get_by_role("link", name="Go on to solve").click()
    here(page, "Solve")
    run_id = solve(page)
    page.get_by_role("button", name="See the results").click()
    here(page, "Results")
    for name in ("Solve", "Scenario", "Model", "Data", "Overview"):
        page.go_back()
        here(page, name)
    for name in ("Data", "Model", "Scenario", "Solve", "Results"):
        page.go_forward()
        here(page, name)
    assert shown_run(page) == run_id
    assert "demo=german_credit" in page.url


def test_back_shows_the_run_before(visit: Visit, store: Store):
    page = open_scenario(visit)
    set_number(page, "Iterations", 3)
    go(page, "Solve")
    first = solve(page)
    finishes(page, store)
    go(page, "Scenario")
    set_number(page, "Iterations", 4)
    go(page, "Solve")
    assert shown_run(page) == first
    second = solve(page)
    finishes(page, store)
    assert second != first
    go(page, "Results")

    def shows(name: str, run_id: str, iterations: int) -> None:
        here(page, name)
        expect(page).to_have_url(re.compile(rf"[?&]run={run_id}\b"))  # the address follows a moment later
        if name == "Solve":
            expect(page.locator(".st-key-run-state")).to_contain_text(f"of {iterations}")

    shows("Results", second, 4)
    page.go_back()
    shows("Solve", second, 4)
    page.go_back()
    shows("Solve", first, 3)
    page.reload()
    settle(page)
    shows("Solve", first, 3)
    page.go_forward()
    shows("Solve", second, 4)

    # a run chosen on Overview is one step, too
    go(page, "Overview")
    page.locator(f".st-key-show-run-{first} button").click()
    shows("Solve", first, 3)
    page.go_back()
    here(page, "Overview")
    page.go_back()
    shows("Solve", second, 4)


def test_back_to_another_demo_brings_its_data_back(page: Page):
    open_demo(page, "german_credit", "German Credit")
    go(page, "Overview")
    open_demo(page, "german_credit_10", "German Credit, 10 columns")
    page.go_back()
    here(page, "Overview")
    page.go_back()
    here(page, "Data")
    expect(heading(page, "German Credit")).to_be_visible()
    assert page.url.partition("?")[2] == "demo=german_credit"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_keyboard_shows_where_it_is(page: Page, scheme: str):
    page.emulate_media(color_scheme=scheme)
    page.reload()
    settle(page)
    for name in ROW:
        for _ in range(20):
            if page.evaluate("document.activeElement.dataset.testid") == "stTopNavLink" and name in page.evaluate(
                "document.activeElement.innerText"
            ):
                break
            page.keyboard.press("Tab")
        style = page.evaluate(
            "(({outlineStyle, outlineWidth, outlineColor}) => [outlineStyle, outlineWidth, outlineColor])"
            "(getComputedStyle(document.activeElement))"
        )
        assert style == ["solid", "3px", "rgb(47, 134, 234)"], name
    page.keyboard.press("Enter")
    here(page, "Apply")


@pytest.mark.parametrize("width", [1280, 853, 820, 768])
def test_nothing_of_the_header_is_cut(visit: Visit, solved: str, width: int):
    page = visit(f"results?run={solved}")
    page.set_viewport_size({"width": width, "height": 720})
    settle(page)
    page.get_by_text("For experts").click()
    expect(page.get_by_test_id("stMetric").first).to_be_visible()
    for name, link in zip(ROW, row(page).all(), strict=True):
        box, menu = link.bounding_box(), page.get_by_test_id("stMainMenu").bounding_box()
        assert box["height"] > 0, name
        assert box["x"] + box["width"] <= menu["x"], name
    main = page.get_by_test_id("stMain")
    assert main.evaluate("e => e.scrollWidth <= e.clientWidth")
    assert page.get_by_role("heading", level=1).bounding_box()["y"] <= 90
    hides = "e => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== 'visible'"
    texts = page.locator('[data-testid="stMetric"] *, [data-testid="stTopNav"] *, .facts')
    assert texts.evaluate_all(f"all => all.filter({hides}).map(e => e.innerText)") == []


def test_on_a_phone_the_journey_is_behind_a_button(page: Page):
    page.set_viewport_size({"width": 600, "height": 900})
    settle(page)
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Data").click()
    settle(page)
    expect(heading(page, "Data")).to_be_visible()
    assert page.get_by_test_id("stMain").evaluate("e => e.scrollWidth <= e.clientWidth")
