"""What shared measures cost beside the personal policy: both among the same design people, so that no audit is spent on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..problem.problem import Problem
from ..problem.settings import Settings
from ..problem.wish import Wish
from .learn import Heard, learn_policy
from .policy import Policy, Told
from .programmes import PEOPLE


@dataclass(frozen=True)
class Reach:
    """Among so many `people`: the share or gap they reach, the share of them who change, and the mean effort of those."""

    people: int
    reached: float
    changed: float
    effort: float

    @classmethod
    def of(cls, told: Told, problem: Problem) -> Reach:
        scores, changed = told.versions.scores, told.changed
        effort = float(told.versions.effort[changed].mean()) if changed.any() else 0.0
        return cls(len(scores), Wish.of(problem.target, told.scores).reached(scores), float(changed.mean()), effort)


def beside_personal(policy: Policy, problem: Problem, settings: Settings, told: Heard | None = None) -> tuple[Reach, Reach]:
    """This policy's reach, and that of a personal one for the same question; of very many people, among some."""
    personal = learn_policy(problem, settings, told=told)
    rows = problem.rows
    if len(rows) > PEOPLE:
        rows = rows.iloc[np.sort(np.random.default_rng(settings.seed).choice(len(rows), PEOPLE, replace=False))]
    return Reach.of(policy.told(rows), problem), Reach.of(personal.told(rows), problem)
