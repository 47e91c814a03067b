"""Would a model fit far better if the levels of its columns had other numbers? A suggestion for a person, never applied alone.

The orders are searched on one half of the rows and judged on the other, where a single comparison is made, so that trying
many orders cannot by itself make one look good.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.special import expit
from scipy.stats import rankdata

from ..errors import InputError
from ..table.schema import MISSING, Column
from .boosters import BoosterScorer
from .codes import Better, in_order, natural_orders, numeric_levels
from .evaluate import Report, evaluate_model
from .known_outcome import read_outcome
from .model import Codes, Model, score
from .recode import with_codes

Floats = NDArray[np.float64]
Numbers = Mapping[str, float | None]
Way = tuple[str, int, int]  # to count: the order, the first number, and what missing values are (last, first, nothing, -1)

MARGIN = 0.02  # AUC or R² that "far better" means
ODD = 0.05  # the same for an order that no program uses: shallow trees gain a little by some order, whatever the true one is
SURE = 3.0  # standard errors that the gain must lie above 0, on rows the search has not seen
CLOSE = 0.002  # an order that programs use is preferred to one that fits this little better
FEWEST, MOST = 100, 2_000  # rows in each half
WORK = 2e8  # rows x calls x kilobytes of model that a search may cost: a second or two
PASSES = 2
MOST_LEVELS = 30  # of a column with more, only the natural orders are tried


def better_codes(model: Model, table: pd.DataFrame) -> Better | None:
    """Codes that fit far better than the model's own, or None: there are none, or the rows do not suffice to say so.

    Only for trees, which fit any numbering about equally well. To a linear model some order is better than the one it was
    trained with as often as not.
    """
    scorer = model.scorer
    if not model.codes or not isinstance(scorer, BoosterScorer) or scorer.linear:
        return None
    now = _quality(evaluate_model(model, table, model.schema))
    if now is None or now + MARGIN > 1:
        return None
    halves = _halves(model, table, len(scorer.origin.data))
    if halves is None:
        return None
    search, check = halves
    found = _simple(search, _best(search))
    codes = {name: found[name] for name in found if found[name] != model.codes[name]}
    if not codes or check.sureness(codes) < SURE:
        return None
    then = _quality(evaluate_model(with_codes(model, codes), table, model.schema))
    # A model whose classes are the wrong way round ranks well backwards: no order is the cure of that.
    mark = max(now, 1 - now) if search.task == "binary" else now
    usual = all(numbers in search.natural[name].values() for name, numbers in codes.items())
    if then is None or then < mark + (MARGIN if usual else ODD):
        return None
    return Better(codes, "AUC" if search.task == "binary" else "R²", now, then)


def _quality(report: Report | None) -> float | None:
    return None if report is None else report.auc if report.task == "binary" else report.r2


@dataclass(frozen=True, eq=False)
class _Half:
    """Rows whose outcome is known, on which a model tries codes."""

    model: Model
    ready: pd.DataFrame
    truth: Floats
    task: Literal["binary", "regression"]
    natural: Mapping[str, Mapping[Way, Numbers]]  # by column: the codes of each way of counting

    def scores(self, codes: Codes) -> Floats | None:
        """None for numbers that the model refuses."""
        try:
            return score(with_codes(self.model, codes).scorer, self.ready)
        except InputError:
            return None

    def fit(self, scores: Floats | None) -> float:
        """AUC or R²."""
        if scores is None or not np.isfinite(scores).all():
            return -np.inf
        if self.task == "regression":
            return float(1 - np.mean((self.truth - scores) ** 2) / np.var(self.truth))
        ones = self.truth == 1
        n, ranks = int(ones.sum()), rankdata(scores)
        return float((ranks[ones].sum() - n * (n + 1) / 2) / (n * (len(ranks) - n)))

    def losses(self, scores: Floats) -> Floats:
        """What each row's score costs, summable over rows: the squared error, or minus the log of the chance of what happened."""
        if self.task == "regression":
            return (self.truth - scores) ** 2
        chance = scores if self.model.interval == (0, 1) else expit(scores)
        chance = np.clip(chance, 1e-6, 1 - 1e-6)
        return -np.log(np.where(self.truth == 1, chance, 1 - chance))

    def sureness(self, codes: Codes) -> float:
        """How many standard errors the gain of these codes lies above 0: DeLong's test for the AUC, a paired one for errors."""
        old, new = self.scores({}), self.scores(codes)
        if old is None or new is None:
            return -np.inf
        if self.task == "regression":
            parts = [(self.truth - old) ** 2 - (self.truth - new) ** 2]
        else:
            parts = [b - a for a, b in zip(self._placements(old), self._placements(new), strict=True)]
        gain = float(np.mean(parts[0]))
        error = float(np.sqrt(sum(np.var(part, ddof=1) / len(part) for part in parts)))
        return gain / error if error > 0 else 0.0

    def _placements(self, scores: Floats) -> tuple[Floats, Floats]:
        """Of each positive row the share of negatives below it, of each negative row the share of positives above it."""
        ones, ranks = self.truth == 1, rankdata(scores)
        below, above = (ranks[side] - rankdata(scores[side]) for side in (ones, ~ones))
        return below / np.count_nonzero(~ones), 1 - above / np.count_nonzero(ones)


def _halves(model: Model, table: pd.DataFrame, size: int) -> tuple[_Half, _Half] | None:
    """Two halves of the rows whose outcome is known, fewer of them for a model that is slow; None if they are too few."""
    outcome = read_outcome(table, model.schema)
    calls = PASSES * sum(min(len(numbers), MOST_LEVELS) + 3 for numbers in model.codes.values())
    most = int(np.clip(WORK / (calls * size / 1000), 4 * FEWEST, MOST))
    rows = np.random.default_rng(0).permutation(len(outcome.truth))[: 2 * most]
    if len(rows) < 2 * FEWEST:
        return None
    known, ready = np.flatnonzero(outcome.known), model.schema.prepare(table)
    natural = {name: _natural(model.schema[name], ready[name]) for name in model.codes}
    made = []
    for part in (np.sort(rows[::2]), np.sort(rows[1::2])):
        truth = outcome.truth[part]
        if np.ptp(truth) == 0:
            return None
        made.append(_Half(model, ready.iloc[known[part]], truth, outcome.task, natural))
    return made[0], made[1]


def _natural(column: Column, values: pd.Series[Any]) -> dict[Way, Numbers]:
    gaps = (MISSING,) if MISSING in column.levels else ()
    return {
        (order, start, i): in_order(column, counted, start, missing)
        for order, levels in natural_orders(column, values).items()
        for start in (0, 1)
        for i, (counted, missing) in enumerate(
            (((*levels, *gaps), None), ((*gaps, *levels), None), (levels, None), (levels, -1.0))
        )
    }


def _best(rows: _Half) -> Codes:
    """Codes that fit the rows best, column after column, starting from the best order that all columns may share."""
    codes, best = rows.model.codes, rows.fit(rows.scores({}))
    for shared in _shared(rows):
        fit = rows.fit(rows.scores(shared))
        if fit > best:
            codes, best = {**codes, **shared}, fit
    for _ in range(PASSES):
        before = best
        for name in codes:
            numbers, fit = _best_of_column(rows, codes, name)
            if fit > best:
                codes, best = {**codes, name: numbers}, fit
        if best < before + CLOSE:
            break
    return codes


def _shared(rows: _Half) -> list[Codes]:
    """One way of counting for all columns of words, as when one encoder made them all. No two are the same."""
    words = [name for name in rows.natural if numeric_levels(rows.model.schema[name]) is None]
    made: list[Codes] = []
    for way in rows.natural[words[0]] if words else ():
        codes = {name: rows.natural[name][way] for name in words}
        made += [] if codes in made else [codes]
    return made


def _candidates(rows: _Half, name: str) -> list[Numbers]:
    """The natural codes of a column, each once."""
    made: list[Numbers] = []
    for numbers in rows.natural[name].values():
        made += [] if numbers in made else [numbers]
    return made


def _best_of_column(rows: _Half, codes: Codes, name: str) -> tuple[Numbers, float]:
    """The best codes of one column while all others stay."""
    column, candidates = rows.model.schema[name], _candidates(rows, name)
    levels = list(map(str, column.levels))
    if len(levels) > MOST_LEVELS or numeric_levels(column) is not None:
        fits = [rows.fit(rows.scores({**codes, name: numbers})) for numbers in candidates]
        return candidates[int(np.argmax(fits))], max(fits)
    # Every row's score under every number: with them, any order of this column is looked up instead of asked for.
    every = list(dict.fromkeys(number for numbers in (codes[name], *candidates) for number in numbers.values()))
    asked = [rows.scores({**codes, name: dict.fromkeys(levels, number)}) for number in every]
    table = np.column_stack([np.full(len(rows.truth), np.nan) if answer is None else answer for answer in asked])
    place, everybody = rows.ready[name].cat.codes.to_numpy(), np.arange(len(rows.truth))
    cost = np.array([np.bincount(place, rows.losses(table[:, j]), len(levels)) for j in range(len(every))]).T
    candidates += [_assigned(cost, codes[name], levels, every, start) for start in (0, 1)]
    fits = [
        rows.fit(table[everybody, np.array([every.index(numbers[level]) for level in levels])[place]]) for numbers in candidates
    ]
    return candidates[int(np.argmax(fits))], max(fits)


def _assigned(cost: Floats, now: Numbers, levels: list[str], every: list[float | None], start: int) -> Numbers:
    """The numbers from `start` on, a different one for each level, that cost least: an assignment problem.

    `cost` has, for each level and number, the losses of the level's rows together.
    """
    cost = np.where(np.isfinite(cost), cost, 1e12)
    count = sum(level != MISSING for level in levels)
    for i, level in enumerate(levels):
        for j, number in enumerate(every):
            counted = number is not None and start <= number < start + count
            cost[i, j] += 1e-6 * (number != now[level])  # no reason, no change
            cost[i, j] += 1e12 * (not counted and level != MISSING)
    chosen = linear_sum_assignment(cost)[1]
    return {level: every[j] for level, j in zip(levels, chosen, strict=True)}


def _simple(rows: _Half, found: Codes) -> Codes:
    """Codes as natural, and changes as few, as fit about as well."""
    floor = rows.fit(rows.scores(found)) - CLOSE
    fits = {rows.fit(rows.scores(codes)): codes for codes in reversed(_shared(rows))}
    if fits and max(fits) >= floor:
        return {**rows.model.codes, **fits[max(fits)]}
    for name in found:
        for numbers in (rows.model.codes[name], *_candidates(rows, name)):
            if numbers == found[name]:
                break
            if rows.fit(rows.scores({**found, name: numbers})) >= floor:
                found = {**found, name: numbers}
                break
    return found
