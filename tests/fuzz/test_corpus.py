"""Whatever is in a file, the library reads it or says in a sentence why not: soon, in little memory, and without a crash."""

from __future__ import annotations

import sys
import tracemalloc
from collections import Counter
from random import Random, SystemRandom
from typing import Any

import pytest

from .case import Verdict
from .corpus import corpus, grown, grown_cases
from .figures import figures
from .sandbox import judged
from .seeds import seeds
from .table_changes import LARGEST, changed_cells

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


@pytest.mark.soak
def test_three_thousand_hostile_files_that_nobody_has_seen() -> None:
    """A finding says how it is made again: `tests.fuzz.corpus.grown` with its kind, its number and this seed."""
    seed = SystemRandom().randrange(1, 10**6)
    print(f"\nThe files of seed {seed}")
    held(judged(grown_cases(3_000, seed)))


def test_a_finding_says_how_it_is_made_again() -> None:
    case = next(grown_cases(40, 7_654))
    assert case.label.startswith("number 0 of seed 7654: ")
    assert case == grown(case.kind, 0, 7_654)
    verdict = Verdict(case.kind, case.label, "", "a crash", 1.0, 1.0)
    with pytest.raises(AssertionError, match=rf"{case.kind}, number 0 of seed 7654: .*a crash"):
        held([verdict])


class Greedy(Random):
    """Has one way of making a table longer, and takes the most of it."""

    def __init__(self, way: str) -> None:
        super().__init__(0)
        self.way = way

    def choice(self, options: Any) -> Any:
        if self.way in options:
            return self.way
        if options[0] == 0:  # the line to change: always the same
            return 0
        return max(options) if isinstance(options[0], int) else max(options, key=len)


@pytest.mark.parametrize("way", ["more", "many"])
def test_a_table_that_grows_again_and_again_stays_within_bounds(way: str) -> None:
    tracemalloc.start()
    content, _ = changed_cells(seeds()["CSV"][0]["people.csv"], Greedy(way))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(content) <= LARGEST
    assert peak < 40 * LARGEST


def test_the_corpus_is_spread_over_all_kinds_and_the_same_every_time() -> None:
    counts = Counter()
    for number, (case, again) in enumerate(zip(corpus(200), corpus(200), strict=True)):
        assert (case.kind, case.label) == (again.kind, again.label), f"case {number} of the same corpus is another"
        if case.kind != "skops":  # its nodes have bytes between their fields that nobody sets
            assert case.files == again.files, f"case {number} of the same corpus has other bytes: {case.label}"
        counts[case.kind] += 1
    assert sum(counts.values()) == 200
    assert set(counts) == set(seeds())
    assert min(counts.values()) >= 6
    assert grown("CSV", 7, seed=0) != grown("CSV", 7, seed=1)
