"""Limits of the plan and rules between columns in a real browser: asked for, kept, and a smaller plan without a new run."""

import io
import json

import openpyxl
import pandas as pd
from playwright.sync_api import Page, expect

import discover_core as dc
from discover_core.outcome.run_outcome import RunOutcome
from discover_core.store.store import Store

from .conftest import Visit, settle
from .drawn import chart as drawn_chart
from .drawn import click_at, press, traces
from .solving import finishes, open_scenario, said, set_number, shown_run, solve
from .test_journey import choose, go
from .test_people import exported
from .test_results import look_at

RULE = "Credit amount <= 500 * Duration"


def write(page: Page, label: str, text: str) -> None:
    field = page.get_by_role("textbox", name=label, exact=True)
    field.fill(text)
    field.press("Enter")
    settle(page)


def move_to(page: Page, people: int) -> None:
    """Move the slider along the trade-off from its left end, by the keyboard."""
    thumb = page.get_by_role("slider", name="People in the plan")
    thumb.focus()
    page.keyboard.press("Home")
    for _ in range(people):
        page.keyboard.press("ArrowRight")
    settle(page)
    expect(thumb).to_have_value(str(people))


def test_at_most_ten_people_and_two_features_each(visit: Visit, store: Store):
    page = open_scenario(visit)
    set_number(page, "At most so many people", 10)
    expect(
        page.get_by_text("About 100 people have to change for this outcome, but at most 10 may: at best 5% of the group")
    ).to_be_visible()
    set_number(page, "Features per person, at most", 2)
    nothing = page.get_by_text("“Effort in all, at most”: with 0 nobody could change, so it counts as no limit.")
    set_number(page, "Effort in all, at most", 0)
    expect(nothing).to_be_visible()
    set_number(page, "Effort in all, at most", 500)
    expect(nothing).to_have_count(0)
    go(page, "Solve")
    solve(page)
    finishes(page, store)
    found = RunOutcome.open(store, str(shown_run(page)))
    assert 0 < len(found.movers) <= 10
    assert found.changed.sum(axis=1).max() <= 2
    go(page, "Results")
    assert "at most 10 people, at most 2 features each" in said(page)
    look_at(page, "Trade-off")
    last = len(found.movers)
    curve = traces(drawn_chart(page, "tradeoff-people"))[2]
    assert curve["customdata"][-1] == last
    expect(page.get_by_text(f"{last} people of {last} who change, first helped first.")).to_be_visible()
    expect(page.get_by_text("The limit of 10 people is used up.")).to_be_visible()

    move_to(page, 3)
    expect(page.get_by_text(f"3 people of {last} who change, first helped first.")).to_be_visible()
    expect(page.get_by_text("Score at or below 0.5: 1.5% with 3 people")).to_be_visible()
    expect(page.get_by_test_id("stMetric").filter(has_text="Takes")).to_contain_text("effort")
    rows = pd.read_csv(io.BytesIO(press(page, "plan-CSV-tradeoff-")))
    helped = [int(found.group.rows[person]) + 1 for person in found.order[:3]]
    assert set(rows["Row"]) == set(helped)
    plan = json.loads(press(page, "plan-JSON-tradeoff-"))
    assert {person["row"] for person in plan["people"]} == set(helped)
    sheets = openpyxl.load_workbook(io.BytesIO(press(page, "plan-Excel-tradeoff-")))
    assert sheets["Plan"].max_row == 1 + 3

    click_at(page, "tradeoff-people", 5, curve["y"][5])
    expect(page.get_by_text(f"5 people of {last} who change, first helped first.")).to_be_visible()
    move_to(page, 2)
    click_at(page, "tradeoff-people", 5, curve["y"][5])  # where it was clicked before
    expect(page.get_by_text(f"5 people of {last} who change, first helped first.")).to_be_visible()
    page.get_by_role("radio", name="Effort in all").click()
    settle(page)
    here = traces(drawn_chart(page, "tradeoff-effort"))[3]
    assert abs(here["x"][0] - found.effort[found.order[:5]].sum()) < 1e-6


def test_a_rule_between_two_columns_is_kept_by_the_plan(visit: Visit, store: Store):
    page = open_scenario(visit)
    write(page, "A new rule", RULE)
    rules = page.locator(".st-key-column-rules")
    expect(rules.get_by_text("of 200 people.")).to_contain_text("Holds back")
    expect(rules.get_by_text("break it today")).to_be_visible()
    expect(page.get_by_role("textbox", name="A new rule")).to_have_value("")

    write(page, "A new rule", "Credit amount <= Durration")
    expect(rules.get_by_text("which is no feature of the table")).to_be_visible()
    expect(rules.get_by_role("textbox", name="Rule 1", exact=True)).to_have_value(RULE)
    expect(rules.get_by_role("textbox", name="Rule 2", exact=True)).to_have_value("Credit amount <= Durration")
    write(page, "Rule 2", "Credit amount > 500 * Duration")  # against the first one
    expect(page.get_by_text("contradict each other within the ranges of their columns")).to_be_visible()
    write(page, "Rule 2", "Credit amount <= 260")
    expect(rules.get_by_text("All 200 people break it today")).to_be_visible()
    write(page, "Rule 2", "Credit amount <= Durration")
    go(page, "Solve")
    expect(page.get_by_text("which is no feature of the table")).to_be_visible()
    go(page, "Scenario")
    write(page, "Rule 2", "if Housing = rent then Duration <= 60")  # corrected where it stands
    expect(rules.get_by_text("which is no feature of the table")).to_have_count(0)
    rules.locator('[class*="st-key-no-rule-"]').last.locator("button").first.click()
    settle(page)
    expect(rules.get_by_role("textbox", name="Rule 2", exact=True)).to_have_count(0)

    go(page, "Solve")
    solve(page)
    finishes(page, store)
    found = RunOutcome.open(store, str(shown_run(page)))
    assert found.scenario.rules == (RULE,)
    movers, names = found.movers, found.schema.feature_names
    amount, months = (names.index(name) for name in ("Credit amount", "Duration"))
    assert len(movers)
    after, changed = found.cells[movers], found.changed[movers]
    bound = changed[:, [amount, months]].any(axis=1)
    assert (after[bound, amount] <= 500 * after[bound, months]).all()
    go(page, "Results")
    assert "1 rule between columns" in said(page)
    page.get_by_text("The whole question").click()
    expect(page.get_by_text("Rules between columns").last).to_be_visible()


def test_limits_go_where_the_scenario_goes(visit: Visit):
    page = open_scenario(visit)
    row = int(pd.Series(dc.Scenario.from_dict(json.loads(exported(page))).problem().rows.index)[4])
    set_number(page, "Effort per person, at most", 1.5)
    write(page, "Must not be touched", f"Row {row + 1}, nobody")
    expect(page.get_by_text("Nobody in the group is called “nobody”")).to_be_visible()
    choose(page, "Help first those with the highest …", "Age")
    write(page, "A new rule", RULE)
    go(page, "Data")
    go(page, "Scenario")  # what was understood is kept, what was not is gone
    expect(page.get_by_role("textbox", name="Must not be touched")).to_have_value(f"Row {row + 1}")
    page.get_by_role("button", name="Duplicate").click()
    settle(page)
    scenario = dc.Scenario.from_dict(json.loads(exported(page)))
    assert scenario.budget == dc.Budget(effort=1.5, untouched=(row,), first="Age")
    assert scenario.rules == (RULE,)
    expect(page.get_by_role("spinbutton", name="Effort per person, at most")).to_have_value("1.5")
    page.get_by_role("button", name="Save", exact=True).click()
    settle(page)
    expect(page.get_by_text("Saved.")).to_be_visible()
    set_number(page, "Effort per person, at most", 3)
    page.locator(".st-key-open-popover button").first.click()
    page.locator('[class*="st-key-open-popover-"] button').first.click()
    expect(page.get_by_text("is open.")).to_be_visible()
    settle(page)
    back = dc.Scenario.from_dict(json.loads(exported(page)))
    assert (back.budget, back.rules) == (scenario.budget, scenario.rules)
    expect(page.get_by_role("textbox", name="Must not be touched")).to_have_value(f"Row {row + 1}")
    expect(page.get_by_role("textbox", name="Rule 1", exact=True)).to_have_value(RULE)
