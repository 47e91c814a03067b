"""What a server does before anybody needs it: it loads what pages and jobs take, and clears away what an earlier one left."""

from __future__ import annotations

import gc
import pkgutil
import time
from importlib import import_module
from threading import Lock, Thread

import ui
from discover_core.store import uploads
from discover_core.workers.job import warm_up

COLLECT = 60.0  # seconds
_begun = Lock()


def preload() -> None:
    """Once per server and in the background, so that no page waits for it."""
    if _begun.acquire(blocking=False):
        warm_up()
        Thread(target=_load_pages, daemon=True).start()
        Thread(target=uploads.sweep, daemon=True).start()
        Thread(target=_collect, daemon=True).start()


def _load_pages() -> None:
    """All of it is then left out of garbage collection: some 200,000 objects that never go would cost a tenth of a second each
    time."""
    try:
        for module in pkgutil.walk_packages(ui.__path__, f"{ui.__name__}."):
            import_module(module.name)
    except RuntimeError as error:  # a server that ends in the middle of it lets nobody register what is to be done at its end
        if "shutdown" not in str(error):
            raise
        return
    gc.collect()
    gc.freeze()


def _collect() -> None:
    """What closed tabs leave behind, in place of Streamlit's collection after every run (`.streamlit/config.toml`)."""
    while True:
        time.sleep(COLLECT)
        gc.collect()
