"""What a step costs to write, by what is promised of it; and what a run costs to delete. Ratios within one run."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from sqlalchemy import event

import discover_core as dc
from discover_core.problem.targets import Threshold
from discover_core.scenario.question import Question
from discover_core.scenario.sources import SampleTable, TrainedModel
from discover_core.store import store as store_module
from discover_core.store.array_codec import pack
from discover_core.store.engine import fast, lasting
from discover_core.store.erase import erase
from discover_core.store.files import FolderFiles
from discover_core.store.store import Store

STEPS, ROUNDS = 200, 3
NUMBERS = dict.fromkeys(("q", "q_x", "q_y", "q_before", "ucl_x", "ucl_y", "eta", "low", "high"), 0.5)
WAYS: dict[str, tuple[Callable[..., None], str]] = {
    "as it was: no waiting, nothing overwritten": (fast, "OFF"),
    "as it is: no waiting, what is deleted is overwritten": (fast, "ON"),
    "each step waits for the disk": (lasting, "ON"),
}


def question() -> Question:
    sample = dc.load_sample("german_credit")
    parts = (sample.schema, dc.Cohort(sample=200), TrainedModel("logistic"), sample.actions, Threshold(0.5, 0.8, "below"))
    return Question("steps", dc.Scenario(SampleTable("german_credit"), *parts, dc.Bounds(0.6, 0.05), dc.Settings()))


def written(store: Store, arrays: bytes) -> tuple[str, float]:
    """A run of so many steps, and the median milliseconds of one."""
    run_id = store.add(question(), "server")
    token, spent = store.claim(run_id, 1), []
    for iteration in range(STEPS):
        more = {"feasible": False, "model_rows": 1, "still": 0, "random": "{}", "arrays": arrays}
        began = time.perf_counter()
        store.write(run_id, token, {"iteration": iteration, **NUMBERS, **more}, 0.1)
        spent.append(time.perf_counter() - began)
    return run_id, 1000 * statistics.median(spent)


def main() -> None:
    arrays = pack(impact=np.random.default_rng(0).random(2000).astype(np.float32))
    medians: dict[str, list[float]] = {way: [] for way in WAYS}
    deleted = []
    for _ in range(ROUNDS):
        for way, (how, overwrite) in WAYS.items():
            with tempfile.TemporaryDirectory() as folder:
                store = Store(f"sqlite:///{folder}/runs.sqlite3")
                event.listen(store.engine, "connect", lambda raw, _, on=overwrite: raw.execute(f"PRAGMA secure_delete={on}"))
                store.engine.dispose()
                store_module.fast = how
                run_id, median = written(store, arrays)
                medians[way].append(median)
                began = time.perf_counter()
                erase(store, FolderFiles(Path(folder)), [run_id])
                deleted.append(1000 * (time.perf_counter() - began) / STEPS)
                store.engine.dispose()
    first = statistics.median(next(iter(medians.values())))
    for way, found in medians.items():
        median = statistics.median(found)
        print(f"{median:6.2f} ms a step, {median / first:5.2f} times  {way}")
    print(f"{statistics.median(deleted):6.2f} ms a step to delete the run")


if __name__ == "__main__":
    main()
