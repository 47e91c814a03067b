"""Names of columns and levels as people write them into a rule: quoted or not, with blanks, in any case."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

QUOTED = re.compile(r'"((?:[^"]|"")*)"|“([^”]*)”')
NUMBER = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
KEYWORDS = frozenset({"if", "then", "and", "in", "change", "together"})
PLAIN = re.compile(r"[^\W\d]\w*(?:[ .\-]\w+)*")


def tidy(name: str) -> str:
    return " ".join(name.split())


def quoted(name: str, always: bool) -> str:
    """The name as a rule has it: in quotes where it could be misread."""
    plain = PLAIN.fullmatch(name) and KEYWORDS.isdisjoint(re.split(r"\W", name.lower()))
    return name if plain and not always else '"' + name.replace('"', '""') + '"'


def read_quoted(text: str, at: int) -> tuple[str, int] | None:
    """What stands between the quotes that open here, and where they end."""
    match = QUOTED.match(text, at)
    if match is None:
        return None
    return (match[1].replace('""', '"') if match[1] is not None else match[2]), match.end()


@dataclass(frozen=True)
class Names:
    """Names by their places. One is found as it is, else but for its blanks, else in another case."""

    names: Sequence[str]
    _exact: dict[str, list[int]] = field(default_factory=dict)
    _tidy: dict[str, list[int]] = field(default_factory=dict)
    _folded: dict[str, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for place, name in enumerate(self.names):
            self._exact.setdefault(name, []).append(place)
            self._tidy.setdefault(tidy(name), []).append(place)
            self._folded.setdefault(tidy(name).casefold(), []).append(place)

    def find(self, written: str) -> list[int]:
        """The places it may mean: none if it is unknown, several if it is ambiguous."""
        short = tidy(written)
        return self._exact.get(written) or self._tidy.get(short) or self._folded.get(short.casefold()) or []

    def read(self, text: str, at: int, follow: re.Pattern[str] | None = None) -> tuple[list[int], int]:
        """The longest name that begins here and ends with a word (or before what must follow), and where it ends."""
        longest = max(map(len, self._folded), default=0)
        for end in range(len(text), at, -1):
            if not _ends(text, end) or (follow is not None and not follow.match(text, end)):
                continue
            written = tidy(text[at:end])
            if len(written.casefold()) > longest or (
                follow is None and (NUMBER.fullmatch(written) or written.lower() in KEYWORDS)
            ):
                continue
            found = self.find(written)
            if found:
                return found, end
        return [], at


def _ends(text: str, end: int) -> bool:
    """Whether no word is cut in two here; a dot inside a word is part of it."""
    if text[end - 1].isspace():
        return False
    rest = text[end : end + 2]
    return not re.match(r"\w|\.\w", rest) or not re.match(r"\w", text[end - 1])
