"""Text from the user's files, shown as text."""

from __future__ import annotations

import re
from html import escape

from discover_core.errors import sound

SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~:$&])")
# What becomes a link without any mark, however it is escaped: a scheme, www. and a mail address.
LINK_BEGINS = re.compile(r"(?i)(?<=http)(?=s?://)|(?<=www)(?=\.)|(?<=[-.+\w])(?=@)")
UNSEEN = "\u2060"  # joins two words, and shows nothing
TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")  # turn what follows around; scripts that run leftwards need none


def plain(text: object) -> str:
    """Any text as Markdown that shows exactly it: no links, no HTML, no formulas, no icons."""
    return SPECIAL.sub(r"\\\1", LINK_BEGINS.sub(UNSEEN, " ".join(TURNS.sub("", sound(str(text))).split())))


def plain_html(text: object) -> str:
    """The same as HTML."""
    return escape(TURNS.sub("", sound(str(text))))


def count(number: int, one: str, many: str | None = None) -> str:
    """3 rows, 1 row."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
