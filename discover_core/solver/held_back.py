"""How many people each rule between columns holds back from something that they could otherwise do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..problem.problem import Problem
from .fence import Fence
from .personal.options import Options

MOST = 5_000  # people who are looked at
SEED = 0  # who they are, in a larger group
CELLS = 2_000_000  # held in memory at once


@dataclass(frozen=True)
class HeldBack:
    """`people[rule]`: for how many of those `looked_at` the rule forbids some value that a single feature may take."""

    people: tuple[int, ...]
    looked_at: int


def held_back(problem: Problem) -> HeldBack:
    """Of a group above 5,000 people, as many are drawn by a fixed seed."""
    rules, factual = problem.column_rules, problem.walls.factual
    n, width = factual.shape
    people = np.arange(n) if n <= MOST else np.sort(np.random.default_rng(SEED).choice(n, MOST, replace=False))
    counts = np.zeros(len(rules), dtype=np.int64)
    if not len(rules):
        return HeldBack((), len(people))
    options = Options.of(Fence.of(problem), problem.reference, problem.ranges())
    batch = max(1, CELLS // (width * max(1, sum(map(len, options.values.values())))))
    for start in range(0, len(people), batch):
        some = people[start : start + batch]
        value, feature, fine = options.of_people(some)
        now = factual[some][:, None, :]
        for i, rule in enumerate(rules.rules):
            own = np.flatnonzero(np.isin(feature, rules.columns(i)))
            after = np.repeat(now, len(own), axis=1)
            after[:, np.arange(len(own)), feature[own]] = value[:, own]
            counts[i] += int((rule.violated(now, after) & fine[:, own]).any(axis=1).sum())
    return HeldBack(tuple(counts.tolist()), len(people))
