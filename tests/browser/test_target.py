"""The target builder in a real browser: kinds, dragging, typing, a broken and a good file, and coming back."""

import re

from playwright.sync_api import Locator, Page, expect

from .conftest import settle
from .test_journey import go, open_demo, upload


def choose(page: Page, kind: str) -> None:
    page.get_by_role("radio", name=kind).click()
    settle(page)


def number(page: Page, label: str) -> Locator:
    return (
        page.locator(".st-key-target-numbers").get_by_test_id("stMetric").filter(has_text=label).get_by_test_id("stMetricValue")
    )


def point(page: Page, percent: int) -> Locator:
    return page.get_by_role("slider", name=f"Score that {percent}% of the group should not exceed")


def drag(page: Page, percent: int, by: float) -> None:
    """Take a point with the mouse, move it over the page in steps, let go."""
    dot = point(page, percent).locator(".dot")
    dot.scroll_into_view_if_needed()
    box = dot.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by / 2, y + 20, steps=4)  # up and down makes no difference
    page.mouse.move(x + by, y, steps=4)
    page.mouse.up()
    settle(page)


def value(locator: Locator) -> float:
    return float(locator.get_attribute("aria-valuenow"))


def test_a_target_by_every_kind_and_back_again(page: Page):
    open_demo(page, "german_credit", "German Credit")
    go(page, "Scenario")
    gap, reached, median = (number(page, label) for label in ("Typical gap", "Score at or below 0.5", "Median score"))
    expect(reached).to_have_text("0% → 50%")
    expect(page.get_by_text("(root mean square)")).to_be_visible()

    page.get_by_role("radio", name="Everybody").click()
    expect(reached).to_have_text("0% → 100%")
    page.get_by_role("radio", name="A share of the group").click()
    expect(reached).to_have_text("0% → 50%")

    choose(page, "Shift and spread")
    moved = page.get_by_role("spinbutton", name="Move every score by")
    moved.fill("-0.2")
    moved.press("Enter")
    expect(gap).to_have_text("0.2")
    choose(page, "Look like others")
    expect(page.get_by_text("1,000 of 1,000 rows match")).to_be_visible()
    page.get_by_role("radio", name="All others").click()
    expect(reached).to_have_text("0% → 100%")
    choose(page, "Shift and spread")
    expect(gap).to_have_text("0.2")

    # drawing starts from the target there was; a drag moves the curve, the typed numbers and what is said about them
    choose(page, "Draw your own")
    before = value(point(page, 50))
    said = median.inner_text()
    drag(page, 50, -150)
    after = value(point(page, 50))
    assert after < before - 0.1
    expect(median).not_to_have_text(said)
    expect(median).to_have_text(re.compile(rf"→ {after:g}$"))
    assert float(page.get_by_role("spinbutton", name="50% at or below").input_value()) == after
    assert value(point(page, 35)) <= after <= value(point(page, 65))
    point(page, 50).press("ArrowLeft")
    expect(median).not_to_have_text(re.compile(rf"→ {after:g}$"))
    settle(page)

    typed = page.get_by_role("spinbutton", name="50% at or below")
    typed.fill("0.04")
    typed.press("Enter")
    expect(median).to_have_text(re.compile(r"→ 0\.04$"))
    expect(point(page, 50)).to_have_attribute("aria-valuenow", "0.04")
    expect(page.get_by_role("spinbutton", name="35% at or below")).to_have_value("0.04")  # pushed along

    # a file that cannot be used leaves the target; a good one becomes it
    choose(page, "Upload")
    upload(page, "target-file", "wish.csv", b"score\n0.1\nlow\n")
    expect(page.get_by_test_id("stAlert").filter(has_text="wish.csv")).to_contain_text("“low”")
    expect(median).to_have_text(re.compile(r"→ 0\.04$"))
    upload(page, "target-file", "outside.csv", b"score\n0.1\n7\n")
    expect(page.get_by_test_id("stAlert").filter(has_text="outside.csv")).to_contain_text("between 0 and 1")
    upload(page, "target-file", "good.csv", b"score\n0.1\n0.3\n0.2\n")
    expect(page.get_by_text("3 values from good.csv")).to_be_visible()
    expect(median).to_have_text(re.compile(r"→ 0\.2$"))
    expect(page.get_by_test_id("stAlert").filter(has_text=".csv")).to_have_count(0)
    settle(page)

    go(page, "Model")
    go(page, "Scenario")
    expect(page.get_by_text("3 values from good.csv")).to_be_visible()
    expect(median).to_have_text(re.compile(r"→ 0\.2$"))
    choose(page, "Draw your own")
    expect(median).to_have_text(re.compile(r"→ 0\.04$"))
    choose(page, "Shift and spread")
    expect(moved).to_have_value("-0.2")
