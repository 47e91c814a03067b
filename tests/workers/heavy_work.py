"""Work that takes what it can get: memory of two kinds, and a core in native code that listens to nobody."""

import mmap
import re
import time
from pathlib import Path

import numpy as np

PIECE = 32 * 2**20
MOST = 3 * 2**30  # a test whose limit does not hold ends by itself
ENOUGH = 2**30


def allocate(progress):
    """Until there is no more."""
    pieces = []
    while len(pieces) * PIECE < MOST:
        pieces.append(np.ones(PIECE // 8))
        progress(0.5, f"{len(pieces)} pieces")
    raise AssertionError("nothing ended it")


def share(progress):
    """Shared memory, which the system does not count as a process's own data."""
    pieces = []
    while len(pieces) * PIECE < ENOUGH:
        pieces.append(mmap.mmap(-1, PIECE))
        pieces[-1].write(b"x" * PIECE)
    time.sleep(120)  # to be seen with it
    raise AssertionError("nothing ended it")


def spin(progress):
    """In native code that keeps the interpreter to itself."""
    progress(0.5, "spinning")
    re.match(r"(a+)+$", "a" * 80 + "b")


def wait_for(path, progress):
    progress(0.5, "waiting")
    while not Path(path).exists():
        time.sleep(0.01)


def report_none(fn, *args):
    """A job's work as a plain call."""
    return fn(*args, lambda share, doing: None)
