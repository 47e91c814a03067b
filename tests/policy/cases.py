"""Small questions for the policies' tests."""

import numpy as np
import pandas as pd

import discover_core as dc
from tests.solver.cases import MIXED, Smooth, mixed_rows


class Plain(Smooth):
    """A probability from income and a few levels; whoever earns more scores lower."""

    title = "The plain model"

    def __call__(self, table):
        saving = table["Saving"].cat.codes.to_numpy()
        home = table["Home"].cat.codes.to_numpy()
        months, income = table["Months"].to_numpy(dtype=float), table["Income"].to_numpy(dtype=float)
        return 1 / (1 + np.exp(-(2.5 - 0.5 * income - 0.4 * saving + 0.8 * home + 0.03 * months)))


def bad_rows(n, seed=0, model=None):
    """People whose score is above one half."""
    model, found, draw = model or Plain(), [], 0
    while sum(map(len, found)) < n:
        some = mixed_rows(2 * n, [seed, draw])
        found.append(some[model(MIXED.prepare(some)) > 0.5])
        draw += 1
    return pd.concat(found, ignore_index=True).iloc[:n]


def question(n=80, seed=0, share=0.5, target=None, model=None, **more):
    """Half of such people should score at or below one half."""
    model = model or Plain()
    rows = more.pop("rows", None)
    rows = bad_rows(n, seed, model) if rows is None else rows
    scores = model(MIXED.prepare(rows))
    target = target(scores) if target is not None else dc.Target.threshold(scores, 0.5, share, "below")
    actions = more.pop("actions", None) or dc.Actionability.default(MIXED)
    reference = mixed_rows(400, 99)
    return dc.Problem(rows, MIXED, model, actions, target, dc.Bounds(0.1, 0.1), reference=reference, **more)
