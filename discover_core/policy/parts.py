"""A group in two: people to learn a policy from, and people for its audit, of whom the model should not know either."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.int64]
Marks = NDArray[np.bool_]
FEWEST = 10  # people on each side
KEPT = 48  # of a group's marks: groups that share a tenth of their people are told from strangers but once in 150
GOLDEN, FIRST, SECOND = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))  # splitmix64


@dataclass(frozen=True, eq=False)
class Parts:
    """`design` and `audited` are rows of the table. The model was fitted to `known` of the audited; None if nobody can say."""

    design: Indices
    audited: Indices
    known: int | None

    @classmethod
    def of(cls, group: Indices, learnt_from: Marks | None, share: float, seed: int) -> Self:
        """At random, so large a share of the group audited, but of those alone to whom the model was not fitted, if enough are
        left: it scores the others better than it scores new people."""
        fresh = np.ones(len(group), dtype=bool) if learnt_from is None else ~learnt_from[group]
        if fresh.sum() < FEWEST:
            fresh[:] = True
        most = min(len(group) - 1, max(1, round(share * len(group))), int(fresh.sum()))
        audited = np.zeros(len(group), dtype=bool)
        audited[np.random.default_rng(seed).permutation(np.flatnonzero(fresh))[:most]] = True
        known = None if learnt_from is None else int(learnt_from[group[audited]].sum())
        return cls(group[~audited], group[audited], known)


def family(data: str, group: Indices) -> str:
    """The name of the data, and the least of the marks that each of the group's rows has in it."""
    name = hashlib.sha256(data.encode()).digest()
    with np.errstate(over="ignore"):
        mixed = (group.astype(np.uint64) + np.frombuffer(name[:8], dtype="<u8")[0]) * GOLDEN
        mixed = (mixed ^ (mixed >> np.uint64(30))) * FIRST
        mixed = (mixed ^ (mixed >> np.uint64(27))) * SECOND
    least = np.sort(mixed ^ (mixed >> np.uint64(31)))[:KEPT] >> np.uint64(16)
    return f"{name.hex()[:16]}:{' '.join(f'{mark:012x}' for mark in least.tolist())}"


def related(one: str, other: str) -> bool:
    """Whether two families are of the same data and have people in common. Those who share a few of very many may pass for
    strangers."""
    (data, _, marks), (same, _, others) = one.partition(":"), other.partition(":")
    return one == other or (data == same and not set(marks.split()).isdisjoint(others.split()))
