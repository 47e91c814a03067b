"""A policy for a whole file: all its work against the time inside the model, memory, and what all cores bring.

Every size in a process of its own; seconds are the processor's, but those of all cores against one, which are a clock's. The
people are made up: 20 features, all of which may change, scored by XGBoost. With the word `quick` behind it, up to 10,000 rows.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from scale import TRAINED, Clock, group
from scale import people as made_up

import discover_core as dc
from discover_core.policy import apply_file as applying

SIZES, QUICK = (10_000, 100_000, 1_000_000), (2_000, 10_000)
DESIGN, PIECE = 1_000, 50_000
LOOK = 0.2  # seconds between two looks at how much memory is taken


def policy_file(folder: Path) -> dc.Model:
    """A policy that brings 30% of people above .5 to it, with its model beside it; the model."""
    table = made_up(TRAINED, 0)
    schema = dc.Schema.infer(table, "outcome").with_outcome("outcome", "yes")
    model = dc.train_model("xgboost", table, schema, seed=0)
    rows = group(model, DESIGN)
    target = dc.Target.threshold(model(rows), 0.5, 0.3, "below")
    free, bounds = dc.Actionability.free(schema), dc.Bounds(0.5, 0.05)
    problem = dc.Problem(rows, schema, model, free, target, bounds, made_up(20_000, 1))
    dc.learn_policy(problem, dc.Settings(seed=0)).write(folder / "policy.json")
    return model


def people_file(model: dc.Model, path: Path, count: int) -> None:
    """So many people above .5; the same ones again where there are many."""
    some = group(model, min(count, PIECE))
    for at in range(0, count, PIECE):
        some.iloc[: count - at].to_csv(path, mode="a", header=not at, index=False)


def one_core(folder: Path, count: int) -> dict[str, float]:
    """The whole file in this process."""
    policy = dc.read_policy(folder / "policy.json")
    model = policy.ground.known.model
    assert isinstance(model, dc.Model)
    clock = Clock(model)
    timed = dc.read_policy(folder / "policy.json", replace(model, scorer=clock))
    applying.read_policy = lambda path: timed  # the same policy, with a clock in its model
    clock.busy, clock.rows = 0.0, 0
    start, wall = time.process_time(), time.perf_counter()
    found = applying.apply_file(folder / "policy.json", folder / f"{count}.csv", folder / "plan.csv", workers=1)
    return {
        "seconds": time.process_time() - start,
        "wall": time.perf_counter() - wall,
        "model": clock.busy,
        "rows": clock.rows / count,
        "changed": found.changed,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
    }


def all_cores(folder: Path, count: int) -> tuple[float, float]:
    """Seconds of the command, and the most memory of its processes together, in GB."""
    command = [sys.executable, "-m", "discover_core", "apply", folder / "policy.json", folder / f"{count}.csv", "--quiet"]
    start, most = time.perf_counter(), 0.0
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
    while process.poll() is None:
        most = max(most, memory(process.pid))
        time.sleep(LOOK)
    if process.returncode:
        raise SystemExit(process.returncode)
    return time.perf_counter() - start, most


def memory(session: int) -> float:
    """What the processes of a session take, in GB, as Linux says it; what they share is counted for each."""
    pages = 0
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            if os.getsid(int(status.parent.name)) == session:
                pages += int(status.with_name("statm").read_text().split()[1])
        except OSError:
            continue  # it has ended
    return pages * resource.getpagesize() / 1e9


def main(sizes: tuple[int, ...]) -> None:
    print("A policy for a whole file (aims: all / model at most 3, the same memory for every size)")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model = policy_file(folder)
        for count in sizes:
            people_file(model, folder / f"{count}.csv", count)
            done = subprocess.run([sys.executable, __file__, "one", name, str(count)], capture_output=True, text=True)
            if done.returncode:
                raise SystemExit(done.stderr)
            one = json.loads(done.stdout.splitlines()[-1])
            wall, most = all_cores(folder, count)
            print(
                f"  {count:>9,} rows, one core: {one['seconds']:7.1f} s, all / model {one['seconds'] / one['model']:4.2f}, "
                f"{one['rows']:.0f} model rows a person, {one['changed']:,.0f} change, {one['memory']:.2f} GB; "
                f"all {os.cpu_count()} cores: {one['wall'] / wall:.1f} times as fast by the clock, {most:.2f} GB",
                flush=True,
            )
            (folder / f"{count}.csv").unlink()


if __name__ == "__main__":
    if sys.argv[1:2] == ["one"]:
        print(json.dumps(one_core(Path(sys.argv[2]), int(sys.argv[3]))))
    else:
        main(QUICK if "quick" in sys.argv[1:] else SIZES)
