"""Changes of CSV and Parquet files that know what is where in them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from . import bytes_changes
from .values import LITERALS, TEXTS

LARGEST = 5_000_000  # bytes of a grown file
ENCODINGS = ("utf-8",) * 6 + ("utf-8-sig", "utf-16", "utf-16-be", "utf-32", "cp1252", "shift_jis", "cp037")


def changed_cells(data: bytes, rng: Random) -> tuple[bytes, str]:
    """Cells, names, lines and separators are others, in any encoding."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "latin-1")
    mark = max(",;\t|", key=text.count)
    lines, done = text.splitlines(), []
    for _ in range(rng.choice((1, 1, 2, 5))):
        size = sum(map(len, lines))
        if size > LARGEST:
            break
        at = rng.choice((0, rng.randrange(len(lines))))
        cells = lines[at].split(mark)
        cell = rng.randrange(len(cells))
        way = rng.choice(("number", "number", "word", "word", "quote", "more", "fewer", "line", "gone", "column", "many"))
        if way == "number":
            cells[cell] = rng.choice(LITERALS)
        elif way == "word":
            cells[cell] = rng.choice(TEXTS)
        elif way == "quote":
            cells[cell] = f'"{cells[cell]}' + rng.choice(("", '"', '"" "', '"x'))
        elif way == "more":
            cells += cells * _times(rng.choice((1, 300)), len(lines[at]))
        elif way == "fewer":
            del cells[cell:]
        lines[at] = mark.join(cells)
        if way == "line":
            lines[at : at + 1] = [lines[at]] * _times(rng.choice((2, 3_000)), len(lines[at]))
        elif way == "gone" and len(lines) > 1:
            del lines[at]
        elif way == "column":
            new = rng.choice((*LITERALS, *TEXTS))[: 1 + LARGEST // len(lines)]
            lines[1:] = [mark.join([*(line.split(mark)[:cell]), new, *line.split(mark)[cell + 1 :]]) for line in lines[1:]]
        elif way == "many":
            lines = [mark.join([line] * _times(400, size)) for line in lines[:20]]
        done.append(f"{way} in line {at + 1}")
    encoding = rng.choice(ENCODINGS)
    content = (
        rng.choice(("\n", "\n", "\r\n", "\r", "\n\n"))
        .join(lines)
        .encode(encoding, "replace" if encoding[0] != "u" else "surrogatepass")
    )
    return content[:LARGEST], f"{', '.join(done)}, {encoding}"


def _times(wanted: int, size: int) -> int:
    """As often as something so long may be repeated."""
    return max(1, min(wanted, LARGEST // (size + 1)))


def changed_parquet(data: bytes, rng: Random, others: Sequence[bytes]) -> tuple[bytes, str]:
    """The footer, which says what the file holds; its length; or the pages."""
    size = int.from_bytes(data[-8:-4], "little")
    pages, footer, end = data[4 : -8 - size], data[-8 - size : -8], data[-8:]
    way = rng.choice(("footer", "footer", "footer", "pages", "pages", "length", "swapped"))
    if way == "footer":
        for _ in range(rng.choice((1, 1, 2))):
            footer = rng.choice((bytes_changes.flipped, bytes_changes.overwritten))(footer, rng, others)
    elif way == "pages":
        pages = rng.choice((bytes_changes.flipped, bytes_changes.overwritten))(pages, rng, others)
    elif way == "length":
        end = rng.choice((0, 1, size - 1, size + 1, size + 10**6, 2**31, 2**32 - 1)).to_bytes(4, "little") + end[4:]
    else:
        other = rng.choice(others)
        footer = other[-8 - int.from_bytes(other[-8:-4], "little") : -8]
        end = len(footer).to_bytes(4, "little") + end[4:]
    return data[:4] + pages + footer + end, way
