"""Whether somebody is still there: a job ends when its session has been gone for as long as Streamlit would wait for it."""

from __future__ import annotations

import threading
from collections.abc import Callable

import streamlit as st

PATIENCE = "server.disconnectedSessionTTL"  # after so many seconds the session, and what its job was for, is forgotten


class Presence:
    """Of one session. `gone` is called once nobody has been there for `seconds`."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._away = False
        self._gone: Callable[[], None] | None = None
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()

    def expect(self, gone: Callable[[], None] | None) -> None:
        """What is to be done should nobody come back; nothing by default."""
        with self._lock:
            self._gone = gone
            self._wait()

    def here(self) -> None:
        with self._lock:
            self._away = False
            self._wait()

    def left(self) -> None:
        with self._lock:
            self._away = True
            self._wait()

    def _wait(self) -> None:
        """Wait if somebody is away and is waited for."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._away and self._gone is not None:
            self._timer = threading.Timer(self._seconds, self._gone)
            self._timer.daemon = True
            self._timer.start()


@st.cache_resource(scope="session", show_spinner=False, on_release=Presence.left)
def _connected(_presence: Presence) -> Presence:
    """Streamlit lets go of it when the session's connection ends; the first script run after that asks for it anew."""
    _presence.here()
    return _presence


def presence() -> Presence:
    """That of this session. Every run of the script asks for it."""
    kept: Presence | None = st.session_state.get("presence")
    if kept is None:
        kept = st.session_state["presence"] = Presence(float(st.get_option(PATIENCE)))
    return _connected(kept)
