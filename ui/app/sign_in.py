"""Signing in, where the operator set it up: until then a visitor sees nothing else.

Streamlit's `[auth]` only says who somebody is; that nobody else gets in is up to the app. Whoever is signed in may do
what everybody may.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError

from discover_core.errors import InputError

from .text import plain

NO_PROVIDER = ("client_kwargs",)  # sections of [auth] that are none


def auth() -> Mapping[str, Any] | None:
    """The `[auth]` section of secrets.toml. A file that cannot be read lets nobody in, for it may have one."""
    try:
        found: Mapping[str, Any] | None = st.secrets.get("auth")
    except StreamlitSecretNotFoundError as error:
        if any(Path(path).exists() for path in st.get_option("secrets.files")):
            raise InputError("The server's secrets.toml cannot be read: whoever runs it has to mend or remove it.") from error
        return None
    return found


def missing() -> bool:
    """Whether this visitor has to sign in first; then the page says so."""
    section = auth()
    if section is None or st.user.get("is_logged_in"):
        return False
    st.title("DISCOVER")
    st.markdown("Whoever runs this server asks you to sign in.")
    named = [name for name, value in section.items() if isinstance(value, Mapping) and name not in NO_PROVIDER]
    if "client_id" in section or not named:
        st.button("Sign in", type="primary", on_click=st.login)
    for name in named:
        st.button(f"Sign in with {plain(name)}", key=f"sign-in-{name}", on_click=st.login, args=(name,))
    return True


def line() -> None:
    """Who is signed in, and the way out."""
    if auth() is None:
        return
    who = st.user.get("email") or st.user.get("name") or "somebody without a name"
    with st.container(horizontal=True, vertical_alignment="center", key="signed-in"):
        st.caption(f"Signed in as {plain(who)}", width="stretch")
        st.button("Sign out", on_click=st.logout, type="tertiary")
