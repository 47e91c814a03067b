"""One table of settings, README's: what the code reads is in it, what is in it is read, and docs/deploy.md names no other."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from discover_dashboard.command import parser

ROOT = Path(__file__).resolve().parents[2]
OURS = ("discover_core", "discover_dashboard", "ui", "pages", "app.py")
NAME = re.compile(r"\bDISCOVER_[A-Z][A-Z_]*[A-Z]\b")


def sources() -> list[ast.Module]:
    paths = [path for name in OURS for path in ([ROOT / name] if name.endswith(".py") else (ROOT / name).rglob("*.py"))]
    return [ast.parse(path.read_text(encoding="utf-8")) for path in paths]


def read_by_the_code() -> set[str]:
    """Every name of ours in a text that is nothing else, and every name that the environment is asked for."""
    found = set()
    for tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and NAME.fullmatch(node.value):
                found.add(node.value)
            asked = None
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and ast.unparse(node.value) == "os.environ":
                asked = node.slice
            elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("os.environ.get", "os.getenv"):
                asked = node.args[0]
            if isinstance(asked, ast.Constant):
                found.add(asked.value)
    return found


def documented() -> set[str]:
    settings = (ROOT / "README.md").read_text(encoding="utf-8").split("## Settings")[1].split("\n## ")[0]
    return set(re.findall(r"^\| `(\w+)` \|", settings, re.MULTILINE))


def deploy() -> str:
    return (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")


def test_every_setting_is_documented_and_every_documented_one_is_read():
    ours = read_by_the_code()
    assert len(ours) >= 5
    assert ours - documented() == set(), "settings that README's table does not have"
    elsewhere = (ROOT / "Makefile").read_text(encoding="utf-8") + "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "scripts").iterdir() if path.is_file()
    )
    others = {name for name in documented() - ours if not re.search(rf"\b{name}\b", elsewhere)}
    assert others == set(), "settings of README's table that nothing reads"
    print(f"\n{len(documented())} settings, all of them in README's table.")


def test_the_page_on_servers_has_no_setting_of_its_own():
    assert "../README.md#settings" in deploy()
    named = set(NAME.findall(deploy()))
    assert {"DISCOVER_HOME", "DISCOVER_HOSTS", "DISCOVER_SIGN_IN"} <= named
    assert named - documented() == set()


def test_what_the_page_on_servers_calls_is_there():
    calls = re.findall(r"\bdiscover ((?:serve|backup)\b[^\n`]*)", deploy())
    assert len(calls) >= 3
    for call in calls:
        words = call.split()
        if len(words) > 1 and words[1].startswith(("-", "/")):
            assert callable(parser().parse_args(words).command)


def test_uploads_are_as_large_behind_the_proxy():
    allowed = re.search(r"maxUploadSize = (\d+)", (ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    proxied = re.search(r"client_max_body_size (\d+)m", deploy())
    assert allowed is not None
    assert proxied is not None
    assert int(proxied[1]) > int(allowed[1])
