"""Small problems for the solver's tests."""

import numpy as np
import pandas as pd

import discover_core as dc
from discover_core.problem.actionability import Actionability
from discover_core.problem.bounds import Bounds
from discover_core.problem.problem import Problem
from discover_core.problem.settings import Settings
from discover_core.problem.target import Target
from discover_core.table.schema import Column, Schema

MIXED = Schema(
    (
        Column("Income", "numeric", low=0, high=10),
        Column("Months", "numeric", low=0, high=60, step=1),
        Column("Saving", "ordinal", levels=("none", "little", "some", "much")),
        Column("Job", "nominal", levels=("a", "b", "c", "d", "e")),
        Column("Home", "nominal", levels=("own", "rent")),
    )
)


class Smooth:
    """A probability from every feature; counts its rows, and may break at a given call."""

    title = "The smooth model"
    interval = (0.0, 1.0)

    def __init__(self, breaks_at=None, how="raise"):
        self.rows, self.calls, self.breaks_at, self.how = 0, 0, breaks_at, how

    def __call__(self, table):
        self.calls += 1
        self.rows += len(table)
        total = np.zeros(len(table))
        for j, name in enumerate(table.columns):
            cells = table[name]
            codes = cells.cat.codes.to_numpy() if isinstance(cells.dtype, pd.CategoricalDtype) else cells.to_numpy() / 10
            total += np.sin(codes + j) / (j + 1)
        scores = 1 / (1 + np.exp(-2 * total))
        if self.calls == self.breaks_at:
            if self.how == "raise":
                raise RuntimeError("out of order")
            scores[-1] = np.nan
        return scores


def mixed_rows(n, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "Income": rng.uniform(0, 10, n),
            "Months": rng.integers(0, 61, n),
            "Saving": rng.choice(MIXED["Saving"].levels, n),
            "Job": rng.choice(MIXED["Job"].levels, n),
            "Home": rng.choice(MIXED["Home"].levels, n),
        }
    )


def mixed(n=24, target=None, bounds=None, model=None, actions=None, seed=0):
    return Problem(
        mixed_rows(n, seed),
        MIXED,
        Smooth() if model is None else model,
        Actionability.free(MIXED) if actions is None else actions,
        Target.beta(0.1, 0.9, n=n, seed=0) if target is None else target,
        Bounds(0.5, 0.1, delta=0.1, slices=8, band="bootstrap") if bounds is None else bounds,
        mixed_rows(200, 99),
    )


def rest(problem, **more):
    """A personal search to its own end."""
    return dc.run(problem, Settings(**{"k": 6, "h": 3, "candidates": 8, "iterations": 500, **more}))
