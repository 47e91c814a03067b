"""A policy for everybody in a file: a line per person, in the file's order, however many there are."""

from __future__ import annotations

import io
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pandas as pd
from threadpoolctl import threadpool_limits

from ..errors import InputError
from ..table.csv_chunks import csv_chunks
from ..table.prepare import check_columns
from ..table.read import read_table
from ..table.schema import Schema
from ..table.write import to_csv
from .doubts import Tally
from .policy import Policy
from .policy_file import read_policy
from .statement_words import statement_words

ROWS = 5_000  # people who are told at a time
AHEAD = 2  # pieces of work per process that have been handed out and not been written
METHOD = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"


@dataclass(frozen=True, eq=False)
class Lines:
    """Some people's lines of the plan as CSV, the heading left out."""

    content: bytes
    changed: int
    tally: Tally


@dataclass(frozen=True)
class Applied:
    """What was written: how many lines, how many of these people would change, its audit, whom that speaks of, and why it
    may not speak of these. `stopped` is whether there would have been more."""

    lines: int
    changed: int
    audit: str
    whom: str
    warnings: tuple[str, ...]
    stopped: bool = False

    @property
    def sentence(self) -> str:
        return f"{self.changed:,} of {self.lines:,} people would change."


def apply_file(
    policy_file: Path,
    people_file: Path,
    out: Path,
    progress: Callable[[int, int], None] | None = None,
    workers: int | None = None,
) -> Applied:
    """Writes the lines as they are found, with as many processes as there are cores, or with so many `workers`.

    `progress` hears how many lines are written, of how many. Ctrl+C ends it, and what was written stays.
    """
    policy = read_policy(policy_file)
    if any(out.exists() and file.exists() and out.samefile(file) for file in (policy_file, people_file)):
        raise InputError(f"“{out.name}” cannot be read and written at once: choose another file for the plan.")
    total, chunks = people_chunks(people_file, policy.ground.known.schema)
    count = min(workers or os.cpu_count() or 1, -(-total // ROWS))
    with ExitStack() as stack:
        opened = cache(lambda: stack.enter_context(out.open("wb")))  # not before: a plan of another day is not lost to a mistake
        lines = in_order(policy, policy_file, chunks, count)
        try:
            return written(policy, total, lines, lambda content: opened().write(content), progress)
        except OSError as error:
            raise InputError(f"“{out.name}” cannot be written: {error.strerror or error}.") from error


def apply_upload(policy: Policy, people_file: Path, name: str, progress: Callable[[int, int], None]) -> tuple[Applied, bytes]:
    """The same in this process alone, the plan in memory; `name` is what the user calls the people's file."""
    total, chunks = people_chunks(people_file, policy.ground.known.schema, name)
    content = io.BytesIO()
    applied = written(policy, total, (tell(policy, rows) for rows in chunks), content.write, progress)
    return applied, content.getvalue()


def written(
    policy: Policy,
    total: int,
    found: Iterator[Lines],
    write: Callable[[bytes], object],
    progress: Callable[[int, int], None] | None,
) -> Applied:
    """Write what is found, as it is found, and say what it was."""
    tallies: list[Tally] = []
    done = changed = 0
    stopped = False
    try:
        for lines in found:
            write(lines.content if done else heading(policy) + lines.content)
            tallies.append(lines.tally)
            done, changed = done + len(lines.tally.scores), changed + lines.changed
            if progress is not None:
                progress(done, total)
    except KeyboardInterrupt:
        stopped = True
    except InputError as error:
        raise InputError(f"{error} {done:,} lines were written before." if done else str(error)) from error
    audited = "This policy was not audited." if policy.audited is None else statement_words(policy.audited, policy.ground)
    said = policy.doubts(Tally.together(tallies)) if tallies else policy.notes
    return Applied(done, changed, audited, policy.whom, tuple(said), stopped)


def people_chunks(path: Path, schema: Schema, name: str | None = None) -> tuple[int, Iterator[pd.DataFrame]]:
    """How many rows a file has, and some of them at a time: a plain CSV file is never in memory as a whole."""
    plain = csv_chunks(path, schema, name)
    if plain is not None:
        return plain.rows, plain.chunks(ROWS)
    table = read_table(path, name)
    check_columns(table.columns, schema)
    if not len(table):
        raise InputError(f"“{name or path.name}” has no rows: there is nobody to apply the policy to.")
    return len(table), (table.iloc[at : at + ROWS] for at in range(0, len(table), ROWS))


def tell(policy: Policy, rows: pd.DataFrame) -> Lines:
    told = policy.told(rows)
    content = to_csv(told.lines)
    return Lines(content[content.index(b"\n") + 1 :], int(told.changed.sum()), told.tally)


def heading(policy: Policy) -> bytes:
    """The first line of a plan."""
    known = policy.ground.known.factual.iloc[:1]
    content = to_csv(policy.told(known).lines)
    return content[: content.index(b"\n") + 1]


def in_order(policy: Policy, policy_file: Path, chunks: Iterator[pd.DataFrame], workers: int) -> Iterator[Lines]:
    """What all are told, in their order; with several processes only a few chunks are under way at a time."""
    if workers <= 1:
        yield from (tell(policy, rows) for rows in chunks)
        return
    others = set(multiprocessing.active_children())
    context = multiprocessing.get_context(METHOD)
    pool = ProcessPoolExecutor(workers, context, _begin, (policy_file,))
    waiting: deque[Future[Lines]] = deque()
    try:
        for rows in chunks:
            waiting.append(pool.submit(_tell, rows))
            if len(waiting) >= AHEAD * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise InputError(
            "A process ended unexpectedly, perhaps for lack of memory: close other programs, or try fewer rows."
        ) from None
    finally:
        if waiting:  # nobody waits for what nobody will read
            for process in set(multiprocessing.active_children()) - others:
                process.terminate()
        pool.shutdown(cancel_futures=True)


_policy: Policy | None = None  # of a worker process


def _begin(policy_file: Path) -> None:
    """A worker reads the policy once, and leaves Ctrl+C to the process that started it; a core each is enough."""
    global _policy
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _policy = read_policy(policy_file)
    threadpool_limits(1)


def _tell(rows: pd.DataFrame) -> Lines:
    assert _policy is not None
    return tell(_policy, rows)
