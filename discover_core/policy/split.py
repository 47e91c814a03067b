"""A group in two: one half to learn from, one that nothing was learnt from."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..errors import InputError
from ..problem.checks import number, whole


def split(rows: pd.DataFrame, share: float = 0.5, seed: int = 0) -> tuple[pd.DataFrame, pd.DataFrame]:
    """(design, audit): plainly at random, with this share of the rows in the audit, both in the order of the table."""
    number("share", share, low=0, high=1, above=True, below=True)
    whole("seed", seed, 0)
    n = len(rows)
    if n < 2:
        raise InputError("A group needs at least two people to be split.")
    audited = np.zeros(n, dtype=bool)
    audited[np.random.default_rng(seed).permutation(n)[: min(n - 1, max(1, round(share * n)))]] = True
    return rows[~audited], rows[audited]
