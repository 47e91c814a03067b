"""A scenario's policy with its audit: the group split, one part learnt from, everybody told, the other part audited."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..problem.audit_plan import AuditPlan
from ..problem.budget import Budget
from ..problem.problem import Problem
from ..problem.wish import Wish
from ..scenario.scenario import Scenario
from ..scenario.study import Study
from .audit import Audit, audit_told
from .ground import nobody_by_name
from .learn import learnt
from .parts import FEWEST, Parts, family
from .policy import Policy, Told
from .reach import Reach, beside_personal

Indices = NDArray[np.int64]
LOOKS = 10  # audited answers on the same people that are corrected for
APART = 7  # a stream of the seed of its own


@dataclass(frozen=True, eq=False)
class AuditedAnswer:
    """`told` is what everybody of the group is told, design and audit people alike; `audits[i]` is the statement if i + 1 answers
    are audited with this group, which is known by `family`. The model was fitted to `known` of the audited people; None if
    nobody can say. `wish` is what is asked of the whole group. Shared measures have their `reach` and that of a personal
    policy."""

    policy: Policy
    told: Told
    design: int
    audits: tuple[Audit, ...]
    family: str
    known: int | None
    wish: Wish
    reach: tuple[Reach, Reach] | None = None

    def policy_for(self, looks: int) -> Policy:
        """The policy with its statement if so many answers are audited with this group; without one if they are too many."""
        return self.policy.with_audit(self.audits[looks - 1] if looks <= len(self.audits) else None)


def audited_answer(study: Study, scenario: Scenario, told: Callable[[str, int], None] | None = None) -> AuditedAnswer:
    """What is learnt, and what can be said of new people; an InputError when it cannot be audited."""
    plan = scenario.audit or AuditPlan()
    group = study.group
    if len(group) < 2 * FEWEST:
        raise InputError(f"A group of {len(group):,} is too small to be split and audited: it takes {2 * FEWEST} people.")
    nobody_by_name(scenario.budget)
    parts = Parts.of(group, scenario.learnt_from(study.dataset.raw), plan.share, scenario.settings.seed)
    design, audited = parts.design, parts.audited
    problem = _design_problem(study, scenario, plan, design, audited)
    policy, told_design = learnt(problem, scenario.settings, plan.kind, plan.programmes, told)
    reach = None if plan.kind == "personal" else beside_personal(policy, problem, scenario.settings, told)
    progress = None if told is None else lambda count: told("audit people told what to change", count)
    told_audit = policy.told(study.dataset.raw.iloc[audited], progress)
    everybody = Told.together([told_design, told_audit]).some(_order(group, np.concatenate([design, audited])))
    of_audit = everybody.some(np.flatnonzero(np.isin(group, audited)))
    audits = tuple(audit_told(policy, of_audit, scenario.bounds.alpha, looks) for looks in range(1, LOOKS + 1))
    known_by = family(repr(scenario.data), group)
    wish = Wish.of(study.target(scenario.target), everybody.scores)
    return AuditedAnswer(policy, everybody, len(design), audits, known_by, parts.known, wish, reach)


def _seen(count: int, design: Indices, audited: Indices, seed: int) -> Callable[[Indices], Indices]:
    """Of another group that has people of the audit in it, only those who are known. Of its people outside the asked group as
    large a part is left out, at random, so that it looks as before."""
    apart = np.setdiff1d(np.arange(count), np.concatenate([design, audited]))
    share = len(design) / (len(design) + len(audited))
    kept = np.random.default_rng([seed, APART]).permutation(apart)[: round(share * len(apart))]
    known = np.concatenate([design, kept])
    return lambda rows: rows[np.isin(rows, known)] if np.isin(rows, audited).any() else rows


def _order(group: Indices, found: Indices) -> Indices:
    """Where each of the group stands among the people found, who are the same."""
    order = np.argsort(found)
    return np.asarray(order[np.searchsorted(found, group, sorter=order)])


def _design_problem(study: Study, scenario: Scenario, plan: AuditPlan, design: Indices, audited: Indices) -> Problem:
    """The question asked of the design people alone: nothing in it knows the people of the audit."""
    if study.model is None:
        raise InputError("There is no model yet: train one or bring one first.")
    raw, own = study.dataset.raw, scenario.budget
    share = len(design) / (len(design) + len(audited))
    budget = Budget(
        people=None if own.people is None else max(1, int(own.people * share)),
        features=own.features,
        effort=plan.effort if own.effort is None else min(own.effort, plan.effort),
        total_effort=None if own.total_effort is None else own.total_effort * share,
        untouched=own.untouched,
        first=own.first,
    )
    target = study.target(scenario.target, design, _seen(len(raw), design, audited, scenario.settings.seed))
    reference = raw.drop(index=raw.index[audited])
    parts = (raw.iloc[design], study.dataset.schema, study.model, scenario.actions, target, scenario.bounds)
    return Problem(*parts, reference, budget, scenario.rules)
