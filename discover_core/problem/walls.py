"""Actionability made concrete: for every cell of the factual rows, the values it may take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from ..table.schema import MISSING, Column, Schema
from ..table.values import decimals_of
from .actionability import Actionability, Allowed

Values = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]
SLACK = 1e-9  # of a step: what rounding may move a point of the grid


@dataclass(frozen=True, eq=False)
class Walls:
    """What each cell may become. Directions count from the factual row: the person as they are, not the current iterate.

    A numeric cell may take its factual value or a value from `low` to `high` on the grid `anchor` + whole multiples of
    `step` (NaN: no grid); both ends are admissible themselves, and both are the factual value where nothing else is.
    A factual value outside the limits may stay: limits bind only what is changed. `levels[name]` says by row which
    categories a categorical cell may take: the factual one always, "(missing)" never anew, and in a direction only those
    further along the column's order, in which a category outside the order has no place. `open` tells the cells that can
    change at all.
    Columns are the schema's features in their order; `factual` holds numbers and, for categories, their codes.
    """

    columns: tuple[Column, ...]
    factual: Values
    low: Values
    high: Values
    step: Values
    anchor: Values
    levels: dict[str, Mask]
    open: Mask

    @classmethod
    def build(cls, factual: pd.DataFrame, schema: Schema, actions: Actionability, ranges: dict[str, tuple[float, float]]) -> Self:
        """From prepared rows. `ranges` bounds the new values of each numeric feature."""
        columns = schema.features
        n, p = len(factual), len(columns)
        now, low, high = np.empty((n, p)), np.full((n, p), np.nan), np.full((n, p), np.nan)
        step, anchor = np.full(p, np.nan), np.full(p, np.nan)
        levels: dict[str, Mask] = {}
        can_change = np.zeros((n, p), dtype=bool)
        for j, column in enumerate(columns):
            rule = actions[column.name]
            if column.categorical:
                now[:, j] = factual[column.name].cat.codes
                levels[column.name] = _levels(now[:, j].astype(np.int64), column, rule)
                can_change[:, j] = levels[column.name].sum(axis=1) > 1
            else:
                now[:, j] = factual[column.name]
                step[j], anchor[j] = _grid(column, rule)
                low[:, j], high[:, j] = _limits(now[:, j], rule, *ranges[column.name], step[j], anchor[j])
                can_change[:, j] = (low[:, j] != now[:, j]) | (high[:, j] != now[:, j])
        return cls(columns, now, low, high, step, anchor, levels, can_change)

    def without(self, people: Mask) -> Self:
        """The same, but these people stay as they are."""
        if not people.any():
            return self
        low, high = (np.where(people[:, None] & ~np.isnan(end), self.factual, end) for end in (self.low, self.high))
        levels = {}
        for j, column in enumerate(self.columns):
            if column.categorical:
                own = self.factual[:, j][:, None] == np.arange(len(column.levels))
                levels[column.name] = np.where(people[:, None], own, self.levels[column.name])
        return replace(self, low=low, high=high, levels=levels, open=self.open & ~people[:, None])

    def project(self, name: str, rows: ArrayLike, values: ArrayLike) -> Values:
        """The admissible number nearest to each value, for the rows of the same (or broadcastable) shape."""
        j = self._place(name)
        at, wish = np.broadcast_arrays(np.asarray(rows, dtype=np.int64), np.asarray(values, dtype=np.float64))
        inside = np.clip(wish, self.low[at, j], self.high[at, j])
        if not np.isnan(self.step[j]):
            inside = _point(np.rint((inside - self.anchor[j]) / self.step[j]), self.step[j], self.anchor[j])
            inside = np.clip(inside, self.low[at, j], self.high[at, j])
        now = self.factual[at, j]
        return np.asarray(np.where(np.abs(now - wish) <= np.abs(inside - wish), now, inside))

    def violations(self, table: pd.DataFrame) -> list[str]:
        """One sentence for every cell of a prepared table of the same rows that crosses a wall."""
        if len(table) != len(self.factual):
            raise InputError(f"There are {len(table):,} rows, but the walls are those of {len(self.factual):,} rows.")
        said: list[str] = []
        for j, column in enumerate(self.columns):
            crossed = np.flatnonzero(~self._admissible(j, table[column.name]))
            cells = table[column.name].to_numpy()
            said += [f"Row {i + 1}: “{column.name}” may not become {cells[i]}." for i in crossed]
        return said

    def _admissible(self, j: int, cells: pd.Series[Any]) -> Mask:
        column, now = self.columns[j], self.factual[:, j]
        if column.categorical:
            codes = cells.cat.codes.to_numpy()
            return np.asarray((codes >= 0) & self.levels[column.name][np.arange(len(codes)), codes])
        values: Values = cells.to_numpy(dtype=np.float64)
        inside: Mask = (values >= self.low[:, j]) & (values <= self.high[:, j])
        if not np.isnan(self.step[j]):
            steps = (values - self.anchor[j]) / self.step[j]
            inside &= np.abs(steps - np.rint(steps)) <= 1e-6
        return np.asarray(inside | (values == now))

    def _place(self, name: str) -> int:
        return next(j for j, column in enumerate(self.columns) if column.name == name)


def _levels(codes: Indices, column: Column, rule: Allowed) -> Mask:
    own = codes[:, None] == np.arange(len(column.levels))
    if rule.mode == "locked":
        return np.asarray(own)
    admitted = np.array([level != MISSING and (not rule.levels or level in rule.levels) for level in column.levels])
    allowed = np.broadcast_to(admitted, own.shape)
    if rule.mode != "free":
        places = {level: float(place) for place, level in enumerate(column.ranking)}
        ranks = np.array([places.get(level, np.nan) for level in column.levels])  # outside the order nothing is above or below
        here = ranks[codes][:, None]
        allowed = allowed & (ranks > here if rule.mode == "increase" else ranks < here)
    return np.asarray(allowed | own)


def _grid(column: Column, rule: Allowed) -> tuple[float, float]:
    """Step and anchor. A step of the user's counts from the user's lower limit, the column's from its lowest value."""
    low = float(column.low or 0)
    if rule.step is None:
        return (np.nan if column.step is None else float(column.step)), low
    anchor = low if rule.low is None else float(rule.low)
    return float(rule.step), float(np.ceil(anchor)) if column.integer else anchor


def _limits(now: Values, rule: Allowed, low: float, high: float, step: float, anchor: float) -> tuple[Values, Values]:
    """The lowest and highest admissible new value by row; the factual value twice where there is none."""
    if rule.mode == "locked":
        return now.copy(), now.copy()
    least = np.maximum(now, low) if rule.mode == "increase" else np.full(len(now), low)
    most = np.minimum(now, high) if rule.mode == "decrease" else np.full(len(now), high)
    if not np.isnan(step):
        first = _point(np.ceil((least - anchor) / step - SLACK), step, anchor)
        last = _point(np.floor((most - anchor) / step + SLACK), step, anchor)
        least, most = np.maximum(first, least), np.minimum(last, most)
    empty = least > most
    return np.where(empty, now, least), np.where(empty, now, most)


def _point(k: Values, step: float, anchor: float) -> Values:
    """The k-th point of the grid, without the dust that binary fractions leave."""
    points = anchor + k * step
    places = (decimals_of(step), decimals_of(anchor))
    return points if None in places else np.round(points, max(p for p in places if p is not None))
