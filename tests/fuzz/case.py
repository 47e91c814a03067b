"""A hostile upload, and what may become of it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

LONGEST = 500  # characters of a sentence
TECHNICAL = re.compile(r"""Traceback|File "|\bline \d+, in |0x[0-9a-f]{6}|\bobject at\b|(?<![\w'"])b['"]|<class |\bErrno\b""")


@dataclass(frozen=True)
class Case:
    """The files somebody uploads at once, by their names. `kind` is what they are meant to be, `label` says what was done."""

    kind: str
    label: str
    files: Mapping[str, bytes]


@dataclass(frozen=True)
class Verdict:
    """What became of a case: it was read, refused with the sentence in `said`, or neither, and `finding` says what happened."""

    kind: str
    label: str
    said: str
    finding: str
    seconds: float  # of processor time
    megabytes: float  # of memory at most, beyond what there was before

    @property
    def ending(self) -> str:
        return "finding" if self.finding else "refused" if self.said else "read"

    def __str__(self) -> str:
        return f"{self.kind}, {self.label}: {self.finding or self.said or 'read'}"


def wrong_with(sentence: str) -> str:
    """Why a person could not read this as one sentence; nothing if they can."""
    odd = next((sign for sign in sentence if unicodedata.category(sign) in ("Cc", "Cs")), None)
    if odd is not None:
        return f"a sentence with the sign {odd!r}: {sentence!r}"
    if not sentence.endswith("."):
        return f"a sentence without its full stop: {sentence}"
    if len(sentence) > LONGEST:
        return f"a sentence of {len(sentence)} characters: {sentence[:LONGEST]}"
    if TECHNICAL.search(sentence):
        return f"a sentence for programmers: {sentence}"
    return ""
