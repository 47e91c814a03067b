"""The judge of hostile files sees everything that none of them may cause."""

from __future__ import annotations

import sys

import pytest

from .case import Case, wrong_with
from .sandbox import sandbox
from .seeds import seeds

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the limits of a file's process are Linux's")

FINDINGS = {
    "read": "",
    "refuse": "",
    "mumble": "a sentence without its full stop",
    "raise_something": "KeyError: 'a' in nowhere",
    "crash": "the process was ended by SIGSEGV",
    "leave": "the process ended itself with 1",
    "work_on": "more than 1 s of processor time",
    "let_a_child_work": "s of processor time, then: read",
    "take_memory": "MB of memory, then: read",
    "take_all_memory": "as much memory as there was",
}


def test_all_that_may_not_be_is_found_and_what_comes_next_is_judged_alone() -> None:
    with sandbox("tests.fuzz.misbehaviour", "misbehave", seconds=1, megabytes=100) as box:
        for way, finding in FINDINGS.items():
            verdict = box.judge(Case(way, "", {}))
            assert finding in verdict.finding
            assert bool(verdict.finding) == bool(finding)
            after = box.judge(Case("refuse", "", {}))
            assert (after.ending, after.said) == ("refused", "The file is empty: choose another.")


@pytest.mark.parametrize(
    ("sentence", "wrong"),
    [
        ("“a.csv” is empty: choose another.", ""),
        ("“\ud800.csv” is empty.", "the sign"),
        ("It is\nempty.", "the sign"),
        ("It is empty", "full stop"),
        ("It is " + "very " * 120 + "empty.", "characters"),
        ("Traceback (most recent call last).", "programmers"),
        ("It begins with b'PK'.", "programmers"),
        ("It is <_io.BytesIO object at 0x7f1234567890>.", "programmers"),
    ],
)
def test_what_counts_as_a_sentence(sentence: str, wrong: str) -> None:
    assert wrong in wrong_with(sentence)
    assert bool(wrong) == bool(wrong_with(sentence))


@pytest.mark.slow
def test_what_the_corpus_is_grown_from_is_read() -> None:
    with sandbox() as box:
        verdicts = [box.judge(Case(kind, str(i), seed)) for kind, some in seeds().items() for i, seed in enumerate(some)]
    refused = {f"{verdict.kind} {verdict.label}": verdict.said for verdict in verdicts if verdict.ending != "read"}
    assert list(refused) == ["Parquet 3"], refused
    assert "holds lists or records" in refused["Parquet 3"]
