"""How much work something is, counted instead of timed: a loop over people shows on every machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def lines_run(work: Callable[[], object]) -> int:
    """How many lines of the library are run, each as often as it is."""
    count = 0

    def look(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        if "discover_core" not in frame.f_code.co_filename:
            return None
        count += event == "line"
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        work()
    finally:
        sys.settrace(before)
    return count
