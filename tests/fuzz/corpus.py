"""The corpus: so many cases, the same every time, spread over all kinds of files; the named ones come first."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from random import Random
from typing import Any

from . import bytes_changes, ubj
from .case import Case
from .json_changes import changed_json
from .model_changes import changed_lightgbm, changed_onnx
from .named import named
from .seeds import seeds
from .table_changes import changed_cells, changed_parquet
from .values import FILE_NAMES
from .zip_changes import changed_zip

TABLES_IN_TEXT = ("CSV", "target CSV", "people CSV", "rows CSV")
IN_TEXT = (*TABLES_IN_TEXT, "XGBoost JSON", "LightGBM", "scenario.json", "policy.json")


def corpus(count: int, seed: int = 0) -> Iterator[Case]:
    """The named cases, and as many grown ones as are missing."""
    left = count
    for case in named():
        left -= 1
        yield case
    yield from grown_cases(left, seed)


def grown_cases(count: int, seed: int) -> Iterator[Case]:
    kinds = list(seeds())
    for number in range(count):
        yield grown(kinds[number % len(kinds)], number, seed)


def grown(kind: str, number: int, seed: int = 0) -> Case:
    """A case that depends on nothing but its kind and its numbers, which its label says: so it can be made again."""
    rng = Random(f"{seed} {number} {kind}")
    files = dict(rng.choice(seeds()[kind]))
    name = rng.choice(sorted(files))
    others = [next(iter(one.values())) for every in seeds().values() for one in every]
    content, done = changed(kind, name, files[name], rng, others)
    if rng.random() < 0.15 and "policy" not in kind:
        _, ending = name.split(".", 1)
        del files[name]
        name = f"{rng.choice(FILE_NAMES)}.{ending}"
        done += f", called {name[:40]!r}"
    files[name] = content
    return Case(kind, f"number {number} of seed {seed}: {done}", files)


def changed(kind: str, name: str, content: bytes, rng: Random, others: list[bytes]) -> tuple[bytes, str]:
    """One change that knows the format, or one that does not, or both."""
    done = []
    if rng.random() < 0.75:
        content, how = by_format(kind, name, content, rng, others)
        done.append(how)
    if not done or rng.random() < 0.15:
        ways = bytes_changes.IN_TEXT if kind in IN_TEXT else bytes_changes.ANY
        way = rng.choice(ways)
        content = way(content or b" ", rng, others)
        done.append(way.__name__)
    return content, ", ".join(done)


def by_format(kind: str, name: str, content: bytes, rng: Random, others: list[bytes]) -> tuple[bytes, str]:
    if kind in TABLES_IN_TEXT:
        return changed_cells(content, rng)
    if kind == "CSV.gz":
        text, how = changed_cells(gzip.decompress(content), rng)
        return gzip.compress(text, mtime=0) * rng.choice((1, 1, 2)), how
    if kind in ("XLSX", "target XLSX", "skops", "policy ZIP") or name.endswith(".skops"):
        return changed_zip(content, rng, others)
    if kind in ("Parquet", "target Parquet"):
        return changed_parquet(content, rng, [other for other in others if other[:4] == b"PAR1"])
    if kind == "XGBoost UBJ":
        tree: Any = ubj.read(content)
        _, how = changed_json(tree, rng)
        return ubj.written(tree), how
    if kind == "ONNX":
        return changed_onnx(content, rng)
    if kind == "LightGBM":
        return changed_lightgbm(content, rng)
    return changed_json(json.loads(content), rng)
