"""Which strategy, selection and origin reach the lowest Q for the same number of model rows."""

from __future__ import annotations

from itertools import product
from typing import get_args

import numpy as np

import discover_core as dc
from discover_core.problem.settings import Origin, Selection
from discover_core.solver.strategies import STRATEGIES

ROWS, SEEDS = 50, 5
BUDGET = {"k": 5, "h": 3, "candidates": 20, "iterations": 12, "l": 0.5, "r": 0.5}  # eta stays .5, so that Q compares


def problem_of(name: str, seed: int) -> dc.Problem:
    sample = dc.load_sample(name)
    table = sample.table.sample(min(3_000, len(sample.table)), random_state=0)
    model = dc.train_model("xgboost", table, sample.schema, seed=0)
    rows = table.sample(ROWS, random_state=seed)
    target, bounds = dc.Target.beta(0.1, 0.9, n=ROWS), dc.Bounds(0.64, 0.25, delta=0.1, slices=10)
    return dc.Problem(rows, sample.schema, model, sample.actions, target, bounds, table)


def main() -> None:
    used = ROWS + BUDGET["k"] * BUDGET["candidates"] * BUDGET["iterations"]
    print(f"Q at eta .5 after {used:,} model rows, mean of {SEEDS} seeds, as a share of Q at the start (lower is better)")
    ways = list(product(STRATEGIES, get_args(Selection), get_args(Origin)))
    found: dict[tuple[str, str, str], list[float]] = {way: [] for way in ways}
    print(f"  {'':>44}" + "".join(f"{name:>17}" for name in dc.samples()) + f"{'mean':>8}")
    for name in dc.samples():
        problem = problem_of(name, 0)
        for strategy, selection, origin in ways:
            shares = []
            for seed in range(SEEDS):
                settings = dc.Settings(strategy, selection, seed=seed, origin=origin, **BUDGET)
                steps = list(dc.solve(problem, settings))
                shares.append(steps[-1].q / steps[0].q)
            found[strategy, selection, origin].append(float(np.mean(shares)))
    for way in ways:
        label = f"{way[0]} {way[1]} {way[2]}"
        print(f"  {label:>44}" + "".join(f"{share:17.3f}" for share in found[way]) + f"{np.mean(found[way]):8.3f}")


if __name__ == "__main__":
    main()
