"""Uploads on their way to the job that reads them: in the data folder, for a day at most, and gone with their server.

Each server has a folder of its own there and holds a lock as long as it lives, however it ends: whatever is not locked was left
behind.
"""

from __future__ import annotations

import atexit
import contextlib
import shutil
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import IO

from ..errors import InputError
from .data_folder import data_folder

try:
    import fcntl
except ImportError:  # not on Windows: there age alone tells what was left behind
    fcntl = None  # type: ignore[assignment]

FOLDER = "uploads"
LOCK = "lock"
DAY = 24 * 3600.0  # seconds after which nothing waits for its job any more

_own: dict[Path, IO[bytes]] = {}  # folders of this process, each with its lock
_turn = Lock()


def put(content: bytes) -> Path:
    """A file of this server's with this content; the job that reads it deletes it."""
    try:
        folder = _folder()
        for forgotten in folder.iterdir():
            if forgotten.name != LOCK and forgotten.stat().st_mtime < time.time() - DAY:
                forgotten.unlink(missing_ok=True)
        path = folder / uuid.uuid4().hex
        path.write_bytes(content)
    except OSError as error:
        raise InputError(f"The file cannot be kept in the data folder: {error.strerror or error}.") from error
    return path


def sweep() -> None:
    """Delete what servers left behind that are gone."""
    with contextlib.suppress(OSError, InputError), _alone(data_folder() / FOLDER) as all_of_them:
        for folder in all_of_them.iterdir():
            if folder.is_dir() and folder not in _own and _left(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _folder() -> Path:
    """This server's folder below today's data folder."""
    above = data_folder() / FOLDER
    with _turn:
        for folder in _own:
            if folder.parent == above and folder.is_dir():
                return folder
        with _alone(above):
            folder = above / uuid.uuid4().hex
            folder.mkdir(mode=0o700)
            lock = (folder / LOCK).open("wb")
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_EX)
            _own[folder] = lock
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@contextlib.contextmanager
def _alone(above: Path) -> Iterator[Path]:
    """Nobody else makes or sweeps folders meanwhile."""
    above.mkdir(mode=0o700, exist_ok=True)
    with (above / LOCK).open("wb") as lock:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield above


def _left(folder: Path) -> bool:
    """Whether its server is gone."""
    if fcntl is None:
        return folder.stat().st_mtime < time.time() - DAY
    try:
        with (folder / LOCK).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True
