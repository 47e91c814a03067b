"""How the personal search grows from 1,000 to 100,000 people: ratios of all its work to that inside the model, and memory.

Seconds are those of the processor, each size in a process of its own. With the word `quick` behind it, up to 3,000 people.
"""

from __future__ import annotations

import json
import math
import resource
import subprocess
import sys
import time
from typing import Any

import numpy as np
import pandas as pd

import discover_core as dc
from discover_core.problem.presets import FITTED, PRESETS
from discover_core.problem.targets import Shift, TargetContext, TargetSpecification, Threshold
from discover_core.store.step_codec import LEVELS, step_row

SIZES, QUICK = (1_000, 3_000, 10_000, 30_000, 100_000), (300, 1_000, 3_000)
TRAINED, REFERENCE, BATCH = 20_000, 20_000, 50_000
WISHES: dict[str, TargetSpecification] = {
    "threshold": Threshold(0.5, 0.3, "below", 0.02),
    "shift": Shift(-0.1, clip=(0.0, 1.0)),
}


class Clock:
    """A scorer that knows how long it was busy, and with how many rows."""

    title = "The timed model"
    interval = (0.0, 1.0)

    def __init__(self, model: dc.Model) -> None:
        self.scorer, self.busy, self.rows = model.scorer, 0.0, 0

    def __call__(self, table: pd.DataFrame) -> Any:
        start = time.process_time()
        scores = self.scorer(table)
        self.busy += time.process_time() - start
        self.rows += len(table)
        return scores


def people(count: int, seed: int) -> pd.DataFrame:
    """20 features, 10 numbers on grids of their own, 5 ordinals and 5 nominals, and an outcome that follows some of them."""
    rng = np.random.default_rng(seed)
    hidden = rng.normal(size=(count, 3))
    table: dict[str, Any] = {}
    pull = np.zeros(count)
    for j in range(10):
        value = 0.6 * hidden[:, j % 3] + 0.8 * rng.normal(size=count)
        step = (1, 1, 1, 10, 100)[j % 5]
        table[f"number {j}"] = np.clip(np.rint((50 + 15 * value) * step) * (1 if j % 2 else 0.5), 0, None)
        pull += (0.5, -0.4, 0.3, 0.0, 0.2)[j % 5] * value
    for j in range(5):
        rank = np.clip(np.rint(2 + 0.7 * hidden[:, j % 3] + rng.normal(size=count)), 0, 4).astype(int)
        table[f"rank {j}"] = pd.Categorical.from_codes(rank, ["lowest", "low", "middle", "high", "highest"], ordered=True)
        pull += (0.3, 0.0, -0.2)[j % 3] * (rank - 2)
    for j in range(5):
        kind = rng.integers(0, 3 + j, count)
        table[f"kind {j}"] = np.array([f"kind {chr(97 + code)}" for code in range(3 + j)])[kind]
        pull += (0.0, 0.4)[j % 2] * (kind == 1)
    table["outcome"] = np.where(rng.logistic(size=count) < 1.2 * pull - 0.5, "yes", "no")
    return pd.DataFrame(table)


def group(model: dc.Model, count: int) -> pd.DataFrame:
    """So many people whose score is above .5."""
    found: list[pd.DataFrame] = []
    while sum(map(len, found)) < count:
        some = people(BATCH, 100 + len(found))
        found.append(some[model(some) > 0.5])
    return pd.concat(found, ignore_index=True).iloc[:count]


def measured(kind: str, count: int, reference: int) -> dict[str, float]:
    """One search in this process, with the limits that a worker asks for at every step and the rows it would store."""
    table = people(TRAINED, 0)
    schema = dc.Schema.infer(table, "outcome").with_outcome("outcome", "yes")
    model = dc.train_model("xgboost", table, schema, seed=0)
    rows, wide = group(model, count), people(reference, 1)
    scores = model(rows)
    target = WISHES[kind].target(TargetContext(scores, lambda cohort: scores))
    clock = Clock(model)
    start, steps, stored, packed = time.process_time(), 0, 0, 0.0
    actions = dc.Actionability.free(schema)
    problem = dc.Problem(rows, schema, clock, actions, target, dc.Bounds(0.5, 0.05), wide)
    needed = problem.wish.needed(problem.outputs)
    settings = PRESETS[FITTED].settings(count, len(actions.editable), needed)
    edits = 0
    for step in dc.solve(problem, settings, levels=LEVELS):
        steps += 1
        before = time.process_time()
        stored += len(step_row(step)["arrays"])
        packed += time.process_time() - before
        edits += 0 if step.edit is None else len(step.edit.rows)
    reached = problem.wish.reached(step.outputs)
    return {
        "n": count,
        "seconds": time.process_time() - start - packed,
        "model": clock.busy,
        "rows": clock.rows / count,
        "steps": steps,
        "stored": stored / max(1, edits),
        "needed": needed,
        "reached": reached,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
    }


def child(kind: str, count: int, reference: int = REFERENCE) -> dict[str, float]:
    """The same in a process of its own, whose memory is its alone."""
    done = subprocess.run([sys.executable, __file__, "one", kind, str(count), str(reference)], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def tell(found: dict[str, float]) -> None:
    print(
        f"  n={found['n']:>7,}: {found['seconds']:7.1f} s, {found['model'] / found['seconds']:4.0%} inside the model; "
        f"all / model {found['seconds'] / found['model']:5.2f}; {found['rows']:4.0f} model rows a person; "
        f"{found['memory']:5.2f} GB; {found['steps']:.0f} steps, {found['stored']:,.0f} bytes stored per changed person",
        flush=True,
    )


def main(sizes: tuple[int, ...], reference: int) -> None:
    for kind, wish in WISHES.items():
        print(f"{wish.words} (aims: all / model under 3, memory under 2 GB, growth at most 1)")
        times = []
        for count in sizes:
            found = child(kind, count)
            tell(found)
            times.append(found["seconds"])
        growth = math.log(times[-1] / times[0]) / math.log(sizes[-1] / sizes[0])
        print(f"  from {sizes[0]:,} to {sizes[-1]:,} people the time grows as n to the {growth:.2f}")
    print(f"A reference table of {reference:,} rows")
    tell(child("threshold", sizes[1], reference))


if __name__ == "__main__":
    if sys.argv[1:2] == ["one"]:
        print(json.dumps(measured(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))))
    elif "quick" in sys.argv[1:]:
        main(QUICK, 100_000)
    else:
        main(SIZES, 1_000_000)
