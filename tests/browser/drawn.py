"""Charts as the browser has them: what they draw, people selected in them by mouse, and files that buttons give."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np
from playwright.sync_api import Locator, Page, expect

from .conftest import settle
from .solving import eventually

# Places of the plot's corners on the page, and where its axes begin and end.
FRAME = """plot => {
    const box = plot.querySelector('.nsewdrag').getBoundingClientRect(), layout = plot._fullLayout;
    return {x: box.x, y: box.y, width: box.width, height: box.height, across: layout.xaxis.range, up: layout.yaxis.range};
}"""


def chart(page: Page, name: str) -> Locator:
    plot = page.locator(f'[class*="st-key-result-{name}-"] .js-plotly-plot')
    expect(plot).to_be_visible()
    return plot


def traces(plot: Locator) -> list[dict[str, Any]]:
    """What Plotly draws, its packed numbers unpacked."""
    return [unpacked(trace) for trace in json.loads(plot.evaluate("plot => JSON.stringify(plot.data)"))]


def unpacked(part: Any) -> Any:
    if isinstance(part, dict) and "bdata" in part:
        values = np.frombuffer(base64.b64decode(part["bdata"]), dtype=part["dtype"])
        shape = [int(size) for size in str(part.get("shape", len(values))).split(",")]
        return values.reshape(shape).tolist()
    return {name: unpacked(inner) for name, inner in part.items()} if isinstance(part, dict) else part


def in_view(page: Page, name: str) -> Locator:
    """A chart, brought to where neither the page's header nor its edge hides a part of it."""
    plot = chart(page, name)
    plot.evaluate("plot => plot.scrollIntoView({block: 'center'})")
    return plot


def click_at(page: Page, name: str, x: float, y: float) -> None:
    """Click on a place given by the chart's axes."""
    plot = in_view(page, name)
    frame = plot.evaluate(FRAME)
    (left, right), (bottom, top) = frame["across"], frame["up"]
    across = frame["x"] + frame["width"] * (x - left) / (right - left)
    down = frame["y"] + frame["height"] * (top - y) / (top - bottom)

    def sees_it() -> bool:
        """Plotly looks 20 times a second what is under the pointer: a click is for what it has found there."""
        page.mouse.move(across - 3, down)
        page.mouse.move(across, down)
        page.wait_for_timeout(100)
        return bool(plot.evaluate("plot => plot._hoverdata?.length"))

    eventually(sees_it, f"nothing is found at {x}, {y} of {name}")
    page.mouse.click(across, down)
    settle(page)


def draw_box(page: Page, name: str, left: float, right: float) -> tuple[float, float]:
    """Draw a box over shares of the plot's width and all its height, by mouse. Where it begins and ends on the axis."""
    plot = in_view(page, name)
    plot.hover()
    plot.locator('.modebar-btn[data-title="Box Select"]').click()
    frame = plot.evaluate(FRAME)
    x = [frame["x"] + share * frame["width"] for share in (left, right)]
    page.mouse.move(x[0], frame["y"] + 2)
    page.mouse.down()
    page.mouse.move(sum(x) / 2, frame["y"] + frame["height"] / 2)
    page.mouse.move(x[1], frame["y"] + frame["height"] - 2)
    page.mouse.up()
    settle(page)
    start, end = frame["across"]
    return start + left * (end - start), start + right * (end - start)


def select_box(page: Page, name: str, left: float, right: float) -> set[int]:
    """Draw a box. The people who have a mark in it."""
    drawn = traces(chart(page, name))  # afterwards the chart is drawn anew
    low, high = draw_box(page, name, left, right)
    people: set[int] = set()
    for trace in drawn:
        if (trace["type"] == "bar" or "markers" in trace["mode"]) and trace.get("customdata"):
            marks = zip(trace["x"], trace["customdata"], strict=True)
            people |= {int(who) for at, who in marks if who is not None and at is not None and low <= at <= high}
    return people


def press(page: Page, key: str) -> bytes:
    """The file that a download button gives."""
    with page.expect_download() as download:
        page.locator(f'[class*="st-key-{key}"] button').first.click()  # a button with a help text is there twice
    with open(download.value.path(), "rb") as file:
        return file.read()
