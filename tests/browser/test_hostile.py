"""A table whose names are markup and formulas, from its upload to its result: they stay text, on the page and in files."""

import io

import numpy as np
import openpyxl
import pandas as pd
from playwright.sync_api import Page, expect

from discover_core.store.store import Store

from .conftest import settle
from .drawn import chart, press
from .solving import MAIN, finishes, set_number, solve
from .test_journey import choose, go, upload
from .test_results import VIEWS, look_at


def test_hostile_names_are_text_in_plan_and_figures(page: Page, store: Store):
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    rng, name = np.random.default_rng(0), "=<script>alert(1)</script>"
    pull, kind = rng.normal(0, 1, 160).round(3), rng.choice(["=1+1", "b"], 160)
    late = rng.random(160) < 1 / (1 + np.exp(-2 * pull - 2 * (kind == "b")))
    table = pd.DataFrame({name: pull, "kind": kind, "late": np.where(late, "yes", "no")})
    upload(page, "own", "people.csv", table.to_csv(index=False).encode())
    expect(page.get_by_text("people.csv was read: 160 rows.")).to_be_visible()
    settle(page)
    choose(page, "Outcome", "late")
    go(page, "Model")
    page.get_by_role("combobox", name="Kind of model").click()
    page.get_by_role("option", name="Logistic").click()
    settle(page)
    page.locator(".st-key-train button").click()
    expect(page.get_by_text("is ready. Every row has its score.")).to_be_visible()
    settle(page)
    go(page, "Scenario")
    page.get_by_role("button", name="Everybody, all 160 rows").click()
    settle(page)
    set_number(page, "Iterations", 10)
    go(page, "Solve")
    solve(page)
    finishes(page, store)
    page.get_by_role("button", name="See the results").click()
    expect(page.locator(".st-key-in-words")).to_contain_text(name)
    look_at(page, "The plan")
    page.locator(f"{MAIN} [data-testid=stDataFrame]").first.hover()
    own_file = page.locator(f"{MAIN} button[aria-label^='Download as CSV']")
    expect(own_file).not_to_have_count(0)
    expect(own_file.first).to_be_hidden()  # Streamlit's own, in which formulas stay formulas
    lines = pd.read_csv(io.BytesIO(press(page, "plan-CSV-")), dtype=str)
    assert f"'{name}" in set(lines["Feature"])
    assert not any(str(cell).startswith("=") for cell in lines.to_numpy().ravel())
    book = openpyxl.load_workbook(io.BytesIO(press(page, "plan-Excel-")))
    cells = [cell for sheet in book for line in sheet.iter_rows() for cell in line]
    assert f"'{name}" in {cell.value for cell in cells}
    assert not any(cell.data_type == "f" for cell in cells)
    for view in VIEWS[1:]:
        look_at(page, view)
        if view == "Scores and features":
            expect(chart(page, "feature-0").locator(".xtitle")).to_have_text(name)
            data = pd.read_csv(io.BytesIO(press(page, "data-result-feature-0-")))
            assert list(data.columns) == ["Person", f"'{name} before", f"'{name} after"]
    assert dialogs == []
    assert page.locator(f"{MAIN} script").count() == 0
