"""The house keeps its shape: arrows point one way, files stay readable, the README names the two commands."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
CORE = "discover_core"
SHARED = ("errors", "lazy")
DOORS = ("__init__", "__main__")  # they gather the rooms
# A room may import the rooms before it, itself, and what is shared.
ROOMS = (
    "table",
    "models",
    "problem",
    "transport",
    "certificate",
    "solver",
    "baselines",
    "scenario",
    "policy",
    "store",
    "outcome",
    "workers",
    "figures",
    "report",
)
COMMAND = "discover_dashboard"
OURS = (COMMAND, "app", "pages", "ui", CORE)
MAY_IMPORT = {COMMAND: {COMMAND, "ui", CORE}, "app": {"ui", CORE}, "pages": {"ui", CORE}, "ui": {"ui", CORE}, CORE: {CORE}}
MAX_LINES = 300


def python_files(root: Path) -> Iterator[Path]:
    for path in sorted(root.rglob("*.py")):
        if not any(part.startswith(".") for part in path.relative_to(root).parts):
            yield path


def module_name(path: Path, root: Path) -> tuple[str, ...]:
    return path.relative_to(root).with_suffix("").parts


def imported(path: Path, root: Path) -> Iterator[tuple[str, ...]]:
    """Every dotted name a file imports, with relative imports resolved, wherever in the file they stand."""
    here = module_name(path, root)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (tuple(alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level] if node.level else ()
            base += tuple((node.module or "").split(".")) if node.module else ()
            yield from ((*base, alias.name) for alias in node.names)


def wrong_arrow(here: tuple[str, ...], there: tuple[str, ...]) -> str | None:
    """Why `here` may not import `there`, or None when it may."""
    house, target = here[0], there[0]
    if target == "streamlit" and house == CORE:
        return "the core knows no streamlit"
    if target not in OURS:
        return None
    if target not in MAY_IMPORT[house]:
        return f"{house} may not import {target}"
    if house in ("ui", "pages") and target == "ui" and len(there) > 1 and there[1] not in ("app", here[1]):
        return f"the {here[1]} page may use ui/app and its own folder, not ui/{there[1]}"
    if house != CORE or here[1] in DOORS:
        return None
    if here[1] in SHARED:
        return f"{here[1]} imports nothing of ours"
    if here[1] not in ROOMS:
        return f"{here[1]} is no room of the core"
    if len(there) == 1 or there[1] not in (*ROOMS, *SHARED):
        return "a room imports other rooms by name, not the package that gathers them"
    if there[1] in ROOMS and ROOMS.index(there[1]) > ROOMS.index(here[1]):
        return f"{there[1]} comes after {here[1]}"
    return None


def wrong_arrows(root: Path) -> list[str]:
    found = []
    for path in python_files(root):
        here = module_name(path, root)
        if here[0] not in OURS:
            continue
        for there in imported(path, root):
            reason = wrong_arrow(here, there)
            if reason:
                found.append(f"{path.relative_to(root)} imports {'.'.join(there)}: {reason}")
    return found


def test_arrows_point_one_way() -> None:
    assert wrong_arrows(ROOT) == []


def test_every_folder_of_the_core_is_a_room() -> None:
    folders = {path.parent.name for path in (ROOT / CORE).glob("*/*.py")}
    assert folders, "the core has no rooms at all"
    assert folders <= set(ROOMS)


@pytest.mark.parametrize("room", [room for room in ROOMS if (ROOT / CORE / room).is_dir()])
def test_every_room_says_what_it_is_for_and_gives_its_names(room: str) -> None:
    package = import_module(f"{CORE}.{room}")
    assert len(re.findall(r"\.(?=\s|$)", package.__doc__ or "")) >= 2, "two sentences: what it is for, what it must not know"
    names = getattr(package, "__all__", [])
    assert names or room == "figures"
    for name in names:
        assert not isinstance(getattr(package, name), ModuleType), f"{name} is the name of a file, too"


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("discover_core/table/read.py", "import streamlit as st"),
        ("discover_core/table/read.py", "from streamlit.runtime import caching"),
        ("discover_core/table/read.py", "from ui import state"),
        ("discover_core/table/read.py", "from ..models import train_model"),
        ("discover_core/table/read.py", "from .. import models"),
        ("discover_core/table/read.py", "from discover_core.models.model import Model"),
        ("discover_core/table/read.py", "import discover_core"),
        ("discover_core/table/read.py", "from discover_core import train_model"),
        ("discover_core/table/read.py", "def late():\n    from ..figures import roc"),
        ("discover_core/table/deeper/read.py", "from ...models import train_model"),
        ("discover_core/models/__init__.py", "from ..solver import run"),
        ("discover_core/errors.py", "from .table import Schema"),
        ("discover_core/tools.py", "from .table import Schema"),
        ("ui/app/state.py", "from pages import data"),
        ("ui/app/state.py", "import app"),
        ("pages/data.py", "from pages.model import draw"),
        ("pages/data.py", "from . import model"),
        ("pages/data.py", "from ui.model.report import report"),
        ("ui/data/group.py", "from ..model import report"),
        ("ui/app/session.py", "from ..data.group import group"),
    ],
)
def test_a_wrong_arrow_is_caught(tmp_path: Path, file: str, line: str) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(line)
    assert len(wrong_arrows(tmp_path)) == 1


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("discover_core/__init__.py", "from .report import write_report"),
        ("discover_core/__main__.py", "from .report import write_report"),
        ("discover_core/table/read.py", "from ..errors import InputError\nfrom .schema import Schema\nimport pandas as pd"),
        ("discover_core/models/__init__.py", "from .model import Model\nfrom ..table import Schema"),
        ("discover_core/figures/roc.py", "from ..models.evaluate import Report\nfrom .. import errors"),
        ("ui/state.py", "import streamlit\nimport discover_core as dc\nfrom ui.app.header import header"),
        ("pages/data.py", "from ui.app import state\nfrom ui.data import group\nfrom discover_core.table.profile import profile"),
        ("tests/test_read.py", "import streamlit\nfrom pages import data"),
    ],
)
def test_a_right_arrow_passes(tmp_path: Path, file: str, line: str) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(line)
    assert wrong_arrows(tmp_path) == []


def test_no_file_is_too_long_to_read() -> None:
    lengths = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in python_files(ROOT)}
    assert {name: lines for name, lines in lengths.items() if lines > MAX_LINES} == {}


def test_the_readme_names_the_two_commands() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make run" in readme
    assert "make test" in readme


def contributing() -> str:
    return (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_contributing_draws_the_house_as_it_is() -> None:
    drawn = contributing().split("```")[1]
    assert tuple(re.findall(r"^  (\w+)/ ", drawn, re.M)) == ROOMS
    for name in re.findall(r"^([\w./]+?)/? {2,}", drawn, re.M):
        assert (ROOT / name).exists(), f"{name} is drawn, but not there"


def test_every_file_that_contributing_names_is_there() -> None:
    named = re.findall(r"`([\w/]+/[\w/]*\.(?:py|js|md))`", contributing())
    assert len(named) > 30
    real = [name for name in named if not re.search("NAME|version_N", name)]
    assert [name for name in real if not any((ROOT / folder / name).is_file() for folder in ("", CORE))] == []


def test_every_recipe_names_at_most_four_files() -> None:
    recipes = re.findall(r"^\d+\. (.+?)(?=^\d+\. |\Z)", contributing(), re.M | re.S)
    assert len(recipes) >= 12
    for recipe in recipes:
        first = re.split(r"\. (?=[A-Z])", recipe)[0]
        files = re.findall(r"`[\w/]+(?:\.\w+|/)`", first)
        assert len(files) <= 4, f"{first} names {len(files)} files"
        assert files or "to come" in recipe, f"{first} names no file"
