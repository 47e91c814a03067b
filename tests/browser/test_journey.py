"""The first journey in a real browser: a demo, an own table, an own model, and files that cannot be used."""

import io
import json
import pickle
import re
from contextlib import suppress

import numpy as np
import pandas as pd
import pytest
import xgboost
from playwright.sync_api import Locator, Page, TimeoutError, expect

from discover_core.problem import load_sample

from .conftest import WAIT, settle, window

UPLOAD = '[data-testid="stFileUploaderDropzoneInput"]'


def go(page: Page, name: str) -> None:
    page.get_by_test_id("stTopNavLink").filter(has_text=name).click()
    settle(page)


def upload(page: Page, within: str, name: str, content: bytes) -> None:
    page.locator(f'[class*="st-key-{within}"] {UPLOAD}').set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    )


def heading(page: Page, text: str):
    return page.get_by_role("heading", name=text, exact=True)


def choose(page: Page, label: str, option: str) -> None:
    """Pick an option of a box; one at the window's edge would scroll, and so close, when it is opened."""
    box = page.get_by_role("combobox", name=label)
    box.evaluate("box => box.scrollIntoView({block: 'center'})")
    box.click()
    page.get_by_role("option", name=option, exact=True).click()
    settle(page)


def open_demo(page: Page, name: str, title: str) -> None:
    page.locator(f".st-key-open-{name} button").first.click()
    expect(heading(page, title)).to_be_visible()
    expect(page.get_by_text("its model is trained")).to_be_visible()
    settle(page)


def edit_cell(page: Page, grid: Locator, across: float, row: int, editor: Locator) -> None:
    """Open a cell of a table, which is a canvas; one that is drawn anew under the pointer may miss it."""
    for _ in range(4):
        grid.scroll_into_view_if_needed()
        page.wait_for_timeout(500)
        box = grid.bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + across * box["width"], box["y"] + 35 * (row + 1.5))
        page.wait_for_timeout(300)
        page.keyboard.press("Enter")
        with suppress(TimeoutError):
            editor.wait_for(timeout=1000 * WAIT / 4)
            return
        page.keyboard.press("Escape")
    expect(editor).to_be_visible()


def choose_in_cell(page: Page, within: str, across: float, row: int, option: str) -> None:
    """Pick an option in a cell of an editor, which is drawn on a canvas: by mouse and keyboard, as a person does."""
    grid = page.locator(f'[class*="st-key-{within}"] [data-testid="stDataFrame"]')
    edit_cell(page, grid, across, row, page.get_by_role("option", name=option))
    page.keyboard.type(option)
    page.keyboard.press("Enter")
    settle(page)


def german_semicolon() -> bytes:
    """German numbers in a German file: semicolons, decimal commas, points for thousands, Windows encoding."""
    rng = np.random.default_rng(0)
    income = rng.normal(3000, 800, 300).round(2)
    late = rng.random(300) < 1 / (1 + np.exp((income - 3000) / 300))
    lines = ["Größe;Einkommen;Ort;Ausfall"]
    for cm, euro, city, bad in zip(rng.normal(1.75, 0.1, 300), income, rng.choice(["Köln", "Ulm"], 300), late, strict=True):
        money = f"{euro:,.2f}".replace(",", " ").replace(".", ",").replace(" ", ".")
        height = f"{cm:.2f}".replace(".", ",")
        lines.append(f"{height};{money};{city};{'ja' if bad else 'nein'}")
    return "\n".join(lines).encode("cp1252")


def test_overview_to_a_demos_data_and_its_models_auc(page: Page):
    expect(heading(page, "Change the outlook of a whole group")).to_be_visible()
    open_demo(page, "german_credit", "German Credit")
    expect(page.get_by_test_id("stMetric").filter(has_text="Rows")).to_contain_text("1,000")
    facts = re.compile(r"German Credit · 1,000 rows · group of 200 · XGBoost · AUC 0\.\d\d")
    expect(page.locator(".facts")).to_have_text(facts)
    expect(page.get_by_text(re.compile(r"\d+ of 1,000 rows match, 200 rows of them drawn at random"))).to_be_visible()
    go(page, "Model")
    shown = page.get_by_test_id("stMetric").filter(has_text="AUC").get_by_test_id("stMetricValue").inner_text()
    assert 0.65 < float(shown) < 0.95
    for figure in ("Ranking (ROC)", "Calibration", "Scores by outcome", "The group against everybody"):
        expect(page.get_by_role("heading", name=figure)).to_be_visible()
    assert page.locator(".js-plotly-plot").count() == 4
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the model (.json)").click()
    with open(download.value.path(), encoding="utf-8") as file:
        assert "learner" in json.load(file)
    # a reload keeps the demo through its address
    assert "demo=german_credit" in page.url
    page.reload()
    expect(page.locator(".facts")).to_contain_text("German Credit")


def test_a_german_csv_then_a_model_trained_on_it(page: Page):
    upload(page, "own", "kunden.csv", german_semicolon())
    expect(page.get_by_text("kunden.csv was read: 300 rows.")).to_be_visible()
    settle(page)
    expect(page.get_by_test_id("stMetric").filter(has_text="Rows")).to_contain_text("300")
    choose(page, "Outcome", "Ausfall")
    expect(page.locator(".facts")).to_contain_text("kunden.csv · 300 rows")
    go(page, "Model")
    page.locator(".st-key-train button").click()
    expect(page.get_by_text("is ready. Every row has its score.")).to_be_visible()
    settle(page)
    shown = page.get_by_test_id("stMetric").filter(has_text="AUC").get_by_test_id("stMetricValue").inner_text()
    assert float(shown) > 0.75
    # state survives switching pages, and a broken file leaves the earlier data in place
    go(page, "Data")
    expect(heading(page, "kunden.csv")).to_be_visible()
    page.get_by_text("Change the data").click()
    upload(page, "data_upload", "broken.csv", b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    expect(page.get_by_test_id("stAlert").filter(has_text="broken.csv")).to_be_visible()
    expect(heading(page, "kunden.csv")).to_be_visible()
    expect(page.locator(".facts")).to_contain_text("AUC")


def test_an_xgboost_json_scores_the_table_and_a_pickle_is_neither_asked_for_nor_opened(page: Page, tmp_path):
    open_demo(page, "german_credit_10", "German Credit, 10 columns")
    sample = load_sample("german_credit_10")
    dummies = pd.get_dummies(sample.table[["Age", "Duration", "Credit amount", "Housing"]], dtype=float)
    booster = xgboost.train(
        {"objective": "binary:logistic", "max_depth": 3}, xgboost.DMatrix(dummies, (sample.table["Risk"] == "bad").to_numpy()), 20
    )
    booster.save_model(tmp_path / "mine.json")
    go(page, "Model")
    uploader = page.locator('[class*="st-key-model_upload"]')
    expect(uploader).to_contain_text("SKOPS")
    expect(uploader).not_to_contain_text(re.compile("pkl|pickle|joblib", re.IGNORECASE))
    upload(page, "model_upload", "mine.json", (tmp_path / "mine.json").read_bytes())
    expect(page.get_by_text("is ready. Every row has its score.")).to_be_visible()
    settle(page)
    auc = page.get_by_test_id("stMetric").filter(has_text="AUC").get_by_test_id("stMetricValue").inner_text()
    upload(page, "model_upload", "evil.skops", pickle.dumps({"a": 1}))
    refused = page.get_by_test_id("stAlert").filter(has_text="evil.skops")
    expect(refused).to_be_visible()
    expect(refused).to_contain_text("skops")
    assert page.get_by_test_id("stMetric").filter(has_text="AUC").get_by_test_id("stMetricValue").inner_text() == auc


def test_a_model_that_wants_other_columns_can_be_completed(page: Page, tmp_path):
    open_demo(page, "german_credit_10", "German Credit, 10 columns")
    sample = load_sample("german_credit_10")
    table = sample.table[["Age", "Duration"]].rename(columns={"Duration": "duration_months"}).astype(float)
    booster = xgboost.train(
        {"objective": "binary:logistic"}, xgboost.DMatrix(table, (sample.table["Risk"] == "bad").to_numpy()), 5
    )
    booster.save_model(tmp_path / "other.json")
    go(page, "Model")
    upload(page, "model_upload", "other.json", (tmp_path / "other.json").read_bytes())
    expect(page.get_by_test_id("stAlert").filter(has_text="duration_months")).to_be_visible()
    settle(page)
    expect(page.get_by_role("button", name="Use these columns")).to_be_disabled()
    choose_in_cell(page, "mapping", 0.75, 1, "Duration")
    page.get_by_role("button", name="Use these columns").click()
    expect(page.get_by_text("is ready. Every row has its score.")).to_be_visible()


def test_the_schema_editor_and_the_group_builder(page: Page):
    open_demo(page, "german_credit_10", "German Credit, 10 columns")
    features = page.get_by_test_id("stMetric").filter(has_text="Features").get_by_test_id("stMetricValue")
    assert features.inner_text() == "9"
    choose_in_cell(page, "columns-", 0.18, 0, "Left out")  # “Use as” of the first column
    settle(page)
    expect(features).to_have_text("8")
    matching = page.get_by_role("heading", name=re.compile("rows match"))
    everybody = matching.inner_text()
    page.get_by_role("button", name="Add a rule").click()
    expect(matching).not_to_have_text(everybody)
    fewer = matching.inner_text()
    assert int(fewer.split()[0].replace(",", "")) < int(everybody.split()[0].replace(",", ""))
    page.locator('[class*="st-key-remove-"] button').click()
    expect(matching).to_have_text(everybody)
    settle(page)
    go(page, "Model")
    expect(page.get_by_text("The columns have been changed since this model was made.")).to_be_visible()
    go(page, "Data")
    expect(features).to_have_text("8")


def test_hostile_names_show_as_text(page: Page):
    table = pd.DataFrame(
        {"<script>alert(1)</script>": np.arange(40) % 7, "[x](http://e)": ["<img src=x>", "b"] * 20, "y": ["no", "yes"] * 20}
    )
    content = io.BytesIO()
    table.to_parquet(content)
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    upload(page, "own", "<b>x.parquet", content.getvalue())
    expect(page.get_by_text("was read: 40 rows.")).to_be_visible()
    settle(page)
    expect(page.get_by_role("heading", name="<b>x.parquet")).to_be_visible()
    assert dialogs == []
    assert page.locator("img[src=x]").count() == 0


@pytest.mark.parametrize("page_name", ["Data", "Model"])
def test_an_empty_page_says_what_to_do_next(page: Page, page_name: str):
    go(page, page_name)
    expect(heading(page, page_name)).to_be_visible()
    expect(page.get_by_text(re.compile("Choose a data set|A model needs data"))).to_be_visible()


def test_a_column_left_out_can_come_back_and_the_table_tells_the_truth(page: Page):
    open_demo(page, "german_credit_10", "German Credit, 10 columns")
    features = page.get_by_test_id("stMetric").filter(has_text="Features").get_by_test_id("stMetricValue")
    choose_in_cell(page, "columns-", 0.18, 0, "Left out")
    expect(features).to_have_text("8")
    choose_in_cell(page, "columns-", 0.18, 0, "Number")
    expect(features).to_have_text("9")
    choose_in_cell(page, "columns-", 0.18, 0, "Left out")
    expect(features).to_have_text("8")
    go(page, "Model")
    go(page, "Data")
    expect(features).to_have_text("8")
    choose_in_cell(page, "columns-", 0.18, 0, "Number")
    expect(features).to_have_text("9")


def test_the_page_is_drawn_after_each_of_several_uploads(browser, server):
    content = b"age,city,risk\n" + b"".join(
        b"%d,%s,%s\n" % (20 + i % 40, b"AB"[i % 2 : i % 2 + 1], b"bad" if i % 3 else b"good") for i in range(200)
    )
    for _ in range(2):
        context = window(browser)
        fresh = context.new_page()
        fresh.goto(server)
        settle(fresh)
        upload(fresh, "own", "people.csv", content)
        expect(fresh.get_by_text("people.csv was read: 200 rows.")).to_be_visible()
        expect(heading(fresh, "people.csv")).to_be_visible()
        expect(fresh.get_by_text("Whom is it about?")).to_be_visible()
        context.close()
