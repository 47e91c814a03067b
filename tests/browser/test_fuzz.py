"""The worst of the hostile files in every place where files are uploaded: each gets its sentence, and nothing else changes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.fuzz.case import Case, wrong_with
from tests.fuzz.named import lightgbm, policies, scenarios, skops, tables, targets, xgboost
from tests.fuzz.seeds import seeds
from tests.fuzz.values import FILE_NAMES

from .conftest import Visit, healthy, settle
from .solving import eventually
from .test_apply import choose_files
from .test_journey import UPLOAD, go, heading, open_demo, upload

NAMES = [name for name in FILE_NAMES if name.isprintable() and len(name) < 40]
DAMAGED = {
    "broken 1.csv": b"a\x00" * 5_000,
    "broken 2.parquet": b"PAR1" + b"\xff" * 500 + b"PAR1",
    "broken 3.csv.gz": b"\x1f\x8b\x08" * 40,
}
ENDLESS, WIDE = "a sheet that never ends", "200,000 rows with one cell in the last column"
TABLES = (ENDLESS, WIDE, "entities of entities", "a sheet that is a path", "200,000 columns")
TREES = (
    "a tree that goes in circles",
    "a column that is far away",
    "a tree of class -1",
    "100,000 deep",
    "no gains",
    "a tree whose first left_child is 0",
    "an XGBoost tree that goes in circles",
)
SCENARIOS = {
    "k of a million million million": "“k” can be",
    "a target drawn a thousand million times": "“n” can be",
    "a path out of the folder": "etc/passwd” is not accepted",
}
TOO_LARGE = "60 MB of values"
POLICIES = {
    "60 MB of JSON": "more than the 20 MB",
    "a ZIP in a ZIP in a ZIP": "no policy in this",
    "a size that is not so": "more than a policy",
}


def some(cases: Iterable[Case], *labels: str) -> list[tuple[str, bytes]]:
    """The files of these cases, each with a number and something that nobody would call a file."""
    found = {case.label: next(iter(case.files.items())) for case in cases}
    chosen = enumerate(found[label] for label in labels)
    return [(f"number {i} {NAMES[7 * i % len(NAMES)]}.{name.partition('.')[2]}", data) for i, (name, data) in chosen]


def gets_a_sentence(page: Page, words: str) -> None:
    said = page.get_by_test_id("stAlert").filter(has_text=words)
    expect(said).to_have_count(1)
    settle(page)
    assert wrong_with(said.get_by_test_id("stMarkdownContainer").inner_text().strip()) == ""
    expect(page.get_by_test_id("stException")).to_have_count(0)


def refuses(page: Page, within: str, files: Iterable[tuple[str, bytes]]) -> None:
    for name, data in files:
        upload(page, within, name, data)
        gets_a_sentence(page, name[:8])


def test_tables_models_scenarios_and_targets_get_a_sentence_and_the_work_stays(page: Page, server: str, tmp_path: Path):
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    open_demo(page, "german_credit_10", "German Credit, 10 columns")
    facts = page.locator(".facts").inner_text()

    page.get_by_text("Change the data").click()
    refuses(page, "data_upload", [*some(tables(), *TABLES), *DAMAGED.items()])
    expect(heading(page, "German Credit, 10 columns")).to_be_visible()

    go(page, "Model")
    refuses(page, "model_upload", some([*xgboost(), *lightgbm(), *skops()], *TREES))

    go(page, "Scenario")
    page.get_by_role("radio", name="Upload").click()
    settle(page)
    refuses(page, "target-file", some((case for case in targets() if case.kind == "target XLSX"), ENDLESS, WIDE))
    for case in scenarios():
        if case.label in (*SCENARIOS, TOO_LARGE):
            path = tmp_path / case.label / "scenario.json"  # a field that is not clicked does not see the same path twice
            path.parent.mkdir()
            path.write_bytes(case.files[path.name])
            field = page.locator(".st-key-scenario_upload")
            if not field.is_visible():
                page.get_by_test_id("stPopover").filter(has_text="Import").get_by_role("button").click()
            field.locator(UPLOAD).set_input_files(path)
            if case.label == TOO_LARGE:  # the field itself refuses it, and sends nothing
                expect(field.get_by_text("File must be 5.0MB or smaller")).to_have_count(1)
                field.get_by_test_id("stFileChipDeleteBtn").get_by_role("button").click()
            else:
                gets_a_sentence(page, SCENARIOS[case.label])
    assert page.locator(".facts").inner_text() == facts
    assert dialogs == []
    eventually(lambda: healthy(server), "the server does not answer")


def test_policies_and_people_get_a_sentence(visit: Visit, server: str, tmp_path: Path):
    cases = {case.label: case for case in policies()}
    for label, words in POLICIES.items():
        (tmp_path / "policy.zip").write_bytes(cases[label].files["policy.zip"])
        page = visit("apply")
        choose_files(page, "apply-files", tmp_path / "policy.zip")
        gets_a_sentence(page, words)
    page = visit("apply")
    (tmp_path / "policy.zip").write_bytes(seeds()["policy ZIP"][0]["policy.zip"])
    choose_files(page, "apply-files", tmp_path / "policy.zip")
    expect(page.get_by_text("Learnt from")).to_be_visible()
    for name, data in [*some(tables(), ENDLESS, WIDE, "200,000 columns"), *DAMAGED.items()]:
        upload(page, "apply-people", name, data)
        settle(page)
        page.get_by_role("button", name="Apply the policy").click()
        gets_a_sentence(page, name[:8])
    expect(page.get_by_text("Learnt from")).to_be_visible()
    eventually(lambda: healthy(server), "the server does not answer")
