"""What a target begins with, before anybody has said anything: fitted to where the scores lie."""

from __future__ import annotations

import numpy as np

from ..models.model import Scores
from .target_specification import Shift, Threshold

Interval = tuple[float, float] | None
PROBABILITY = (0, 1)


def middle(scores: Scores, interval: Interval) -> float:
    """The usual threshold of a probability, or the middle of the scores."""
    return 0.5 if interval == PROBABILITY else float(f"{np.median(scores):.3g}")


def score_step(scores: Scores, interval: Interval) -> float:
    """A step for scores: a hundredth of where they lie, as 1, 2 or 5 times a power of ten."""
    span = float(np.ptp(scores)) if interval is None else interval[1] - interval[0]
    if not span > 0:
        return 0.01
    power = 10.0 ** np.floor(np.log10(span / 100) + 1e-9)
    return float(next(power * m for m in (1, 2, 5, 10) if power * m >= span / 100 * (1 - 1e-9)))


def first_threshold(scores: Scores, interval: Interval) -> Threshold:
    return Threshold(middle(scores, interval), 0.5, "below", 2 * score_step(scores, interval))


def first_shift(scores: Scores, interval: Interval) -> Shift:
    spread = 1.0 if interval == PROBABILITY else float(scores.std()) or 1.0
    return Shift(-float(f"{0.1 * spread:.1g}"), clip=interval)
