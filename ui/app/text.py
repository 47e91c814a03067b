"""Text from the user's files, shown as text."""

from __future__ import annotations

import re

from discover_core.errors import sound

SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~:$&])")


def plain(text: object) -> str:
    """Any text as Markdown that shows exactly it: no links, no HTML, no formulas, no icons."""
    return SPECIAL.sub(r"\\\1", " ".join(sound(str(text)).split()))


def count(number: int, one: str, many: str | None = None) -> str:
    """3 rows, 1 row."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
