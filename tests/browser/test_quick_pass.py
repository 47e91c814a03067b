"""Feature by feature: could a person change this? Answers hold at once, also when one closes in the middle."""

import numpy as np
import pandas as pd
from playwright.sync_api import Locator, Page, expect

from .conftest import Visit, settle
from .solving import open_scenario
from .test_journey import choose, go, upload
from .test_own_data import train


def loans() -> bytes:
    rng = np.random.default_rng(0)
    income = rng.normal(3_000, 600, 300).round()
    table = pd.DataFrame(
        {
            "age": rng.integers(20, 70, 300),
            "income": income,
            "mortgage": rng.integers(0, 900, 300),
            "branch": rng.choice(["north", "south", "west"], 300),
            "repaid": np.where(income + rng.normal(0, 300, 300) > 3_000, "yes", "no"),
        }
    )
    return table.to_csv(index=False).encode()


def question(page: Page, feature: str, place: str) -> Locator:
    """The dialog, once it asks about this feature."""
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name=feature)).to_be_visible()
    expect(dialog.get_by_text(place)).to_be_visible()
    settle(page)
    return dialog


def answer(dialog: Locator, word: str) -> None:
    dialog.get_by_role("button", name=word, exact=True).click()


def test_a_table_of_ones_own_is_gone_through_in_a_quick_pass(page: Page):
    upload(page, "own", "loans.csv", loans())
    expect(page.get_by_text("loans.csv was read: 300 rows.")).to_be_visible()
    settle(page)
    choose(page, "Outcome", "repaid")
    go(page, "Model")
    choose(page, "Kind of model", "Logistic regression")
    train(page)
    go(page, "Scenario")
    page.get_by_role("button", name="Everybody, all 300 rows").click()
    settle(page)
    allowed = page.locator(".st-key-actions-allowed")
    expect(allowed).to_contain_text("age stays as it is.")  # its name says so
    expect(page.get_by_text("4 features: go through them one by one, it takes a minute.")).to_be_visible()
    page.get_by_role("button", name="Go through them").click()

    dialog = question(page, "age", "1 of 4")
    expect(dialog.get_by_text("Suggested: locked, because the name says age.")).to_be_visible()
    answer(dialog, "Skip")
    dialog = question(page, "income", "2 of 4")
    expect(dialog.get_by_text("median")).to_be_visible()
    answer(dialog, "Only up")
    dialog = question(page, "mortgage", "3 of 4")
    answer(dialog, "Back")
    answer(question(page, "income", "2 of 4"), "Skip")
    answer(question(page, "mortgage", "3 of 4"), "Only down")

    # closed in the middle: what was answered holds, and one goes on where one was
    dialog = question(page, "branch", "4 of 4")
    expect(dialog.get_by_text("It can be north, south, west.")).to_be_visible()
    expect(dialog.get_by_role("button", name="Only up")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    settle(page)
    expect(allowed).to_contain_text(
        "age stays as it is. income may only go up. mortgage may only go down. branch may change freely."
    )
    page.get_by_role("button", name="Go through them").click()
    answer(question(page, "branch", "4 of 4"), "No")
    expect(dialog.get_by_text("All of them")).to_be_visible()
    expect(dialog.get_by_text("age and branch stay as they are.")).to_be_visible()
    settle(page)
    answer(dialog, "Done")
    expect(page.get_by_role("dialog")).to_have_count(0)
    settle(page)
    expect(allowed).to_contain_text("age and branch stay as they are. income may only go up. mortgage may only go down.")


def test_a_demo_says_why_and_its_partial_orders_have_a_direction(visit: Visit):
    page = open_scenario(visit)
    expect(page.get_by_text("go through them one by one, it takes")).to_have_count(0)
    page.get_by_role("button", name="One by one").click()
    dialog = question(page, "Checking account", "1 of 20")
    expect(dialog.get_by_text("The balance of an account one has can be built up")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    settle(page)
    expect(page.get_by_role("paragraph").filter(has_text="The balance of an account one has can be built up")).to_be_visible()
    expect(page.get_by_text("Up is: below 0 DM → 0 to 200 DM → 200 DM or more. Outside the order: no account")).to_be_visible()
    page.get_by_role("radio", name="Only down").click()
    expect(page.locator(".st-key-actions-allowed")).to_contain_text(
        "Checking account, Installment rate and Existing credits may only go down"
    )
    settle(page)
