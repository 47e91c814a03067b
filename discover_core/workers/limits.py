"""What the work of one server may take: memory, time and threads of each process, and how many are at work at once.

Every setting is an environment variable that is read here and nowhere else.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from ..errors import InputError
from ..problem.checks import number, whole

GB = 2**30
MOST_MEMORY = 4.0  # GB: four times what 100,000 people or a reference of a million rows were measured to need
JOB_MINUTES = 60.0  # a policy applied to a million people takes a quarter of an hour of a core
CGROUP = Path("/sys/fs/cgroup/memory.max")  # what a container may have


@dataclass(frozen=True)
class Limits:
    """`memory` is in GB for each process, beside what its libraries take; None is no limit.

    `job_minutes` are for a job of a page, `run_hours` for a run each time it is at work, `threads` for each process; so many
    `runs` and so many `jobs` are at work at once. `tables` is in GB for the open tables of all tabs together, which the server's
    own process holds. `names` are the environment variables they are read from.
    """

    memory: float | None = None
    job_minutes: float | None = None
    run_hours: float | None = None
    threads: int | None = None
    runs: int = 1
    jobs: int = 1
    tables: float | None = None

    def __post_init__(self) -> None:
        for field, name in NUMBERS.items():
            if getattr(self, field) is not None:
                number(name, getattr(self, field), low=0, high=1e6, above=True)
        for field, name in COUNTS.items():
            if getattr(self, field) is not None:
                whole(name, getattr(self, field), 1)

    @classmethod
    def of_environment(cls, said: Mapping[str, str] = os.environ) -> Self:
        """As the operator said, or else sensible for this computer."""
        given: dict[str, float] = {}
        for kind, names in ((float, NUMBERS), (int, COUNTS)):
            for field, name in names.items():
                if text := said.get(name, "").strip():
                    try:
                        given[field] = kind(text)
                    except ValueError:
                        what = "number" if kind is float else "whole number"
                        raise InputError(f"“{name}” must be a {what}, not “{text}”: set it again, or leave it out.") from None
        machine = memory_of_machine()
        usual = {"job_minutes": JOB_MINUTES}
        if machine is not None:
            usual |= {"memory": min(MOST_MEMORY, machine / 2), "tables": machine / 4}
        return cls(**{**usual, "runs": cores(), "jobs": max(2, cores()), **given})  # type: ignore[arg-type]

    @property
    def of_job(self) -> Share:
        return Share(self.memory, None if self.job_minutes is None else 60 * self.job_minutes, self.threads)

    @property
    def of_run(self) -> Share:
        return Share(self.memory, None if self.run_hours is None else 3600 * self.run_hours, self.threads)


NUMBERS = {
    "memory": "DISCOVER_MEMORY",
    "job_minutes": "DISCOVER_JOB_MINUTES",
    "run_hours": "DISCOVER_RUN_HOURS",
    "tables": "DISCOVER_TABLES",
}
COUNTS = {"threads": "DISCOVER_THREADS", "runs": "DISCOVER_RUNS", "jobs": "DISCOVER_JOBS"}


@dataclass(frozen=True)
class Share:
    """What one process may take: GB of memory, seconds, threads."""

    memory: float | None = None
    seconds: float | None = None
    threads: int | None = None

    def memory_words(self, what: str, advice: str) -> str:
        """What to say of work that ran out of memory."""
        if self.memory is None:
            return f"There was not enough memory for {what}: {advice}."
        most = f"{self.memory:.3g} GB of memory, the most it may have here"
        return f"{_first(what)} needed more than {most}: {advice}, or ask whoever runs the server for more (DISCOVER_MEMORY)."

    def time_words(self, what: str, advice: str, name: str) -> str:
        """What to say of work that took too long."""
        most = "" if self.seconds is None else f" than {duration(self.seconds)}, the longest it may take here"
        return f"{_first(what)} took longer{most}: {advice}, or ask whoever runs the server for more ({name})."


def _first(what: str) -> str:
    return what[0].upper() + what[1:]


def duration(seconds: float) -> str:
    """In the largest unit that there is one of."""
    for size, unit in ((3600.0, "hour"), (60.0, "minute"), (1.0, "second")):
        if seconds >= size or size == 1.0:
            return f"{seconds / size:.3g} {unit}{'' if seconds == size else 's'}"
    raise AssertionError


def cores() -> int:
    """The cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def memory_of_machine() -> float | None:
    """In GB; of a container what it may have. None where the system does not say."""
    try:
        found = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    except (AttributeError, ValueError, OSError):
        return None
    with contextlib.suppress(OSError, ValueError):  # there is none, or it says "max"
        found.append(int(CGROUP.read_text()))
    return min(found) / GB
