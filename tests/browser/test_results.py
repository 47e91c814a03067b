"""The Results page in a real browser: the sentence, people picked in charts, the plan taken away, every figure's numbers."""

import io
import json
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from discover_core.figures.text import amount
from discover_core.outcome.list_of_changes import plan_table
from discover_core.outcome.other_method import other_method
from discover_core.outcome.run_outcome import RunOutcome
from discover_core.store.store import Store

from .conftest import Visit, settle
from .drawn import chart, press, select_box, traces
from .solving import finishes, shown_run
from .test_journey import upload

VIEWS = ("The plan", "People", "Scores and features", "The search", "Who bears it")


@pytest.fixture
def found(store: Store, solved: str) -> RunOutcome:
    return RunOutcome.open(store, solved)


@pytest.fixture
def result(visit: Visit, solved: str) -> Page:
    """The result by its address, in a browser that has seen nothing else."""
    page = visit(f"results?run={solved}")
    page.locator(".st-key-in-words").wait_for()
    settle(page)
    return page


def look_at(page: Page, view: str) -> None:
    page.get_by_role("radio", name=view).click()
    settle(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)


def listed(page: Page) -> set[int]:
    """The people the plan lists, by their rows in the table."""
    return set(pd.read_csv(io.BytesIO(press(page, "plan-CSV-")))["Row"])


def people_words(number: int) -> str:
    return f"{number:,} {'person' if number == 1 else 'people'}"


def changes_of(found: RunOutcome) -> list[tuple[int, str, Any, Any]]:
    """Every changed cell by the stored tables alone: row, feature, before, after."""
    before, after, rows = found.before, found.after, found.group.rows
    return [
        (int(rows[i]) + 1, name, before[name].iloc[i], after[name].iloc[i])
        for i in range(len(before))
        for name in before.columns
        if before[name].iloc[i] != after[name].iloc[i]
    ]


def test_people_picked_in_a_chart_are_alone_in_the_plan(result: Page, found: RunOutcome):
    rows, movers = found.group.rows + 1, set(found.movers.tolist())
    everybody = f"{people_words(len(movers))} of {len(movers)} who change."
    look_at(result, "People")
    for name, left, right in (("distances", 0.02, 0.62), ("arrows", 0.0, 0.5)):
        people = select_box(result, name, left, right)
        assert 0 < len(people & movers) < len(movers)
        expect(result.get_by_text(f"{people_words(len(people))} of 200 marked")).to_be_visible()
        look_at(result, "The plan")
        expect(result.get_by_text(f"{people_words(len(people & movers))} of {len(movers)} who change.")).to_be_visible()
        assert listed(result) == {int(rows[person]) for person in people & movers}
        look_at(result, "People")
    result.get_by_role("button", name="Show everybody").click()
    expect(result.get_by_text("marked", exact=False).filter(has_text="of 200")).to_have_count(0)
    look_at(result, "The plan")
    expect(result.get_by_text(everybody)).to_be_visible()
    assert listed(result) == {int(rows[person]) for person in movers}


def test_search_effort_and_a_line_marked_everywhere(result: Page, found: RunOutcome):
    plan, search = plan_table(found), result.get_by_role("textbox", name="Search the plan")
    feature = changes_of(found)[0][1]
    effort = result.get_by_role("spinbutton", name="Effort at least")
    for wish, least in ((feature.upper(), 0.0), ("no such thing", 0.0), ("", float(plan["Effort"].median().round(1)))):
        for field, value in ((search, wish), (effort, f"{least:.2f}")):
            field.fill(value)
            field.press("Enter")
            settle(result)
        wanted = [
            wish.lower() in f"{line.Person} {line.Row} {line.Changes}".lower() and line.Effort >= least
            for line in plan.itertuples()
        ]
        expect(result.get_by_text(f"{people_words(sum(wanted))} of {len(plan)} who change.")).to_be_visible()
    assert 0 < sum(wanted) < len(plan)
    person = int(plan.index[0])
    grid = result.get_by_test_id("stDataFrame")
    grid.scroll_into_view_if_needed()
    result.wait_for_timeout(500)
    box = grid.bounding_box()
    assert box is not None
    mark = result.get_by_role("button", name="Mark 1 person everywhere")
    result.mouse.click(box["x"] + 18, box["y"] + 35 * 1.5)
    expect(mark).to_be_visible()
    search.fill(str(plan["Person"].iloc[1]))  # another list: its first line is somebody else
    search.press("Enter")
    expect(mark).to_have_count(0)
    search.fill("")
    search.press("Enter")
    settle(result)
    result.mouse.click(box["x"] + 18, box["y"] + 35 * 1.5)
    mark.click()
    expect(result.get_by_text("1 person of 200 marked")).to_be_visible()
    settle(result)
    assert listed(result) == {int(found.group.rows[person]) + 1}

    look_at(result, "People")
    bars = traces(chart(result, "distances"))[0]
    assert [who for who, bright in zip(bars["customdata"], bars["marker"]["opacity"], strict=True) if bright == 1] == [person]
    for view, name, trace in (("People", "arrows", "Marked"), ("Scores and features", "scores", "Marked")):
        look_at(result, view)
        marked = next(drawn for drawn in traces(chart(result, name)) if drawn.get("name") == trace)
        assert set(marked["customdata"]) == {person}


def test_the_plan_taken_away_is_the_stored_result(result: Page, found: RunOutcome):
    changes = changes_of(found)
    table = pd.read_csv(io.BytesIO(press(result, "plan-CSV-")), keep_default_na=False)
    told = list(zip(table["Row"], table["Feature"], table["Before"], table["After"], strict=True))
    assert_same(told, changes)
    sheets = pd.read_excel(io.BytesIO(press(result, "plan-Excel-")), sheet_name=None, keep_default_na=False)
    lines = sheets["Changes"]
    assert_same(list(zip(lines["Row"], lines["Feature"], lines["Before"], lines["After"], strict=True)), changes)
    plan = json.loads(press(result, "plan-JSON-"))
    told = [(who["row"], one["feature"], one["before"], one["after"]) for who in plan["people"] for one in who["changes"]]
    assert_same(sorted(told, key=lambda cell: [row for row, *_ in changes].index(cell[0])), changes)
    place = {int(row) + 1: i for i, row in enumerate(found.group.rows)}
    for who in plan["people"]:
        assert who["score_after"] == found.outputs[place[who["row"]]]
        assert who["score_before"] == found.group.outputs[place[who["row"]]]
    assert list(sheets["Plan"]["Row"]) == [who["row"] for who in plan["people"]]


def assert_same(told: list[tuple[Any, ...]], changes: list[tuple[int, str, Any, Any]]) -> None:
    """The same cells; a file's number may come back as text where its column has text, too."""
    assert len(told) == len(changes)
    for (row, feature, *cells), (person, name, *values) in zip(told, changes, strict=True):
        assert (row, feature) == (person, name)
        assert [type(value)(cell) for cell, value in zip(cells, values, strict=True)] == values


def test_every_view_opens_and_every_figure_gives_its_numbers(result: Page, found: RunOutcome):
    tables: dict[str, pd.DataFrame] = {}
    for view in VIEWS:
        look_at(result, view)
        for at in result.locator('[class*="st-key-result-"]').all():
            name = re.search(rf"st-key-result-(\S+)-{found.progress.run.id}", at.get_attribute("class") or "")[1]
            chart(result, name)
            tables[name] = pd.read_csv(io.BytesIO(press(result, f"data-result-{name}-")))
        if view == "People":
            choose_a_size(result, "Purpose")
    everybody = {"arrows", "distances", "impact"}
    assert everybody | {"scores", "transition", "dynamics", "differences"} < set(tables)
    for name in everybody:
        assert sorted(tables[name]["Person"]) == sorted(found.names)
    assert tables["distances"]["Squared distance"].mean() == pytest.approx(found.distances.sum())
    assert set(np.flatnonzero(tables["arrows"]["Changes"] == "yes")) == set(found.movers)
    usual = tables["unusual"].set_index("Person").loc[[found.names[person] for person in found.movers]]
    assert np.allclose(usual.to_numpy(), np.column_stack([found.usual_before, found.usual_after])[found.movers])
    assert any(heading.startswith("Across before: mostly ") for heading in tables["arrows"])
    for line, scores in (("Before", found.group.outputs), ("After", found.outputs)):
        part = tables["scores"][tables["scores"]["Line"] == line].set_index("Person")
        assert np.allclose(part.loc[found.names, "Score"], scores)
    done = found.progress.done
    assert list(tables["impact"].filter(like="Impact at").columns) == [f"Impact at iteration {t}" for t in range(done + 1)]
    for name, heading, number in (("transition", "OT(x)", "q_x"), ("dynamics", "eta", "eta")):
        own = tables[name].head(done + 1)  # other seeds come after
        assert np.allclose(own[heading], found.progress.numbers(number))
    assert tables["differences"].set_index("Group").loc["Everybody", "People who change"] == len(found.movers)
    changed = {feature for _, feature, *_ in changes_of(found)}
    features = [table for name, table in tables.items() if name.startswith("feature-")]
    assert len(features) > 1
    for table in features:
        named = table["Feature"][0] if "Category" in table else table.columns[1].removesuffix(" before").partition(" (")[0]
        assert named in changed
        assert len(table) == len(found.names) or table["People after"].sum() == len(found.names)


def choose_a_size(page: Page, feature: str) -> None:
    """A feature without an order has no size to offer; whoever asks for it must not see an error."""
    page.get_by_role("combobox", name="Size").click()
    page.keyboard.type(feature)
    page.keyboard.press("Enter")
    settle(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    chart(page, "arrows")


def test_another_methods_rows_are_drawn_beside_the_run(result: Page, found: RunOutcome):
    look_at(result, "People")
    result.get_by_text("Compare with another method").click()
    settle(result)
    group = pd.read_csv(io.BytesIO(press(result, "group-")))
    assert list(group["Row"]) == list(found.group.rows + 1)
    after = group.assign(Duration=group["Duration"] + 6).sample(150, random_state=0)
    upload(result, "method-", "<b>dice</b>.csv", after.to_csv(index=False).encode())
    line = result.get_by_test_id("stTable").get_by_role("row").filter(has_text="<b>dice</b>.csv")
    expect(line).to_contain_text("150 of 200")
    settle(result)
    upload(result, "method-", "broken.csv", b"Person,Duration\n0,12\n")
    expect(result.get_by_text("“broken.csv” has “0” in the column “Person”")).to_be_visible()
    look_at(result, "The plan")
    look_at(result, "People")
    expect(line).to_be_visible()
    drawn = traces(chart(result, "distances"))[-1]
    assert drawn["name"] == "&lt;b&gt;dice&lt;/b&gt;.csv"
    measured = other_method(found.group, after, "dice", found.scenario.problem().score).outcome
    expect(line).to_contain_text(amount(measured.output_distance))
    assert len(measured.violations) == 150  # a credit may become shorter, not longer
    expect(line.get_by_role("cell").last).to_have_text(f"{len(measured.violations):,}")
    assert np.allclose(drawn["y"], sorted(200 * measured.distances, reverse=True))
    result.get_by_role("radio", name="Own change").click()
    settle(result)
    assert np.allclose(traces(chart(result, "own-changes"))[-1]["y"], sorted(measured.effort, reverse=True))
    expect(line).to_contain_text(amount(measured.effort.mean()))


def test_a_switch_shows_own_changes_instead(result: Page, found: RunOutcome):
    look_at(result, "People")
    still = 200 - len(found.movers)
    lifted = int((found.distances[~found.changed.any(axis=1)] > 1e-9 * found.distances.max()).sum())
    assert 0 < lifted <= still
    parts = f"{still} people did not change at all, yet {'all' if lifted == still else lifted} of them have a bar above 0"
    own = f"{still} people did not change at all and have no bar"
    expect(result.get_by_text(parts)).to_be_visible()
    expect(result.get_by_text(own)).to_have_count(0)
    result.get_by_role("radio", name="Own change").click()
    settle(result)
    expect(result.get_by_text(own)).to_be_visible()
    expect(result.get_by_text(parts)).to_have_count(0)
    bars = traces(chart(result, "own-changes"))[0]
    assert np.allclose(bars["y"], np.sort(found.effort)[::-1])
    assert set(np.array(bars["customdata"])[: len(found.movers)]) == set(found.movers)
    data = pd.read_csv(io.BytesIO(press(result, "data-result-own-changes-")))
    assert np.allclose(data["Own change (effort)"], np.sort(found.effort)[::-1])
    people = select_box(result, "own-changes", 0.02, 0.2)
    assert people < set(found.movers)
    expect(result.get_by_text(f"{people_words(len(people))} of 200 marked")).to_be_visible()


def test_another_seed_makes_the_lines_a_band(visit: Visit, solved: str, store: Store):
    page = visit(f"solve?run={solved}")
    page.locator(".st-key-run-next").wait_for()
    settle(page)
    page.get_by_role("button", name="Try again with").click()
    page.get_by_role("button", name="Another seed").click()
    page.wait_for_function("id => (new URL(location)).searchParams.get('run') !== id", arg=solved)
    finishes(page, store)
    page.get_by_role("button", name="See the results").click()
    page.locator(".st-key-in-words").wait_for()
    look_at(page, "The search")
    expect(page.get_by_text("The lines are the mean of 2 runs")).to_be_visible()
    runs = [RunOutcome.open(store, run_id).progress.numbers("q_y") for run_id in (solved, str(shown_run(page)))]
    low, high, mean = [trace["y"] for trace in traces(chart(page, "dynamics")) if trace["name"].startswith("OT(y)")]
    both = np.array(runs)
    for drawn, wanted in ((low, both.min(axis=0)), (high, both.max(axis=0)), (mean, both.mean(axis=0))):
        assert np.allclose(drawn, wanted)

    look_at(page, "People")
    beside = page.get_by_role("combobox", name="Beside it")
    beside.scroll_into_view_if_needed()
    settle(page)  # a page that still scrolls closes the list again
    beside.click()
    page.get_by_role("option").click()
    page.keyboard.press("Escape")  # an open list hides all else from whoever listens
    expect(page.get_by_test_id("stTable").get_by_role("row")).to_have_count(3)
    settle(page)
    first = RunOutcome.open(store, solved).distances
    assert np.allclose(traces(chart(page, "distances"))[-1]["y"], sorted(len(first) * first, reverse=True))
