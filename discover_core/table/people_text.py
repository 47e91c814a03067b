"""A few people of a group as one line of text: written by a user, found again in the group."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

MARKS = re.compile(r"[,;\n]")
LONGEST = 4  # parts between commas that may be one name


def known_as(rows: Sequence[int], names: Sequence[str] = ()) -> dict[str, int]:
    """How people may be called, and their rows: “row 7”, counted from 1, or by their name. Without names a bare 7 is the row."""
    called = {f"row {row + 1}": row for row in rows}
    called |= {_bare(name): row for name, row in zip(names, rows, strict=True)} if names else {str(row + 1): row for row in rows}
    return called


def people_in(text: str, known: Mapping[str, int]) -> tuple[tuple[int, ...], list[str]]:
    """The rows of those named between commas or semicolons, and the words that name nobody. A name may hold commas itself."""
    parts, marks = [part.strip() for part in MARKS.split(text)], MARKS.findall(text)
    found: list[int] = []
    unknown: list[str] = []
    at = 0
    while at < len(parts):
        row, end = _longest(parts, marks, at, known)
        if row is not None:
            found.append(row)
        elif parts[at]:
            unknown.append(parts[at])
        at = end
    return tuple(dict.fromkeys(found)), unknown


def _longest(parts: list[str], marks: list[str], at: int, known: Mapping[str, int]) -> tuple[int | None, int]:
    for end in range(min(at + LONGEST, len(parts)), at, -1):
        text = parts[at] + "".join(f"{mark} {part}" for mark, part in zip(marks[at : end - 1], parts[at + 1 : end], strict=True))
        if (row := known.get(_bare(text))) is not None:
            return row, end
    return None, at + 1


def _bare(name: str) -> str:
    """Without the differences that people do not see: capitals, and spaces around a comma."""
    return " ".join(re.sub(r"\s*([,;])\s*", r"\1 ", name).split()).casefold()
