"""What README.md tells people to type works: its Python is run from top to bottom, as are its commands."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import discover_core as dc
from discover_dashboard.command import parser

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
PYTHON = [text for language, text in BLOCKS if language == "python"]
COMMANDS = [
    words for language, text in BLOCKS if language == "sh" for line in text.splitlines() if (words := shlex.split(line, True))
]
SOLVING = [words for words in COMMANDS if "solve" in words]
APPLYING = [words for words in COMMANDS if "apply" in words]


def test_there_is_something_to_try() -> None:
    assert len(PYTHON) >= 3
    assert {words[0] for words in COMMANDS} == {"make", "pip", "discover", ".venv/bin/python"}
    assert {words[0] for words in SOLVING} == {"discover", ".venv/bin/python"}
    assert APPLYING


@pytest.mark.slow
def test_the_code_and_the_commands_do_what_they_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    german = dc.load_sample("german_credit")
    german.table.to_csv(tmp_path / "loans.csv", index=False)
    content, ending = dc.save_model(dc.train_model("logistic", german.table, german.schema, seed=0))
    (tmp_path / f"model{ending}").write_bytes(content)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "readme"}
    for text in PYTHON:
        exec(compile(text, "README.md", "exec"), names)
    for words in SOLVING:
        done = run(words, "solve")
        assert done.returncode in (0, 3), done.stderr
        assert json.loads(Path("result", "result.json").read_text(encoding="utf-8"))
        shutil.rmtree("result")  # the next one wants a new folder
    dc.load_sample("german_credit_10").table.head(50).to_csv("people.csv", index=False)
    for words in APPLYING:
        done = run(words, "apply")
        assert done.returncode == 0, done.stderr
        assert len(dc.read_table("plan.csv")) == len(dc.read_table("people.csv"))


def run(words: list[str], command: str) -> subprocess.CompletedProcess[str]:
    """What is typed, from this tree."""
    module = "discover_dashboard" if words[0] == "discover" else "discover_core"
    typed = [sys.executable, "-m", module, *words[words.index(command) :]]
    return subprocess.run(typed, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("words", [words for words in COMMANDS if words[0] == "discover"], ids=shlex.join)
def test_discover_knows_the_command(words: list[str]) -> None:
    assert callable(parser().parse_args(words[1:]).command)


@pytest.mark.parametrize("words", [words for words in COMMANDS if words[0] == "make"], ids=shlex.join)
def test_make_knows_the_target(words: list[str]) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^{re.escape(words[1])}:", makefile, re.MULTILINE)
    for setting in words[2:]:
        assert re.search(rf"^{re.escape(setting.partition('=')[0])} \?=", makefile, re.MULTILINE)
