"""The Apply page in a real browser: a policy and new people are uploaded, their plan is downloaded; bad files get a sentence."""

from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Page, expect

import discover_core as dc
from discover_core.policy.policy_file import policy_archive
from tests.policy.german import audited_german

from .conftest import Visit, settle
from .test_audit import downloaded


def choose_files(page: Page, label: str, *files: Path) -> None:
    page.locator(f".st-key-{label} input[type=file]").set_input_files(list(files))
    settle(page)


def test_new_people_get_their_plan(visit: Visit, tmp_path: Path):
    policy, people = audited_german()
    policy = policy.with_cohort(dc.Cohort((dc.Rule("Age", "<", 60.0),)))
    (tmp_path / "policy.zip").write_bytes(policy_archive(policy))
    people.to_csv(tmp_path / "new people <b>.csv", index=False)
    (tmp_path / "broken.csv").write_bytes(people.drop(columns="Duration").to_csv(index=False).encode())

    page = visit("apply")
    button = page.get_by_role("button", name="Apply the policy")
    expect(button).to_be_disabled()
    choose_files(page, "apply-files", tmp_path / "policy.zip")
    expect(page.get_by_text(f"Learnt from {policy.design.people} people")).to_be_visible()
    expect(page.get_by_text("for the group “Age below 60”")).to_be_visible()
    expect(page.get_by_text("It needs the columns")).to_contain_text("Duration")
    choose_files(page, "apply-people", tmp_path / "broken.csv")
    button.click()
    expect(page.get_by_test_id("stAlert")).to_contain_text("lacks 1 of the columns that are needed: “Duration”")
    settle(page)

    choose_files(page, "apply-people", tmp_path / "new people <b>.csv")
    button.click()
    told = policy.told(people)
    expect(page.locator(".st-key-applied")).to_contain_text(f"{int(told.changed.sum())} of {len(people)} people would change.")
    expect(page.locator(".st-key-applied")).to_contain_text(policy.audited.share.sentence)
    expect(page.locator(".st-key-applied")).to_contain_text(policy.whom)
    expect(page.locator(".st-key-applied")).to_contain_text("do not belong to the group (Age below 60")
    settle(page)
    (tmp_path / "plan.csv").write_bytes(downloaded(page, "Plan (CSV)"))
    lines = pd.read_csv(tmp_path / "plan.csv", encoding="utf-8-sig", keep_default_na=False)
    assert lines["changes"].tolist() == told.everybody["changes"].tolist()
    assert (lines["changes"] != "no change").sum() > 20
    assert dc.read_table(tmp_path / "plan.csv").shape[0] == len(people)


@pytest.mark.parametrize("content", [b"{}", b"PK no archive"])
def test_what_is_no_policy_gets_a_sentence(visit: Visit, tmp_path: Path, content: bytes):
    path = tmp_path / ("policy.zip" if content[:1] == b"P" else "policy.json")
    path.write_bytes(content)
    page = visit("apply")
    choose_files(page, "apply-files", path)
    expect(page.get_by_test_id("stAlert")).to_have_count(1)
    expect(page.get_by_test_id("stAlert")).to_contain_text("Policy view")
    expect(page.get_by_role("button", name="Apply the policy")).to_be_disabled()
