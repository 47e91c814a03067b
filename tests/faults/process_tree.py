"""What runs below a server, and what it takes: read from /proc, which only Linux has."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")


def children(pid: int) -> list[int]:
    """The processes that this one has started and that still run."""
    found = []
    for each in PROC.iterdir():
        if each.name.isdigit():
            with suppress(OSError, IndexError):
                state, parent = (each / "stat").read_text().rpartition(")")[2].split()[:2]
                if int(parent) == pid and state != "Z":
                    found.append(int(each.name))
    return sorted(found)


def fork_server(server: int) -> int | None:
    """The process that a server's workers and jobs are forked from; it is there once one was needed."""
    for pid in children(server):
        with suppress(OSError):
            if b"forkserver" in (PROC / str(pid) / "cmdline").read_bytes():
                return pid
    return None


def alive(pid: int | None) -> bool:
    """Whether a process runs; one that only waits to be buried does not."""
    with suppress(OSError, IndexError):
        return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def megabytes(pid: int) -> float:
    """The memory that a process holds."""
    lines = (PROC / str(pid) / "status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


def handles(pid: int) -> list[str]:
    """What a process has open, but for the store, of which as many connections are kept as were ever needed at once."""
    found = []
    for each in (PROC / str(pid) / "fd").iterdir():
        with suppress(OSError):
            found.append(os.readlink(each))
    return sorted(name for name in found if "runs.sqlite3" not in name)
