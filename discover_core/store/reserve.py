"""Room on the disk that is kept for the day when there is none left: to delete something, a database has to write."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

SIZE = 8 * 2**20
PLENTY = 8  # so many times its size must be free before room is set aside


@dataclass(frozen=True)
class Reserve:
    """A file beside the database. Given back when the disk is full, and made again when there is room."""

    path: Path

    @property
    def needed(self) -> bool:
        """Whether there is less room on the disk than was set aside."""
        try:
            return shutil.disk_usage(self.path.parent).free < SIZE
        except OSError:
            return False

    def keep(self) -> None:
        """Set the room aside, if that takes it from nobody."""
        unfinished = self.path.with_name(f"{self.path.name}.{os.getpid()}")
        try:
            if self.path.exists() or shutil.disk_usage(self.path.parent).free < PLENTY * SIZE:
                return
            with unfinished.open("wb") as file:
                _fill(file)
            unfinished.replace(self.path)
        except OSError:
            unfinished.unlink(missing_ok=True)

    def give_back(self) -> bool:
        """Whether there was any to give."""
        try:
            self.path.unlink()
        except OSError:
            return False
        return True


def _fill(file: BinaryIO) -> None:
    try:
        os.posix_fallocate(file.fileno(), 0, SIZE)
    except (AttributeError, OSError):  # not on every system, nor on every disk
        file.write(b"\0" * SIZE)
