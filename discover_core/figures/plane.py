"""Where arrows are drawn: over two features, or over the two directions in which people differ most."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..errors import InputError
from ..table.schema import Column, Schema
from .cells import heading, numbers, short, value_text
from .text import percent, plain

JITTER = 0.3  # of the way to the next category
TICKS = 30  # categories named on an axis
FITTED = 20_000  # people who decide the axes of a projection; of a larger group so many are drawn
LINE, LINES = 40, 3  # letters of an axis title's line, as many as stand beside a low plot, and how many lines it may have
Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Encoded = tuple[Floats, Floats]


@dataclass(frozen=True, eq=False)
class Plane:
    """Everybody's place before and after, `[person, axis]`, what the axes are called, and what a caption says of them."""

    start: Floats
    end: Floats
    titles: tuple[str, str]
    columns: tuple[Column, ...]  # the two features, or none of a projection
    words: tuple[str, ...] = ()

    def axis(self, at: int) -> dict[str, Any]:
        """One of the two as Plotly wants it."""
        axis: dict[str, Any] = {"title": {"text": _lines(self.titles[at])}}
        if not self.columns or not self.columns[at].categorical:
            return axis
        column = self.columns[at]
        last = len(column.levels) - 1
        named = np.unique(np.linspace(0, last, min(last + 1, TICKS)).astype(np.int64))
        texts = [short(value_text(column, code)) for code in named]
        return axis | {"tickvals": named, "ticktext": texts, "range": [-0.5, last + 0.5]}


def plane_of(
    before: pd.DataFrame, after: pd.DataFrame, schema: Schema, x: str | None, y: str | None, points: Encoded | None
) -> Plane:
    """Over the features x and y, or over the first two principal axes of `points`, the encoded group before and after."""
    if x is None and y is None and points is not None:
        return _projection(*points, schema)
    if x is None or y is None:
        raise InputError("Arrows need two features: choose both, or none for an overview of all features.")
    columns = schema[x], schema[y]
    shift = np.random.default_rng(1).uniform(-JITTER, JITTER, (len(before), 2))
    shift *= [column.categorical for column in columns]  # the same before and after: who keeps a category keeps the place
    start, end = (np.column_stack([numbers(table[c.name], c) for c in columns]) + shift for table in (before, after))
    return Plane(start, end, (heading(columns[0]), heading(columns[1])), columns)


def _projection(was: Floats, now: Floats, schema: Schema) -> Plane:
    """Both on the two directions in which the group differs most before; a group without differences: before and after."""
    fitted = was if len(was) > 2 and np.ptp(was, axis=0).any() else np.vstack([was, now])
    if len(fitted) > FITTED:
        fitted = fitted[np.sort(np.random.default_rng(2).choice(len(fitted), FITTED, replace=False))]
    directions = np.zeros((2, was.shape[1]))
    if len(fitted) and np.ptp(fitted, axis=0).any():
        from sklearn.decomposition import PCA

        count = min(2, *fitted.shape)
        directions[:count] = PCA(count, random_state=0).fit(fitted).components_
    centre = was.mean(axis=0) if len(was) else 0.0
    centred = was - centre
    start, end = centred @ directions.T, (now - centre) @ directions.T
    spread = float(np.vdot(centred, centred))
    share = (f"They show {percent(float(np.square(start).sum()) / spread)} of how people differ.",) if spread > 0 else ()
    across, up = (_mostly(direction, schema) for direction in directions)
    words = f"The axes are mixtures of features: across mostly {across}, up mostly {up}."
    return Plane(start, end, (f"mostly {across}", f"mostly {up}"), (), (words, *share))


def _lines(title: str) -> str:
    """An axis title in lines that fit beside the plot, safe in a figure; captions and files have it in full."""
    return "<br>".join(map(plain, textwrap.wrap(title, LINE, max_lines=LINES, placeholder=" …", break_on_hyphens=False)))


def _mostly(direction: Floats, schema: Schema) -> str:
    """The one to three features that weigh at least half as much as the heaviest."""
    widths = [len(c.levels) if c.role == "nominal" else 1 for c in schema.features]
    if sum(widths) != len(direction):  # label encoding: one coordinate per feature
        widths = [1] * len(schema.features)
    owner = np.repeat(np.arange(len(widths)), widths)
    weights = np.sqrt(np.bincount(owner, weights=direction**2, minlength=len(widths)))
    if not weights.any():
        return "nothing"
    order = np.argsort(-weights, kind="stable")[:3]
    names = [schema.feature_names[j] for j in order if weights[j] >= 0.5 * weights[order[0]]]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
