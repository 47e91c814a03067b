"""Candidates in batches, so that memory does not grow with their number times the rows that they are for."""

from __future__ import annotations

from collections.abc import Iterator

AT_ONCE = 8_000_000  # numbers of a batch


def batches(candidates: int, numbers: int) -> Iterator[slice]:
    """So many candidates, each of so many numbers, as slices of at most AT_ONCE numbers, one candidate at the least."""
    step = max(1, AT_ONCE // max(1, numbers))
    yield from (slice(at, min(at + step, candidates)) for at in range(0, candidates, step))
