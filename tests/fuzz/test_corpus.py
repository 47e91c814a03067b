"""Whatever is in a file, the library reads it or says in a sentence why not: soon, in little memory, and without a crash."""

from __future__ import annotations

import sys
from collections import Counter

import pytest

from .case import Verdict
from .corpus import corpus, grown
from .figures import figures
from .sandbox import judged
from .seeds import seeds

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the limits of a file's process are Linux's")


def held(verdicts: list[Verdict]) -> None:
    print("", figures(verdicts), sep="\n")
    findings = [str(verdict) for verdict in verdicts if verdict.finding]
    assert findings == [], "\n".join([f"{len(findings)} files:", *findings])


@pytest.mark.slow
def test_two_hundred_hostile_files() -> None:
    held(judged(corpus(200)))


@pytest.mark.soak
def test_two_thousand_hostile_files() -> None:
    held(judged(corpus(2_000)))


def test_the_corpus_is_spread_over_all_kinds_and_the_same_every_time() -> None:
    counts = Counter()
    for number, (case, again) in enumerate(zip(corpus(200), corpus(200), strict=True)):
        assert (case.kind, case.label) == (again.kind, again.label), f"case {number} of the same corpus is another"
        if case.kind != "skops":  # its nodes have bytes between their fields that nobody sets
            assert case.files == again.files, f"case {number} of the same corpus has other bytes: {case.label}"
        counts[case.kind] += 1
    assert sum(counts.values()) == 200
    assert set(counts) == set(seeds())
    assert min(counts.values()) >= 8
    assert grown("CSV", 7, seed=0) != grown("CSV", 7, seed=1)
