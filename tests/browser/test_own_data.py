"""A table of one's own, with mistakes in it and a column that gives the outcome away."""

import re

import numpy as np
import pandas as pd
from playwright.sync_api import Page, expect

from .conftest import settle
from .test_journey import choose, go, heading, upload

WHOM = "Whom is it about? Choose the group first: some of the people by a rule, or everybody."


def clinic() -> bytes:
    """Blood pressures with three typing errors, and what became of each patient."""
    rng = np.random.default_rng(0)
    pressure = rng.normal(130, 15, 400).round().astype(int)
    ill = rng.random(400) < 1 / (1 + np.exp(-(pressure - 130) / 10))
    after = np.where(ill, rng.choice(["ward", "surgery"], 400), "home")
    pressure[:3] = [16_020, -150, 1_400]
    table = pd.DataFrame(
        {"ap_hi": pressure, "weight": rng.normal(75, 12, 400).round(1), "sent to": after, "ill": ill.astype(int)}
    )
    return table.to_csv(index=False).encode()


def test_nobody_is_asked_about_until_the_group_is_chosen(page: Page):
    upload(page, "own", "clinic.csv", clinic())
    expect(page.get_by_text("clinic.csv was read: 400 rows.")).to_be_visible()
    settle(page)
    titles = page.get_by_role("heading", level=2).all_inner_texts()
    assert [title for title in titles if title in ("The group", "Columns", "Rows")] == ["The group", "Columns", "Rows"]
    expect(page.get_by_text(WHOM)).to_be_visible()
    expect(page.get_by_text(re.compile("rows match"))).to_have_count(0)
    expect(
        page.get_by_text(re.compile(r"ap_hi: 3 values look impossible \(from -150 to 16,020; 9\d% lie between"))
    ).to_be_visible()

    choose(page, "Outcome", "ill")
    leak = page.get_by_text("sent to alone nearly decides ill.")
    expect(leak).to_be_visible()
    go(page, "Model")
    expect(leak).to_be_visible()
    train(page)
    assert auc(page) > 0.99
    page.get_by_role("button", name="Leave out sent to").click()
    settle(page)
    expect(page.get_by_text("sent to is left out. Train the model again without it.")).to_be_visible()
    expect(leak).to_have_count(0)
    train(page)
    assert auc(page) < 0.95
    expect(page.get_by_text("Once the group is chosen on the Data page")).to_be_visible()

    go(page, "Solve")
    expect(page.get_by_text(WHOM)).to_be_visible()
    expect(page.locator(".st-key-solve button").first).to_be_disabled()
    go(page, "Model")
    page.get_by_role("link", name="Go on to the scenario").click()
    expect(page.get_by_text(WHOM)).to_be_visible()
    expect(heading(page, "Who may change what")).to_have_count(0)
    page.get_by_role("button", name="Everybody, all 400 rows").click()
    settle(page)
    expect(page.get_by_text("What should happen to the 400 people of the group?")).to_be_visible()
    go(page, "Data")
    expect(page.get_by_text("400 of 400 rows match")).to_be_visible()
    expect(page.get_by_text(WHOM)).to_have_count(0)


def test_the_usual_range_is_offered_and_the_whole_one_is_a_click_away(page: Page):
    upload(page, "own", "clinic.csv", clinic())
    expect(page.get_by_text("clinic.csv was read: 400 rows.")).to_be_visible()
    settle(page)
    choose(page, "Outcome", "ill")
    page.get_by_role("button", name="Add a rule").click()
    expect(page.get_by_text(re.compile("of 400 rows match"))).to_be_visible()
    expect(page.get_by_text(WHOM)).to_have_count(0)
    settle(page)
    go(page, "Model")
    train(page)
    go(page, "Scenario")
    expect(page.get_by_text("New numbers stay in the usual range")).to_be_visible()
    lowest = page.get_by_role("spinbutton", name="From")
    usual = lowest.input_value()
    assert 80 < float(usual) < 120
    expect(page.get_by_text(re.compile(r"the usual range; the table goes from -150 to 16,020\."))).to_be_visible()
    page.get_by_role("button", name="Allow all that the table has").click()
    expect(lowest).to_have_value("-150")
    expect(page.get_by_text("ap_hi may change to between -150 and 16,020")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Back to the usual range").click()
    expect(lowest).to_have_value(usual)
    settle(page)


def train(page: Page) -> None:
    page.locator(".st-key-train button").click()
    expect(page.get_by_text("is ready. Every row has its score.")).to_be_visible()
    settle(page)


def auc(page: Page) -> float:
    return float(page.get_by_test_id("stMetric").filter(has_text="AUC").get_by_test_id("stMetricValue").inner_text())


def test_a_model_that_is_right_beyond_belief_is_doubted(page: Page):
    rng = np.random.default_rng(0)
    one, other = rng.normal(size=(2, 400)).round(3)
    table = pd.DataFrame({"one": one, "other": other, "y": np.where(one + other > 0, "yes", "no")})
    upload(page, "own", "sums.csv", table.to_csv(index=False).encode())
    expect(page.get_by_text("sums.csv was read: 400 rows.")).to_be_visible()
    settle(page)
    choose(page, "Outcome", "y")
    go(page, "Model")
    choose(page, "Kind of model", "Logistic regression")
    expect(page.get_by_text("nearly decides")).to_have_count(0)
    train(page)
    expect(
        page.get_by_text(re.compile(r"An AUC of (1\.000|0\.99\d) on rows the model has not seen is hardly ever true"))
    ).to_be_visible()
