"""The `discover` command: solve a scenario, apply a policy, serve the dashboard, back its data up.

Worker processes import the main module again, so what needs time to load is imported where it is used.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

HOST, PORT = "127.0.0.1", 8501
BAD_INPUT = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code of what was asked for."""
    given = parser().parse_args(arguments)
    code: int = given.command(given)
    return code


def parser() -> argparse.ArgumentParser:
    """Understands a command; what it gives has the function to call as `command`."""
    from discover_core.__main__ import add_apply, add_solve

    top = argparse.ArgumentParser(prog="discover", description="What would have to change for a whole group, and for whom?")
    commands = top.add_subparsers(required=True, metavar="command")
    add_solve(commands)
    add_apply(commands)
    serving = commands.add_parser("serve", help="serve the dashboard")
    serving.add_argument("--host", default=HOST, help=f"the address it listens on; default: {HOST}, this computer only")
    serving.add_argument("--port", type=int, default=PORT, help=f"default: {PORT}")
    serving.set_defaults(command=_serve)
    keeping = commands.add_parser("backup", help="copy the data folder, while the server runs or not")
    keeping.add_argument("folder", help="a new or empty folder; as DISCOVER_HOME it is the data folder as it was")
    keeping.set_defaults(command=_back_up)
    return top


def _serve(given: argparse.Namespace) -> int:
    from discover_core.errors import InputError

    from .serve import serve

    try:
        serve(given.host, given.port)
    except InputError as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    return 0


def _back_up(given: argparse.Namespace) -> int:
    from discover_core.errors import InputError
    from discover_core.store.backup import back_up

    try:
        made = back_up(Path(given.folder))
    except InputError as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    print(f"{given.folder} has {made.runs:,} runs and {made.files:,} files, {made.bytes / 1e6:,.1f} MB.")
    return 0
