"""An audited answer in a real browser: its sentence, the policy's files, and three shared measures with their curve."""

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Page, expect

import discover_core as dc
from discover_core.outcome.summary import Summary
from discover_core.problem.amounts import amount
from discover_core.store.store import Store

from .conftest import Visit, settle
from .solving import end_all, finishes, open_scenario, set_number, shown_run, solve, stored
from .test_results import look_at


@pytest.fixture(autouse=True)
def _rest(store: Store) -> Iterator[None]:
    yield
    end_all(store)


def answered(page: Page, store: Store) -> Summary:
    page.get_by_role("link", name="Go on to solve").click()
    settle(page)
    run_id = solve(page)
    finishes(page, store)
    found = Summary.from_json(stored(store, run_id).summary)
    assert found is not None
    assert found.audit is not None
    return found


def downloaded(page: Page, label: str) -> bytes:
    with page.expect_download() as waiting:
        page.get_by_role("button", name=label).click()
    return Path(waiting.value.path()).read_bytes()


def test_an_answer_is_audited_and_its_policy_applied_elsewhere(visit: Visit, store: Store, tmp_path: Path):
    page = open_scenario(visit)
    page.get_by_text("How sure", exact=True).click()
    expect(page.get_by_text("cannot be told from none")).to_be_visible()
    expect(page.get_by_text("audited, all whom the model was not trained on.")).to_be_visible()
    found = answered(page, store)
    audit = found.audit.audit(1)
    assert audit is not None
    assert 10 <= audit.n < 100  # half was to be kept apart, but the model was trained on three quarters of the table
    assert found.audit.known == 0
    expect(page.locator(".st-key-audit")).to_contain_text(audit.share.sentence)
    page.get_by_role("button", name="See the results").click()
    page.locator(".st-key-in-words").wait_for()
    settle(page)
    expect(page.locator(".st-key-audit")).to_contain_text(audit.share.sentence)
    expect(page.locator(".st-key-in-words")).to_contain_text(found.audit.words[0])
    look_at(page, "Tuned to this group alone")
    expect(page.locator(".st-key-in-words")).to_contain_text(found.words[0])
    look_at(page, "Policy")
    page.get_by_role("button", name="Prepare the files").click()
    page.get_by_role("button", name="Policy (ZIP)").wait_for(timeout=120_000)
    settle(page)
    with zipfile.ZipFile(io.BytesIO(downloaded(page, "Policy (ZIP)"))) as archive:
        archive.extractall(tmp_path)
    policy = dc.read_policy(tmp_path / "policy.json")
    assert policy.notes == ()
    assert policy.audited == audit
    lines = pd.read_csv(io.BytesIO(downloaded(page, "Plan for everybody (CSV)")))
    assert len(lines) == 200
    rows = dc.load_sample("german_credit").table.iloc[lines["row"] - 1]
    again = policy.told(rows).everybody
    assert lines["changes"].tolist() == again["changes"].tolist()
    assert (lines["score_after"] - again["score_after"].to_numpy()).abs().max() < 1e-9
    page.get_by_test_id("stTopNavLink").filter(has_text="Solve").click()
    settle(page)
    first = shown_run(page)
    page.get_by_role("button", name="Try again with").click()
    page.get_by_role("button", name="Another seed").click()
    page.wait_for_function("id => (new URL(location)).searchParams.get('run') !== id", arg=first)
    finishes(page, store)
    expect(page.locator(".st-key-audit")).to_contain_text("2 answers were audited with this group")
    expect(page.locator(".st-key-audit")).to_contain_text("With 98.75% confidence")
    page.reload()  # the tab has forgotten the first of them, the browser has not
    expect(page.locator(".st-key-audit")).to_contain_text("With 98.75% confidence")
    settle(page)


def test_three_shared_measures_on_german_credit(visit: Visit, store: Store):
    page = open_scenario(visit)
    page.get_by_text("How sure", exact=True).click()
    look_at(page, "A few shared measures")
    settle(page)
    set_number(page, "Measures at most", 3)
    found = answered(page, store)
    assert 1 <= len(found.audit.programmes) <= 3
    page.get_by_role("button", name="See the results").click()
    page.locator(".st-key-in-words").wait_for()
    settle(page)
    look_at(page, "Policy")
    for number, card in enumerate(found.audit.programmes, 1):
        expect(page.locator(f".st-key-programme-{number}")).to_contain_text(card.words)
    expect(page.locator('[class*="st-key-result-programme-curve"] .js-plotly-plot')).to_be_visible()
    measures, own = found.audit.reach
    assert own.effort < measures.effort
    expect(page.get_by_text(f"mean effort of {amount(measures.effort)}")).to_be_visible()
    assert json.dumps(found.audit.to_dict())
