"""A session of the app without a browser: it speaks Streamlit's protocol, follows what the page draws, and presses its buttons.

A tab of Chromium costs more of a small machine than the server that it asks; twenty of these cost next to nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from types import TracebackType
from typing import Any
from urllib.parse import parse_qs

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Subprotocol

LOOK = 2.0  # seconds until somebody presses again what seems to do nothing
WAIT = 300.0  # seconds that anything may take: a machine may have much else to do
Path = tuple[int, ...]


class Visitor:
    """One tab. What it sees is what the last script run drew, with what fragments drew over it."""

    def __init__(self, url: str) -> None:
        address = url.replace("http://", "ws://") + "/_stcore/stream"
        self._open = ExitStack()
        self._socket = self._open.enter_context(
            connect(
                address,
                subprotocols=[Subprotocol("streamlit")],
                max_size=None,
                max_queue=None,
                open_timeout=WAIT,
                ping_timeout=None,
            )
        )
        self._drawn: dict[Path, tuple[str, Element]] = {}
        self._pages: dict[str, str] = {}
        self._query, self._page, self._fragments_only = "", "", False
        self._every: dict[str, tuple[float, float]] = {}  # a fragment's interval, and when it is asked for next
        self._drawing = False
        self.pages = 0  # drawn from top to bottom
        self.finished = 0  # script runs that came to their end
        self.troubles: list[str] = []  # what no page may show: exceptions, scripts that do not run
        self.answers: list[float] = []  # seconds from a click to the end of the script run that follows
        self.looks = 0  # times a fragment drew itself anew

    def __enter__(self) -> Visitor:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Leave: what cannot be said to a server that is gone need not be said."""
        with suppress(OSError, ConnectionClosed):
            self._open.close()

    # what a person does

    def open(self, page: str = "", query: str = "") -> None:
        """The first page: typed into the address bar."""
        self._query, self._page = query, ""
        runs = self.finished
        self._ask(page_name=page)
        self.until(lambda: self.finished > runs)

    def go(self, page: str) -> None:
        """A click in the navigation."""
        self._click(page_script_hash=self._pages[page])

    def press(self, key: str) -> None:
        """A click on the button with this key, as soon as it is there. What follows makes the whole page run."""
        self.until(lambda: self.has(key))
        fragment, name = self._button(key) or ("", "")
        self._click(button=name, fragment_id=fragment)

    def push(self, key: str) -> None:
        """The same, of a button that may change nothing but its own part of the page."""
        self.until(lambda: self.has(key))
        fragment, name = self._button(key) or ("", "")
        self._ask(button=name, fragment_id=fragment)

    def press_until(self, key: str, wanted: Callable[[], object]) -> None:
        """Press a button until it has worked: one that is drawn anew under the pointer may miss a click."""
        end = time.monotonic() + WAIT
        while not wanted():
            assert time.monotonic() < end, f"{key} does nothing; the page says:\n{self.text}"
            if self.has(key):
                self.push(key)
                looked = time.monotonic() + LOOK
                self.until(lambda looked=looked: wanted() or time.monotonic() > looked)
            self.watch()

    def has(self, key: str) -> bool:
        """Whether a button is there and can be pressed."""
        return self._button(key) is not None

    # what a person sees

    @property
    def text(self) -> str:
        """All that is said on the page, in its order."""
        return "\n".join(said for _, element in (self._drawn[path] for path in sorted(self._drawn)) if (said := _said(element)))

    @property
    def run(self) -> str | None:
        """The id of the run in the address."""
        return parse_qs(self._query).get("run", [None])[0]

    def until(self, wanted: Callable[[], object], seconds: float = WAIT) -> None:
        """Watch the page, and let what follows a run look for it, until `wanted()`."""
        end = time.monotonic() + seconds
        while not wanted():
            assert time.monotonic() < end, f"it did not come to that; the page says:\n{self.text}"
            self.watch()

    def watch(self, seconds: float = 0.1) -> None:
        """Take one message, if one comes in time, and do what a browser does by itself."""
        now = time.monotonic()
        for fragment, (interval, due) in list(self._every.items()):
            if due <= now:
                self._every[fragment] = (interval, now + interval)
                self._ask(fragment_id=fragment, is_auto_rerun=True)
        try:
            data = self._socket.recv(timeout=seconds)
        except TimeoutError:
            return
        message = ForwardMsg()
        message.ParseFromString(data)
        self._take(message)

    # the protocol

    def _click(self, **state: Any) -> None:
        """What a person does makes the whole page run: wait until it is drawn, and take the time."""
        began, pages = time.monotonic(), self.pages
        self._ask(**state)
        self.until(lambda: self.pages > pages)
        self.answers.append(time.monotonic() - began)

    def _ask(self, button: str | None = None, **state: Any) -> None:
        message = BackMsg()
        client = message.rerun_script
        client.query_string, client.page_script_hash = self._query, self._page
        for name, value in state.items():
            setattr(client, name, value)
        if button is not None:
            client.widget_states.widgets.add(id=button, trigger_value=True)
        self._socket.send(message.SerializeToString())

    def _is_drawn(self) -> None:
        """The whole page is there. Where a job is at work its script goes on, only to say how far the job is."""
        self.pages += self._drawing
        self._drawing = False

    def _button(self, key: str) -> tuple[str, str] | None:
        """The fragment and the id of a button."""
        for fragment, element in self._drawn.values():
            button = element.button
            if element.WhichOneof("type") == "button" and button.id.endswith(f"-{key}") and not button.disabled:
                return fragment, button.id
        return None

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            fragments = set(message.metadata.run.fragment_ids)
            self._drawn = {path: drawn for path, drawn in self._drawn.items() if fragments and drawn[0] not in fragments}
            if not fragments:
                self._every.clear()
                self._drawing = True
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            element = message.delta.new_element
            self._drawn[tuple(message.metadata.delta_path)] = (message.delta.fragment_id, element)
            if self._drawing and element.WhichOneof("type") == "progress" and not message.delta.fragment_id:
                self._is_drawn()
            if element.WhichOneof("type") == "exception":
                self.troubles.append(f"{element.exception.type}: {element.exception.message}")
        elif kind == "script_finished":
            if message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                self.finished += 1
                self._is_drawn()
            self.looks += message.script_finished == ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
            if message.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                self.troubles.append("The script does not run.")
        elif kind == "navigation":
            self._page = message.navigation.page_script_hash
            self._pages = {page.url_pathname: page.page_script_hash for page in message.navigation.app_pages}
        elif kind == "page_info_changed":
            self._query = message.page_info_changed.query_string
        elif kind == "auto_rerun":
            look = message.auto_rerun
            self._every[look.fragment_id] = (look.interval, time.monotonic() + look.interval)
        elif kind == "stop_auto_rerun":
            for fragment in message.stop_auto_rerun.fragment_ids:
                self._every.pop(fragment, None)
        elif kind in ("page_not_found", "session_event"):
            self.troubles.append(str(message))


def _said(element: Element) -> str:
    """The words of an element, if it has any."""
    kind = element.WhichOneof("type")
    if kind in ("markdown", "alert", "heading", "text"):
        return str(getattr(element, kind).body)
    return str(element.progress.text) if kind == "progress" else ""
