"""What a rule between columns means for a group before any search: who breaks it today, and whom it holds back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..errors import InputError
from ..problem.actionability import Actionability
from ..problem.bounds import Bounds
from ..problem.column_rules import ColumnRules, RuleReport
from ..problem.problem import Problem
from ..problem.target import Target
from ..solver.held_back import held_back
from .study import Study

Floats = NDArray[np.float64]
SOME = 2_000  # people who are looked at to say whom a rule holds back
SEED = 0


@dataclass(frozen=True)
class RuleFacts:
    """`broken` of the group's `people` break it as they are; it holds back `held_back` of the `looked_at`, or of the people
    drawn from them. None where nothing may change at all."""

    broken: int
    people: int
    held_back: int | None
    looked_at: int

    @property
    def sentence(self) -> str:
        said = []
        if self.held_back is not None:
            whom = f"{self.looked_at:,} people" if self.looked_at == self.people else f"{self.looked_at:,} people looked at"
            said.append(f"Holds back {self.held_back:,} of {whom}." if self.held_back else f"Holds back nobody of {whom}.")
        return " ".join([*said, RuleReport("", self.broken, self.people).sentence]).strip()


def rule_facts(rule: str, study: Study, actions: Actionability) -> RuleFacts:
    """Of one rule, for the whole group; of a large one some people are drawn for what needs their possible values."""
    schema, group = study.dataset.schema, study.group
    broken = ColumnRules.of((rule,), schema).broken(_cells(study.dataset.ready.iloc[group], study))
    some, raw, target = _drawn(group, SOME), study.dataset.raw, Target.values([0.0])
    bounds = Bounds(u_x=1.0, u_y=1.0)
    try:
        problem = Problem(raw.iloc[some], schema, _nothing, actions, target, bounds, rules=(rule,))
        held: int | None = held_back(problem).people[0]
    except InputError:
        held = None
    return RuleFacts(int(broken.sum()), len(group), held, len(some))


def _cells(ready: pd.DataFrame, study: Study) -> Floats:
    """As column rules look at people: numbers as they are, categories as the places of their levels."""
    columns = study.dataset.schema.features
    parts = [ready[c.name].cat.codes if c.categorical else ready[c.name] for c in columns]
    return np.column_stack([part.to_numpy(dtype=np.float64) for part in parts])


def _drawn(rows: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    return rows if len(rows) <= most else np.sort(np.random.default_rng(SEED).choice(rows, most, replace=False))


def _nothing(table: pd.DataFrame) -> Floats:
    """No score is needed to say what may change."""
    return np.zeros(len(table))
