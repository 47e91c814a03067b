"""What users upload is read in jobs: none of it in the server's process, and no upload stays once it was looked at."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from discover_core.errors import InputError
from discover_core.policy.policy_upload import PolicyHead
from discover_core.problem.targets import Quantiles, Values
from discover_core.scenario import Scenario
from discover_core.workers import page_jobs

ROOT = Path(__file__).parents[2]
READERS = {
    "target_values",
    "parse_json",
    "read_json",
    "policy_data",
    "uploaded_policy",
    "read_table",
    "load_model",
    "read_policy",
}
PARSERS = {"zipfile", "openpyxl", "pyarrow", "gzip", "xml"}


def quiet(share: float, doing: str) -> None:
    """Nobody listens."""


@pytest.mark.parametrize("path", sorted([*ROOT.glob("ui/**/*.py"), *ROOT.glob("pages/*.py"), ROOT / "app.py"]), ids=str)
def test_no_page_reads_an_upload_itself(path: Path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert not READERS & {name.name for name in node.names}
            assert (node.module or "").split(".")[0] not in PARSERS
        elif isinstance(node, ast.Import):
            assert not PARSERS & {name.name.split(".")[0] for name in node.names}


def test_a_scenario_comes_back_from_its_job(german: Scenario, tmp_path: Path):
    path = tmp_path / "upload"
    path.write_text(json.dumps(german.to_dict()))
    assert page_jobs.read_scenario(str(path), "mine.json", quiet) == german
    assert not path.exists()


@pytest.mark.parametrize(
    ("content", "made"), [(b"1\n2\n", Values((1.0, 2.0))), (b"p,value\n0,1\n1,2\n", Quantiles((0.0, 1.0), (1.0, 2.0)))]
)
def test_a_target_comes_back_from_its_job(content: bytes, made: Values | Quantiles, tmp_path: Path):
    path = tmp_path / "upload"
    path.write_bytes(content)
    assert page_jobs.read_target(str(path), "wish.csv", None, quiet) == made
    assert not path.exists()


@pytest.mark.parametrize(
    ("job", "content", "says"),
    [
        (page_jobs.read_scenario, b"[" * 10_000, "deep inside each other"),
        (page_jobs.read_scenario, b" " * (5 * 2**20 + 1), "more than the 5 MB"),
        (page_jobs.read_scenario, b'{"version": 1}', "missing"),
        (page_jobs.read_target, b"score\nhigh\n", "“high”"),
        (page_jobs.read_target, b"1\n" * (10 * 2**20 + 1), "more than the 20 MB"),
    ],
)
def test_what_cannot_be_read_is_gone_as_well(job: Callable[..., Any], content: bytes, says: str, tmp_path: Path):
    path = tmp_path / "upload"
    path.write_bytes(content)
    more = (None,) if job is page_jobs.read_target else ()
    with pytest.raises(InputError, match=says):
        job(str(path), "mine\ud800.json", *more, quiet)
    assert not path.exists()


def test_what_a_policy_says_of_itself_is_short():
    schema = {"columns": [{"name": "x" * 10**6}, 7, *[{"name": "y"}] * 5_000], "outcome": []}
    data = {"version": 1, "cut": 0.5, "schema": schema, "design": {"people": "many"}}
    head = page_jobs.read_policy({"policy.json": json.dumps(data).encode(), "policy-model.txt": b""}, quiet)
    assert head == PolicyHead(None, "", ("x" * 100, *["y"] * 1_999), "")
    for wrong in ({}, {"a.zip": b"PK"}, {"a.json": b'{"cut": NaN, "version": 1}'}, {"model.json": b"[1]"}):
        with pytest.raises(InputError, match=r"There is no policy in this|This ZIP is damaged"):
            page_jobs.read_policy(wrong, quiet)
