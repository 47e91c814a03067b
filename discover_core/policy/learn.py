"""A policy from the design people of a group."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np

from ..problem.checks import choice, whole
from ..problem.problem import Problem
from ..problem.settings import Settings
from ..problem.wish import DUST, Wish
from .actions import Action
from .design import Design
from .ground import Ground, People
from .policy import Kind, Policy, Told
from .programmes import PEOPLE, cards, choose, no_programme, programme_versions
from .score_map import ScoreMap
from .versions import STAGES, Aim, Versions, cut_for, personal_versions

KINDS: tuple[Kind, ...] = ("personal", "programmes")
Heard = Callable[[str, int], None]


def learn_policy(
    problem: Problem,
    settings: Settings,
    kind: Literal["personal", "programmes"] = "personal",
    programmes: int = 3,
    told: Heard | None = None,
) -> Policy:
    """The policy that reaches the wish among the people of this problem at the least effort.

    A budget of people or of effort in all becomes a threshold: who is worth changing. An audit is honest only if nothing of this
    problem, neither its rows nor its reference, knows the people of the audit. `told` hears what is done and how many people it
    was done for, and may stop it by raising.
    """
    return learnt(problem, settings, kind, programmes, told)[0]


def learnt(
    problem: Problem, settings: Settings, kind: Kind = "personal", programmes: int = 3, told: Heard | None = None
) -> tuple[Policy, Told]:
    """The policy, and what it tells the people it was learnt from: the same as when they are asked anew, without the work."""
    choice("kind", kind, KINDS)
    whole("programmes", programmes, 1)
    ground = Ground.of(problem, settings)
    people = ground.meet(problem.rows)
    wish = Wish.of(problem.target, people.scores)
    wished = ScoreMap.of(people.scores, problem.target, problem.interval)
    stages = 1 if wish.past is not None else STAGES
    made: tuple[Action, ...] = ()
    for stage in range(stages):
        aim = Aim.of(wish, wished, stage)
        if kind == "personal":
            found, given = personal_versions(people, aim, _said(told, "people searched for")), no_programme(people)
        else:
            some = _some(people, problem, settings)
            single = personal_versions(some, aim, _said(told, "people searched for"))
            wanted = _wanted(wish, some)
            made = choose(some, aim, single, programmes, wanted, _said(told, "actions tried"))
            found, given = programme_versions(people, aim, made)
        cut = _cut(problem, wish, aim, people, found)
        kept = found.above(cut, people)
        if not wish.shortfall(wish.reached(kept.scores)):
            break
    changed = int(np.isfinite(kept.merit).sum())
    design = Design.of(people, changed, wish.reached(kept.scores))
    policy = Policy(kind, ground, aim, cut, design, cards(people, aim, made, cut) if made else ())
    return policy, Told.worth(policy, problem.rows, people, found, given)


def _cut(problem: Problem, wish: Wish, aim: Aim, people: People, found: Versions) -> float:
    budget = problem.budget
    share = None if wish.past is None else wish.past.share
    return cut_for(found, aim.goals(people.scores), share, budget.people, budget.total_effort)


def _wanted(wish: Wish, people: People) -> int:
    """How many people have to be helped."""
    n = len(people)
    if wish.past is None:
        return n
    return max(0, math.ceil((wish.past.share - DUST) * n) - int(wish.past.right(people.scores).sum()))


def _some(people: People, problem: Problem, settings: Settings) -> People:
    """All of them, or of very many some on whom actions are tried."""
    if len(people) <= PEOPLE:
        return people
    places = np.sort(np.random.default_rng(settings.seed).choice(len(people), PEOPLE, replace=False))
    return people.ground.meet(problem.rows.iloc[places])


def _said(told: Heard | None, what: str) -> Callable[[int], None] | None:
    return None if told is None else lambda count: told(what, count)
