"""People by their own names, earlier runs in a new tab, and scenarios that come and go by file, in a real browser."""

import io
import json
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
from playwright.sync_api import Locator, Page, expect

from discover_core.outcome.run_outcome import RunOutcome
from discover_core.scenario.question import Question
from discover_core.store.store import Store
from tests.workers.scenarios import demo

from .conftest import Visit, settle
from .drawn import chart, press, traces
from .solving import MAIN, finishes, open_scenario, set_number, shown_run, solve
from .test_journey import choose, go, upload
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
    """The table, all of its people, its outcome, and a model for it."""
    upload(page, "own", "clients.csv", clients())
    expect(page.get_by_text("clients.csv was read: 160 rows.")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Everybody, all 160 rows").click()
    settle(page)
    choose(page, "Outcome", "late")
    go(page, "Model")
    choose(page, "Kind of model", "Logistic regression")
    page.locator(".st-key-train button").click()
    expect(page.get_by_text("is ready. Every row has its score.")).to_be_visible()
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

    found = RunOutcome.open(store, run_id)
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
    place = {int(row) + 1: i for i, row in enumerate(found.group.rows)}
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


def earlier(page: Page, run_id: str) -> Locator:
    return page.locator(f".st-key-earlier-run-{run_id}")


def keeps(page: Page, runs: list[str]) -> None:
    """Wait until the browser keeps these ids and no others, in whatever order."""
    kept = "JSON.parse(localStorage.getItem('discover-runs') ?? '[]').sort().join()"
    page.wait_for_function(f"runs => {kept} === runs", arg=",".join(sorted(runs)))


def test_a_run_is_found_in_a_new_tab_of_this_browser_and_in_no_other(visit: Visit, solved: str, store: Store):
    page = visit(f"solve?run={solved}")
    page.locator(".st-key-run-next").wait_for()
    settle(page)
    tab = visit(beside=page)
    expect(earlier(tab, solved)).to_contain_text("German Credit, 200 people")
    expect(earlier(tab, solved)).to_contain_text("finished at iteration")
    expect(earlier(tab, solved)).to_contain_text("Reached. Score at or below 0.5: asked 50%")
    settle(tab)
    stranger = visit()
    settle(stranger)
    expect(stranger.get_by_text("Nothing has been run yet.")).to_be_visible()
    expect(earlier(stranger, solved)).to_have_count(0)

    # only ids are kept; one that is no more is dropped without a word, and nonsense does no harm
    keeps(tab, [solved])
    nonsense = [7, "made-up-run-id", "<img src=x>", "x" * 5000, None, solved]
    tab.evaluate("runs => localStorage.setItem('discover-runs', JSON.stringify(runs))", nonsense)
    tab.reload()
    expect(earlier(tab, solved)).to_be_visible()
    settle(tab)
    expect(tab.get_by_test_id("stAlert")).to_have_count(0)
    keeps(tab, [solved])
    for broken in ("{", '{"a": 1}', "null"):
        tab.evaluate("text => localStorage.setItem('discover-runs', text)", broken)
        tab.reload()
        settle(tab)
        expect(tab.get_by_text("Nothing has been run yet.")).to_be_visible()
    tab.evaluate("runs => localStorage.setItem('discover-runs', JSON.stringify(runs))", [solved])
    tab.reload()

    # a row leads to its run; a run that is deleted goes from the list and from what the browser keeps
    earlier(tab, solved).get_by_role("button", name="Show").click()
    tab.locator(".st-key-run-next").wait_for()
    assert shown_run(tab) == solved


def test_many_runs_can_be_searched_and_deleted(visit: Visit, store: Store):
    scenario = demo(5)
    runs = [store.add(Question(f"Run {i} <b>", scenario, data_title="Loans"), "nobody") for i in range(14)]
    for run in runs:
        store.request(run, "stop")
    page = visit()
    settle(page)
    page.evaluate("runs => localStorage.setItem('discover-runs', JSON.stringify(runs))", runs)
    page.reload()
    lines = page.locator('[class*="st-key-earlier-run-"]')
    expect(lines).to_have_count(12)
    expect(page.get_by_text("The last 12 of 14: search to find the others.")).to_be_visible()
    settle(page)
    find = page.get_by_role("textbox", name="Find")
    find.fill("run 3 <B>")
    find.press("Enter")
    expect(lines).to_have_count(1)
    settle(page)
    line = earlier(page, runs[3])
    line.get_by_role("button").last.click()
    line.get_by_role("button", name="Really delete?").click()
    expect(page.get_by_text("None of them has this in it.").first).to_be_visible()
    settle(page)
    assert store.run(runs[3]) is None
    keeps(page, [run for run in runs if run != runs[3]])


def exported(page: Page) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    return Path(download.value.path()).read_bytes()


def call(page: Page, name: str) -> None:
    field = page.get_by_role("textbox", name="Name")
    field.fill(name)
    field.press("Enter")
    settle(page)


def bring(page: Page, content: bytes) -> None:
    page.get_by_test_id("stPopover").filter(has_text="Import a scenario").get_by_role("button").click()
    upload(page, "overview_scenario_upload", "scenario.json", content)


def test_a_scenario_of_a_demo_is_imported_with_its_name_and_nothing_open(visit: Visit):
    page = open_scenario(visit)
    call(page, "Better <i> terms")
    content = exported(page)
    assert json.loads(content)["name"] == "Better <i> terms"
    other = visit()
    settle(other)
    bring(other, content)
    expect(other.get_by_text("Better <i> terms is open.")).to_be_visible()
    settle(other)
    expect(other.get_by_role("textbox", name="Name")).to_have_value("Better <i> terms")


def test_a_scenario_of_an_own_table_asks_for_the_table(page: Page, visit: Visit):
    open_clients(page)
    go(page, "Scenario")
    call(page, "Ours")
    content = exported(page)
    assert json.loads(content)["people"] == "Client id"
    other = visit()
    settle(other)
    bring(other, content)
    asked = other.locator(".st-key-import-table")
    expect(asked).to_contain_text(
        "Ours is about the table “clients.csv”, which is not open. Its columns are Client id, pull, kind, late."
    )
    settle(other)
    upload(other, "import_table", "wrong.csv", b"pull,city\n" + b"1.5,Ulm\n2.5,Bonn\n" * 20)
    expect(other.get_by_test_id("stAlert")).to_contain_text("“wrong.csv” is another table: it lacks Client id, kind, late.")
    settle(other)
    upload(other, "import_table", "clients.csv", clients())
    expect(other.get_by_text("Ours is open.")).to_be_visible()
    settle(other)
    expect(asked).to_have_count(0)
    expect(other.get_by_role("textbox", name="Name")).to_have_value("Ours")
    expect(other.locator(".facts")).to_contain_text("clients.csv · 160 rows")
    go(other, "Data")
    expect(other.get_by_role("combobox", name="People are called by")).to_have_value("Client id")


def test_what_is_said_about_saving_never_contradicts_itself(visit: Visit):
    page = open_scenario(visit)
    call(page, "Said once")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved.", exact=True)).to_be_visible()
    page.get_by_role("button", name="Duplicate").click()
    expect(page.get_by_text("Not saved yet")).to_be_visible()
    settle(page)
    assert page.get_by_test_id("stAlert").filter(has_text="saved").count() == 0
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved.", exact=True)).to_be_visible()
    call(page, "Said twice")
    expect(page.get_by_text("Changed since it was saved.")).to_be_visible()
    settle(page)
    assert page.get_by_test_id("stAlert").filter(has_text="saved").count() == 0
