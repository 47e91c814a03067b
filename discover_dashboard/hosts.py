"""Which names the server answers to, on pages and on the connection behind them.

A page of somebody else's can have its own name point at 127.0.0.1 (DNS rebinding) and would then read, through a visitor's
browser, what only that visitor may see. Streamlit compares names on the connection only, knows no addresses as a whole, and
asks a service in the Internet for its own address when a page of another origin knocks; here such a request ends before that.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from discover_core.errors import InputError

SETTING = "DISCOVER_HOSTS"
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
NAME = re.compile(r"[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?")
POLICY_VIOLATION = 1008


@dataclass(frozen=True)
class Hosts:
    """The names besides this computer's own; with `addresses`, every IP address is one: no name can be made to point at those."""

    names: frozenset[str] = frozenset()
    addresses: bool = False

    @classmethod
    def given(cls, addresses: bool) -> Hosts:
        """With what the operator lists."""
        given = [name for name in re.split(r"[,\s]+", os.environ.get(SETTING, "").lower()) if name]
        for name in given:
            if not NAME.fullmatch(name):
                raise InputError(
                    f"{SETTING} lists names such as discover.example.org, without https:// and port, but says {name!r}."
                )
        return cls(frozenset(given), addresses)

    def answer_to(self, host: str) -> bool:
        """Whether a request's Host header is one of them."""
        name = name_of(host)
        return name in LOOPBACK or name in self.names or (self.addresses and _is_address(name))


class HostCheck:
    """Asked under another name, the server says so and nothing else; a page of another origin gets no connection."""

    def __init__(self, app: ASGIApp, hosts: Hosts) -> None:
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self.app(scope, receive, send)
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        if scope["type"] == "websocket":
            if self.hosts.answer_to(host) and (origin is None or urlsplit(origin).netloc.lower() == host.lower()):
                return await self.app(scope, receive, send)
            return await send({"type": "websocket.close", "code": POLICY_VIOLATION})
        if self.hosts.answer_to(host):
            return await self.app(scope, receive, send)
        sentence = f"DISCOVER does not answer to the name {name_of(host)!r}: whoever runs this server can list it in {SETTING}.\n"
        await PlainTextResponse(sentence, 403)(scope, receive, send)


def name_of(host: str) -> str:
    """The name in a Host header, in lower case and without port and brackets; nothing if it is none."""
    try:
        parts = urlsplit(f"//{host}")
        parts.port  # noqa: B018  # a port that is no number is an error
    except ValueError:
        return ""
    return "" if parts.netloc != host or "@" in host else (parts.hostname or "").rstrip(".")


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
