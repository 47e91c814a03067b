"""Try a model's file in a process of its own before this one reads it: what ends a process, ends that one.

The second wall behind the checks of structure. The child is a plain Python, started with nothing of the caller's but its import
path, so that it works from notebooks, from scripts without a main guard and from daemonic processes.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Mapping
from typing import IO, Any

from ..errors import InputError, said
from .loaded import Origin
from .questions import ChooseOutput, ColumnMismatch, UnknownTypes

SECONDS = 10.0  # of the processor's time for reading and scoring a few rows; loading the libraries does not count
SECONDS_PER_MB = 1.0
PATIENCE = 120.0  # seconds by the clock, which a busy machine may need for the rest
MEMORY = 2 * 2**30  # bytes that reading and scoring may add, or so many times the file:
MEMORY_PER_BYTE = 30
START = "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); from discover_core.models.probe import child; child()"
READY = b"ready\n"  # the child's first line: from here on, what goes wrong is the file's doing
OUT_OF_MEMORY = ("bad_alloc", "bad allocation", "failed to allocate", "unable to allocate", "out of memory", "cannot allocate")
ERRORS = {kind.__name__: kind for kind in (InputError, ChooseOutput, ColumnMismatch, UnknownTypes)}
ADVICE = "save the model again, or in another format"

_harmless: set[bytes] = set()  # files that were read and asked before, by their hash
_crashes_accepted = False


def accept_crashes() -> None:
    """Say that this process may end with the file it reads, because whoever started it expects that: it tries none before."""
    global _crashes_accepted
    _crashes_accepted = True


def crashes_accepted() -> bool:
    return _crashes_accepted


def try_file(origin: Origin, schema: Any, arguments: Mapping[str, Any]) -> None:
    """InputError if reading the file and scoring a few rows fails, ends the process, or takes too long or too much memory.

    Where no Python can be started, nothing is tried. What another process found, it says as JSON: it may have been misled.
    """
    key = hashlib.sha256(origin.extension.encode() + b"\0" + origin.data).digest()
    if key in _harmless:
        return
    request = pickle.dumps(sys.path) + pickle.dumps((origin.data, origin.title, origin.extension, schema, dict(arguments)))
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    limit = PATIENCE + _seconds(origin.data)
    try:
        ended = subprocess.run(
            [sys.executable, "-I", "-c", START],
            input=request,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=limit,
            env=os.environ | threads,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise InputError(f"“{origin.title}” takes more than {limit:.0f} seconds to open: {ADVICE}.") from error
    except OSError:
        return
    if not ended.stdout.startswith(READY):
        return
    try:
        answer = json.loads(ended.stdout[len(READY) :])
    except ValueError as error:
        raise InputError(
            f"“{origin.title}” ends the process that opens it{_how(ended.returncode)}, so it is not opened here: {ADVICE}."
        ) from error
    if answer["error"] is not None:
        kind, content = answer["error"]
        raise ERRORS[kind](*content)
    _harmless.add(key)


def _seconds(data: bytes) -> float:
    return SECONDS + SECONDS_PER_MB * len(data) / 2**20


def _how(code: int) -> str:
    """What a death means, as far as its number tells."""
    import signal

    if -code in (getattr(signal, "SIGXCPU", None), getattr(signal, "SIGKILL", None)):
        return " (it takes too long or too much memory)"
    return f" (signal {-code})" if code < 0 else ""


def child() -> None:
    """What the other process does. Whatever libraries print goes nowhere."""
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    data, name, extension, schema, arguments = pickle.load(sys.stdin.buffer)
    from . import load  # all libraries, before anything is limited

    _say(answers, READY)
    _limit(data)
    origin = Origin(data, extension, name)
    try:
        model = load.read_model(origin, schema, **arguments)
        for rows in probe_rows(schema):
            _ask(model, rows)
    except Exception as error:
        _say(answers, json.dumps({"error": _told(error, name)}).encode())
    else:
        _say(answers, json.dumps({"error": None}).encode())
    os._exit(0)


def _say(answers: IO[bytes], text: bytes) -> None:
    answers.write(text)
    answers.flush()


def _limit(data: bytes) -> None:
    """The system ends this process when it has used up its time, and gives it no memory beyond its share."""
    try:
        import resource
    except ImportError:  # Windows: only the caller's clock
        return
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    _lower(resource.RLIMIT_CPU, int(used + _seconds(data)) + 1)
    _lower(resource.RLIMIT_CORE, 0)
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return
    _lower(resource.RLIMIT_AS, now + max(MEMORY, MEMORY_PER_BYTE * len(data)))


def _lower(limit: int, value: int) -> None:
    import resource

    hard = resource.getrlimit(limit)[1]
    most = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(limit, (most, most))


def _ask(model: Any, rows: Any) -> None:
    """A model may refuse rows, but not for want of memory."""
    try:
        model(rows)
    except InputError as error:
        if _lacks_memory(error):
            raise


def _told(error: Exception, name: str) -> tuple[str, list[Any]]:
    """An error as its kind and what it is made from."""
    if _lacks_memory(error):
        return "InputError", [f"“{name}” needs far more memory than a model of its size: {ADVICE}."]
    if type(error).__name__ in ERRORS:
        return type(error).__name__, list(error.__reduce__()[1])
    return "InputError", [f"“{name}” cannot be read: {ADVICE} (the reader said: {said(error)})."]


def _lacks_memory(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, MemoryError) or any(words in str(error).lower() for words in OUT_OF_MEMORY):
            return True
        error = error.__cause__ or error.__context__
    return False


def probe_rows(schema: Any) -> list[Any]:
    """Rows as they are usual, and rows with the lowest, the highest, extreme and missing values."""
    import numpy as np
    import pandas as pd

    draw, count = np.random.default_rng(0), 24
    usual: dict[str, Any] = {}
    odd: dict[str, Any] = {}
    for column in schema.features:
        if column.categorical:
            levels = np.array([*column.levels, None], dtype=object)
            usual[column.name] = levels[draw.integers(0, len(levels) - 1, count)]
            odd[column.name] = levels[draw.integers(0, len(levels), count)]
        else:
            low, high = float(column.low), float(column.high)
            usual[column.name] = draw.uniform(low, high, count)
            odd[column.name] = draw.choice([low, high, 2 * low - high, 2 * high - low, 1e30, -1e30, 0.0, -1.0, np.nan], count)
            odd[column.name][0] = high
    return [pd.DataFrame(usual), pd.DataFrame(odd)]
