"""Charts in a real browser: nothing offers to send them away, and a picture of one has all it needs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from .conftest import Visit, settle
from .test_journey import go, open_demo

BUTTONS = "plots => plots.map(plot => [...plot.querySelectorAll('.modebar-btn')].map(button => button.dataset.title))"
AWAY = re.compile(r"share|cloud|chart studio|edit", re.IGNORECASE)


# the toolbar


def offers(page: Page) -> list[str]:
    """What the toolbars of all charts of a page offer."""
    settle(page)
    plots = page.locator(".js-plotly-plot")
    expect(plots.first).to_be_visible()
    found = [title for titles in plots.evaluate_all(BUTTONS) for title in titles]
    assert not [title for title in found if AWAY.search(title or "")], page.url
    return found


def test_no_chart_offers_to_send_itself_away(page: Page, visit: Visit, solved: str) -> None:
    open_demo(page, "german_credit", "German Credit")
    for name in ("Data", "Model", "Scenario", "Solve"):
        go(page, name)
        assert offers(page) or name == "Scenario", name
    for address in ("solve", "results"):
        shown = visit(f"{address}?run={solved}")
        shown.locator(".js-plotly-plot, .st-key-in-words").first.wait_for()
        settle(shown)
        if address == "solve":
            assert "Download plot as a PNG" in offers(shown)
            continue
        for view in ("People", "Scores and features", "The search", "Who bears it"):
            shown.get_by_role("radio", name=view).click()
            assert "Download plot" in offers(shown), view


# pictures


@pytest.mark.parametrize("width", [1440, 820])
def test_a_picture_has_a_title_and_its_whole_legend(visit: Visit, solved: str, width: int) -> None:
    page = visit(f"results?run={solved}")
    page.set_viewport_size({"width": width, "height": 900})
    page.locator(".st-key-in-words").wait_for()
    settle(page)
    page.get_by_role("radio", name="Scores and features").click()
    settle(page)
    plot = page.locator('[class*="st-key-result-scores-"] .js-plotly-plot')
    expect(plot.locator(".gtitle")).to_be_hidden()  # the page says it above the chart
    plot.hover()
    with page.expect_download() as download:
        plot.locator('.modebar-btn[data-title="Download plot"]').click()
    alone = visit("")  # the picture as another program shows it, without the page's fonts
    alone.set_content(Path(download.value.path()).read_text(encoding="utf-8"))
    title = alone.locator(".gtitle")
    expect(title).to_be_visible()
    expect(title).to_have_text("Scores of the group: before, after and wanted")
    assert alone.locator(".legendtext").all_text_contents() == ["Before", "After", "Target", "Threshold 0.5", "Confidence band"]
    box, above = alone.locator(".legend .bg").bounding_box(), title.bounding_box()
    assert box is not None
    assert above is not None
    assert box["y"] >= above["y"] + above["height"]
    for name in alone.locator(".legendtext").all():
        text = name.bounding_box()
        assert text is not None
        assert box["x"] <= text["x"]
        assert text["x"] + text["width"] <= box["x"] + box["width"]
