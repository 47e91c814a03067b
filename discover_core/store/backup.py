"""A copy of the data folder that can be put back, made while a server uses it."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from ..errors import InputError
from .data_folder import data_folder, store_url

WAIT = 60.0  # seconds that others may hold the store


@dataclass(frozen=True)
class Backup:
    """What a backup has."""

    runs: int
    files: int
    bytes: int


def back_up(folder: Path) -> Backup:
    """Copy store and files into a new or empty folder, which is then a data folder itself.

    The store comes first and at one moment: what it names by then was there before, and its files never change. Until all of it
    is there, the folder has no `runs.sqlite3`.
    """
    source = _database()
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise InputError(f"{folder} is not empty: name a new folder for the backup.")
        (folder / "files").mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)  # people's data: for the owner alone
        unfinished = folder / "unfinished.sqlite3"
        runs = _copy_store(source, unfinished)
        files = 0
        for path in (data_folder() / "files").iterdir():
            if not path.name.startswith(".") and path.is_file() and not path.is_symlink():
                with contextlib.suppress(FileNotFoundError):  # somebody deleted it just now
                    shutil.copy2(path, folder / "files" / path.name)
                    files += 1
        unfinished.rename(folder / "runs.sqlite3")
    except OSError as error:
        raise InputError(f"The backup cannot be written: {error.strerror or error}.") from error
    return Backup(runs, files, sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()))


def _database() -> Path:
    try:
        url = make_url(store_url())
    except ArgumentError as error:
        raise InputError("DISCOVER_STORE is no address of a database.") from error
    if url.get_backend_name() != "sqlite":
        raise InputError(
            "Only a store in SQLite can be backed up by this command: use the tools of your database, then copy files."
        )
    path = Path(url.database or "")
    if not path.is_file():
        raise InputError(f"There is no store at {path}: set DISCOVER_HOME to the data folder of the server.")
    return path


def _copy_store(source: Path, copy: Path) -> int:
    """How many runs it has."""
    try:
        with contextlib.closing(sqlite3.connect(source, timeout=WAIT)) as store:
            store.execute("VACUUM INTO ?", (str(copy),))
        with contextlib.closing(sqlite3.connect(copy)) as store:
            if store.execute("PRAGMA quick_check").fetchall() != [("ok",)]:
                raise InputError("The store is damaged: its copy is not whole. Keep it aside, and go back to an earlier backup.")
            return int(store.execute("SELECT count(*) FROM runs").fetchone()[0])
    except sqlite3.Error as error:
        raise InputError(f"The store cannot be copied: {error}.") from error
