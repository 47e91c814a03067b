"""What a session worked out last: one value under each name, for its page and for a thread that works ahead of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock, RLock
from typing import Any


class Memory:
    """Who asks for what another is working out at the moment waits for it, instead of doing the same work again."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[Hashable, Any]] = {}
        self._locks: dict[str, RLock] = {}
        self._lock = Lock()

    def get(self, name: str, key: Hashable, make: Callable[[], Any]) -> Any:
        """What `make` gave for this key the last time."""
        with self._lock:
            lock = self._locks.setdefault(name, RLock())
        with lock:
            kept = self._kept.get(name)
            if kept is None or kept[0] != key:
                kept = self._kept[name] = (key, make())
            return kept[1]
