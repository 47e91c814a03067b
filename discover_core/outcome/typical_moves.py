"""What happened, in words: which features carried the change, the few typical moves, and who was left alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..problem.change_words import difference
from ..problem.words import number_words
from ..table.schema import Column
from ..table.values import as_text, grid_of
from .opposite_changes import opposite_words
from .outcome import Outcome
from .usual_words import usual_words
from .who_changes import left_alone, why_these

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]

RARE = 0.03  # a move of fewer than this share of those who change is not typical
PAIRED = 40  # moves that are tried together
MANY = 10  # people from which on the middle 80% may be told instead of all
NARROWER = 0.75  # if its range is this much narrower
ORIGINS = 3  # categories people came from that are named
WORTH = 0.01  # a share that is worth naming
NAMED = 3  # features and moves in the short text


class FeatureShare(NamedTuple):
    """A feature's share of the whole squared effort, and how many people change it."""

    feature: str
    share: float
    people: int


class Direction(NamedTuple):
    """One feature going one way: up (1) or down (-1), or to the level with the code `way` if the feature has no order."""

    feature: int
    way: int


@dataclass(frozen=True, eq=False)
class Move:
    """One step or two that people make, whatever else they do; `people` are all who make them, by their place in the group."""

    features: tuple[str, ...]
    people: Indices
    words: str

    def __str__(self) -> str:
        return f"{_people(len(self.people))}: {self.words}"


def in_words(outcome: Outcome) -> list[str]:
    """The run in at most nine short sentences; the last one warns, if need be."""
    group, movers = len(outcome.cells), len(outcome.movers)
    if not movers:
        return [f"Nobody changes: all {_people(group)} keep every value." if group > 1 else "The one person keeps every value."]
    cells = int(outcome.changed.sum())
    who = f"{movers:,} of {_people(group)} {_verb(movers, 'change')}" if group > 1 else "The one person changes"
    said = [f"{who}, in {cells:,} {'value' if cells == 1 else 'values'} in all."]
    said.append(_share_words(feature_shares(outcome)))
    moves = typical_moves(outcome, NAMED)
    said += [f"{move}." for move in moves] or [f"No move is typical: none is made by {_enough(movers):,} people or more."]
    said += [left_alone(outcome), why_these(outcome), usual_words(outcome), opposite_words(outcome)]
    return [sentence for sentence in said if sentence]


def feature_shares(outcome: Outcome) -> list[FeatureShare]:
    """The features that change, by their share of the squared effort in the encoded space, the greatest first."""
    squared = _squared(outcome).sum(axis=0)
    people = outcome.changed.sum(axis=0)
    order = [j for j in np.argsort(-squared, kind="stable") if people[j]]
    names = outcome.schema.feature_names
    return [FeatureShare(names[j], float(squared[j] / squared.sum()), int(people[j])) for j in order]


def typical_moves(outcome: Outcome, most: int = 6) -> list[Move]:
    """The single steps and pairs of steps that together tell most of the edits, those of most people first.

    Each in turn is the one with the most effort that none before it tells; everybody's effort counts the same.
    A person may be in several.
    """
    movers = outcome.movers
    if not len(movers):
        return []
    steps, made = _steps(outcome)
    squared = _squared(outcome)[movers]
    parts = squared / squared.sum(axis=1, keepdims=True)
    untold = np.column_stack([parts[:, step.feature] for step in steps]) * made
    moves: list[Move] = []
    while len(moves) < most:
        told = _next(untold, made, _enough(len(movers)))
        if told is None:
            break
        who = np.flatnonzero(made[:, told].all(axis=1))
        untold[who[:, None], told] = 0
        told.sort(key=lambda at: -float(parts[who, steps[at].feature].sum()))
        words = " and ".join(_step_words(outcome, steps[at], movers[who]) for at in told)
        moves.append(Move(tuple(outcome.schema.feature_names[steps[at].feature] for at in told), movers[who], words))
    return sorted(moves, key=lambda move: -len(move.people))


def _share_words(parts: list[FeatureShare]) -> str:
    """Those that carried a percent or more, three at most."""
    if len(parts) == 1:
        return f"{parts[0].feature} is the only feature that changes."
    named = [part for part in parts[:NAMED] if part.share >= WORTH]
    first, *others = [f"{part.feature} ({part.share:.0%} of it, {_people(part.people)})" for part in named]
    then = f", then {' and '.join(others)}" if others else ""
    return f"The largest part of the change is in {first}{then}."


def _squared(outcome: Outcome) -> Floats:
    """Everybody's squared effort, feature by feature; its sums over the features are `effort` squared."""
    layout = outcome.group.layout
    moved = layout.encode(outcome.cells) - layout.encode(outcome.group.cells)
    return np.asarray(np.add.reduceat(moved**2, [block.start for block in layout.encoding.blocks], axis=1))


def _steps(outcome: Outcome) -> tuple[list[Direction], Mask]:
    """Every step that somebody makes, and who of the movers makes it."""
    after, before = outcome.cells[outcome.movers], outcome.group.cells[outcome.movers]
    steps, made = [], []
    for j, column in enumerate(outcome.schema.features):
        changed = after[:, j] != before[:, j]
        ways = after[:, j] if column.role == "nominal" else np.sign(after[:, j] - before[:, j])
        for way in np.unique(ways[changed]).tolist():
            steps.append(Direction(j, int(way)))
            made.append(changed & (ways == way))
    return steps, np.column_stack(made)


def _enough(movers: int) -> int:
    """How many people make a move typical."""
    return min(movers, max(2, math.ceil(RARE * movers)))


def _next(untold: Floats, made: Mask, enough: int) -> list[int] | None:
    """The step, or the pair of steps, that tells most of what is untold; None when nothing that enough people do is left."""
    alone = np.where(made.sum(axis=0) >= enough, untold.sum(axis=0), 0.0)
    best = int(alone.argmax())
    top = np.argsort(-untold.sum(axis=0), kind="stable")[:PAIRED]
    joint = made[:, top].astype(np.float64)
    gain = untold[:, top].T @ joint
    gain = np.triu(np.where(joint.T @ joint >= enough, gain + gain.T, 0.0), 1)
    a, b = np.unravel_index(int(gain.argmax()), gain.shape)
    if gain[a, b] > alone[best] * (1 + 1e-9):
        return [int(top[a]), int(top[b])]
    return [best] if alone[best] > 0 else None


def _step_words(outcome: Outcome, step: Direction, people: Indices) -> str:
    """The step with how far these people go: all of them, or the middle 80% where a few go much further."""
    column = outcome.schema.features[step.feature]
    before, after = outcome.group.cells[people, step.feature], outcome.cells[people, step.feature]
    if column.role == "nominal":
        return _switch_words(column, before, step.way)
    way = ("later" if step.way > 0 else "earlier") if column.date else ("up" if step.way > 0 else "down")
    if column.categorical:
        reached = np.unique(after)
        if len(reached) == 1:
            return f"{column.name} {way} to {_level(column, reached[0])}"
        return f"{column.name} {way} by {_range(column, np.abs(after - before), 'level', 's')}"
    far = np.abs([difference(column, old, new) for old, new in zip(before, after, strict=True)])
    return f"{column.name} {way} by {_range(column, far, *(('day', 's') if column.date else (column.unit, '')))}"


def _switch_words(column: Column, before: Floats, to: int) -> str:
    origins = [_level(column, code) for code in np.unique(before)]
    if len(origins) == 1:
        return f"{column.name} from {origins[0]} to {_level(column, to)}"
    told = f", from {', '.join(origins[:-1])} or {origins[-1]}" if len(origins) <= ORIGINS else ""
    return f"{column.name} to {_level(column, to)}{told}"


def _range(column: Column, far: Floats, unit: str, plural: str) -> str:
    low, high = float(far.min()), float(far.max())
    note = ""
    if len(far) >= MANY:
        inner = np.quantile(far, [0.1, 0.9], method="inverted_cdf")
        if inner[1] - inner[0] < NARROWER * (high - low):
            (low, high), note = inner.tolist(), " (the middle 80%)"
    ends = list(dict.fromkeys(_far_text(column, end) for end in (low, high)))
    return f"{' to '.join(ends)} {unit}{'' if ends == ['1'] else plural}".strip() + note


def _far_text(column: Column, far: float) -> str:
    """A distance: exactly on a grid, else three digits that matter."""
    return number_words(far if column.categorical or grid_of(column) is not None else float(f"{far:.3g}"))


def _level(column: Column, code: float) -> str:
    return f"“{as_text(column.levels[int(code)])}”"


def _people(count: int) -> str:
    return f"{count:,} {'person' if count == 1 else 'people'}"


def _verb(count: int, verb: str) -> str:
    return f"{verb}s" if count == 1 else verb
