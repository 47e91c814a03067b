"""What was found so far for the people of a round: the best version of each, and how many rows the model was asked about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..allowance import Allowance
from ..cells import Cells
from ..efforts import Efforts
from ..likeness import Likeness
from .goals import Goals
from .versions import Offered

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]
Keys = NDArray[np.complex128]
CHUNK = 200_000  # rows that the model is asked about at once
LEFT = 0.75  # of a gap may be left at the most for a change that misses the goal to be worth its effort
LESS = 1e-9  # of an effort: what must be saved for a version to be cheaper
LOOKED_AT = 4  # of a person's versions, the cheapest, are asked how usual they are, unless that is a wall


class Attempt:
    """`people[i]` is at `cells[i]` now, with `scores[i]` and an effort whose square is `squared[i]`; all here goes by i.

    For a threshold a version is better if its tier is (`Goals.tier`), then if it costs less. Cost is squared effort, for a shape
    plus the squared gap at its price, and somewhat more for a version that is too unusual (`Likeness`). What costs
    somebody `most` or more (a squared effort) is not worth a try, and what the `allowance` forbids is never taken.
    """

    def __init__(
        self,
        people: Indices,
        factual: Cells,
        before: Floats,
        current: Cells,
        now: Floats,
        goals: Goals,
        efforts: Efforts,
        score: Callable[[Cells], Floats],
        likeness: Likeness | None = None,
        most: Floats | float = np.inf,
        allowance: Allowance | None = None,
    ) -> None:
        self.people, self.factual, self.before = people, factual, before
        self.goals, self.efforts, self._score, self.likeness = goals, efforts, score, likeness
        self.most = np.broadcast_to(np.asarray(most, dtype=np.float64), people.shape)
        self._allowance = allowance if allowance is not None and allowance.personal else None
        self.asked = 0  # rows that the model scored
        self._known: list[Keys] = [_keys(np.arange(len(people)), factual)]  # what was scored, of whom
        low, high = goals.low[people], goals.high[people]
        self.down = before > high  # whose score has to fall
        self.edge = np.where(self.down, high, low)  # the end of each goal that lies on the side of the factual score
        self.start = goals.gap(people, now)
        self.cells, self.scores = current.copy(), now.copy()
        self.squared = efforts.squared(factual, current)
        self.tier, self.cost = self._worth(np.arange(len(people)), self.scores, self.squared, self.start)

    @property
    def reached(self) -> Mask:
        """Whose goal holds."""
        return np.asarray(self.tier == 0) if self.goals.past is not None else self.goals.gap(self.people, self.scores) <= 0

    @property
    def helpless(self) -> Mask:
        """For whom nothing was found that is any good."""
        return np.asarray(self.tier == 2) if self.goals.past is not None else ~self.reached

    def passes(self, who: Indices, scores: Floats) -> Mask:
        """Whether scores have come as far as the near edge of the goal, or beyond."""
        return np.where(self.down[who], scores <= self.edge[who], scores >= self.edge[who])

    def _scores(self, who: Indices, cells: Cells) -> Floats:
        """What the model says of versions of some people, in a few large calls."""
        self.asked += len(cells)
        self._known.append(_keys(who, cells))
        parts = [self._score(cells[at : at + CHUNK]) for at in range(0, len(cells), CHUNK)]
        return np.concatenate(parts) if parts else np.empty(0)

    def offer(self, who: Indices, cells: Cells, scores: Floats | None = None, spare: bool = False) -> Floats:
        """Versions of some people, each taken if it is better than what they have; their scores.

        To `spare` effort, how usual a version is does not count, unless it is a wall: less change is no price to pay.
        """
        scores = self._scores(who, cells) if scores is None else scores
        found = self._better(who, cells, scores, spare)
        if self.likeness is not None and not (spare and not self._walled):
            found = self._usual(found if self._walled else found.cheapest(LOOKED_AT))
        self._take(found)
        return scores

    def offer_fresh(self, parts: Iterable[tuple[Indices, Cells]]) -> None:
        """Versions of some people in parts, without those that were tried already; everybody's best is taken as if all had been
        offered at once, but only the few of each person that may be the best are kept on the way."""
        kept: Offered | None = None
        for who, cells in _recut(self._fresh_parts(parts)):
            self.asked += len(cells)
            found = self._better(who, cells, self._score(cells), place=self.asked)
            found = self._usual(found) if self._walled else found
            kept = (found if kept is None else kept.joined(found)).cheapest(1 if self._walled else LOOKED_AT)
        if kept is not None:
            self._take(kept if self.likeness is None or self._walled else self._usual(kept))

    def _fresh_parts(self, parts: Iterable[tuple[Indices, Cells]]) -> Iterator[tuple[Indices, Cells]]:
        for who, cells in parts:
            fresh = self.fresh(who, cells) & (self.efforts.squared(self.factual[who], cells) <= self.most[who])
            self._known.append(_keys(who[fresh], cells[fresh]))
            yield who[fresh], cells[fresh]

    def _better(self, who: Indices, cells: Cells, scores: Floats, spare: bool = False, place: int = 0) -> Offered:
        """Those that are better than what people have and allowed; they are counted from `place`."""
        squared = self.efforts.squared(self.factual[who], cells)
        most = np.where((self.start > 0) & (not spare), LEFT * self.start, np.inf)
        tier, cost = self._worth(who, scores, squared, most[who])
        held = self._plain_cost if spare and not self._walled else self.cost
        better = (tier < self.tier[who]) | ((tier == self.tier[who]) & (cost < held[who] * (1 - LESS)))
        better &= squared <= self.most[who]
        at = np.flatnonzero(better)
        if self._allowance is not None:
            at = at[self._allowance.fine(self.people[who[at]], cells[at])]
        return Offered(who[at], cells[at], scores[at], squared[at], tier[at], cost[at], place + at)

    def _take(self, found: Offered) -> None:
        """The best of everybody's."""
        best = found.cheapest(1)
        i = best.who
        self.cells[i], self.scores[i], self.squared[i] = best.cells, best.scores, best.squared
        self.tier[i], self.cost[i] = best.tier, best.cost

    @property
    def _plain_cost(self) -> Floats:
        """What everybody's version costs, however usual it is."""
        return self._worth(np.arange(len(self.people)), self.scores, self.squared, np.inf)[1]

    def fresh(self, who: Indices, cells: Cells) -> Mask:
        """Which of these versions of people were not tried with them, each once. What was tried with others does not count: what
        is found for somebody depends on nobody else."""
        fresh, asked = np.zeros(len(cells), dtype=bool), np.zeros(len(self.people), dtype=bool)
        asked[who] = True
        known = np.concatenate(self._known)
        known = known[asked[known.real.astype(np.int64)]]  # those of the same people
        keys, first = np.unique(_keys(who, cells), return_index=True)
        fresh[first[~np.isin(keys, known)]] = True
        return fresh

    @property
    def _walled(self) -> bool:
        return self.likeness is not None and self.likeness.wall

    def _usual(self, found: Offered) -> Offered:
        """Of the better versions those that stay so when unusual ones cost more, or are not allowed at all."""
        assert self.likeness is not None
        if not len(found.who):
            return found
        who, cost = found.who, found.cost * self.likeness.factors(self.people[found.who], found.cells)
        better = (found.tier < self.tier[who]) & np.isfinite(cost) | (cost < self.cost[who] * (1 - LESS))
        return replace(found, cost=cost).some(better)

    def _worth(self, who: Indices, scores: Floats, squared: Floats, most: Floats | float) -> tuple[Indices, Floats]:
        """Tier and cost. A version that leaves more than `most` of a gap costs more than any other: people are left alone."""
        people = self.people[who]
        tier, gap = self.goals.tier(people, scores), self.goals.gap(people, scores)
        if self.goals.past is not None:
            return tier, np.where(tier < 2, squared, np.inf)
        cost = self.goals.price * self.goals.off(people, scores) ** 2 + squared
        return np.zeros_like(tier), np.where(gap > most, np.inf, cost)


def _keys(who: Indices, cells: Cells) -> Keys:
    """A number for each version of a person, which no other has but by the rarest chance; then it is tried once less."""
    return np.asarray(who + 1j * (cells * np.sqrt(np.arange(2, cells.shape[1] + 2))).sum(axis=1))


def _recut(parts: Iterable[tuple[Indices, Cells]]) -> Iterator[tuple[Indices, Cells]]:
    """The same versions in the parts in which they would come if they were cut from one: some models round a row's score by where
    it stands."""
    held: list[tuple[Indices, Cells]] = []
    for part in parts:
        held.append(part)
        while sum(len(who) for who, _ in held) >= CHUNK:
            who, cells = (np.concatenate(each) for each in zip(*held, strict=True))
            yield who[:CHUNK], cells[:CHUNK]
            held = [(who[CHUNK:], cells[CHUNK:])]
    if sum(len(who) for who, _ in held):
        who, cells = (np.concatenate(each) for each in zip(*held, strict=True))
        yield who, cells
