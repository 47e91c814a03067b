"""Who gets in here: a server that listens to a network and asks nobody to sign in says so, on its first page and in its log."""

from __future__ import annotations

import logging
import os
from functools import cache
from ipaddress import ip_address

import streamlit as st

from . import sign_in

SETTING, PROXY = "DISCOVER_SIGN_IN", "proxy"
OPEN = (
    "This server is open to its network and asks nobody to sign in: whoever reaches it can use it, and sees what is saved on it. "
    "docs/deploy.md says how to change that."
)


@cache
def notice() -> str:
    """What is to be said about it, if anything; the first time in the log, too."""
    if not on_network(st.get_option("server.address")) or sign_in.auth() is not None or os.environ.get(SETTING) == PROXY:
        return ""
    logging.getLogger(__name__).warning(OPEN)
    return OPEN


def on_network(address: str | None) -> bool:
    """Whether others than this computer reach what listens there; without an address Streamlit listens everywhere."""
    try:
        return address != "localhost" and not ip_address(address or "::").is_loopback
    except ValueError:
        return True


def line() -> None:
    said = notice()
    if said:
        st.caption(f":material/lock_open: {said}")
