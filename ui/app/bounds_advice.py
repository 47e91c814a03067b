"""The advice on bounds for the current work, computed only where something it depends on has changed."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from threading import Thread

import streamlit as st

from discover_core.errors import InputError
from discover_core.problem.bounds import Bounds
from discover_core.solver.advice import (
    Advice,
    Ground,
    advise,
    chance,
    gather,
    input_limit,
    input_limiter,
    output_limits,
    projections,
    survey,
)
from discover_core.solver.cells import Layout
from discover_core.solver.obstacles import obstacles
from discover_core.table.encoding import Encoding

from . import session
from .memory import Memory

LARGE = 10_000  # people in a group from which on the advice takes long enough to be felt


@dataclass(frozen=True, eq=False)
class Advised:
    """The scales, the bounds in force (suggested or the user's own), and what stands in the way of a certificate."""

    advice: Advice
    bounds: Bounds
    obstacles: list[str]


def settled(work: session.Work) -> Bounds:
    """The bounds to solve with: while suggested, u_x and u_y follow the advice. A target that cannot be made has none."""
    if not work.draft.suggested:
        return work.draft.bounds
    try:
        return advised(work).bounds
    except InputError:
        return work.draft.bounds


def advised(work: session.Work, memory: Memory | None = None) -> Advised:
    """An InputError when the target cannot be made or there is nothing to compare.

    Each step is kept until what it depends on changes: scales of the columns, the people, chance, projections, the limits of
    the inputs if nothing changes and if anything goes, and those of the scores.
    """
    assert work.scored is not None
    memo = (memory or session.memory()).get
    if not work.schema.features:
        raise InputError("The table has no feature: use at least one column on the Data page.")
    draft, interval = work.draft, work.scored.model.interval
    bounds, seed = draft.bounds, draft.settings.seed
    outputs, target = work.study.group_scores, work.study.target(draft.target)
    about_columns = (work.id, work.schema, draft.settings.encoding)
    encoding: Encoding = memo(
        "advice-scales", about_columns, lambda: Encoding.fit(work.dataset.ready, work.schema, encoding=draft.settings.encoding)
    )
    weights = tuple(rule.weight for rule in work.actions)
    weighted = zip(encoding.blocks, weights, strict=True)
    layout = Layout(Encoding(tuple(replace(block, weight=float(weight)) for block, weight in weighted)))
    about_people = (*about_columns, seed, work.group.tobytes(), work.study.population.tobytes())
    people = memo(
        "advice-people", about_people, lambda: gather(layout, work.dataset.ready, work.group, work.study.population, seed)
    )
    about_chance = (*about_people, weights, bounds.slices)
    noise = memo("advice-chance", about_chance, lambda: chance(layout, people, bounds.slices, seed))
    editable, slices, level = work.actions.editable, bounds.slices, replace(bounds, u_x=1.0, u_y=1.0)
    factual = memo("advice-factual", about_chance, lambda: projections(layout, people, slices, seed))
    about_ground = (*about_chance, editable)
    ground: Ground = memo("advice-ground", about_ground, lambda: survey(layout, people, noise, editable, slices, seed, factual))
    limiter = memo("advice-limiter", (*about_chance, level), lambda: input_limiter(factual, level, seed, len(outputs)))
    floor = memo("advice-floor", (*about_chance, level), lambda: input_limit(limiter, factual))
    ceiling = memo("advice-ceiling", (*about_ground, level), lambda: input_limit(limiter, ground.anything))
    about_outputs = (work.id, seed, level, outputs.tobytes(), target, interval)
    scores = memo("advice-outputs", about_outputs, lambda: output_limits(outputs, target, bounds, interval, seed, factual))
    about_limits = (*about_ground, *about_outputs)
    advice: Advice = memo(
        "advice-limits", about_limits, lambda: advise(ground, outputs, target, bounds, interval, seed, (floor, ceiling), scores)
    )
    if draft.suggested:
        bounds = replace(bounds, u_x=advice.suggested_x, u_y=advice.suggested_y)
    said = memo("advice-obstacles", (*about_limits, bounds), lambda: obstacles(ground, advice, target, bounds, interval))
    return Advised(advice, bounds, said)


def advise_ahead() -> Thread | None:
    """While a large group or its model is looked at, find out in the background what its scenario will ask. One at a time."""
    work, kept = session.current(), st.session_state
    before: Thread | None = kept.get("advising")
    if work is None or work.scored is None or not work.decided or work.model_is_old or (before is not None and before.is_alive()):
        return None
    if session.problem_of(lambda: work.group) or len(work.group) < LARGE:
        return None
    kept["advising"] = thread = Thread(target=_advise, args=(work, session.memory()), daemon=True)
    thread.start()
    return thread


def _advise(work: session.Work, memory: Memory) -> None:
    with suppress(InputError):  # the page says it
        advised(work, memory)
