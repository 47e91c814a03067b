"""A booster trained on numbers of its own: the page says that they are guessed, warns, and takes a correction."""

import re

import pytest
from playwright.sync_api import Page, expect

from discover_core.models.load import load_model
from tests.models.test_codes import TRUE, auc, people, saved

from .conftest import settle
from .test_journey import edit_cell, go, upload

TABLE, SCHEMA = people()
CONTENT, NAME = saved("xgboost", TABLE, TRUE)


def open_model(page: Page) -> None:
    upload(page, "own", "people.csv", TABLE.to_csv(index=False).encode())
    expect(page.get_by_text("people.csv was read: 1,600 rows.")).to_be_visible()
    settle(page)
    go(page, "Data")
    page.get_by_role("combobox", name="Outcome").click()
    page.get_by_role("option", name="late", exact=True).click()
    settle(page)
    go(page, "Model")
    upload(page, "model_upload", NAME, CONTENT)
    expect(page.get_by_text("is ready. Every row has its score.")).to_be_visible()
    settle(page)


def shown(page: Page) -> tuple[float, float]:
    """The AUC beside the numbers, and the one of the model's report."""
    values = page.get_by_test_id("stMetric").filter(has_text="AUC").get_by_test_id("stMetricValue")
    expect(values).to_have_count(2)
    first, second = (float(text) for text in values.all_inner_texts())
    return first, second


def type_number(page: Page, row: int, number: str) -> None:
    """Type into the second column of the numbers, which are drawn on a canvas: by mouse and keyboard, as a person does."""
    grid = page.locator('[class*="st-key-codes-"] [data-testid="stDataFrame"]')
    editor = page.locator("#portal input")
    edit_cell(page, grid, 0.75, row, editor)
    page.keyboard.press("Control+a")
    page.keyboard.type(number)
    expect(editor).to_have_value(number)
    page.keyboard.press("Enter")


def waits_for(page: Page, before: tuple[float, float]) -> tuple[float, float]:
    """The numbers once they are others than before."""
    old = page.get_by_test_id("stMetricValue").get_by_text(f"{before[0]:.3f}")
    expect(old).to_have_count(0)
    settle(page)
    return shown(page)


def test_guessed_numbers_are_shown_corrected_and_reset(page: Page):
    open_model(page)
    panel = page.locator(".st-key-codes")
    expect(panel).to_contain_text("What you see is our guess.")
    warning = panel.get_by_test_id("stAlert")
    expect(warning).to_contain_text("probably not those the model was trained with")
    guessed = shown(page)
    assert guessed[0] == guessed[1]
    expect(warning).to_contain_text(f"{guessed[0]:.3f}")

    type_number(page, 0, str(int(TRUE["grade"]["A"])))  # by hand, one number: another score for everybody
    edited = waits_for(page, guessed)
    assert edited[0] == edited[1]
    expect(panel).to_contain_text(re.compile("A and D have the same number"))

    panel.get_by_role("button", name="Use this order").click()
    right = waits_for(page, edited)
    true = auc(load_model(CONTENT, SCHEMA, NAME, codes=TRUE), TABLE)
    assert right[0] == right[1] == pytest.approx(true, abs=0.003)
    assert true > guessed[0] + 0.1
    expect(warning).to_have_count(0)
    expect(panel).to_contain_text("You have said it for")

    panel.get_by_role("button", name="Back to our guess").click()
    assert waits_for(page, right) == guessed
    expect(warning).to_be_visible()
