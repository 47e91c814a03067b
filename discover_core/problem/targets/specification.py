"""What every kind of target knows: its distribution, its words, its threshold if it has one, and one person's success."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...models.model import Scores
from ...table.cohort import Cohort
from ..target import Past, Target


@dataclass(frozen=True)
class TargetContext:
    """The scores of the group to be explained, and a way to the scores of any other group of the same table."""

    scores: Scores
    scores_of: Callable[[Cohort], Scores]


@dataclass(frozen=True)
class TargetSpecification(ABC):
    """How a target is made: a few numbers instead of the outputs themselves.

    A kind is a frozen dataclass; its fields are what a scenario file says, under the word in `kind`.
    """

    kind: ClassVar[str]

    @abstractmethod
    def target(self, given: TargetContext) -> Target:
        """The distribution that is wished for; an InputError when it cannot be made."""

    @property
    @abstractmethod
    def words(self) -> str:
        """What is wished for, to follow "so that"."""

    @property
    def past(self) -> Past | None:
        """The share past a threshold that the target stands for, if it does."""
        return None

    def success(self, target: Target, before: Scores, after: Scores) -> NDArray[np.bool_]:
        """Who got what the target meant for them. `target` is the distribution that this specification made."""
        return target.success(before, after)

    @property
    def success_words(self) -> str:
        """What counts as success, to follow "success is"."""
        if self.past is None:
            return "a score that moved towards the target"
        at = "of at least" if self.past.side == "above" else "of at most"
        return f"a score {self.past.side if self.past.strict else at} {self.past.tau:.4g} after"
