"""Changes of what lies in a ZIP, which XLSX, skops and policies are: its parts, their names, and what the ZIP says of them."""

from __future__ import annotations

import io
import json
import re
import warnings
import zipfile
from collections.abc import Sequence
from random import Random

import numpy as np

from . import bytes_changes
from .json_changes import changed_json
from .values import FILE_NAMES, LITERALS, NUMBERS, TEXTS

Parts = list[tuple[str, bytes]]
BOMB = bytes(30 * 2**20)
TAG = re.compile(rb"<(\w+)\b[^<>]*?/>|<(\w+)\b[^<>]*?>[^<]*</\2>")
VALUE = re.compile(rb'"([^"]*)"|>([^<>]+)<')


def parts(data: bytes) -> Parts:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [(entry.filename, archive.read(entry)) for entry in archive.infolist()]


def packed(content: Parts) -> bytes:
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        warnings.simplefilter("ignore")  # a name may be there twice
        for name, data in content:
            archive.writestr(zipfile.ZipInfo(name.encode("utf-8", "replace").decode()), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def changed_zip(data: bytes, rng: Random, others: Sequence[bytes]) -> tuple[bytes, str]:
    """One part is changed by what it is, or the ZIP itself."""
    content = parts(data)
    at = rng.randrange(len(content))
    name, part = content[at]
    way = rng.choice(("part",) * 8 + ("gone", "twice", "renamed", "bomb", "swapped"))
    if way == "part":
        content[at] = (name, changed_part(name, part, rng, [other for _, other in content]))
    elif way == "gone":
        del content[at]
    elif way == "twice":
        content.append((name, changed_part(name, part, rng, [part])))
    elif way == "renamed":
        content[at] = (rng.choice((rng.choice(FILE_NAMES)[:60_000], f"../{name}", f"/{name}", name.upper())), part)
    elif way == "bomb":
        content[at] = (name, part[: len(part) // 2] + BOMB)
    else:
        content[at] = (name, rng.choice(content)[1])
    return packed(content), f"{way} {name}"


def changed_part(name: str, part: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    if not part:
        return rng.randbytes(20)
    if name.endswith(".json") and rng.random() < 0.9:
        return changed_json(json.loads(part), rng)[0]
    if part.startswith(b"\x93NUMPY") and rng.random() < 0.9:
        return changed_array(part, rng)
    if part.lstrip().startswith(b"<"):
        return changed_xml(part, rng)
    return rng.choice(bytes_changes.ANY)(part, rng, others)


def changed_xml(part: bytes, rng: Random) -> bytes:
    """Values of attributes and texts replaced, elements dropped, doubled and nested; now and then an entity of entities."""
    for _ in range(rng.choice((1, 1, 3, 10))):
        way = rng.random()
        places = list((VALUE if way < 0.6 else TAG).finditer(part))
        if not places:
            break
        place = rng.choice(places)
        start, stop = place.span(1) if way < 0.6 and place.group(1) is not None else place.span(2) if way < 0.6 else place.span()
        old = part[start:stop]
        if way < 0.4:
            new = rng.choice(LITERALS).encode()
        elif way < 0.6:
            letters = re.sub(rb"\d+", b"", old)
            new = rng.choice((letters + rng.choice(LITERALS).encode(), _escaped(rng.choice(TEXTS)), b"ZZZ1", b""))
        else:
            new = rng.choice((b"", old * 2, old * 300, b"<a>" * 3_000 + old + b"</a>" * 3_000, b"<" + old))
        part = part[:start] + new + part[stop:]
    if rng.random() < 0.05:
        entities = b"".join(b'<!ENTITY e%d "%s">' % (i + 1, b"&e%d;" % i * 10) for i in range(9))
        head, mark, rest = part.rpartition(b"?>")
        kind = b'<!DOCTYPE x [<!ENTITY e0 "ten letters">' + entities + b"]>"
        part = head + mark + kind + rest.replace(b"</t>", b"&e9;</t>", 1)
    return part


def _escaped(text: str) -> bytes:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return escaped.encode("utf-8", "surrogatepass")


def changed_array(part: bytes, rng: Random) -> bytes:
    """A NumPy array with some of its numbers, its shape or its type changed."""
    try:
        array = np.load(io.BytesIO(part), allow_pickle=False)
    except ValueError:
        return rng.choice(bytes_changes.ANY)(part, rng, [part])
    if not array.size or rng.random() < 0.2:
        array = rng.choice(
            (array.ravel()[:0], array.ravel()[: array.size // 2], np.frombuffer(array.tobytes() * 2, array.dtype), np.zeros(3))
        )
    elif array.dtype.names and rng.random() < 0.9:
        field = rng.choice(array.dtype.names)
        _put(array[field], rng)
    elif array.dtype.kind in "iufb":
        _put(array, rng)
    else:
        array = np.array(["x" * 5, "y"])
    out = io.BytesIO()
    np.save(out, array, allow_pickle=False)
    return out.getvalue()


def _put(array: np.ndarray, rng: Random) -> None:
    for _ in range(rng.choice((1, 2, 10))):
        at = np.unravel_index(rng.randrange(array.size), array.shape)
        small = rng.randrange(-3, 9)
        with np.errstate(all="ignore"):
            try:
                array[at] = rng.choice((*NUMBERS, small, small, small))
            except (OverflowError, ValueError):
                array[at] = small & 0x7F
