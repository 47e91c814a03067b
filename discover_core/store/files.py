"""Tables and models by the name that their content gives them: the same file is there once, and nobody can guess another's.

`Files` is the place where an object store fits: with a class that fulfils it, and `data_files` that makes one.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from glob import escape
from pathlib import Path
from typing import Protocol

import pandas as pd

from ..errors import InputError
from ..scenario.sources import Folder
from .data_folder import data_folder
from .table_files import TABLE_COPY, copy_of, read_once

MINUTE, WEEK = 60.0, 7 * 24 * 3600.0
EXTENSION = re.compile(r"(\.[a-z0-9]{1,8}){0,2}")
CONTENT_NAME = re.compile(rf"\b[0-9a-f]{{40}}{EXTENSION.pattern}")


class Files(Protocol):
    """Workers get it from the runner, so it must survive pickling."""

    def put(self, content: bytes, name: str) -> str:
        """Take a file; the name it has here. Of the user's name only the extension counts."""

    def get(self, name: str) -> Path:
        """Where this computer can read the file; an InputError when it is not there."""

    def table(self, name: str) -> pd.DataFrame:
        """The table in the file, parsed once however often it is asked for."""

    def delete(self, name: str) -> None:
        """An InputError when it is there and cannot be deleted."""

    def untouched(self, seconds: float) -> Iterable[str]:
        """The names of files that nobody has put for so long."""


@dataclass(frozen=True)
class FolderFiles(Folder):
    """Files in a folder of this computer."""

    def put(self, content: bytes, name: str) -> str:
        path = self.path / content_name(content, name)
        if path.exists():
            os.utime(path)
            return path.name
        unfinished = path.with_name(f".{path.name}.{os.getpid()}.{time.monotonic_ns()}")
        try:
            unfinished.write_bytes(content)
            unfinished.replace(path)
        except OSError as error:
            unfinished.unlink(missing_ok=True)
            raise InputError(f"The file cannot be kept in the data folder: {error.strerror or error}.") from error
        return path.name

    def table(self, name: str) -> pd.DataFrame:
        return read_once(self.get(name)) if CONTENT_NAME.fullmatch(name) else super().table(name)

    def delete(self, name: str) -> None:
        """With its copy, and with what is left of writing either that was cut off."""
        unfinished = [path for path in self.path.glob(f".{escape(name)}.*") if path.stat().st_mtime < time.time() - MINUTE]
        try:
            for path in (self.path / name, copy_of(self.path / name), *unfinished):
                path.unlink(missing_ok=True)
        except OSError as error:
            raise InputError(f"A file of the data folder cannot be deleted: {error.strerror or error}.") from error

    def untouched(self, seconds: float) -> Iterable[str]:
        """The copy of a table lasts as long as its file."""
        limit = time.time() - seconds
        for path in self.path.iterdir():
            original = path.with_name(path.name.removesuffix(TABLE_COPY))
            with contextlib.suppress(OSError):  # another server may be sweeping, too
                if path.stat().st_mtime < limit and (original == path or not original.exists()):
                    yield path.name


def data_files() -> Files:
    """The files of this installation: those in the data folder."""
    return FolderFiles(data_folder() / "files")


def content_name(content: bytes, name: str) -> str:
    suffix = "".join(Path(name).suffixes[-2:]).lower() if name.lower().endswith(".gz") else Path(name).suffix.lower()
    return hashlib.sha256(content).hexdigest()[:40] + (suffix if EXTENSION.fullmatch(suffix) else "")


def sweep(files: Files, needed: Collection[str], seconds: float = WEEK) -> int:
    """Delete files that no run and no scenario needs and that nobody has touched for so long. How many went."""
    gone = 0
    for name in files.untouched(seconds):
        if name not in needed:
            with contextlib.suppress(InputError, OSError):  # what cannot be deleted stays
                files.delete(name)
                gone += 1
    return gone
