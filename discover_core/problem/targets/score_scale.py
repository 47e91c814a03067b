"""Where scores lie: a threshold and a step to begin with, before anybody has said anything."""

from __future__ import annotations

import numpy as np

from ...models.model import Scores

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
