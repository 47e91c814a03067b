"""Outputs kept inside an interval."""

from __future__ import annotations

import numpy as np

from ...errors import InputError
from ...models.model import Scores


def clipped(values: Scores, clip: tuple[float, float] | None) -> Scores:
    if clip is None:
        return values
    low, high = clip
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise InputError(f"The interval from {low:g} to {high:g} that outputs are kept in is empty: its first end must be lower.")
    return np.clip(values, low, high)
