"""Changes of what a JSON file says: numbers and texts replaced, names dropped and swapped, lists grown, nests deepened."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

from .values import NUMBERS, TEXTS

DEEP = "the place of a nest"
DEPTHS = (30, 900, 1_100, 100_000)
MOST = 3_000_000  # characters that a list is made to grow to
Place = tuple[Any, Any]  # a dictionary or a list, and a name or a position in it


def changed_json(value: Any, rng: Random) -> tuple[bytes, str]:
    """The file with one to three changes, and which. What is given is changed, too."""
    done = []
    for _ in range(rng.choice((1, 1, 2, 3))):
        place = _place(value, rng)
        if place is not None:
            change = rng.choice(CHANGES)
            change(place, rng)
            done.append(f"{change.__name__} at {str(place[1])[:40]!r}")
    text = json.dumps(value)  # half a character is kept as its escape
    if DEEP in text:
        depth = rng.choice(DEPTHS)
        opened, closed = rng.choice((("[", "]"), ('{"a":', "}"), ('[{"":', "}]")))
        text = text.replace(f'"{DEEP}"', opened * depth + "1" + closed * depth, 1)
        done.append(f"{depth} deep")
    return text.encode(rng.choice(("utf-8",) * 8 + ("utf-8-sig", "utf-16"))), ", ".join(done)


def _place(value: Any, rng: Random) -> Place | None:
    """Somewhere in it: further down as often as not."""
    place: Place | None = None
    while isinstance(value, dict | list) and value and (place is None or rng.random() < 0.75):
        key = rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value))
        place, value = (value, key), value[key]
    return place


def number(place: Place, rng: Random) -> None:
    within, key = place
    within[key] = rng.choice(NUMBERS)


def text(place: Place, rng: Random) -> None:
    within, key = place
    within[key] = rng.choice(TEXTS)


def kind(place: Place, rng: Random) -> None:
    within, key = place
    within[key] = rng.choice((None, True, [], {}, [[]], {"": {}}, "1", 1, 1.5, 10**400))


def gone(place: Place, rng: Random) -> None:
    within, key = place
    del within[key]


def renamed(place: Place, rng: Random) -> None:
    within, key = place
    if isinstance(within, dict):
        within[rng.choice((*TEXTS, str(key).upper(), f" {key}"))] = within.pop(key)
    else:
        within.insert(rng.randrange(len(within)), within[key])


def swapped(place: Place, rng: Random) -> None:
    within, key = place
    other = rng.choice(list(within)) if isinstance(within, dict) else rng.randrange(len(within))
    within[key], within[other] = within[other], within[key]


def grown(place: Place, rng: Random) -> None:
    within, key = place
    value = within[key]
    if isinstance(value, list | str):
        within[key] = value * min(rng.choice((2, 100, 3_000)), 1 + MOST // (1 + len(str(value))))
    elif isinstance(value, dict):
        value.update({f"{name} {i}": item for i in range(rng.choice((1, 300))) for name, item in list(value.items())[:1]})
    else:
        within[key] = [value] * rng.choice((2, 30_000))


def deepened(place: Place, rng: Random) -> None:
    within, key = place
    within[key] = DEEP


CHANGES: tuple[Callable[[Place, Random], None], ...] = (
    number,
    number,
    number,
    text,
    text,
    kind,
    gone,
    renamed,
    swapped,
    grown,
    deepened,
)
