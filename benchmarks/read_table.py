"""Reading a file and guessing its schema, as a ratio to pandas.read_csv alone. Aim: under 2 at 1,000,000 x 20."""

from __future__ import annotations

import io
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from discover_core.table.read import read_table
from discover_core.table.schema import Schema

ROWS = 1_000_000
ROUNDS = 3


def build(rows: int, rng: np.random.Generator) -> pd.DataFrame:
    """Seven whole-number, seven float and six text columns."""
    columns: dict[str, Any] = {}
    for i, high in enumerate((2, 10, 100, 1_000, 10**5, 10**6, 10**9)):
        columns[f"whole {i}"] = rng.integers(0, high, rows)
    for digits in range(1, 8):
        columns[f"float {digits}"] = rng.normal(0, 10, rows).round(digits)
    for i, count in enumerate((2, 5, 10, 50, 200, 1_000)):
        columns[f"text {i}"] = np.array([f"level {k}" for k in range(count)])[rng.integers(0, count, rows)]
    return pd.DataFrame(columns)


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        build(ROWS, np.random.default_rng(0)).to_csv(path, index=False)
        print(f"{ROWS:,} rows x 20 columns, {path.stat().st_size / 1e6:.0f} MB; best of {ROUNDS}")
        data = path.read_bytes()
        alone, serial, reading, guessing = [], [], [], []
        for _ in range(ROUNDS):  # alternating, so that a busy machine slows all of them
            alone.append(seconds(lambda: pd.read_csv(path))[0])
            serial.append(seconds(lambda: pd.read_csv(io.BytesIO(data)))[0])
            took, table = seconds(lambda: read_table(path))
            reading.append(took)
            guessing.append(seconds(lambda table=table: Schema.infer(table))[0])
    both = min(r + g for r, g in zip(reading, guessing, strict=True))
    print(f"pandas.read_csv of the path (pandas reads it in parallel)   {min(alone):6.2f} s")
    print(f"pandas.read_csv of the bytes, as an upload arrives          {min(serial):6.2f} s")
    for what, took in (("read_table", min(reading)), ("read_table and Schema.infer", both)):
        print(f"{what:30s}{took:6.2f} s   ratio {took / min(alone):.2f} to the path, {took / min(serial):.2f} to the bytes")


if __name__ == "__main__":
    main()
