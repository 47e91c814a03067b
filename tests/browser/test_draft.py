"""A scenario being written in a real browser: what it survives, and saving, copying, opening, exporting and importing it."""

import json
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

import discover_core as dc

from .conftest import Visit, settle
from .solving import open_scenario, set_number
from .test_journey import choose_in_cell, go, upload

MAY_CHANGE, DURATION = 0.2, 1  # where the cell is in the editor: across, and its row


def name(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Name")


def check(page: Page, called: str, tau: float, iterations: int) -> None:
    """The draft is as it was left: its name, its target, its lock, its budget."""
    expect(name(page)).to_have_value(called)
    expect(page.get_by_role("spinbutton", name="Threshold")).to_have_value(f"{tau:g}")
    expect(page.get_by_role("spinbutton", name="Iterations", exact=True)).to_have_value(str(iterations))
    expect(page.locator(".st-key-actions-allowed")).to_contain_text("Duration, Credit history")  # among those that stay


def test_a_draft_survives_pages_and_broken_files_and_is_kept(visit: Visit):
    page = open_scenario(visit)
    expect(page.get_by_text("Not saved yet")).to_be_visible()
    name(page).fill("Better terms <b>")
    name(page).press("Enter")
    settle(page)
    set_number(page, "Threshold", 0.45)
    set_number(page, "Iterations", 33)
    choose_in_cell(page, "actions-", MAY_CHANGE, DURATION, "No")
    check(page, "Better terms <b>", 0.45, 33)

    go(page, "Data")
    page.get_by_text("Change the data").click()
    upload(page, "data_upload", "broken.csv", b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    expect(page.get_by_test_id("stAlert").filter(has_text="broken.csv")).to_be_visible()
    go(page, "Scenario")
    check(page, "Better terms <b>", 0.45, 33)

    # saved, copied, changed, and the saved one opened again
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved.", exact=True)).to_be_visible()
    page.get_by_role("button", name="Duplicate").click()
    expect(name(page)).to_have_value("Better terms <b> (copy)")
    expect(page.get_by_text("Not saved yet")).to_be_visible()
    settle(page)
    set_number(page, "Threshold", 0.4)
    check(page, "Better terms <b> (copy)", 0.4, 33)
    page.get_by_test_id("stPopover").filter(has_text="Open").get_by_role("button").click()
    line = page.locator('[class*="st-key-saved-popover-"]').filter(has_text="Better terms <b>")
    expect(line).to_have_count(1)
    line.get_by_role("button", name="Open").click()
    expect(page.get_by_text("Better terms <b> is open.")).to_be_visible()
    settle(page)
    check(page, "Better terms <b>", 0.45, 33)
    expect(page.get_by_text("Saved.", exact=True)).to_be_visible()


def test_an_exported_scenario_comes_back_and_a_broken_one_changes_nothing(visit: Visit):
    page = open_scenario(visit)
    choose_in_cell(page, "actions-", MAY_CHANGE, DURATION, "No")
    set_number(page, "Threshold", 0.45)
    set_number(page, "Iterations", 33)
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    content = Path(download.value.path()).read_bytes()
    assert download.value.suggested_filename == "scenario.json"
    scenario = dc.Scenario.from_dict(json.loads(content))
    assert scenario.to_dict() == json.loads(content)
    assert scenario.target.tau == 0.45
    assert scenario.settings.iterations == 33
    assert scenario.actions["Duration"].mode == "locked"

    set_number(page, "Threshold", 0.4)
    set_number(page, "Iterations", 44)
    page.get_by_role("button", name="Allow all").click()
    expect(page.locator(".st-key-actions-allowed")).to_contain_text("may change freely")
    settle(page)
    bring(page, "mine.json", content)
    expect(page.get_by_text("mine is open.")).to_be_visible()
    settle(page)
    check(page, "mine", 0.45, 33)

    odd = json.dumps({**json.loads(content), "target": {"kind": "nonsense"}}).encode()
    for broken, word in ((b'{"data": ', "broken.json"), (odd, "nonsense")):
        bring(page, "broken.json", broken)
        expect(page.get_by_test_id("stAlert").filter(has_text=word)).to_have_count(1)
        settle(page)
        expect(page.get_by_test_id("stAlertContentError")).to_have_count(1)
        check(page, "mine", 0.45, 33)


def bring(page: Page, file: str, content: bytes) -> None:
    """Import a file; the popover may still be open from the last one."""
    field = page.locator(".st-key-scenario_upload")
    if not field.is_visible():
        page.get_by_test_id("stPopover").filter(has_text="Import").get_by_role("button").click()
    upload(page, "scenario_upload", file, content)
