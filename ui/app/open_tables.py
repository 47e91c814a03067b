"""What the open tables of all tabs take of the server's memory, and that it is no more than the operator allows."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from discover_core.errors import InputError
from discover_core.table import Dataset
from discover_core.workers.limits import GB, Limits
from discover_core.workers.page_results import OpenTable

_open: dict[int, tuple[weakref.ref[Any], int]] = {}  # by the table as it was read: all that was made of it since hangs on it
_coming: list[int] = []  # bytes of those that are being read
_lock = threading.RLock()  # a table may be forgotten at any moment


def dataset(opened: OpenTable) -> Dataset:
    """The table, as soon as anybody works with it; an InputError if there is no room for it."""
    size = opened.summary.size
    with _room(size, opened.summary.title):
        found = opened.dataset()
        _hold(found.raw, size)
    return found


def taken() -> int:
    """Bytes of all tables that somebody has open or is opening."""
    with _lock:
        return sum(size for _, size in list(_open.values())) + sum(_coming)


@contextmanager
def _room(size: int, title: str) -> Iterator[None]:
    most = Limits.of_environment().tables
    with _lock:
        if most is not None and taken() + size > most * GB:
            gc.collect()  # of what was closed, something may still lie about
        free = None if most is None else most * GB - taken()
        if free is not None and size > free:
            raise InputError(_sentence(size, title, free, most))
        _coming.append(size)
    try:
        yield
    finally:
        with _lock:
            _coming.remove(size)


def _hold(table: Any, size: int) -> None:
    key = id(table)
    with _lock:
        _open[key] = (weakref.ref(table, lambda _: _open.pop(key, None)), size)


def _sentence(size: int, title: str, free: float, most: float | None) -> str:
    needs = f"“{title}” takes {size / GB:.2g} GB of memory once it is open"
    if most is not None and size > most * GB:
        return f"{needs}, more than the {most:.2g} GB that this server has for tables: sample its rows or drop columns."
    return (
        f"{needs}, and the tables that are open on this server leave {max(free, 0) / GB:.2g} GB: close one of yours under "
        "“Open in this tab” on Overview, try again later, or sample its rows."
    )
