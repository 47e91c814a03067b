"""Outcomes of every kind: a number to predict, and a class to be picked among three."""

import numpy as np
import pandas as pd
from playwright.sync_api import Page, expect

from .conftest import settle
from .test_journey import choose, go, upload

RNG = np.random.default_rng(0)


def people() -> bytes:
    income = RNG.normal(3000, 700, 300).round(0)
    grade = pd.cut(income, [-np.inf, 2700, 3300, np.inf], labels=["poor", "fair", "fine"]).astype(str)
    price = (2 * income + RNG.normal(0, 300, 300)).round(2)
    return (
        pd.DataFrame({"income": income, "city": RNG.choice(["Ulm", "Bonn", None], 300), "price": price, "grade": grade})
        .to_csv(index=False)
        .encode()
    )


def metric(page: Page, label: str) -> float:
    return float(page.get_by_test_id("stMetric").filter(has_text=label).get_by_test_id("stMetricValue").inner_text())


def train(page: Page) -> None:
    page.locator(".st-key-train button").click()
    expect(page.get_by_text("is ready. Every row has its score.")).to_be_visible()
    settle(page)


def test_a_number_and_then_one_class_of_three(page: Page):
    upload(page, "own", "people.csv", people())
    expect(page.get_by_text("people.csv was read: 300 rows.")).to_be_visible()
    settle(page)
    page.get_by_text("1 column had gaps that were filled").click()
    expect(page.get_by_text("are a category of their own")).to_be_visible()
    choose(page, "Outcome", "price")
    go(page, "Model")
    train(page)
    assert metric(page, "R²") > 0.8
    expect(page.get_by_role("heading", name="Predicted and real")).to_be_visible()
    go(page, "Data")
    choose(page, "Outcome", "grade")
    choose(page, "Value that is the risk", "poor")
    go(page, "Model")
    train(page)
    assert metric(page, "AUC") > 0.9
    expect(page.get_by_text("probability that grade is poor")).to_be_visible()
