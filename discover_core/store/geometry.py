"""The geometry of a stored run: its encoding and its slices, from its head and its scenario alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..problem.bounds import Bounds
from ..problem.settings import Settings
from ..scenario.scenario import Scenario
from ..solver.cells import Layout
from ..solver.search import SLICES
from ..table.encoding import Encoding
from ..transport.slices import random_slices
from .step_codec import Head


def layout_of(head: Head, scenario: Scenario) -> Layout:
    weights = {rule.name: rule.weight for rule in scenario.actions}
    return Layout(Encoding.from_scales(scenario.schema, head.centre, head.scale, weights, scenario.settings.encoding))


def slices_of(layout: Layout, bounds: Bounds, settings: Settings) -> NDArray[np.float64]:
    """The directions of the run's certificate."""
    rng = np.random.default_rng([settings.seed, SLICES])
    return random_slices(layout.encoding.width, bounds.slices, rng)
