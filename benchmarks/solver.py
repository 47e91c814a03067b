"""How fast the solver is, as ratios measured in one run: against sorting anew, against the model alone, and as n grows."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

import discover_core as dc
from discover_core.transport.lines import Lines


class Clock:
    """A model that knows how long it was busy."""

    title = "The timed model"

    def __init__(self, model: dc.Model) -> None:
        self.model, self.interval, self.busy = model, model.interval, 0.0

    def __call__(self, table: pd.DataFrame) -> Any:
        start = time.perf_counter()
        scores = self.model(table)
        self.busy += time.perf_counter() - start
        return scores


def fastest(work: Callable[[], Any], rounds: int = 5) -> float:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def per_candidate() -> None:
    print("Time per candidate (50 slices, k=3, 200 candidates): sorting every candidate anew / our scorer")
    rng = np.random.default_rng(0)
    for n in (50, 500, 5_000):
        lines = Lines.of(rng.normal(size=(50, n)), np.sort(rng.normal(size=(50, n)), axis=1))
        rows, candidates = rng.permutation(n)[:3], rng.normal(size=(200, 50, 3))

        def plain(lines: Lines = lines, rows: Any = rows, candidates: Any = candidates) -> list[float]:
            costs = []
            for candidate in candidates:
                values = lines.values.copy()
                values[:, rows] = candidate
                costs.append(float(np.mean((np.sort(values, axis=1) - lines.goal) ** 2)))
            return costs

        ours, theirs = fastest(lambda: lines.edit_costs(rows, candidates)), fastest(plain, 2)  # noqa: B023
        print(f"  n={n:>5,}: {theirs / ours:6.1f} times faster, {1e6 * ours / 200:7.1f} us per candidate")


def against_the_model(sample: dc.Sample) -> None:
    print("Total time / time inside the model (German Credit; 20 x 20: best of 3, 200 x 100: once)")
    rows, target = sample.table.iloc[:50], dc.Target.beta(0.1, 0.9, n=50)
    wide, paper = dc.Bounds(0.64, 0.25, slices=50), dc.Bounds(0.64, 0.25, delta=0.1, slices=10, band="bootstrap")
    cases = (
        ("random_forest", wide, 200, 100, "50 slices, 200 x 100, aim 1.5"),
        ("xgboost", wide, 200, 100, "50 slices, 200 x 100, aim 3"),
        ("random_forest", paper, 20, 20, "the paper's 10 slices, 20 x 20, aim 2"),
    )
    for family, bounds, candidates, iterations, words in cases:
        model = Clock(dc.train_model(family, sample.table, sample.schema, seed=0))
        problem = dc.Problem(rows, sample.schema, model, sample.actions, target, bounds, sample.table)
        for selection in ("joint", "rowwise"):
            settings = dc.Settings(selection=selection, candidates=candidates, iterations=iterations)
            tries = []
            for _ in range(3 if iterations < 50 else 1):
                model.busy = 0.0
                start = time.perf_counter()
                for _step in dc.solve(problem, settings):
                    pass
                total = time.perf_counter() - start
                tries.append((total / model.busy, total))
            ratio, total = min(tries)
            print(f"  {family:>13} {selection:>7} ({words}): {ratio:.2f}, {total:.2f} s in all")


def growth(sample: dc.Sample) -> None:
    print("Time of an iteration beside the model as n grows (20 slices, k=20, 20 candidates); n log n would be 167 times")
    model = Clock(dc.train_model("logistic", sample.table, sample.schema, seed=0))
    for selection in ("joint", "rowwise"):
        times = {}
        for n in (1_000, 10_000, 100_000):
            rows = sample.table.iloc[np.arange(n) % len(sample.table)]
            bounds = dc.Bounds(0.3, 0.05)
            problem = dc.Problem(rows, sample.schema, model, sample.actions, dc.Target.beta(0.1, 0.9, n=n), bounds)
            stamps = []
            for _step in dc.solve(problem, dc.Settings(selection=selection, k=20, iterations=5)):
                stamps.append((time.perf_counter(), model.busy))
            gaps = [(b[0] - a[0]) - (b[1] - a[1]) for a, b in pairwise(stamps)]
            times[n] = min(gaps)
        shown = ", ".join(f"n={n:,}: {1e3 * t:.1f} ms" for n, t in times.items())
        print(f"  {selection:>7}: {shown}; 100 times the rows took {times[100_000] / times[1_000]:.0f} times as long")


def certificate(sample: dc.Sample) -> None:
    model = dc.train_model("xgboost", sample.table, sample.schema, seed=0)
    target = dc.Target.shift(model(sample.table), by=-0.15, clip=(0, 1))
    bounds = dc.Bounds(0.3, 0.025, alpha=0.05, delta=0.15, slices=20)
    problem = dc.Problem(sample.table, sample.schema, model, sample.actions, target, bounds)
    settings = dc.Settings(selection="rowwise", k=200, iterations=30, stop_when_certified=True)
    start = time.perf_counter()
    result = dc.run(problem, settings)
    took = time.perf_counter() - start
    last = result.history.iloc[-1]
    print(
        f"A DKW certificate at n=1,000 (aim 5 s): {took:.2f} s, {last['iteration']} iterations, {last['model_rows']:,} model rows"
    )
    print(f"  {result.certificate.sentence}")


def main() -> None:
    sample = dc.load_sample("german_credit")
    per_candidate()
    against_the_model(sample)
    growth(sample)
    certificate(sample)


if __name__ == "__main__":
    main()
