"""What `discover serve` and `make run` start: the app, the first page's libraries loaded before the first visitor comes.

`streamlit run app.py` serves it as well; then the first visitor waits for them.
"""

from __future__ import annotations

import time
from importlib import import_module
from pathlib import Path
from threading import Thread

PACKAGE = Path(__file__).resolve().parent
# A wheel carries the app inside the package; in the tree it is next to it. Streamlit reads .streamlit/config.toml from there.
APP = (PACKAGE if (PACKAGE / "app.py").exists() else PACKAGE.parent) / "app.py"
FIRST_PAGE = ("discover_core.workers.runner", "discover_core.outcome.summary", "discover_core.table.known")
PAUSE = 3.0  # seconds left to a visitor who is waiting already: the page itself loads the rest once it is drawn


def serve(host: str, port: int) -> None:
    """Serve until somebody ends it. An InputError when a setting cannot be used."""
    print(f"DISCOVER is starting at http://{host}:{port} (Ctrl+C stops it)", flush=True)
    for name in FIRST_PAGE:
        import_module(name)

    from discover_core.workers.limits import Limits

    Limits.of_environment()
    from streamlit.web import cli

    Thread(target=_load_the_rest, daemon=True).start()
    flags = (f"--server.address={host}", f"--server.port={port}", "--server.headless=true", "--browser.gatherUsageStats=false")
    cli.main(["run", str(APP), *flags], prog_name="streamlit")


def _load_the_rest() -> None:
    from streamlit.runtime import Runtime, RuntimeState

    while not Runtime.exists():  # parts of pages are made known to it
        time.sleep(0.1)
    time.sleep(PAUSE)
    if Runtime.instance().state is not RuntimeState.ONE_OR_MORE_SESSIONS_CONNECTED:
        import_module("ui.app.preload").preload()  # by then Streamlit has put the app's folder on the path
