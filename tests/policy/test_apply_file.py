"""A policy for a whole file: the lines of `policy.told`, with any number of processes, and nothing lost to a mistake."""

import io
import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from discover_core.errors import InputError
from discover_core.policy import apply_file as applying
from discover_core.policy.policy_file import policy_archive
from discover_core.policy.policy_upload import FILES, uploaded_policy
from discover_core.policy.statement_words import statement_words
from discover_core.workers.page_jobs import apply_policy

from .german import audited_german

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def german(tmp_path_factory):
    """A folder with an audited policy and its model, and the people it was not learnt from."""
    folder = tmp_path_factory.mktemp("german")
    policy, audited = audited_german()
    policy.write(folder / "policy.json")
    audited.to_csv(folder / "people.csv", index=False)
    return folder, policy, audited


def lines_of(path):
    return pd.read_csv(path, encoding="utf-8-sig", keep_default_na=False)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_file_gets_the_lines_of_the_policy_in_its_order(german, tmp_path, monkeypatch, workers):
    folder, policy, people = german
    monkeypatch.setattr(applying, "ROWS", 50)
    heard = []
    applied = applying.apply_file(
        folder / "policy.json", folder / "people.csv", tmp_path / "plan.csv", lambda *both: heard.append(both), workers
    )
    told = policy.told(people)
    found, wanted = lines_of(tmp_path / "plan.csv"), told.lines
    assert found["row"].tolist() == list(range(1, len(people) + 1))
    for name in ("changes", "warning", "cells"):
        assert found[name].tolist() == wanted[name].tolist()
    for name in ("score_before", "score_after", "effort"):
        assert np.abs(found[name].to_numpy(float) - wanted[name].to_numpy(float)).max() < 1e-9
    assert (applied.lines, applied.changed) == (len(people), int(told.changed.sum()))
    assert applied.changed > 20
    assert applied.audit == statement_words(policy.audited, policy.ground)
    assert applied.whom == policy.whom
    assert applied.warnings == tuple(policy.warnings(told))
    assert heard[-1] == (len(people), len(people))
    assert [done for done, _ in heard] == [*range(50, len(people), 50), len(people)]


def test_parquet_and_other_notations_give_the_same_lines(german, tmp_path):
    folder, _, people = german
    people.to_parquet(tmp_path / "people.parquet")
    people.to_csv(tmp_path / "semicolons.csv", index=False, sep=";")
    plans = []
    for number, path in enumerate((folder / "people.csv", tmp_path / "people.parquet", tmp_path / "semicolons.csv")):
        applying.apply_file(folder / "policy.json", path, tmp_path / f"{number}.csv", workers=1)
        plans.append((tmp_path / f"{number}.csv").read_bytes())
    assert plans[0] == plans[1] == plans[2]


@pytest.mark.parametrize("workers", [1, 2])
def test_what_people_of_a_file_lack_is_added_up_and_stands_on_their_lines(german, tmp_path, monkeypatch, workers):
    folder, policy, people = german
    many = pd.concat([people] * 3, ignore_index=True).head(130)
    many["Purpose"] = "a journey to the moon"
    many["Duration"] = many["Duration"].where(many.index % 4 > 0)
    many.to_csv(tmp_path / "people.csv", index=False)
    monkeypatch.setattr(applying, "ROWS", 50)
    applied = applying.apply_file(folder / "policy.json", tmp_path / "people.csv", tmp_path / "plan.csv", None, workers)
    fill = policy.ground.known.schema["Duration"].fill
    assert f"“Duration” is missing or no number for 33 people: {fill:.0f} months was taken in its place." in applied.warnings
    assert "“Purpose” is an unknown category for 130 people: “radio or TV” was taken in its place." in applied.warnings
    assert applied.warnings == tuple(policy.warnings(policy.told(many)))
    said = lines_of(tmp_path / "plan.csv")["warning"]
    assert said.str.contains("replaced: Duration, Purpose").tolist() == (many.index % 4 == 0).tolist()
    assert said.str.contains("Purpose").all()


BAD = {
    "a missing column": (lambda table: table.drop(columns="Duration"), "lacks 1 of the columns that are needed: “Duration”"),
    "nobody": (lambda table: table.head(0), "no rows"),
}


@pytest.mark.parametrize(("change", "sentence"), BAD.values(), ids=BAD)
def test_a_bad_file_gets_a_sentence_and_the_plan_of_before_stays(german, tmp_path, change, sentence):
    folder, _, people = german
    change(people).to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "plan.csv").write_text("of another day")
    with pytest.raises(InputError, match=sentence):
        applying.apply_file(folder / "policy.json", tmp_path / "people.csv", tmp_path / "plan.csv")
    assert (tmp_path / "plan.csv").read_text() == "of another day"


def test_the_people_are_not_written_over(german, tmp_path):
    folder, _, people = german
    people.to_csv(tmp_path / "people.csv", index=False)
    with pytest.raises(InputError, match="choose another file"):
        applying.apply_file(folder / "policy.json", tmp_path / "people.csv", tmp_path / "people.csv")
    with pytest.raises(InputError, match="cannot be written"):
        applying.apply_file(folder / "policy.json", tmp_path / "people.csv", tmp_path / "nowhere" / "plan.csv", workers=1)
    assert len(pd.read_csv(tmp_path / "people.csv")) == len(people)


def started(*arguments):
    """The command, to which Ctrl+C means something even if these tests run in the background."""
    return subprocess.Popen(
        [sys.executable, "-m", "discover_core", "apply", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        preexec_fn=None if sys.platform == "win32" else lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def test_the_command_says_what_holds_and_where_the_plan_is(german, tmp_path):
    folder, policy, people = german
    process = started(folder / "policy.json", folder / "people.csv", "--out", tmp_path / "plan.csv")
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0
    changed = int(policy.told(people).changed.sum())
    assert f"{changed:,} of {len(people):,} people would change." in out
    assert policy.audited.share.sentence in out
    assert policy.whom in out
    assert f"Written to {tmp_path / 'plan.csv'}" in out
    assert f"{len(people):,} of {len(people):,} rows" in err
    assert len(lines_of(tmp_path / "plan.csv")) == len(people)
    process = started(folder / "policy.json", tmp_path / "no.csv")
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err.count("\n")) == (2, "", 1)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_keeps_the_lines_that_were_written(german, tmp_path):
    folder, _, people = german
    many = pd.concat([people] * (400_000 // len(people)), ignore_index=True)
    many.to_csv(tmp_path / "people.csv", index=False)
    process = started(folder / "policy.json", tmp_path / "people.csv", "--out", tmp_path / "plan.csv")
    assert "of" in process.stderr.readline()  # the first lines are there
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (130, "")
    assert "Stopped by hand" in err
    found = lines_of(tmp_path / "plan.csv")
    assert 0 < len(found) < len(many)
    assert f"{len(found):,} lines were written" in err
    assert found["row"].tolist() == list(range(1, len(found) + 1))
    deadline = time.monotonic() + 60
    while subprocess.run(["pgrep", "-f", str(tmp_path)], capture_output=True).stdout and time.monotonic() < deadline:
        time.sleep(0.1)  # its workers have gone, too
    assert not subprocess.run(["pgrep", "-f", str(tmp_path)], capture_output=True).stdout


def test_an_upload_gets_the_same_plan(german, tmp_path):
    folder, policy, _ = german
    applying.apply_file(folder / "policy.json", folder / "people.csv", tmp_path / "plan.csv", workers=1)
    (tmp_path / "parked").write_bytes((folder / "people.csv").read_bytes())
    files = {"policy.zip": policy_archive(policy)}
    applied, content = apply_policy(files, str(tmp_path / "parked"), "People.CSV", lambda share, doing: None)
    assert content == (tmp_path / "plan.csv").read_bytes()
    assert applied.lines == len(lines_of(tmp_path / "plan.csv"))
    assert not (tmp_path / "parked").exists()
    loose = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".csv"}
    assert len(loose) == 2
    assert uploaded_policy(loose).audited == policy.audited


def zipped(**files):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in files.items():
            archive.writestr(name, part)
    return content.getvalue()


def test_uploads_that_are_no_policy_get_a_sentence(german):
    folder, policy, _ = german
    alone = (folder / "policy.json").read_bytes()
    whole = policy_archive(policy)
    bad = {
        "no policy in this": {"a.json": b"[1]", "b.txt": b"x"},
        "is missing: choose both files": {"policy.json": alone},
        "is damaged": {"policy.zip": whole[: len(whole) // 2]},
        "more than a policy": {"policy.zip": zipped(**{f"{i}.json": b"{}" for i in range(FILES + 1)})},
        "more than a policy:": {"policy.zip": zipped(**{"policy.json": b" " * (401 * 2**20)})},
    }
    for sentence, files in bad.items():
        with pytest.raises(InputError, match=sentence):
            uploaded_policy(files)
