"""A few shared actions for everybody: chosen greedily by how many people they help at what effort, then improved by swaps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..solver.allowance import SLACK
from .actions import Action
from .candidates import Effects, found_pairs, single_changes
from .ground import People
from .versions import Aim, Versions, judged

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
PEOPLE = 1_000  # of the design people on whom actions are tried
ROWS = 600_000  # scored at the most while actions are tried
REACH = 4.0  # times the squared cap of effort is what one more person past the threshold is worth
SWAPS = 5  # rounds of them at the most


@dataclass(frozen=True)
class Programme:
    """A shared action with what it did among the design people: `reach` is the share of them it works for alone, `given` the
    share who get it because it is the cheapest that works, `effort` the mean effort of those, and `together` the share who
    have what was wished with it and all programmes before it (`curve`)."""

    action: Action
    words: str
    reach: float
    given: float
    effort: float
    together: float


def programme_versions(people: People, aim: Aim, actions: Sequence[Action]) -> tuple[Versions, Indices]:
    """Everybody's best programme, the cheapest that works, and which one it is; -1 for none."""
    best = judged(people, aim, people.cells, people.scores)
    given = no_programme(people)
    for place, action in enumerate(actions):
        other = _after(people, aim, action)
        better = other.merit > best.merit
        best = Versions(
            *(
                np.where(better[:, None] if new.ndim == 2 else better, new, old)
                for new, old in (
                    (other.cells, best.cells),
                    (other.scores, best.scores),
                    (other.effort, best.effort),
                    (other.merit, best.merit),
                )
            )
        )
        given[better] = place
    return best, given


def no_programme(people: People) -> Indices:
    """Nobody is given any."""
    return np.full(len(people), -1)


def _after(people: People, aim: Aim, action: Action) -> Versions:
    asked = np.flatnonzero(aim.goals(people.scores).asked)
    cells, scores = people.cells.copy(), people.scores.copy()
    after, fine = action.versions(people, asked)
    who = asked[fine]
    cells[who], scores[who] = after[fine], people.ground.score(after[fine])
    return judged(people, aim, cells, scores)


def choose(
    people: People, aim: Aim, found: Versions, count: int, wanted: int, told: Callable[[int], None] | None = None
) -> tuple[Action, ...]:
    """At most `count` actions for these people, of whom `wanted` should be helped; `found` is what the personal search found."""
    actions = candidates(people, aim, found, wanted, max(30, ROWS // max(1, len(people))))
    saved = np.zeros((len(actions), len(people)))
    for place, action in enumerate(actions):
        versions = _after(people, aim, action)
        helped = np.isfinite(versions.merit)
        saved[place, helped] = _saved(people, aim, np.flatnonzero(helped), versions.scores[helped], versions.effort[helped] ** 2)
        if told is not None:
            told(place + 1)
    chosen: list[int] = []
    while len(chosen) < min(count, len(actions)):
        totals = _totals(saved, chosen, wanted)
        best = int(totals.argmax())
        if totals[best] <= _total(saved, chosen, wanted) * (1 + 1e-9):
            break
        chosen.append(best)
    for _ in range(SWAPS):
        before = list(chosen)
        for place in range(len(chosen)):
            others = chosen[:place] + chosen[place + 1 :]
            totals = _totals(saved, others, wanted)
            if totals.max() > _total(saved, chosen, wanted) * (1 + 1e-9):
                chosen = [*chosen[:place], int(totals.argmax()), *chosen[place + 1 :]]
        if chosen == before:
            break
    order: list[int] = []  # the one that helps most first
    while len(order) < len(chosen):
        left = [place for place in chosen if place not in order]
        order.append(max(left, key=lambda place: _total(saved, [*order, place], wanted)))
    return tuple(actions[place] for place in order)


def candidates(people: People, aim: Aim, found: Versions, wanted: int, most: int) -> list[Action]:
    """Actions that are tried on all: single changes, pairs that promise most, and pairs that the personal search found."""
    changes = single_changes(people, found)[:most]
    actions = [Action((change,)) for change in changes]
    if people.ground.h > 1 and len(actions) < most:
        asked = np.flatnonzero(aim.goals(people.scores).asked)

        def total(scores: Floats, squared: Floats) -> Floats:
            return _totals(_saved(people, aim, asked, scores, squared), [], wanted)

        left = most - len(actions)
        actions += Effects.of(people, asked, changes).pairs(total, left - left // 4)
        actions += found_pairs(people, found, changes, left // 4)
    return list(dict.fromkeys(actions))


def _saved(people: People, aim: Aim, who: Indices, scores: Floats, squared: Floats) -> Floats:
    """What scores `[..., person]` at these squared efforts are worth to these people, never less than nothing."""
    goals, cap = aim.goals(people.scores), people.ground.cap**2
    if goals.past is not None:
        worth = np.where(goals.tier(who, scores) < 2, REACH * cap - squared, 0.0)
    else:
        worth = aim.price * (goals.off(who, people.scores[who]) ** 2 - goals.off(who, scores) ** 2) - squared
    return np.asarray(np.where(squared <= cap * (1 + SLACK), np.maximum(worth, 0.0), 0.0))


def _totals(saved: Floats, chosen: Sequence[int], wanted: int) -> Floats:
    """What all are worth together when each action joins the chosen: the `wanted` people for whom they are worth most count."""
    have = saved[list(chosen)].max(axis=0) if chosen else np.zeros(saved.shape[1])
    together = np.maximum(saved, have)
    if wanted <= 0:
        return np.zeros(len(together))
    if wanted >= together.shape[1]:
        return np.asarray(together.sum(axis=1))
    return np.asarray(np.partition(together, together.shape[1] - wanted, axis=1)[:, together.shape[1] - wanted :].sum(axis=1))


def _total(saved: Floats, chosen: Sequence[int], wanted: int) -> float:
    return float(_totals(saved[list(chosen)], [], wanted).max()) if len(chosen) == 1 else _of_set(saved, chosen, wanted)


def _of_set(saved: Floats, chosen: Sequence[int], wanted: int) -> float:
    if not chosen:
        return 0.0
    best = np.sort(saved[list(chosen)].max(axis=0))[::-1]
    return float(best[:wanted].sum())


def cards(people: People, aim: Aim, actions: Sequence[Action], cut: float) -> tuple[Programme, ...]:
    """Each action with what it does among these people; who is worth changing counts."""
    there = ~aim.goals(people.scores).asked
    best, given = programme_versions(people, aim, actions)
    kept = np.isfinite(best.above(cut, people).merit)
    out = []
    for place, action in enumerate(actions):
        alone = _after(people, aim, action).above(cut, people)
        first = programme_versions(people, aim, actions[: place + 1])[0].above(cut, people)
        mine = (given == place) & kept
        out.append(
            Programme(
                action,
                action.words(people.ground.known.schema),
                float(np.isfinite(alone.merit).mean()),
                float(mine.mean()),
                float(best.effort[mine].mean()) if mine.any() else 0.0,
                float((there | np.isfinite(first.merit)).mean()),
            )
        )
    return tuple(out)
