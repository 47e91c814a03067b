"""Why a policy's guarantee may not speak of some people, in sentences about all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.stats import ks_2samp

from ..problem.amounts import amount, percent
from ..problem.amounts import people as so_many
from ..table.cohort import Cohort
from ..table.schema import Schema
from .design import Design
from .gaps import Counts, gap_sentences
from .membership import group_words

Floats = NDArray[np.float64]
DRIFT, FEWEST = 0.01, 20  # scores have drifted if a difference so large has this probability; with fewer people nobody can say


@dataclass(frozen=True, eq=False)
class Tally:
    """Their scores, how many are far from anybody, outside the group, beyond those it was learnt from, or of whom nobody can say
    whether they belong, and how many lack values."""

    scores: Floats
    far: int
    outside: int
    beyond: int
    open: int
    gaps: Counts

    @classmethod
    def together(cls, parts: Sequence[Tally]) -> Self:
        far, outside, beyond, undecided = (
            sum(getattr(part, name) for part in parts) for name in ("far", "outside", "beyond", "open")
        )
        gaps = np.sum([part.gaps for part in parts], axis=0)
        return cls(np.concatenate([part.scores for part in parts]), far, outside, beyond, undecided, gaps)


def doubts(tally: Tally, design: Design, cohort: Cohort | None, schema: Schema) -> list[str]:
    said = [*_group(tally, design, cohort), *_drift(tally.scores, design)]
    if tally.far:
        are = "is" if tally.far == 1 else "are"
        said.append(f"{so_many(tally.far)} {are} unlike anybody it was learnt from: what they are told may not fit.")
    return [*said, *gap_sentences(tally.gaps, schema)]


def _group(tally: Tally, design: Design, cohort: Cohort | None) -> list[str]:
    said, n = [], len(tally.scores)
    if tally.outside and cohort is not None:
        do = "does" if tally.outside == 1 else "do"
        said.append(
            f"{tally.outside:,} of {so_many(n)} {do} not belong to the group ({group_words(cohort)}): "
            "the guarantee does not speak of them."
        )
    if tally.beyond:
        has = "has" if tally.beyond == 1 else "have"
        what = "a score" if cohort is not None or design.seen is None else "a value or a score"
        said.append(
            f"{tally.beyond:,} of {so_many(n)} {has} {what} that nobody has whom the policy was learnt from "
            f"(scores {amount(design.scores[0])} to {amount(design.scores[-1])}): do not count on the guarantee for them."
        )
    if tally.open and cohort is not None:
        said.append(
            f"Whether {tally.open:,} of {so_many(n)} belong to the group ({group_words(cohort)}) cannot be told: "
            "a rule is about the outcome, which nobody knows beforehand."
        )
    return said


def _drift(scores: Floats, design: Design) -> list[str]:
    if not len(scores):
        return []
    if len(scores) < FEWEST:
        are = "is" if len(scores) == 1 else "are"
        return [
            f"{so_many(len(scores))} {are} too few to test whether scores have drifted from those the policy was learnt from: "
            f"that takes {FEWEST}."
        ]
    if ks_2samp(design.scores, scores).pvalue >= DRIFT:
        return []
    return [
        f"These people's scores differ from those the policy was learnt from (mean {amount(scores.mean())}, then "
        f"{amount(design.scores.mean())}; a difference that chance makes in fewer than {percent(DRIFT)} of such groups): "
        "the guarantee does not speak of them."
    ]
