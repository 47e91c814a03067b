"""What the audited policy of a run tells everybody of its group, design and audit people alike."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..solver.spending import Spending
from ..solver.verdict import Verdict, judge
from ..store.told_codec import StoredPlan
from .run_outcome import RunOutcome
from .summary import Summary

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PolicyOutcome(RunOutcome):
    """The same group and question with the policy's answer in place of the search's; `statement` is the audit's."""

    told: StoredPlan = field(kw_only=True)
    statement: str = field(kw_only=True)

    @classmethod
    def of_told(cls, found: RunOutcome, told: StoredPlan, statement: str) -> Self:
        group = found.group
        cells, outputs = group.cells.copy(), group.outputs.copy()
        cells[told.people], outputs[told.people] = told.cells, told.scores
        last = (found.iteration, None, told.people)
        return cls(found.name, group, cells, outputs, *last, progress=found.progress, told=told, statement=statement)

    def of_people(self, people: NDArray[np.int64]) -> PolicyOutcome:
        """What the policy tells only these; its audit speaks of the whole plan."""
        told = self.told.of_people(people)
        whole = len(told.people) == len(self.told.people)
        statement = self.statement if whole else "The audit speaks of the policy's whole plan, not of this part of it."
        cells, outputs = self._only(people)
        return replace(self, cells=cells, outputs=outputs, helped=people, told=told, statement=statement)

    @cached_property
    def effort(self) -> Floats:
        """As the policy measures it: the scales it knows are not those of its audit people."""
        effort = np.zeros(len(self.outputs))
        effort[self.told.people] = self.told.effort
        return effort

    @cached_property
    def verdict(self) -> Verdict:
        found = judge(self.group.wish, self.outputs, Spending(len(self.movers)), self.certificate, None)
        return replace(found, certified=False, certificate=self.statement)

    @cached_property
    def _known(self) -> Summary | None:
        return None
