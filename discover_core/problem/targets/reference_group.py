"""The scores of another group of the same table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from numpy.typing import ArrayLike

from ...table.cohort import Cohort
from ..checks import finite_values
from ..cohort_words import cohort_words
from ..target import Target
from .specification import TargetContext, TargetSpecification


@dataclass(frozen=True)
class ReferenceGroup(TargetSpecification):
    """The outputs that this cohort has."""

    kind: ClassVar[str] = "reference_group"

    cohort: Cohort

    def target(self, given: TargetContext) -> Target:
        return reference_group_target(given.scores_of(self.cohort))

    @property
    def words(self) -> str:
        return f"the scores look like those of others ({cohort_words(self.cohort)})"


def reference_group_target(scores: ArrayLike) -> Target:
    return Target.sample(ReferenceGroup.kind, finite_values(scores, "The scores of the reference group"), sampled=True)
