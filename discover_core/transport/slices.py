"""Random directions on the unit sphere."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]


def random_slices(width: int, count: int, rng: np.random.Generator) -> Points:
    """`count` directions, uniform on the sphere of R^width, one per row."""
    directions = rng.standard_normal((count, width))
    return np.asarray(directions / np.linalg.norm(directions, axis=1, keepdims=True))
