"""The data folder: where runs, saved scenarios and the files they need are kept."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import time
from collections.abc import Collection
from pathlib import Path

from ..errors import InputError

WEEK = 7 * 24 * 3600.0
EXTENSION = re.compile(r"(\.[a-z0-9]{1,8}){0,2}")


def data_folder() -> Path:
    """`DISCOVER_HOME`, or a folder under the user's own; it is made when it is first needed."""
    folder = Path(os.environ.get("DISCOVER_HOME") or Path.home() / ".discover").expanduser().resolve()
    try:
        if not folder.exists():
            folder.mkdir(mode=0o700, parents=True)  # people's data: for the owner alone
        (folder / "files").mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(
            f"The data folder cannot be made ({error.strerror or error}): set DISCOVER_HOME to another one."
        ) from error
    return folder


def files() -> Path:
    """Tables and models, each named by its content: the same file is kept once, and nobody can guess another's name."""
    return data_folder() / "files"


def keep_file(content: bytes, name: str) -> str:
    """Keep a file and return the name it has among `files`. Of the user's name only the extension is taken."""
    suffix = "".join(Path(name).suffixes[-2:]).lower() if name.lower().endswith(".gz") else Path(name).suffix.lower()
    kept = hashlib.sha256(content).hexdigest()[:40] + (suffix if EXTENSION.fullmatch(suffix) else "")
    path = files() / kept
    if path.exists():
        os.utime(path)
        return kept
    unfinished = path.with_name(f".{kept}.{os.getpid()}.{time.monotonic_ns()}")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(path)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise InputError(f"The file cannot be kept in the data folder: {error.strerror or error}.") from error
    return kept


def sweep(needed: Collection[str], older_than: float = WEEK) -> int:
    """Delete files that no run and no scenario needs and that nobody has touched for a week. How many went."""
    gone, limit = 0, time.time() - older_than
    for path in files().iterdir():
        with contextlib.suppress(OSError):  # another server may be sweeping, too
            if path.name not in needed and path.stat().st_mtime < limit:
                path.unlink()
                gone += 1
    return gone
