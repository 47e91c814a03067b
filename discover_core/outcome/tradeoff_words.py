"""The price of one more person: what the next one helped takes and brings, from the lines of a trade-off."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..problem.amounts import amount

Floats = NDArray[np.float64]
DUST = 1e-9  # what rounding may cost


@dataclass(frozen=True)
class Price:
    """Of one more person: the `effort`, how much the share past the threshold rises (NaN without one), and how much
    the typical gap to the target shrinks. Where the lines are thinned, the mean over the `span` of people up to the next line."""

    effort: float
    share: float
    gap: float
    span: int

    @property
    def brings(self) -> str:
        """In the unit that the target is asked in."""
        if math.isnan(self.share):
            return f"{amount(abs(self.gap))} {'nearer' if self.gap >= 0 else 'further'}"
        points = round(100 * self.share, 6)
        return f"{'+' if points > 0 else ''}{amount(points)} points"

    @property
    def whom(self) -> str:
        return "the next person" if self.span == 1 else f"each of the next {self.span:,} people"


def price(tradeoff: pd.DataFrame, helped: int) -> Price | None:
    """Of the next person once so many are helped; None when all are."""
    counts = tradeoff["people"].to_numpy()
    to = int(np.searchsorted(counts, helped, side="right"))
    if to >= len(counts):
        return None
    at = max(to - 1, 0)
    span = max(int(counts[to] - counts[at]), 1)
    gaps = np.sqrt(tradeoff["ot_y"].to_numpy())
    effort, share = (float(tradeoff[name].iloc[to] - tradeoff[name].iloc[at]) / span for name in ("effort", "share"))
    return Price(effort, share, float(gaps[at] - gaps[to]) / span, span)


def enough(tradeoff: pd.DataFrame, asked: float) -> int | None:
    """How many people are the fewest that reach what is asked, as far as the lines tell; None if none do."""
    values = reached(tradeoff)
    there = values >= asked - DUST if has_share(tradeoff) else values <= asked * (1 + DUST)
    return int(tradeoff["people"].to_numpy()[there.argmax()]) if there.any() else None


def has_share(tradeoff: pd.DataFrame) -> bool:
    """Whether the target has a threshold to be past."""
    return bool(tradeoff["share"].notna().any())


def reached(tradeoff: pd.DataFrame) -> Floats:
    """Line by line, in the unit that is asked in: the share past the threshold, or the typical gap to the target."""
    return tradeoff["share"].to_numpy() if has_share(tradeoff) else np.sqrt(tradeoff["ot_y"].to_numpy())
