"""A result of 5,000 people, 23 features and 300 iterations: seconds to open it, to draw each figure, and to see the page.

The run is a real one in a store of its own. The browser part needs Chromium, as the browser tests do.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from playwright.sync_api import Page

import discover_core as dc
from benchmarks.pages import go, rest, serving, timed
from discover_core.figures import arrows, bars, dynamics, features, impact, outputs, transition
from discover_core.figures import group_differences as difference_figures
from discover_core.outcome.group_differences import group_differences, grouped, largest_difference
from discover_core.outcome.list_of_changes import changes_table, plan_excel, plan_json, plan_table, search
from discover_core.outcome.run_outcome import RunOutcome
from discover_core.outcome.typical_moves import in_words
from discover_core.problem.targets import Threshold
from discover_core.scenario.question import Question
from discover_core.scenario.sources import SampleTable, TrainedModel
from discover_core.store.files import data_files
from discover_core.store.store import Store
from discover_core.table.write import to_csv
from discover_core.workers.runner import Runner

PEOPLE, ITERATIONS = 5_000, 300
AXES = {"x": "AGE", "y": "LIMIT_BAL"}
VIEWS = ("People", "Scores and features", "The search", "Who bears it", "The plan")


def scenario() -> dc.Scenario:
    sample = dc.load_sample("taiwan_default")
    return dc.Scenario(
        SampleTable("taiwan_default"),
        sample.schema,
        dc.Cohort(sample=PEOPLE),
        TrainedModel("logistic"),
        sample.actions,
        Threshold(0.2, 0.8, "below"),
        dc.Bounds(0.5, 0.05),
        dc.Settings(selection="rowwise", k=50, candidates=5, iterations=ITERATIONS),
    )


def solve(runner: Runner) -> str:
    run_id = runner.start(Question("A large run", scenario(), data_title="Taiwan", model_title="Logistic regression"))
    while not (run := runner.store.run(run_id)).over:
        time.sleep(0.1)
    assert run.state == "finished", run.sentence
    return run_id


def clocked(label: str, make: Callable[[], Any]) -> Any:
    start = time.perf_counter()
    made = make()
    print(f"  {label:<38} {time.perf_counter() - start:6.2f} s", flush=True)
    return made


def drawn(label: str, figure: Callable[[], Any], caption: Callable[[], str], table: Callable[[], pd.DataFrame]) -> None:
    """A figure, its caption, its size on the way to the browser, and its data."""
    start = time.perf_counter()
    made = figure()
    caption()
    took = time.perf_counter() - start
    start = time.perf_counter()
    size = len(made.to_json())
    sent = time.perf_counter() - start
    start = time.perf_counter()
    to_csv(table())
    data = time.perf_counter() - start
    print(f"  {label:<38} {took:6.2f} s, as JSON {sent:.2f} s and {size / 1e6:.2f} MB, its data {data:.2f} s", flush=True)


def library(store: Store, run_id: str) -> None:
    print(f"The library, {PEOPLE:,} people, {ITERATIONS} iterations")
    clocked("open the run", lambda: RunOutcome.open(store, run_id))
    found = clocked("open it again", lambda: RunOutcome.open(store, run_id))
    clocked("in words", lambda: in_words(found))
    clocked("in words, again", lambda: in_words(found))
    plan = clocked("the plan", lambda: plan_table(found))
    print(f"  {len(plan):,} people change, {int(found.changed.sum()):,} cells")
    clocked("search the plan", lambda: search(plan, "limit"))
    clocked("the plan as CSV", lambda: to_csv(changes_table(found)))
    clocked("the plan as Excel", lambda: plan_excel(found))
    clocked("the plan as JSON", lambda: plan_json(found))
    clocked("everybody's distance", lambda: found.distances)
    progress, head = found.progress, found.group
    drawn(
        "bars",
        lambda: bars.bars_figure(found.distances),
        lambda: bars.caption(found.distances),
        lambda: bars.table(found.distances, labels=found.names),
    )
    points = head.layout.encode(head.cells), head.layout.encode(found.cells)
    moved = (found.before, found.after, head.outputs, found.outputs, found.schema)
    planes: dict[str, Any] = {"projected": {"points": points}, "projected, again": {"points": points}, "of two features": AXES}
    for name, axes in planes.items():
        change = arrows.Change(*moved, **axes)
        draw, say, tell = (partial(make, change) for make in (arrows.arrows_figure, arrows.caption, arrows.table))
        drawn(f"arrows, {name}", draw, say, tell)
    shown = (head.outputs, head.target, found.outputs)
    drawn(
        "outputs",
        lambda: outputs.outputs_figure(*shown, band=0.02),
        lambda: outputs.caption(*shown, 0.02),
        lambda: outputs.table(*shown, band=0.02),
    )
    order = clocked("how far each feature moved", lambda: features.moved(found.before, found.after, found.schema))
    for name, _ in order[:2]:
        one = (found.before[name], found.after[name], found.schema[name])
        draw, say, tell = (partial(make, *one) for make in (features.feature_figure, features.caption, features.table))
        drawn(f"feature {name}", draw, say, tell)
    at, matrix = progress.numbers("iteration"), np.array(progress.impact)
    for rows in (30, PEOPLE):
        parts = (at, matrix, progress.selected)
        figure, caption = partial(impact.impact_figure, *parts, rows=rows), partial(impact.caption, *parts, rows=rows)
        drawn(f"impact of {rows:,} people", figure, caption, partial(impact.table, *parts, labels=found.names))
    q, q_x, q_y, eta = (progress.numbers(name) for name in ("q", "q_x", "q_y", "eta"))
    fine = progress.numbers("feasible")
    drawn(
        "transition",
        lambda: transition.transition_figure(at, q, q_x, q_y, fine),
        lambda: transition.caption(at, q_x, q_y, fine),
        lambda: transition.table(at, q, q_x, q_y, fine),
    )
    runs = [dynamics.RunCurves(at, q_x, q_y, q, eta)] * 3
    drawn(
        "dynamics of three runs",
        lambda: dynamics.dynamics_figure(runs),
        lambda: dynamics.caption(runs),
        lambda: dynamics.table(runs),
    )
    raw = clocked("the group's own rows", lambda: found.raw(data_files()))
    groups = grouped(raw["AGE"].reset_index(drop=True), found.schema["AGE"])
    table = clocked("who bears it, the numbers", lambda: group_differences(found, groups))
    difference = clocked("who bears it, the difference", lambda: largest_difference(found, groups, "effort"))
    drawn(
        "who bears it",
        lambda: difference_figures.differences_figure(table, "effort"),
        lambda: difference_figures.caption(table, "effort", difference),
        lambda: difference_figures.table(table),
    )


def opened(page: Page, label: str, action: Callable[[], Any]) -> None:
    """Until the answer is there, and until the page is at rest."""
    start = time.perf_counter()
    action()
    page.locator(".st-key-in-words li").first.wait_for(timeout=120_000)
    page.locator('[data-testid="stDataFrame"]').wait_for(timeout=120_000)
    seen = time.perf_counter() - start
    rest(page)
    print(f"  {label:<38} {seen:6.2f} s until all of it is there, at rest after {time.perf_counter() - start:.2f} s", flush=True)


def pages(run_id: str) -> None:
    print("The page")
    with serving(os.environ["DISCOVER_HOME"]) as (url, browser):
        view = {"width": 1440, "height": 900}
        page = browser.new_context(viewport=view).new_page()
        address = f"{url}/results?run={run_id}"
        page.goto(url)
        rest(page)
        page.wait_for_timeout(1500)
        opened(page, "open it, first time on this server", lambda: page.goto(address))
        page.wait_for_timeout(1500)
        tab = page.context.new_page()
        opened(tab, "open it in another tab", lambda: tab.goto(address))
        tab.close()
        page.wait_for_timeout(1500)
        page = browser.new_page(viewport=view)
        opened(page, "open it in a browser that is new to it", lambda: page.goto(address))
        page.wait_for_timeout(1500)
        opened(page, "reload it", page.reload)
        page.wait_for_timeout(1500)
        go(page, "Solve")
        page.locator(".st-key-run-next").wait_for(timeout=60_000)
        page.wait_for_timeout(1500)
        opened(page, "come back from another page", lambda: go(page, "Results"))
        page.wait_for_timeout(1500)
        for again in ("", ", again"):
            for name in VIEWS:
                timed(page, f"view “{name}”{again}", page.get_by_role("radio", name=name).click)
                page.wait_for_timeout(1000)


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        os.environ["DISCOVER_HOME"] = home
        runner = Runner(Store())
        run_id = clocked("solve (once, not the page's business)", lambda: solve(runner))
        library(runner.store, run_id)
        pages(run_id)
        runner.close()


if __name__ == "__main__":
    main()
