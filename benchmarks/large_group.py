"""How the pages feel with a group of 100,000 people and 20 features: seconds from a click to rest, before, during and after a
personal search with limits and a rule. Needs Chromium, as the browser tests do."""

from __future__ import annotations

import tempfile
import time

import numpy as np
import pandas as pd
from playwright.sync_api import Page

from benchmarks.pages import everybody, go, rest, serving, timed

ROWS, NUMBERS, CATEGORIES = 100_000, 14, 6


def table() -> bytes:
    rng = np.random.default_rng(0)
    columns = {f"number {j}": rng.normal(50, 10, ROWS).round(1) for j in range(NUMBERS)}
    columns |= {f"category {j}": rng.choice(["a", "b", "c", "d"], ROWS) for j in range(CATEGORIES)}
    odds = sum((columns[f"number {j}"] - 50) / 10 for j in range(5)) + (columns["category 0"] == "a") + 2
    columns["late"] = np.where(rng.random(ROWS) < 1 / (1 + np.exp(-odds)), "yes", "no")
    return pd.DataFrame(columns).to_csv(index=False).encode()


def type_into(page: Page, label: str, text: str) -> None:
    page.get_by_role("spinbutton", name=label, exact=True).fill(text)
    page.keyboard.press("Enter")


def ask(page: Page) -> None:
    print(f"Scenario, {ROWS:,} people, 20 features")
    timed(page, "open the page, first time", lambda: go(page, "Scenario"))
    page.wait_for_timeout(3000)
    timed(page, "lock the categories", lambda: page.get_by_role("button", name="Lock categories").click())
    timed(page, "allow them again", lambda: page.get_by_role("button", name="Allow all", exact=True).click())
    timed(page, "another kind of target", lambda: page.get_by_role("radio", name="Shift and spread").click())
    timed(page, "back to the first kind", lambda: page.get_by_role("radio", name="Reach a threshold").click())
    timed(page, "at most 20,000 people", lambda: type_into(page, "At most so many people", "20000"))
    timed(page, "at most 2 features each", lambda: type_into(page, "Features per person, at most", "2"))
    page.get_by_role("textbox", name="A new rule").fill("number 0 <= number 1 + 40")
    timed(page, "a rule", lambda: page.get_by_role("button", name="Add", exact=True).click())
    timed(page, "another page", lambda: go(page, "Model"))
    timed(page, "open the page again", lambda: go(page, "Scenario"))


def solve(page: Page) -> None:
    print("Solve")
    timed(page, "open the page", lambda: go(page, "Solve"))
    start = time.perf_counter()
    page.locator(".st-key-solve button").click()
    page.locator(".st-key-run-state").get_by_text("Iteration").wait_for(timeout=300_000)
    print(f"  {'press the button, first chart':<38} {time.perf_counter() - start:6.2f} s", flush=True)
    page.locator(".st-key-run-state").get_by_text("Finished").wait_for(timeout=900_000)
    print(f"  {'to the end of the run':<38} {time.perf_counter() - start:6.2f} s", flush=True)
    rest(page)
    print(f"  {page.locator('.st-key-run-state').inner_text()!r}")


def look(page: Page) -> None:
    print("Results")
    timed(page, "open the page, first time", lambda: page.get_by_role("button", name="See the results").click())
    page.wait_for_timeout(3000)
    for view in ("Trade-off", "People", "Scores and features", "Who bears it", "The plan", "Trade-off"):
        timed(page, f"view {view}", lambda view=view: page.get_by_role("radio", name=view, exact=True).click())
        page.wait_for_timeout(500)
    page.get_by_role("slider", name="People in the plan").focus()
    timed(page, "one person fewer", lambda: page.keyboard.press("ArrowLeft"))


def main() -> None:
    with tempfile.TemporaryDirectory() as home, serving(home) as (url, browser):
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(url)
        everybody(page, "many.csv", table(), "XGBoost")
        ask(page)
        solve(page)
        look(page)


if __name__ == "__main__":
    main()
