"""Where runs, saved scenarios and the files they need are: a folder of this computer, unless told otherwise."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import InputError


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


def store_url() -> str:
    """`DISCOVER_STORE`, the address of a database as SQLAlchemy writes it, or SQLite in the data folder."""
    return os.environ.get("DISCOVER_STORE") or f"sqlite:///{data_folder() / 'runs.sqlite3'}"
