"""The files of the data folder that some tab of this server has open: nobody deletes them as long as it is there."""

from __future__ import annotations

import threading
import weakref
from typing import Any

import streamlit as st

from discover_core.store.files import CONTENT_NAME

_held: dict[int, tuple[weakref.ref[Any], str, frozenset[str]]] = {}  # by the piece of work that names them
_lock = threading.RLock()  # a piece of work may be forgotten at any moment


def names_in(*parts: object) -> frozenset[str]:
    """The files that sources, or copies of models, speak of."""
    return frozenset(found.group() for found in CONTENT_NAME.finditer(repr(parts)))


def hold(work: object, work_id: str, names: frozenset[str]) -> None:
    """Keep these files as long as somebody has this work at hand."""
    key = id(work)
    with _lock:
        _held[key] = (weakref.ref(work, lambda _: _held.pop(key, None)), work_id, names)
    st.session_state["brought"] = brought() | names


def let_go(work_ids: set[str]) -> None:
    with _lock:
        for key in [key for key, (_, work_id, _) in list(_held.items()) if work_id in work_ids]:
            _held.pop(key, None)


def held() -> frozenset[str]:
    with _lock:
        return frozenset().union(*(names for _, _, names in list(_held.values())))


def brought() -> frozenset[str]:
    """The files that this tab has brought or opened."""
    found: frozenset[str] = st.session_state.get("brought", frozenset())
    return found
