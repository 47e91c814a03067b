"""People by their own names, earlier runs in a new tab, and scenarios that come and go by file, in a real browser."""

import io
import json

import numpy as np
import openpyxl
import pandas as pd
from playwright.sync_api import Page, expect

from discover_core.runs.finished import Finished
from discover_core.runs.store import Store

from .conftest import settle
from .drawn import chart, press, traces
from .solving import MAIN, finishes, set_number, shown_run, solve
from .test_journey import go, upload
from .test_results import look_at

ODD = ["=cmd()", "<img src=x onerror=alert(1)>", "Ann", "Ann", "", "x" * 300]


def clients() -> bytes:
    """A small table with an id, some of them odd."""
    rng = np.random.default_rng(0)
    pull, kind = rng.normal(0, 1, 160).round(3), rng.choice(["a", "b"], 160)
    late = rng.random(160) < 1 / (1 + np.exp(-2 * pull - 2 * (kind == "b")))
    names = [ODD[i] if i < len(ODD) else f"C-{i:04}" for i in range(160)]
    table = pd.DataFrame({"Client id": names, "pull": pull, "kind": kind, "late": np.where(late, "yes", "no")})
    return table.to_csv(index=False).encode()


def open_clients(page: Page) -> None:
    """The table, its outcome, and a model for it."""
    upload(page, "own", "clients.csv", clients())
    expect(page.get_by_text("clients.csv was read: 160 rows.")).to_be_visible(timeout=60_000)
    settle(page)
    choose(page, "Outcome", "late")
    go(page, "Model")
    choose(page, "Kind of model", "Logistic")
    page.locator(".st-key-train button").click()
    expect(page.get_by_text("is ready. Every row has its score.")).to_be_visible(timeout=60_000)
    settle(page)


def choose(page: Page, label: str, option: str) -> None:
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=option).click()
    settle(page)


def test_the_plan_and_the_charts_call_people_by_their_id(page: Page, store: Store):
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    open_clients(page)
    go(page, "Data")
    called = page.get_by_role("combobox", name="People are called by")
    expect(called).to_have_value("Client id")  # guessed, and kept over the choice of another outcome
    expect(page.get_by_text("For example =cmd(), <img src=x onerror=alert(1)>, Ann.")).to_be_visible()
    choose(page, "People are called by", "Row number")
    go(page, "Model")
    go(page, "Data")
    expect(called).to_have_value("Row number")
    choose(page, "People are called by", "Client id")
    go(page, "Scenario")
    set_number(page, "Iterations", 10)
    go(page, "Solve")
    run_id = solve(page)
    finishes(page, store)

    found = Finished.open(store, run_id)
    assert found.scenario.people == "Client id"
    expected = [
        "=cmd()",
        "<img src=x onerror=alert(1)>",
        "Ann (row 3)",
        "Ann (row 4)",
        "Row 5",
        "x" * 30 + "…" + "x" * 29,
        "C-0006",
    ]
    assert found.names[: len(expected)] == expected
    page.get_by_role("button", name="See the results").click()
    page.locator(".st-key-in-words").wait_for()
    look_at(page, "The plan")
    lines = pd.read_csv(io.BytesIO(press(page, "plan-CSV-")), dtype=str)
    place = {int(row) + 1: i for i, row in enumerate(found.head.rows)}
    names = [found.names[place[int(row)]] for row in lines["Row"]]
    assert list(lines["Person"]) == [f"'{name}" if name.startswith("=") else name for name in names]
    book = openpyxl.load_workbook(io.BytesIO(press(page, "plan-Excel-")))
    assert [cell.value for cell in book["Plan"][1]][:2] == ["Person", "Row"]
    assert not any(cell.data_type == "f" for sheet in book for line in sheet.iter_rows() for cell in line)
    told = json.loads(press(page, "plan-JSON-"))["people"]
    assert {(who["person"], who["row"]) for who in told} == set(zip(names, lines["Row"].astype(int), strict=True))
    somebody = next(who["person"] for who in told if who["person"].startswith("C-"))
    search = page.get_by_role("textbox", name="Search the plan")
    search.fill(somebody.lower())
    search.press("Enter")
    expect(page.get_by_text(f"1 person of {len(told)} who change.")).to_be_visible()
    look_at(page, "People")
    hovers = json.dumps(traces(chart(page, "distances")))
    assert somebody in hovers
    assert "<img" not in hovers
    look_at(page, "The search")
    expect(chart(page, "impact").locator(".ytick").filter(has_text="C-0").first).to_be_visible()
    assert dialogs == []
    assert page.locator(f"{MAIN} img[src=x]").count() == 0
    assert shown_run(page) == run_id
