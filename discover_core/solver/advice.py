"""Which bounds make sense for a group and a target: where a number lies between "no change" and "anything goes".

Bounds are compared with limits, and a limit is never 0, however little happens: its bands have a width. If nobody changes
the input limit is `floor_x`; a group that moved by SW^2 = s within the middle of its mass (up to eps beyond it) has

    sqrt(UCL_x) <= sqrt(floor_x) + sqrt(s / (1 - 2 delta)).

For at u the gap of two bands exceeds the width of one by the rise of one quantile function over the other at u + eps or by
its fall at u - eps; rises and falls together make W^2, and the rest is Minkowski. Nor is any limit below floor_x / 4,
since the larger of the two gaps is at least half the width of the factual band. Both hold for the output side, too.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..certificate.limits import Limiter
from ..problem.bounds import Bounds
from ..problem.target import Target
from ..problem.wish import Wish, typical_gap
from ..transport.slices import random_slices
from .cells import Cells, Layout
from .search import NUMBERS, SLICES

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Item = TypeVar("Item", bound=np.generic)
ADVICE = 3  # a stream of the seed of its own
DRAWS, HALF = 20, 2_000  # how often the population is halved, and the largest half
FEWEST, ALONG = 20, 1_000  # slices that stand for more of them; people stand for more so that both together keep within NUMBERS
REACH = 3.0  # the suggested input bound lets a group move so many times as far as chance does,
ROOM = 1 / 3  # and at least this share of the way from "no change" to "anything goes": chance is nothing in a large group,
MOST = 0.9  # and at most this: beyond "anything goes" a bound says nothing
LEAST = 1e-6  # a bound is above 0
DIGITS = 4  # of the suggested output bound: between nine tenths of the way and all of it there may be a hundredth


@dataclass(frozen=True, eq=False)
class People:
    """The group of n or many of it, some of those it was drawn from, and a few of the whole table, as cells."""

    group: Cells
    population: Cells
    others: Cells
    n: int


@dataclass(frozen=True, eq=False)
class Ground:
    """What is dear to find out and does not depend on the confidence.

    `factual[slice, rank]` are the sorted projections of the group, `anything` those of the group if everybody were one and
    the same person in all that may change, `noise[rank]` the squared gap that chance alone makes between two such groups.
    Where people times slices are very many, some of either stand for all.
    """

    factual: Floats
    anything: Floats
    noise: Floats

    def trimmed_noise(self, delta: float) -> float:
        """SW^2 of the middle 1 - 2 delta, the part that a certificate speaks of: tails would drown it."""
        at = (np.arange(len(self.noise)) + 0.5) / max(len(self.noise), 1)
        middle = self.noise[(at > delta) & (at < 1 - delta)]
        return float(middle.mean()) if len(middle) else 0.0


@dataclass(frozen=True)
class Advice:
    """Everything is squared, as bounds are. The suggestions are always finite.

    `noise_x` is the trimmed SW^2 that chance alone makes between two groups of n, `distance_y` the W^2 of today. The others
    are limits: of no change and of "anything goes" on the input side, of a perfect match and of today on the output side.
    """

    n: int
    noise_x: float
    floor_x: float
    anything_x: float
    suggested_x: float
    distance_y: float
    floor_y: float
    today_y: float
    suggested_y: float

    def times_chance(self, u_x: float) -> float:
        """How many times as far as chance alone a group may surely move within this bound (distances, not squares)."""
        room = math.sqrt(u_x) - math.sqrt(self.floor_x if math.isfinite(self.floor_x) else self.noise_x)
        return max(0.0, room / math.sqrt(self.noise_x)) if self.noise_x else math.inf

    def way(self, u_y: float) -> float:
        """How much of the way from today to a perfect match this bound asks for, as distances: 1 is all, 0 or less nothing."""
        low, high = (math.sqrt(end) for end in self.span_y)
        return (high - math.sqrt(u_y)) / (high - low) if high > low else 0.0

    @property
    def span_y(self) -> tuple[float, float]:
        """From a perfect match to today: the limits, or the distances themselves where a limit is infinite."""
        return (self.floor_y, self.today_y) if math.isfinite(self.today_y) else (0.0, self.distance_y)


def gather(layout: Layout, table: pd.DataFrame, group: Indices, population: Indices, seed: int) -> People:
    """`group` and `population`, the rows it was drawn from, are rows of the prepared `table`. Weights do not matter here."""
    rng = np.random.default_rng([seed, ADVICE, 0])
    some = rng.choice(population, min(len(population), 2 * HALF), replace=False)
    others = rng.choice(len(table), min(DRAWS, len(table)), replace=False)
    shown = _some(group, NUMBERS // FEWEST, seed)
    kept, population_cells, other_cells = (layout.cells(table.iloc[rows]) for rows in (shown, some, others))
    return People(kept, population_cells, other_cells, len(group))


def chance(layout: Layout, people: People, slices: int, seed: int) -> Floats:
    """By rank, what chance alone makes of the mean squared gap between two groups of this size."""
    n = people.n
    half = min(len(people.population) // 2, n, HALF)
    projected = _projected(layout, people.population, _directions(layout, slices, seed))
    return _noise(projected, half, np.random.default_rng([seed, ADVICE, 1])) * half / n


def projections(layout: Layout, people: People, slices: int, seed: int) -> Floats:
    """The group on each slice of a run with this seed, sorted; of very many, as many of both as `Ground` bears."""
    along = _directions(layout, slices, seed)
    return _sorted(layout, _some(people.group, NUMBERS // len(along), seed), along)


def survey(
    layout: Layout,
    people: People,
    noise: Floats,
    editable: Collection[str],
    slices: int,
    seed: int,
    factual: Floats | None = None,
) -> Ground:
    """The costly part, with the `noise` that `chance` gives, and `projections` if they are at hand.

    "Anything goes" is the one of the others for whom SW^2 is the median. (Features drawn at random from the table would keep
    its mix, which is often so like the group's own that a search goes further.)
    """
    encoding, along = layout.encoding, _directions(layout, slices, seed)
    may_change = np.zeros(encoding.width, dtype=bool)
    for block in encoding.blocks:
        may_change[block.start : block.stop] = block.column.name in editable
    changed, kept = np.where(may_change, along, 0.0), np.where(may_change, 0.0, along)

    factual = projections(layout, people, slices, seed) if factual is None else factual
    shown = _some(people.group, NUMBERS // len(along), seed)
    locked = _sorted(layout, shown, kept) if kept.any() else np.zeros_like(factual)
    persons = changed @ layout.encode(people.others).T
    far = (persons**2 + 2 * persons * (locked - factual).mean(axis=1, keepdims=True)).mean(axis=0)
    typical = persons[:, np.argsort(far)[len(far) // 2]]
    return Ground(factual, locked + typical[:, None], noise)


def input_limiter(factual: Floats, bounds: Bounds, seed: int, n: int) -> Limiter:
    """For the limits of the inputs of n people alone, which no target changes."""
    return Limiter(bounds, factual, Target.values([0.0]), None, seed, n)


def input_limit(limiter: Limiter, inputs: Floats) -> float:
    """Where some slices stand for all, the band of each has its share among all; the bootstrap has no shares."""
    share = 1.0 if limiter.bounds.band == "bootstrap" else len(limiter.factual) / limiter.bounds.slices
    return float(limiter.inputs_at([limiter.bounds.alpha * share], inputs)[0])


def output_limits(
    outputs: Floats, target: Target, bounds: Bounds, interval: tuple[float, float] | None, seed: int, factual: Floats
) -> tuple[float, float, float]:
    """The output limits of today, of a perfect match, and of scores that have gone nearly all of the way. What may change does
    not matter for them, and the inputs only by how many they are."""
    limiter = Limiter(bounds, factual, target, interval, seed, len(outputs))
    shown = np.sort(outputs), target.rank_moments(len(outputs))[0], Wish.of(target, outputs).nearly(outputs)
    today, floor, nearly = (float(limiter.outputs_at([bounds.alpha], scores)[0]) for scores in shown)
    return today, floor, nearly


def _directions(layout: Layout, slices: int, seed: int) -> Floats:
    """The slices of a run with this seed, or the first of them."""
    width = layout.encoding.width
    count = min(slices, ALONG, max(FEWEST, NUMBERS // max(width, 1)))
    return random_slices(width, count, np.random.default_rng([seed, SLICES]))


def _some(rows: NDArray[Item], most: int, seed: int) -> NDArray[Item]:
    if len(rows) <= most:
        return rows
    return rows[np.random.default_rng([seed, ADVICE, 2]).choice(len(rows), most, replace=False)]


def _sorted(layout: Layout, cells: Cells, along: Floats) -> Floats:
    found = _projected(layout, cells, along)
    found.sort(axis=1)
    return found


def _projected(layout: Layout, cells: Cells, along: Floats) -> Floats:
    """`[direction, row]`; no more rows are encoded at once than make NUMBERS."""
    found, step = np.empty((len(along), len(cells))), max(1, NUMBERS // max(1, layout.encoding.width))
    for rows in (slice(at, at + step) for at in range(0, len(cells), step)):
        found[:, rows] = along @ layout.encode(cells[rows]).T
    return found


def _noise(projected: Floats, half: int, rng: np.random.Generator) -> Floats:
    """By rank, the mean squared gap between random halves.

    Halves smaller than the group are further apart than groups would be: the caller scales, as squares fall like 1/n.
    """
    total = np.zeros(half)
    for _ in range(DRAWS):
        order = rng.permutation(projected.shape[1])
        first, second = (np.sort(projected[:, rows], axis=1) for rows in (order[:half], order[half : 2 * half]))
        total += np.mean((first - second) ** 2, axis=0)
    return total / DRAWS


def advise(
    ground: Ground,
    outputs: Floats,
    target: Target,
    bounds: Bounds,
    interval: tuple[float, float] | None,
    seed: int,
    inputs_at: tuple[float, float] | None = None,
    outputs_at: tuple[float, float, float] | None = None,
) -> Advice:
    """The scales of both bounds at the confidence, trimming, slices and band of `bounds`, and a suggestion for each.

    u_x: a group that moves REACH times as far as chance still passes. u_y: outputs that have gone nine tenths of the way
    to the wish just pass (`Wish.nearly`), so that certified means at least that. Where a limit is infinite the distances
    take its place, so that a run can be watched. `floor_x` and `today_y` are those of a run's step 0. `inputs_at` are the input
    limits of no change and of "anything goes", `outputs_at` the `output_limits`, if they are at hand.
    """
    n, (mean, spread) = len(outputs), target.rank_moments(len(outputs))
    distance = float(np.mean((np.sort(outputs) - mean) ** 2 + spread))
    if inputs_at is None:
        limiter = input_limiter(ground.factual, bounds, seed, n)
        inputs_at = input_limit(limiter, ground.factual), input_limit(limiter, ground.anything)
    floor_x, anything_x = inputs_at
    today_y, floor_y, nearly_y = outputs_at or output_limits(outputs, target, bounds, interval, seed, ground.factual)
    noise = ground.trimmed_noise(bounds.delta)
    base = floor_x if math.isfinite(floor_x) else noise
    whole = math.sqrt(anything_x) - math.sqrt(floor_x) if math.isfinite(anything_x) else None
    reach = REACH * math.sqrt(noise)
    u_x = (math.sqrt(base) + (reach if whole is None else min(max(reach, ROOM * whole), MOST * whole))) ** 2
    # a limit need not fall with the distance: never suggest less than a perfect match shows
    u_y = (
        max(nearly_y, floor_y) if math.isfinite(nearly_y) else typical_gap(Wish.of(target, outputs).nearly(outputs), target) ** 2
    )
    suggested = round_up(max(LEAST, u_x)), round_up(max(LEAST, u_y), DIGITS)
    return Advice(n, noise, floor_x, anything_x, suggested[0], distance, floor_y, today_y, suggested[1])


def thinned(values: Floats, most: int) -> Floats:
    """At most so many evenly spaced quantiles in place of all sorted values (on the last axis)."""
    n = values.shape[-1]
    return values if n <= most else values[..., ((np.arange(most) + 0.5) * n / most).astype(np.int64)]


def round_up(value: float, digits: int = 2) -> float:
    """The next number of so many digits that is not below."""
    exponent = math.floor(math.log10(value)) + 1 - digits
    return float(f"{math.ceil(value / 10.0**exponent - 1e-9)}e{exponent}")
