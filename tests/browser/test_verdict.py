"""Asked, reached, before: what people read above an answer, and that it belongs to the question above it."""

import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

import discover_core as dc
from discover_core.outcome.opposite_changes import opposite_words
from discover_core.outcome.run_outcome import RunOutcome
from discover_core.outcome.typical_moves import in_words
from discover_core.problem.amounts import amount, percent
from discover_core.problem.targets import Shift, Threshold
from discover_core.store.store import Store
from tests.workers.scenarios import demo

from .conftest import Server, Visit, put_run, settle
from .solving import end_all, open_scenario
from .test_journey import go

HALF = "Change the group of 200 people so that 50% of the scores are at most 0.5"
REACHED = "Reached. Score at or below 0.5: asked 50%, reached 50%, before 0%."


@pytest.fixture(autouse=True)
def _rest(store: Store) -> Iterator[None]:
    yield
    end_all(store)


def verdict(page: Page) -> Locator:
    return page.locator(".st-key-verdict")


def look(visit: Visit, place: str, run_id: str) -> Page:
    page = visit(f"{place}?run={run_id}")
    verdict(page).wait_for()
    settle(page)
    return page


@pytest.mark.parametrize(
    ("asked", "colour", "says", "second", "helps"),
    [
        ({"settings": demo().settings}, "stAlertContentInfo", REACHED, "We are 95% sure", ""),
        (
            {"settings": dc.Settings(selection="rowwise", k=2, iterations=4)},
            "stAlertContentWarning",
            r"Partly: [\d.]+ of the 50 points asked. Score at or below 0.5: asked 50%, reached [1-4]%, before 0%.",
            "Not certified",
            "More people per iteration: 2 in each of 4 iterations are at most 8 people",
        ),
        (
            {"target": Threshold(0.01, 1.0, "below"), "settings": dc.Settings(selection="rowwise", k=9, iterations=3)},
            "stAlertContentWarning",
            "Not reached: no more of the group are there than before. Score at or below 0.01: asked 100%, reached 0%, before 0%.",
            "Not certified",
            "A smaller wish: no score nearer to 0.01 than",
        ),
        (
            {"target": Shift(-0.1, clip=(0, 1)), "bounds": dc.Bounds(0.54, 0.0132)},
            "stAlertContentInfo",
            r"Reached. Typical gap to the target: asked at most 0.01, reached 0.0\d+, before 0.1.",
            "We are 95% sure",
            "",
        ),
        (
            {"cohort": dc.Cohort(score_side="above", score_value=0.5, sample=50)},
            "verdict-grey",
            "Reached, but it could never be certified. Score at or below 0.5: asked 50%, reached 50%, before 0%.",
            "No certificate could be had: 50 people are too few to be sure. It takes at least 180 people",
            "A larger group",
        ),
        (
            {"target": Threshold(0.9, 0.5, "below")},
            "verdict-grey",
            r"Nobody changes: the wish is met as it is. Score at or below 0.9: asked 50%, reached (\d+)%, before \1%.",
            "We are 95% sure",
            "",
        ),
    ],
    ids=["met", "partly", "missed", "shape", "impossible", "unchanged"],
)
def test_the_verdict(
    visit: Visit, app: Server, store: Store, asked: dict, colour: str, says: str, second: str, helps: str | None
):
    scenario = replace(demo(), **({"settings": dc.Settings(k=10, iterations=150)} | asked))
    page = look(visit, "solve", put_run(app, store, scenario))
    for _ in range(2):
        box = verdict(page).locator(".st-key-verdict-grey") if colour == "verdict-grey" else verdict(page).get_by_test_id(colour)
        expect(box).to_contain_text(re.compile(says.replace(".", r"\.") if says == REACHED else says))
        expect(box).to_contain_text(second)
        expect(page.get_by_test_id("stAlertContentSuccess")).to_have_count(0)  # green is left to an audit
        if not helps:
            expect(page.get_by_text("What would help")).to_have_count(0)
        else:
            if page.url.split("?")[0].endswith("solve"):
                page.get_by_role("button", name="What would help").click()
            expect(page.get_by_text(helps)).to_be_visible()
            page.keyboard.press("Escape")
        go(page, "Results")
        verdict(page).wait_for()


def test_a_question_that_cannot_be_asked_says_why_and_offers_no_way_on(visit: Visit, app: Server, store: Store):
    scenario = demo()
    locked = replace(scenario, actions=scenario.actions.lock(*scenario.schema.feature_names))
    page = visit(f"solve?run={put_run(app, store, locked)}")
    why = page.locator(".st-key-verdict-grey")
    expect(why).to_contain_text("This cannot be solved. Every feature is locked")
    settle(page)
    expect(page.locator(".st-key-run-state")).to_contain_text("Cannot be solved")
    expect(page.get_by_role("button", name="Continue from here")).to_have_count(0)
    expect(page.get_by_role("button", name="Change the question")).to_be_visible()


def test_with_everything_locked_the_button_says_why(visit: Visit):
    page = open_scenario(visit)
    page.get_by_role("button", name="Lock all").click()
    settle(page)
    go(page, "Solve")
    expect(page.locator(".st-key-solve button").first).to_be_disabled()
    expect(page.get_by_test_id("stAlert").filter(has_text="Every feature is locked")).to_be_visible()


@pytest.mark.parametrize("place", ["solve", "results"])
def test_an_address_alone_shows_question_and_answer(visit: Visit, solved: str, place: str):
    page = look(visit, place, solved)
    question = page.locator(".st-key-question")
    expect(question).to_contain_text(HALF)
    expect(verdict(page)).to_contain_text(REACHED)
    page.get_by_role("button", name="The whole question").click()
    for words in ("German Credit: score above 0.5; at most 200", "stay as they are", "inputs within 0.54 (U_x)", "XGBoost"):
        expect(page.get_by_text(words).last).to_be_visible()


def test_a_changed_question_never_stands_above_an_old_verdict(visit: Visit, solved: str):
    page = look(visit, "solve", solved)
    expect(page.get_by_text("Your draft asks something else")).to_have_count(0)
    page.get_by_role("button", name="Change the question").click()
    expect(page.get_by_text("is open.")).to_be_visible()
    settle(page)
    page.get_by_role("slider", name="Share of the group").press("ArrowRight")
    settle(page)
    go(page, "Solve")
    question = page.locator(".st-key-question")
    expect(question).to_contain_text("so that 51% of the scores are at most 0.5")
    expect(verdict(page)).to_have_count(0)
    expect(page.locator(".st-key-earlier-answer")).to_contain_text("was to another question")

    page.get_by_role("button", name="Show it").click()
    verdict(page).wait_for()
    expect(question).to_contain_text(HALF)
    expect(verdict(page)).to_contain_text(REACHED)
    expect(page.locator(".st-key-draft-differs")).to_contain_text("Your draft asks something else.")
    go(page, "Results")
    verdict(page).wait_for()
    expect(question).to_contain_text(HALF)
    page.get_by_role("button", name="Show the draft").click()
    expect(question).to_contain_text("so that 51% of the scores are at most 0.5")
    expect(verdict(page)).to_have_count(0)


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (853, 480)], ids=["projector", "at 150%"])
def test_chart_and_verdict_need_no_scrolling(visit: Visit, solved: str, width: int, height: int):
    page = look(visit, "solve", solved)
    page.set_viewport_size({"width": width, "height": height})
    chart = page.locator(".st-key-live-outputs .js-plotly-plot")
    chart.wait_for()
    page.wait_for_function(
        "() => document.querySelector('.st-key-live-outputs .js-plotly-plot').getBoundingClientRect().bottom <= innerHeight"
    )
    told, drawn = verdict(page).get_by_test_id("stAlert").bounding_box(), chart.bounding_box()
    assert told is not None
    assert drawn is not None
    assert drawn["height"] >= 200
    assert max(told["y"] + told["height"], drawn["y"] + drawn["height"]) <= height
    assert told["x"] >= drawn["x"] + drawn["width"]  # beside it
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0
    expect(page.locator(".st-key-live-outputs").get_by_role("button", name="Replay")).to_be_visible()


def test_the_four_pictures_are_on_solve(visit: Visit, solved: str):
    page = look(visit, "solve", solved)
    for key in ("live-outputs", "live-bars", "live-transition", "live-impact"):
        chart = page.locator(f".st-key-{key}")
        chart.scroll_into_view_if_needed()
        chart.locator(".js-plotly-plot").wait_for()


def test_the_sentence_and_its_numbers_are_those_of_the_store(visit: Visit, solved: str, store: Store):
    found = RunOutcome.open(store, solved)
    answer, tau = found.summary, found.scenario.target.tau
    assert answer.certified
    assert 0 < len(found.movers) < 200
    page = look(visit, "results", solved)
    before, after = (percent(float(np.mean(scores <= tau))) for scores in (found.group.outputs, found.outputs))
    expect(verdict(page)).to_contain_text(f"Reached. Score at or below {tau:g}: asked 50%, reached {after}, before {before}.")
    expect(verdict(page)).to_contain_text(answer.verdict.certificate)
    page.get_by_text("Details of the certificate").click()
    expect(page.get_by_text(answer.sentence)).to_be_visible()
    metric = page.get_by_test_id("stMetric")
    expect(metric.first).to_be_hidden()  # the paper's measures are for experts
    page.get_by_text("For experts").click()
    sure = "over 99.99%" if answer.achieved >= 0.9999 else f"{100 * answer.achieved:.4f}"[:5]
    expect(metric.filter(has_text="Confidence reached").get_by_test_id("stMetricValue")).to_contain_text(sure)
    for label, name in (("OT(x)", "ot_x"), ("OT(y)", "ot_y"), ("MMD", "mmd"), ("AReS cost", "ares_cost")):
        value = metric.filter(has_text=label).get_by_test_id("stMetricValue")
        expect(value).to_contain_text(amount(getattr(answer.metrics, name)))
    *words, last = in_words(found)
    warning = opposite_words(found)
    assert page.locator(".st-key-in-words li").all_inner_texts() == ([*words] if warning else [*words, last])
    if warning:
        expect(page.locator(".st-key-in-words").get_by_role("alert")).to_contain_text(warning)
