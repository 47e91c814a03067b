"""Several features at once, built from single ones that help: first what promises to be enough at the least effort."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..cells import Cells
from .attempt import Attempt

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]
PER_FEATURE, KEPT = 4, 24  # single changes that are combined: of one feature, and of all
TRIES, ROUNDS = 12, 3  # combinations of a person that are tried at once, and how often
BASES = 4  # combinations that are extended by another feature
CLEAR = 0.98  # a combination is tried if its effort is at most this share of what is known to do: less is no gain


@dataclass(frozen=True, eq=False)
class Singles:
    """The single changes of each person that are worth combining: `[person, place]`.

    `gain` is how far each moves the score towards the goal, `need` how far it has to; on the scale of log odds where
    scores are probabilities, on which effects add up better. Places that hold nothing have no gain.
    """

    feature: Indices
    value: Floats
    squared: Floats
    gain: Floats
    need: Floats

    @classmethod
    def of(
        cls, attempt: Attempt, feature: Indices, value: Floats, fine: Mask, scores: Floats, interval: tuple[float, float] | None
    ) -> Self:
        """From all options `[person, option]` that were tried alone and the scores they gave."""
        people = np.arange(len(value))[:, None]
        down = attempt.down[:, None]
        gain = (link(attempt.before, interval)[:, None] - link(scores, interval)) * np.where(down, 1.0, -1.0)
        need = np.abs(link(attempt.before, interval) - link(attempt.edge, interval))
        gain = np.where(fine, gain, 0.0)
        squared = np.empty_like(value)
        for j in np.unique(feature).tolist():
            mine = feature == j
            squared[:, mine] = attempt.efforts.one(j, attempt.factual[:, j][:, None], value[:, mine])
        useful = np.where(gain > 0, np.minimum(gain, need[:, None]) / np.sqrt(np.maximum(squared, 1e-300)), -np.inf)
        chosen = [np.flatnonzero(feature == j) for j in np.unique(feature).tolist()]
        of_features = [_best(useful[:, mine], mine, PER_FEATURE) for mine in chosen]
        at = np.concatenate(of_features, axis=1)
        at = np.take_along_axis(at, _order(useful[people, at])[:, :KEPT], axis=1)
        return cls(feature[at], value[people, at], squared[people, at], np.maximum(gain[people, at], 0.0), need)


@dataclass(frozen=True, eq=False)
class Bases:
    """What is extended: `cells[person, place]`, with what it gains and costs. A place without a gain holds nothing."""

    cells: Cells
    gain: Floats
    squared: Floats


def combine(
    attempt: Attempt,
    singles: Singles,
    depth: int,
    interval: tuple[float, float] | None,
    bases: Bases | None = None,
    size: int = 1,
) -> None:
    """Versions with up to `depth` changed features, from single ones or from `bases` with `size` of them changed. Only people who
    are not there yet go beyond one more."""
    who = np.arange(len(attempt.people))
    bases = _first(attempt, singles, who) if bases is None else bases
    for _ in range(size, depth):
        if not len(who):
            return
        found = _extend(attempt, singles, who, bases, interval)
        keep = ~attempt.reached[who]
        who, bases = who[keep], Bases(*(part[keep] for part in (found.cells, found.gain, found.squared)))


def _first(attempt: Attempt, singles: Singles, who: Indices) -> Bases:
    cells = np.repeat(attempt.factual[who][:, None], singles.value.shape[1], axis=1)
    people, place = np.ogrid[: len(who), : singles.value.shape[1]]
    cells[people, place, singles.feature[who]] = singles.value[who]
    return Bases(cells, singles.gain[who], singles.squared[who])


def _extend(attempt: Attempt, singles: Singles, who: Indices, bases: Bases, interval: tuple[float, float] | None) -> Bases:
    """Try bases with one more feature, the most promising first, for as long as that helps; the best of them are returned."""
    people = np.arange(len(who))[:, None, None]
    feature = singles.feature[who]
    gain, squared, value = (part[who] for part in (singles.gain, singles.squared, singles.value))
    free = (
        bases.cells[people, np.arange(bases.cells.shape[1])[None, :, None], feature[:, None, :]]
        == np.take_along_axis(attempt.factual[who], feature, axis=1)[:, None, :]
    )
    total = bases.squared[:, :, None] + squared[:, None, :]
    expected = bases.gain[:, :, None] + gain[:, None, :]
    fine = free & (bases.gain[:, :, None] > 0) & (gain[:, None, :] > 0)
    if bases.cells.shape[1] == feature.shape[1] and np.array_equal(bases.gain, gain):  # pairs: each once
        fine &= np.tri(feature.shape[1], k=-1, dtype=bool)[None]
    shape = total.shape
    total, expected, fine = (part.reshape(len(who), -1) for part in (total, expected, fine))
    found: list[tuple[Indices, Cells, Floats, Floats]] = []
    tried = np.zeros(total.shape, dtype=bool)
    going = np.arange(len(who))
    for _ in range(ROUNDS):
        ceiling = np.where(attempt.reached[who[going]], CLEAR**2 * attempt.squared[who[going]], attempt.most[who[going]])
        open_ = fine[going] & ~tried[going] & (total[going] < ceiling[:, None])
        short = np.maximum(0.0, singles.need[who[going]][:, None] - expected[going])
        key = np.where(open_, np.where(short > 0, 1e6 * (1 + short), 0.0) + total[going], np.inf)
        best = _order(-key)[:, :TRIES]
        i, place = np.nonzero(np.isfinite(np.take_along_axis(key, best, axis=1)))
        if not len(i):
            break
        pick = best[i, place]
        row = going[i]
        tried[row, pick] = True
        base, add = np.unravel_index(pick, shape[1:])
        cells = bases.cells[row, base].copy()
        cells[np.arange(len(row)), feature[row, add]] = value[row, add]
        before = attempt.tier[who], attempt.squared[who].copy()
        scores = attempt.offer(who[row], cells)
        found.append((row, cells, gain_of(attempt, who[row], scores, interval), total[row, pick]))
        better = (attempt.tier[who] < before[0]) | (attempt.squared[who] < before[1])
        going = np.flatnonzero((better | ~attempt.reached[who]) & np.isin(np.arange(len(who)), row))
        if not len(going):
            break
    return best_versions(found, len(who), attempt.factual.shape[1])


def best_versions(found: list[tuple[Indices, Cells, Floats, Floats]], count: int, width: int) -> Bases:
    """The few of the found versions of each person that gained most."""
    cells, gain, squared = np.zeros((count, BASES, width)), np.zeros((count, BASES)), np.zeros((count, BASES))
    if not found:
        return Bases(cells, gain, squared)
    who, versions, gains, costs = (np.concatenate(part) for part in zip(*found, strict=True))
    order = np.lexsort((costs, -gains, who))
    starts = np.searchsorted(who[order], np.arange(count))
    place = np.arange(len(order)) - starts[who[order]]
    order, place = order[place < BASES], place[place < BASES]
    at = (who[order], place)
    cells[at], gain[at], squared[at] = versions[order], np.maximum(gains[order], 0.0), costs[order]
    return Bases(cells, gain, squared)


def gain_of(attempt: Attempt, who: Indices, scores: Floats, interval: tuple[float, float] | None) -> Floats:
    down = attempt.down[who]
    return (link(attempt.before[who], interval) - link(scores, interval)) * np.where(down, 1.0, -1.0)


def link(scores: Floats, interval: tuple[float, float] | None) -> Floats:
    """The scale on which effects add up: log odds where scores are probabilities, else the scores themselves."""
    if interval is None:
        return scores
    low, high = interval
    share = np.clip((scores - low) / (high - low), 1e-6, 1 - 1e-6)
    return np.asarray(np.log(share / (1 - share)))


def _best(useful: Floats, columns: Indices, count: int) -> Indices:
    """The columns of the most useful options of one feature, for each person."""
    return columns[_order(useful)[:, :count]]


def _order(values: Floats) -> Indices:
    """Places from the largest to the smallest, row by row."""
    return np.argsort(-values, axis=1, kind="stable")
