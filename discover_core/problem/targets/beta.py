"""Scores drawn from a Beta distribution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..checks import number, whole
from ..target import Target
from .specification import TargetContext, TargetSpecification

MOST = 1_000_000  # draws


@dataclass(frozen=True)
class Beta(TargetSpecification):
    """n draws from Beta(a, b), as many as the group has rows if n is None."""

    kind: ClassVar[str] = "beta"

    a: float
    b: float
    seed: int = 0
    n: int | None = None

    def __post_init__(self) -> None:
        if self.n is not None:
            whole("n", self.n, 1, MOST)

    def target(self, given: TargetContext) -> Target:
        return beta_target(self.a, self.b, len(given.scores) if self.n is None else self.n, self.seed)

    @property
    def words(self) -> str:
        return f"the scores look like a Beta({self.a:.4g}, {self.b:.4g}) distribution"


def beta_target(a: float, b: float, n: int, seed: int) -> Target:
    number("a", a, low=0, above=True)
    number("b", b, low=0, above=True)
    whole("n", n, 1, MOST)
    whole("seed", seed, 0)
    return Target.sample(Beta.kind, np.random.default_rng(seed).beta(a, b, n))
