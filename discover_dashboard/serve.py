"""What `discover serve` and `make run` start: the app, the first page's libraries loaded before the first visitor comes.

`streamlit run app.py` serves it as well, for this computer only; then the first visitor waits for them, and browsers are
not told what `headers.py` tells them.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from pathlib import Path
from threading import Thread
from types import FrameType
from typing import Any

from discover_core.errors import InputError

from .hosts import HostCheck, Hosts

PACKAGE = Path(__file__).resolve().parent
# A wheel carries the app inside the package; in the tree it is next to it. Streamlit reads .streamlit/config.toml from there.
APP = (PACKAGE if (PACKAGE / "app.py").exists() else PACKAGE.parent) / "app.py"
FIRST_PAGE = ("discover_core.workers.runner", "discover_core.outcome.summary", "discover_core.table.known")
PAUSE = 3.0  # seconds left to a visitor who is waiting already: the page itself loads the rest once it is drawn


def serve(host: str, port: int) -> None:
    """Serve until somebody ends it. An InputError when a setting cannot be used."""
    print(f"DISCOVER is starting at http://{host}:{port} (Ctrl+C stops it)", flush=True)
    sys.path.insert(0, str(APP.parent))
    from ui.app import exposure

    hosts = Hosts.given(addresses=exposure.on_network(host))
    for name in FIRST_PAGE:
        import_module(name)

    from starlette.middleware import Middleware
    from streamlit import App

    from discover_core.workers.limits import Limits

    from .headers import SafeHeaders

    Limits.of_environment()

    Thread(target=_load_the_rest, daemon=True).start()
    signal.signal(signal.SIGTERM, _end)
    sys.argv = [str(APP)]  # where Streamlit looks for .streamlit and for the app's modules
    config = (
        {"server.fileWatcherType": "none"}
        | _of_environment()
        | {
            "server.address": host,
            "server.port": port,
            "server.headless": True,
            "server.allowedHosts": ["*"],  # the host check has seen to it
            "browser.gatherUsageStats": False,
            "logger.hideWelcomeMessage": True,  # it would ask a service in the Internet for this computer's address
        }
    )
    with suppress(KeyboardInterrupt):
        middleware = [Middleware(SafeHeaders), Middleware(HostCheck, hosts=hosts)]
        App(APP, middleware=middleware, lifespan=_beginning).run(config=config)


def _of_environment() -> dict[str, Any]:
    """What variables such as STREAMLIT_SERVER_MAX_UPLOAD_SIZE say: Streamlit reads them for its own command alone."""
    from streamlit.config import get_config_options

    given = {name: (option, os.environ.get(option.env_var)) for name, option in get_config_options().items()}
    return {name: _read(text, option.type) for name, (option, text) in given.items() if text is not None and not option.sensitive}


def _read(text: str, kind: type) -> Any:
    if kind is bool:
        return text.strip().lower() in ("1", "true", "yes", "on")
    try:
        return kind(text)
    except ValueError:
        raise InputError(f"A setting of Streamlit must be {kind.__name__}, not “{text}”: correct its variable.") from None


@asynccontextmanager
async def _beginning(app: object) -> AsyncIterator[dict[str, Any]]:
    """Streamlit has read its settings by now."""
    from ui.app import exposure

    with suppress(InputError):  # every page says it
        exposure.notice()
    yield {}


def _end(signal_number: int, frame: FrameType | None) -> None:
    """Once the server has closed its connections it is asked again to end: as any program does, so that runs are told."""
    sys.exit(0)


def _load_the_rest() -> None:
    from streamlit.runtime import Runtime, RuntimeState

    while not Runtime.exists():  # parts of pages are made known to it
        time.sleep(0.1)
    time.sleep(PAUSE)
    if Runtime.instance().state is not RuntimeState.ONE_OR_MORE_SESSIONS_CONNECTED:
        import_module("ui.app.preload").preload()
