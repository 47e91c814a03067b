"""The lock files hold what was tested: exact versions of everything the ranges ask for, and nothing about where it came from."""

from __future__ import annotations

from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent


def requirements(name: str) -> list[Requirement]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith(("#", "-r"))]


def locked(name: str) -> dict[str, str]:
    """The version of each package on a platform like this one."""
    here = [pin for pin in requirements(name) if pin.marker is None or pin.marker.evaluate()]
    assert all([part.operator for part in pin.specifier] == ["=="] for pin in here)
    return {canonicalize_name(pin.name): next(iter(pin.specifier)).version for pin in here}


@pytest.mark.parametrize("name", ["requirements", "requirements-dev"])
def test_every_range_has_its_exact_version(name: str) -> None:
    pins = locked(f"{name}.lock")
    asked = [wish for wish in requirements(f"{name}.txt") if wish.marker is None or wish.marker.evaluate()]
    assert asked
    missing = [str(wish) for wish in asked if not wish.specifier.contains(pins.get(canonicalize_name(wish.name), "0"))]
    assert missing == [], "make lock brings the lock files up to date"


def test_what_runs_is_what_is_developed_with() -> None:
    assert locked("requirements.lock").items() <= locked("requirements-dev.lock").items()


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_nothing_says_where_packages_came_from(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "/" not in text
    assert "--" not in text
