"""Who gets in: a server on a network says that it asks nobody, and one with sign-in shows nothing before it."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value, generate_xsrf_token_string
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME, XSRF_COOKIE_NAME
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from tests.browser.conftest import MAKE_RUN, Server
from ui.app import exposure
from ui.app.exposure import OPEN, on_network
from ui.app.text import plain

SECRET = "made up for this test alone, and long enough"
AUTH = f'[auth]\nredirect_uri = "http://localhost/oauth2callback"\ncookie_secret = "{SECRET}"\nclient_id = "discover"\n'
ASKED, INSIDE, BROKEN = "asks you to sign in", "Change the outlook of a whole group", plain("secrets.toml cannot be read")
EVERYWHERE = ("--host", "127.1")  # this computer, in a way of writing it that nobody need know: taken for a network's


@contextmanager
def started(folder: Path, *more: str) -> Iterator[Server]:
    server = Server(folder, (*MAKE_RUN[:-1], *more, MAKE_RUN[-1]))
    try:
        server.start()
        yield server
    finally:
        server.stop()


def write_secrets(home: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Where Streamlit looks for them: below the home folder."""
    (home / ".streamlit").mkdir()
    (home / ".streamlit" / "secrets.toml").write_text(text)
    monkeypatch.setenv("HOME", str(home))


def read(server: Server, path: str = "", user: str | None = None) -> str:
    """What a page sends to a browser, as one text, until its run is over."""
    own = f"127.0.0.1:{server.port}"
    token = generate_xsrf_token_string()
    cookies = f"{XSRF_COOKIE_NAME}={token}"
    if user is not None:
        said = json.dumps({"origin": f"http://{own}", "is_logged_in": True, "email": user})
        cookies += f"; {USER_COOKIE_NAME}={create_signed_value(SECRET, USER_COOKIE_NAME, said).decode()}"
    asked = BackMsg()
    asked.rerun_script.query_string, asked.rerun_script.page_name = "", path
    sent = bytearray()
    more = {"additional_headers": {"Cookie": cookies}, "subprotocols": [Subprotocol("streamlit"), Subprotocol(token)]}
    patient = {"open_timeout": 120, "ping_timeout": None}
    with connect(f"ws://{own}/_stcore/stream", origin=Origin(f"http://{own}"), **patient, **more) as line:
        line.send(asked.SerializeToString())
        while True:
            message = line.recv(timeout=120)
            assert isinstance(message, bytes)
            sent += message
            if ForwardMsg.FromString(message).WhichOneof("type") == "script_finished":
                return sent.decode(errors="replace")


@pytest.mark.slow
def test_a_server_on_a_network_says_that_it_asks_nobody(tmp_path: Path):
    with started(tmp_path, *EVERYWHERE) as server:
        assert server.log.read_text().count(OPEN) == 1
        assert OPEN in read(server)
        assert OPEN not in read(server, "data")
    assert server.log.read_text().count(OPEN) == 1


def test_behind_a_proxy_that_asks_nothing_is_said(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(exposure.st, "get_option", {"server.address": "0.0.0.0", "secrets.files": []}.__getitem__)
    monkeypatch.delenv("DISCOVER_SIGN_IN", raising=False)
    exposure.notice.cache_clear()
    assert exposure.notice() == OPEN
    monkeypatch.setenv("DISCOVER_SIGN_IN", "proxy")
    exposure.notice.cache_clear()
    assert exposure.notice() == ""
    exposure.notice.cache_clear()


@pytest.mark.slow
def test_with_sign_in_nothing_is_shown_before_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    write_secrets(tmp_path, monkeypatch, AUTH)
    with started(tmp_path, *EVERYWHERE) as server:
        for path in ("", "data", "solve", "results"):
            page = read(server, path)
            assert ASKED in page
            assert INSIDE not in page
            assert "Nothing opened yet" not in page
        inside = read(server, "", "ada@example.org")
        assert INSIDE in inside
        assert f"Signed in as {plain('ada@example.org')}" in inside
        assert OPEN not in inside
    assert OPEN not in server.log.read_text()


@pytest.mark.slow
def test_secrets_that_cannot_be_read_let_nobody_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    write_secrets(tmp_path, monkeypatch, "[auth\n")
    with started(tmp_path) as server:
        page = read(server)
    assert BROKEN in page
    assert INSIDE not in page


def test_what_is_on_a_network():
    assert not any(map(on_network, ("127.0.0.1", "127.8.8.8", "::1", "localhost")))
    assert all(map(on_network, ("0.0.0.0", "::", "10.0.0.1", "example.org", "", None)))
    with socket.create_server(("127.1", 0)) as listening:  # what the tests above rely on
        assert listening.getsockname()[0] == "127.0.0.1"
