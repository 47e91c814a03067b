"""Changes that know nothing of a format: bytes flipped, cut, doubled, moved and taken from another file."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from .values import LITERALS, TEXTS

NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
Change = Callable[[bytes, Random, Sequence[bytes]], bytes]


def flipped(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    content = bytearray(data)
    for _ in range(rng.choice((1, 1, 3, 30))):
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    return bytes(content)


def overwritten(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    """A few bytes in a row are made the largest, the smallest, or any."""
    at, size = rng.randrange(len(data)), rng.choice((1, 2, 4, 8))
    new = rng.choice((b"\xff" * size, b"\x00" * size, b"\x7f" + b"\xff" * (size - 1), rng.randbytes(size)))
    return data[:at] + new + data[at + size :]


def cut(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    return data[: rng.randrange(len(data))]


def dropped(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    start, stop = _part(data, rng)
    return data[:start] + data[stop:]


def doubled(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    start, stop = _part(data, rng)
    return data[:stop] + data[start:stop] * rng.choice((1, 1, 5, 50)) + data[stop:]


def moved(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    start, stop = _part(data, rng)
    rest = data[:start] + data[stop:]
    at = rng.randrange(len(rest) + 1)
    return rest[:at] + data[start:stop] + rest[at:]


def spliced(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    """The beginning of one file and the end of another."""
    other = rng.choice(others)
    return data[: rng.randrange(len(data))] + other[rng.randrange(len(other)) :]


def renumbered(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    """A number that is written in digits becomes another."""
    places = list(NUMBER.finditer(data))
    if not places:
        return overwritten(data, rng, others)
    place = rng.choice(places)
    return data[: place.start()] + rng.choice(LITERALS).encode() + data[place.end() :]


def worded(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + rng.choice(TEXTS).encode("utf-8", "surrogatepass") + data[at:]


def _part(data: bytes, rng: Random) -> tuple[int, int]:
    start = rng.randrange(len(data))
    return start, min(len(data), start + rng.choice((1, 4, 30, 300, 3000)))


ANY: tuple[Change, ...] = (flipped, overwritten, cut, dropped, doubled, moved, spliced)
IN_TEXT: tuple[Change, ...] = (*ANY, renumbered, renumbered, worded, worded)
