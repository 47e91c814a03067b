"""To whom the server answers, and what it tells their browsers: raw requests to a real server, with other names and origins."""

from __future__ import annotations

import asyncio
import http.client
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.types import Message, Receive, Scope, Send
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from discover_core.errors import InputError
from discover_dashboard.command import main
from discover_dashboard.headers import content_policy
from discover_dashboard.hosts import HostCheck, Hosts
from tests.browser.conftest import MAKE_RUN, SETTINGS, STREAMLIT, Server, serving
from ui.app.exposure import on_network

PROXY = "discover.example.org"
PATHS = ("/", "/_stcore/health", "/_stcore/host-config", "/solve?run=made-up", "/app/static/plotly.min.js", "/media/made-up.csv")


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCOVER_HOSTS", f"{PROXY}, second.example.org")
        with serving(tmp_path_factory.mktemp("serve"), MAKE_RUN) as running:
            yield running


@pytest.fixture
def plain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """`streamlit run app.py`, told no address. Its log has the refusals, as warnings."""
    monkeypatch.delitem(SETTINGS, "STREAMLIT_SERVER_ADDRESS")
    server = Server(tmp_path, STREAMLIT)
    try:
        server.start()
        yield server
    finally:
        server.stop()


def ask(server: Server, path: str, host: str) -> tuple[int, http.client.HTTPMessage, str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request("GET", path, headers={"Host": host})
    answer = connection.getresponse()
    body = answer.read().decode(errors="replace")
    connection.close()
    return answer.status, answer.headers, body


def connects(server: Server, host: str, origin: str | None) -> bool:
    """Whether the connection behind a page opens, or the server refuses it."""
    raw = socket.create_connection(("127.0.0.1", server.port), timeout=60)
    given = None if origin is None else Origin(origin)
    try:
        with connect(f"ws://{host}/_stcore/stream", sock=raw, origin=given, open_timeout=120, ping_timeout=None):
            pass
    except InvalidStatus as refused:
        return refused.response.status_code != 403
    return True


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS)
def test_under_another_name_the_server_says_only_that(ours: Server, path: str):
    status, headers, body = ask(ours, path, "evil.example")
    assert (status, headers["content-type"]) == (403, "text/plain; charset=utf-8")
    assert body.startswith("DISCOVER does not answer to the name 'evil.example'")
    assert "DISCOVER_HOSTS" in body
    for host in ("127.0.0.1", "localhost", "[::1]", PROXY):
        assert ask(ours, path, f"{host}:{ours.port}")[0] in (200, 404)


@pytest.mark.slow
def test_no_page_of_somebody_else_gets_the_connection(ours: Server):
    own = f"127.0.0.1:{ours.port}"
    assert connects(ours, own, f"http://{own}")
    assert connects(ours, own, None)
    assert connects(ours, PROXY, f"https://{PROXY}")
    assert connects(ours, "second.example.org:8443", "https://second.example.org:8443")
    assert not connects(ours, "evil.example", "http://evil.example")  # its name points here: DNS rebinding
    assert not connects(ours, f"evil.example:{ours.port}", None)
    origins = ("http://evil.example", "http://localhost:3000", "null", f"http://{own}.evil.example", f"http://evil@{PROXY}")
    for origin in origins:
        assert not connects(ours, own, origin), origin
    print(f"\n4 connections from pages of our own names taken, {2 + len(origins)} from foreign names and pages refused.")


@pytest.mark.slow
def test_plain_streamlit_is_for_this_computer_only(plain: Server):
    own = f"localhost:{plain.port}"
    assert connects(plain, own, f"http://{own}")
    assert not connects(plain, "evil.example", "http://evil.example")
    assert not connects(plain, f"evil.example:{plain.port}", None)
    with pytest.raises(ConnectionRefusedError):  # a server that listens everywhere is found there, too
        socket.create_connection(("127.0.0.2", plain.port), timeout=60)


@pytest.mark.slow
@pytest.mark.parametrize("host", ["127.0.0.1", "evil.example"])
@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_the_headers(ours: Server, path: str, host: str):
    headers = ask(ours, path, host)[1]
    assert headers.get_all("content-security-policy") == [content_policy()]
    assert headers.get_all("x-frame-options") == ["DENY"]
    assert headers.get_all("x-content-type-options") == ["nosniff"]
    assert headers.get_all("referrer-policy") == ["same-origin"]


@pytest.mark.slow
@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGINT])
def test_asked_to_end_the_server_ends_as_programs_do(tmp_path: Path, asked: signal.Signals):
    """Not by the signal itself: then nobody would tell the runs."""
    with serving(tmp_path) as server:
        stream = f"ws://127.0.0.1:{server.port}/_stcore/stream"
        with connect(stream, open_timeout=120, ping_timeout=None):
            assert server.process is not None
            server.process.send_signal(asked)
            assert server.process.wait(120) == 0


def test_the_policy_lets_no_foreign_script_in():
    rules = dict(rule.split(" ", 1) for rule in content_policy().split("; "))
    assert rules["frame-ancestors"] == rules["object-src"] == "'none'"
    assert rules["default-src"] == "'self'"
    assert "unsafe" not in rules["script-src"]
    assert "http" not in rules["script-src"]
    assert "sha256-" in rules["script-src"]


@pytest.mark.parametrize(
    ("address", "host", "right"),
    [
        ("127.0.0.1", "LOCALHOST:9000", True),
        ("::1", "[::1]:8501", True),
        ("127.0.0.1", "192.168.1.7:8501", False),
        ("127.0.0.1", "evil.example", False),
        ("0.0.0.0", "192.168.1.7:8501", True),
        ("0.0.0.0", "[2001:db8::1]", True),
        ("192.168.1.7", "localhost", True),
        ("0.0.0.0", "evil.example", False),
        ("0.0.0.0", "127.0.0.1.evil.example", False),
        ("0.0.0.0", "127.0.0.1@evil.example", False),
        ("0.0.0.0", "evil.example/127.0.0.1", False),
        ("0.0.0.0", "127.0.0.1:port", False),
        ("0.0.0.0", "", False),
        ("127.0.0.1", "Discover.Example.org.:443", True),
    ],
)
def test_names_and_addresses(monkeypatch: pytest.MonkeyPatch, address: str, host: str, right: bool):
    monkeypatch.setenv("DISCOVER_HOSTS", PROXY)
    assert Hosts.given(on_network(address)).answer_to(host) == right


@pytest.mark.parametrize("given", ["https://discover.example.org", "discover.example.org:443", "a b/c", "*"])
def test_a_setting_that_lists_no_names_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], given: str):
    monkeypatch.setenv("DISCOVER_HOSTS", given)
    with pytest.raises(InputError, match="DISCOVER_HOSTS lists names"):
        Hosts.given(addresses=False)
    assert main(["serve"]) == 2
    assert "DISCOVER_HOSTS lists names" in capsys.readouterr().err


def test_a_page_of_another_origin_does_not_reach_streamlit():
    """Which would ask a service in the Internet for this computer's address before it refuses."""
    reached: list[str] = []
    answers: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        reached.append(scope["type"])

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        answers.append(message)

    check = HostCheck(app, Hosts())
    headers = [(b"host", b"localhost:8501"), (b"origin", b"http://evil.example")]
    asyncio.run(check({"type": "websocket", "path": "/_stcore/stream", "headers": headers}, receive, send))
    assert (reached, [answer["type"] for answer in answers]) == ([], ["websocket.close"])
    asyncio.run(check({"type": "websocket", "path": "/_stcore/stream", "headers": headers[:1]}, receive, send))
    assert reached == ["websocket"]
