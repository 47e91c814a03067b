"""Public names that are imported when they are first asked for, so that a page opens before scikit-learn has loaded."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any


def lazily(package: str, homes: Mapping[str, str], name: str) -> Any:
    """The object `name` of `package`, from the module that `homes` names, counted from the package."""
    if name not in homes:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    return getattr(import_module(f".{homes[name]}", package), name)
