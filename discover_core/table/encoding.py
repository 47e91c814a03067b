"""The encoding into R^d: where the geometry of the transport lives (docs/method.md, "Encoding")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..errors import InputError
from .prepare import level_type
from .schema import Column, Schema
from .values import grid_of, on_grid

Points = NDArray[np.float64]
ONE_HOT = 1 / np.sqrt(2)  # so that any switch of a category has length 1


@dataclass(frozen=True)
class Block:
    """The coordinates of one feature: `start` to `stop` of the encoded vector.

    A standardised feature has centre and scale; a one-hot feature has neither. `known` holds the reference's own values
    of a continuous feature, so that decoding returns them to the last bit.
    """

    column: Column
    start: int
    stop: int
    one_hot: bool
    centre: float
    scale: float
    weight: float
    known: Points | None = None


@dataclass(frozen=True)
class Encoding:
    """Numeric and ordinal features standardised by the reference table, nominal ones one-hot over sqrt 2, times a weight."""

    blocks: tuple[Block, ...]

    @classmethod
    def fit(
        cls,
        reference: pd.DataFrame,
        schema: Schema,
        weights: Mapping[str, float] | None = None,
        encoding: Literal["onehot", "label"] = "onehot",
    ) -> Self:
        """Scales from the reference table. `encoding="label"` gives nominal levels the order of their codes."""
        if encoding not in ("onehot", "label"):
            raise InputError(f"There is no encoding “{encoding}”: use onehot or label.")
        weights = dict(weights or {})
        unknown = set(weights) - set(schema.feature_names)
        if unknown:
            raise InputError(f"A weight is given for “{min(unknown)}”, which is not a feature of the table.")
        blocks: list[Block] = []
        at = 0
        for column in schema.features:
            weight = float(weights.get(column.name, 1.0))
            if not (np.isfinite(weight) and weight > 0):
                raise InputError(f"The weight of “{column.name}” must be a number above 0.")
            one_hot = column.role == "nominal" and encoding == "onehot"
            width = len(column.levels) if one_hot else 1
            centre, scale, known = (0.0, 1.0, None) if one_hot else _spread(reference[column.name], column)
            blocks.append(Block(column, at, at + width, one_hot, centre, scale, weight, known))
            at += width
        return cls(tuple(blocks))

    @classmethod
    def from_scales(
        cls, schema: Schema, centre: Points, scale: Points, weights: Mapping[str, float], encoding: Literal["onehot", "label"]
    ) -> Self:
        """The encoding with these centres and scales, one per feature. It cannot decode values off a grid to the last bit."""
        blocks: list[Block] = []
        at = 0
        for j, column in enumerate(schema.features):
            one_hot = column.role == "nominal" and encoding == "onehot"
            stop = at + (len(column.levels) if one_hot else 1)
            blocks.append(
                Block(column, at, stop, one_hot, float(centre[j]), float(scale[j]), float(weights.get(column.name, 1.0)))
            )
            at = stop
        return cls(tuple(blocks))

    @property
    def width(self) -> int:
        return self.blocks[-1].stop if self.blocks else 0

    def encode(self, table: pd.DataFrame) -> Points:
        """One row of R^d per row of a prepared table."""
        points = np.zeros((len(table), self.width))
        rows = np.arange(len(table))
        for block in self.blocks:
            series = table[block.column.name]
            if block.one_hot:
                points[rows, block.start + _codes(series, block.column)] = ONE_HOT * block.weight
                continue
            values = _codes(series, block.column) if block.column.categorical else series.to_numpy(dtype=np.float64)
            points[:, block.start] = (values - block.centre) / block.scale * block.weight
        return points

    def decode(self, points: Points) -> pd.DataFrame:
        """The prepared table whose rows lie nearest to the points; the inverse of `encode` on the schema's values."""
        out: dict[str, Any] = {}
        for block in self.blocks:
            column = block.column
            part = points[:, block.start : block.stop]
            if block.one_hot:
                out[column.name] = pd.Categorical.from_codes(part.argmax(axis=1), dtype=level_type(column))
                continue
            values = part[:, 0] / block.weight * block.scale + block.centre
            if column.categorical:
                codes = np.clip(np.rint(values), 0, len(column.levels) - 1).astype(np.int64)
                out[column.name] = pd.Categorical.from_codes(codes, dtype=level_type(column))
            else:
                out[column.name] = _snap(values, block)
        return pd.DataFrame(out)


def _codes(series: pd.Series[Any], column: Column) -> NDArray[np.int64]:
    codes = series.cat.codes.to_numpy().astype(np.int64)
    if (codes < 0).any():
        raise InputError(f"Column “{column.name}” has a value outside its categories: prepare the table with its schema first.")
    return codes


def _spread(series: pd.Series[Any], column: Column) -> tuple[float, float, Points | None]:
    """Mean and standard deviation of the reference; a feature that never varies keeps its own unit."""
    values = _codes(series, column).astype(np.float64) if column.categorical else series.to_numpy(dtype=np.float64)
    scale = float(values.std())
    known = np.unique(values) if column.role == "numeric" and grid_of(column) is None else None
    return float(values.mean()), scale if np.isfinite(scale) and scale > 0 else 1.0, known


def _snap(values: Points, block: Block) -> Any:
    """Undo rounding: onto the column's grid, or onto a value of the reference that is a few ulps away."""
    if grid_of(block.column) is not None:
        snapped = on_grid(values, block.column)
        return snapped.astype(np.int64) if block.column.integer else snapped
    known = block.known
    if known is None or not len(known):
        return values
    at = np.clip(np.searchsorted(known, values), 1, max(len(known) - 1, 1))
    below, above = known[at - 1], known[np.minimum(at, len(known) - 1)]
    nearest = np.where(np.abs(values - below) <= np.abs(above - values), below, above)
    tolerance = 8 * np.finfo(np.float64).eps * (abs(block.centre) + block.scale + np.abs(values))
    return np.where(np.abs(values - nearest) <= tolerance, nearest, values)
