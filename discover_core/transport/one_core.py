"""Products of small matrices on one core: several cores wait for each other longer than they work, and round differently."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()  # looks through all loaded libraries, once


def one_core() -> AbstractContextManager[Any]:
    """While it is open, NumPy's products of matrices stay on one core; models and their threads are left alone."""
    limits: AbstractContextManager[Any] = _controller().limit(limits=1, user_api="blas")
    return limits
