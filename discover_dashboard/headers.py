"""What browsers are told with every answer: whose scripts may run, where a page may fetch from, and that nobody may frame it."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

INLINE_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


def content_policy() -> str:
    """Nothing from elsewhere, and no script but those of Streamlit's files.

    Streamlit loads the scripts of components as `blob:`, draws icons and fonts from `data:`, and puts styles into the page; the
    one script inside its page is named by its sum. Names and values of a table become none of these.
    """
    import streamlit

    page = (Path(streamlit.__file__).parent / "static" / "index.html").read_bytes()
    sums = " ".join(f"'sha256-{b64encode(sha256(text).digest()).decode()}'" for text in INLINE_SCRIPT.findall(page))
    rules = {
        "default-src": "'self'",
        "script-src": f"'self' blob: {sums}".strip(),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {sources}" for name, sources in rules.items())


class SafeHeaders:
    """Adds them to every answer, whoever makes it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.headers = {
            "Content-Security-Policy": content_policy(),
            "X-Frame-Options": "DENY",  # for browsers that do not know frame-ancestors
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",  # an address names a run: it is not told to others
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self.headers)
            await send(message)

        await self.app(scope, receive, with_headers)
