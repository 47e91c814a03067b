"""A list of outputs of any length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from numpy.typing import ArrayLike

from ..checks import finite_values
from ..target import Target
from .specification import TargetContext, TargetSpecification


@dataclass(frozen=True)
class Values(TargetSpecification):
    """These outputs, all of the same mass: they need not be as many as the group has rows."""

    kind: ClassVar[str] = "values"

    values: tuple[float, ...]

    def target(self, given: TargetContext) -> Target:
        return values_target(self.values)

    @property
    def words(self) -> str:
        return f"the scores look like the {len(self.values):,} values you gave"


def values_target(values: ArrayLike) -> Target:
    return Target.sample(Values.kind, finite_values(values, "The target values"))
