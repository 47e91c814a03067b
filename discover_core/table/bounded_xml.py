"""XML from outside, gone through once and never held: what is not bounded by its length is bounded here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any
from xml.parsers import expat

MAX_DEPTH = 64
MAX_NAMES = 5_000  # different names of elements and attributes: the parser keeps them all
MAX_ELEMENTS = 70_000_000
MAX_TAG = 2**22  # bytes that the parser may hold back until a tag ends


class Unusual(ValueError):
    """What no honest program writes."""


class Walk:
    """Tells `start`, `end` and `text` what comes, by local names, and passes over other namespaces than the root's."""

    def __init__(
        self, start: Callable[[str, dict[str, str]], None], end: Callable[[str], None], text: Callable[[str], None]
    ) -> None:
        self._start, self._end_of = start, end
        self._names: dict[str, str] = {}  # local names of the root's namespace
        self._root: str | None = None
        self._depth = self._elements = self._fed = 0
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = text
        parser.StartDoctypeDeclHandler = self._refuse  # with it goes every entity
        self._parser = parser

    def through(self, pieces: Iterable[bytes]) -> Iterator[None]:
        """Yields after every piece."""
        for piece in pieces:
            self._parser.Parse(piece, False)
            self._fed += len(piece)
            held = self._fed - self._parser.CurrentByteIndex
            if held > MAX_TAG + len(piece) or len(self._parser.intern) > MAX_NAMES or self._elements > MAX_ELEMENTS:
                raise Unusual("more names, more elements or longer tags than are read")
            yield
        self._parser.Parse(b"", True)
        yield

    def whole(self, pieces: Iterable[bytes]) -> None:
        for _ in self.through(pieces):
            pass

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._elements += 1
        if self._depth > MAX_DEPTH:
            raise Unusual("elements inside each other without end")
        local = self._names.get(name) or self._local(name)
        if local:
            self._start(local, attributes)

    def _end(self, name: str) -> None:
        self._depth -= 1
        local = self._names.get(name)
        if local:
            self._end_of(local)

    def _local(self, name: str) -> str:
        space, _, local = name.rpartition(" ")
        self._root = space if self._root is None else self._root
        if space != self._root:
            return ""
        self._names[name] = local
        return local

    def _refuse(self, *_: Any) -> None:
        raise Unusual("a document type")
