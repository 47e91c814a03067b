"""Serves the app with a wrong clock: `python -m tests.faults.moved_clock FILE PORT`; the file says by how many seconds."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from pathlib import Path

true_time = time.time


def move(file: Path) -> None:
    """From now on this process asks the file by how much its clock is wrong."""

    def moved() -> float:
        with suppress(OSError, ValueError):
            return true_time() + float(file.read_text())
        return true_time()

    time.time = moved


if __name__ == "__main__":
    from streamlit.web.cli import main

    move(Path(sys.argv[1]))
    sys.argv = ["streamlit", "run", "app.py", "--server.port", sys.argv[2]]
    main()
