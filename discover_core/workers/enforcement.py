"""Limits inside a worker's process, set before it begins: the system keeps them even when native code does not listen."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from ..errors import InputError
from .limits import GB, Share, cores

STATUS = Path("/proc/self/status")
BEHIND = 5  # niceness: whoever turns a page comes before what works in the background, which still gets a quarter of a core
FIRST_TO_GO = "500"  # where the whole machine runs out of memory, the kernel ends workers before the server
SPARE = 60  # seconds of the processor beyond what all cores could use in time: the server's watch comes first
SHORT = ("bad_alloc", "bad allocation", "unable to allocate", "out of memory", "cannot allocate memory", "can't start new thread")


def enforce(share: Share) -> None:
    """For this process, from now on. What libraries took before does not count: data are limited, not addresses, of which
    threads, Arrow's pools and files that are mapped take many that they never use."""
    if sys.platform != "win32":
        import resource

        _set(resource.RLIMIT_CORE, 0)
        if share.memory is not None and (taken := in_memory("VmData")) is not None:
            _set(resource.RLIMIT_DATA, taken + int(share.memory * GB))
        if share.seconds is not None:  # of a loop that nobody can stop any more
            _set(resource.RLIMIT_CPU, int(share.seconds * cores()) + SPARE)
    with contextlib.suppress(AttributeError, OSError):
        os.nice(BEHIND)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(FIRST_TO_GO)
    if share.threads is not None:
        _keep_threads(share.threads)


def in_memory(*kinds: str, status: Path = STATUS) -> int | None:
    """Bytes of these kinds that a process has, as Linux says; None where it does not, or when the process is gone."""
    try:
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return sum(int(lines[kind].split()[0]) for kind in kinds) * 1024
    except (OSError, KeyError, ValueError):
        return None


def short_of_memory(error: BaseException | None) -> bool:
    """Whether an error, or one that led to it, comes from memory running short; native libraries say it in words."""
    while error is not None:
        said = "" if isinstance(error, InputError) else str(error).lower()  # a sentence may quote anything
        if isinstance(error, MemoryError) or any(word in said for word in SHORT):
            return True
        error = error.__cause__ or error.__context__
    return False


def _set(kind: int, most: int) -> None:
    import resource

    hard = resource.getrlimit(kind)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (most, most))


def _keep_threads(count: int) -> None:
    """For libraries that are loaded, those that come, and whoever counts cores with joblib."""
    from threadpoolctl import threadpool_limits

    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = os.environ["LOKY_MAX_CPU_COUNT"] = str(count)
    threadpool_limits(count)
