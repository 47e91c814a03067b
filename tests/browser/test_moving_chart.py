"""A live chart in a real browser: a line that glides to its new shape, a replay, and a height that fits the window."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from ui.app.chart import LIBRARY

from .conftest import Server, serving, settle, window
from .moving_chart import BEFORE, STEPS

PLOT = ".st-key-moving .js-plotly-plot"
GLIDE, REPLAY = 350, 4000  # milliseconds
# Time stands still for whoever asks for the next frame, until the test lets it go on.
HELD = """
    const request = requestAnimationFrame, cancel = cancelAnimationFrame;
    window.waiting = new Map();
    window.held = false;
    let last = -1;
    window.requestAnimationFrame = work => {
        if (!held) return request(work);
        waiting.set(--last, work);
        return last;
    };
    window.cancelAnimationFrame = id => waiting.delete(id) || cancel(id);
    window.tick = time => {
        const now = [...waiting.values()];
        waiting.clear();
        now.forEach(work => work(time));
    };
"""
# The moving line as it is on the screen, and as Plotly draws the same figure elsewhere.
LINE = f"""() => {{
    const plot = document.querySelector('{PLOT}');
    return plot.querySelector(`.trace${{plot._fullData[3].uid}} path.js-line`).getAttribute('d');
}}"""
FRESH = f"""async () => {{
    const plot = document.querySelector('{PLOT}'), place = document.createElement('div');
    document.body.append(place);
    await Plotly.newPlot(place, JSON.parse(JSON.stringify(plot.data)), JSON.parse(JSON.stringify(plot.layout)));
    const line = place.querySelector(`.trace${{place._fullData[3].uid}} path.js-line`).getAttribute('d');
    Plotly.purge(place);
    place.remove();
    return line;
}}"""
AXES = f"""() => {{
    const {{xaxis, yaxis}} = document.querySelector('{PLOT}')._fullLayout;
    return [xaxis, yaxis].map(axis => [axis.p2c(0), axis.p2c(1)]);
}}"""


# the moving line


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The page with nothing but a live chart. Streamlit serves files from beside the script."""
    folder = tmp_path_factory.mktemp("chart")
    (folder / "static").mkdir()
    shutil.copyfile(LIBRARY, folder / "static" / "plotly.min.js")
    script = shutil.copyfile(Path(__file__).with_name("moving_chart.py"), folder / "moving_chart.py")
    with serving(folder, ("-m", "streamlit", "run", str(script), "--server.port")) as running:
        yield running


@pytest.fixture
def moving(alone: Server, browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """That page in a window of 1280 x 720, its frames in the test's hands."""
    wanted = {"width": 1280, "height": 720, "motion": "no-preference"} | getattr(request, "param", {})
    context = window(browser, **wanted)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.add_init_script(HELD)
    page.goto(alone.url)
    settle(page)
    page.locator(PLOT).wait_for()
    yield page
    context.close()
    assert errors == []


def advance(page: Page, step: int) -> None:
    """Bring the next scores, and wait until the plot has them."""
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text(f"Step {step}", exact=True)).to_be_visible()
    page.wait_for_function(
        f"wanted => document.querySelector('{PLOT}')._fullData[3].x.some(value => Math.abs(value - wanted) < 1e-12)",
        arg=float(STEPS[step][5]),
    )


def curve(page: Page) -> tuple[np.ndarray, np.ndarray]:
    """The line on the screen as scores and shares, a point at the head of each of its steps."""
    path = page.evaluate(LINE)
    (x0, x1), (y0, y1) = page.evaluate(AXES)
    at, points = [0.0, 0.0], []
    for kind, numbers in re.findall(r"([MLHV])([^MLHV]*)", path):
        values = [float(number) for number in numbers.split(",")]
        if kind in "ML":
            at = values
        else:
            at["HV".index(kind)] = values[0]
        points.append(tuple(at))
    x, y = np.array(points).T
    return x0 + x * (x1 - x0), y0 + y * (y1 - y0)


def quantiles(page: Page, shares: np.ndarray) -> np.ndarray:
    """The least score on the screen's line that each share of the people has at most."""
    x, y = curve(page)
    return np.array([x[y >= share - 0.002].min() for share in shares])


SHARES = (np.arange(40) + 0.5) / 40  # the middle of each person's step


def test_a_line_glides_to_its_new_shape_and_ends_exactly_there(moving: Page) -> None:
    assert moving.evaluate(LINE) == moving.evaluate(FRESH)
    np.testing.assert_allclose(quantiles(moving, SHARES), STEPS[0], atol=0.004)
    moving.evaluate(f"document.querySelector('{PLOT} .main-svg').same = true")
    moving.evaluate("held = true")
    advance(moving, 1)
    np.testing.assert_allclose(quantiles(moving, SHARES), STEPS[0], atol=0.004)  # it has not begun to move
    moving.evaluate("tick(1000)")
    moving.evaluate(f"tick(1000 + {GLIDE / 2})")
    np.testing.assert_allclose(quantiles(moving, SHARES), (STEPS[0] + STEPS[1]) / 2, atol=0.004)
    moving.evaluate(f"tick(1000 + {GLIDE})")
    assert moving.evaluate(LINE) == moving.evaluate(FRESH)
    np.testing.assert_allclose(quantiles(moving, SHARES), STEPS[1], atol=0.004)
    assert moving.evaluate("waiting.size") == 0, "nothing moves when nothing changes"
    assert moving.evaluate(f"document.querySelector('{PLOT} .main-svg').same"), "redrawn in place, not made anew"


def test_updates_that_come_too_fast_do_not_pile_up(moving: Page) -> None:
    moving.evaluate("held = true")
    advance(moving, 1)
    moving.evaluate("tick(1000)")
    moving.evaluate(f"tick(1000 + {GLIDE / 2})")
    between = (STEPS[0] + STEPS[1]) / 2
    advance(moving, 2)
    assert moving.evaluate("waiting.size") == 1
    np.testing.assert_allclose(quantiles(moving, SHARES), between, atol=0.008)  # on from where the line is
    moving.evaluate("tick(2000)")
    moving.evaluate(f"tick(2000 + {GLIDE / 2})")
    np.testing.assert_allclose(quantiles(moving, SHARES), (between + STEPS[2]) / 2, atol=0.008)
    moving.evaluate(f"tick(2000 + {GLIDE})")
    assert moving.evaluate(LINE) == moving.evaluate(FRESH)


def test_a_zoom_survives_and_is_not_disturbed(moving: Page) -> None:
    moving.evaluate("held = true")
    advance(moving, 1)
    moving.evaluate("tick(1000)")
    moving.evaluate(f"Plotly.relayout(document.querySelector('{PLOT}'), {{'xaxis.range': [0.4, 0.8]}})")
    zoomed = moving.evaluate(LINE)
    moving.evaluate("tick(1100)")
    assert moving.evaluate(LINE) == zoomed == moving.evaluate(FRESH)
    assert moving.evaluate("waiting.size") == 0


@pytest.mark.parametrize("moving", [{"width": 1280, "height": 720, "motion": "reduce"}], indirect=True)
def test_who_wants_no_motion_sees_none(moving: Page) -> None:
    moving.evaluate("held = true")
    advance(moving, 1)
    assert moving.evaluate(LINE) == moving.evaluate(FRESH)
    assert moving.evaluate("waiting.size") == 0


def test_a_replay_plays_all_of_it_and_ends_at_the_figure(moving: Page) -> None:
    button = moving.get_by_role("button", name="Replay")
    for step in range(1, len(STEPS)):
        expect(button).to_have_count(0)
        advance(moving, step)
    expect(button).to_be_visible()
    moving.wait_for_function(f"fresh => ({LINE})() === fresh", arg=moving.evaluate(FRESH))
    end, label = moving.evaluate(LINE), moving.locator(".live-replay span")
    moving.evaluate("held = true")
    button.focus()
    moving.keyboard.press("Enter")
    np.testing.assert_allclose(quantiles(moving, SHARES), BEFORE, atol=0.004)
    expect(label).to_have_text("iteration 0")
    moving.evaluate("tick(1000)")
    moving.evaluate(f"tick(1000 + {REPLAY} * 2 / 5)")  # five frames, and the figure itself
    expect(label).to_have_text("iteration 2")
    np.testing.assert_allclose(quantiles(moving, SHARES), STEPS[2], atol=0.004)
    moving.evaluate(f"tick(1000 + {REPLAY})")
    assert moving.evaluate(LINE) == end
    expect(label).to_have_text("")
    assert moving.evaluate("waiting.size") == 0
    box, plot = button.bounding_box(), moving.locator(PLOT).bounding_box()
    assert box is not None
    assert plot is not None
    assert box["y"] + box["height"] <= plot["y"], "the button covers neither legend nor toolbar"


# the height


def edges(plot: Locator) -> tuple[float, float]:
    box = plot.bounding_box()
    assert box is not None
    return box["y"], box["y"] + box["height"]


def test_the_height_follows_the_window(moving: Page) -> None:
    plot = moving.locator(PLOT)

    def fits(height: float) -> None:
        moving.wait_for_function(
            f"wanted => Math.abs(document.querySelector('{PLOT}')._fullLayout.height - wanted) <= 1", arg=height
        )

    top, _ = edges(plot)
    fits(720 - top - 24)
    assert edges(plot)[1] <= 720 - 23
    moving.set_viewport_size({"width": 1280, "height": 1400})
    fits(560)
    moving.set_viewport_size({"width": 1280, "height": 200})
    fits(220)
    moving.set_viewport_size({"width": 853, "height": 480})
    fits(max(220, 480 - top - 24))
    moving.evaluate("document.querySelector('[data-testid=\"stMain\"]').scrollTo(0, 150)")
    advance(moving, 1)
    fits(max(220, 480 - top - 24))
    moving.set_viewport_size({"width": 1280, "height": 720})
    moving.evaluate("document.querySelector('[data-testid=\"stMain\"]').scrollTo(0, 0)")
    moving.get_by_text("A long text above the chart").click()
    moving.get_by_text("A line of text").wait_for()
    settle(moving)
    lower, _ = edges(plot)
    assert lower > top
    fits(720 - lower - 24)


@pytest.mark.parametrize("moving", [{"width": 853, "height": 480}, {"width": 500, "height": 480}], indirect=True)
def test_the_legend_stays_clear_of_the_curves(moving: Page) -> None:
    edge = moving.evaluate(
        f"""() => {{
            const box = name => document.querySelector('{PLOT} ' + name).getBoundingClientRect();
            return [box('.main-svg').top, box('.legend').top, box('.legend').bottom, box('.nsewdrag').top];
        }}"""
    )
    assert edge[0] <= edge[1] < edge[2] <= edge[3] + 1
