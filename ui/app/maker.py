"""Who saves: somebody who is signed in, else this browser, which keeps a secret for it. The store has only its hash."""

from __future__ import annotations

import re
import secrets
from typing import Any

import streamlit as st

from discover_core.store.saved_scenarios import maker_of

SECRET = re.compile(r"[0-9a-f]{32}")


def maker() -> str:
    """What the store keeps of whoever uses this tab."""
    user = st.user.to_dict()
    who = user.get("sub") or user.get("email")
    if user.get("is_logged_in") and who:
        return maker_of(f"{user.get('iss', '')} {who}")
    return maker_of(secret())


def secret() -> str:
    """The browser's, once it has told it; until then one of this tab, which a browser without one takes over."""
    kept: str = st.session_state.setdefault("maker_secret", secrets.token_hex(16))
    return kept


def heard(given: Any) -> None:
    """What a browser sends may be anything."""
    if isinstance(given, str) and SECRET.fullmatch(given):
        st.session_state["maker_secret"] = given
