"""What each further person brings: the plan of a run cut off after so many people, in the order in which they are helped."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..problem.target import Target
from .cells import Cells
from .place import Edit

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
POINTS, FEWEST, NUMBERS = 500, 50, 5_000_000  # places of the curve, fewer for very many people


class HelpedOrder:
    """Since when each person differs from how they were, kept up as edits come."""

    def __init__(self, factual: Cells) -> None:
        self._factual = factual
        self._since = np.full(len(factual), -1, dtype=np.int64)
        self._next = 0

    def add(self, edit: Edit | None) -> None:
        """Whoever comes back to how they were loses their place."""
        if edit is None:
            return
        differs = (edit.cells != self._factual[edit.rows]).any(axis=1)
        self._since[edit.rows[~differs]] = -1
        new = edit.rows[differs & (self._since[edit.rows] < 0)]
        self._since[new] = self._next + np.arange(len(new))
        self._next += len(new)

    def people(self) -> Indices:
        """Those who differ, in the order in which they were helped."""
        found = np.flatnonzero(self._since >= 0)
        return found[np.argsort(self._since[found], kind="stable")]


def helped_order(factual: Cells, edits: Iterable[Edit | None]) -> Indices:
    """Of a whole run, or of its first edits."""
    order = HelpedOrder(factual)
    for edit in edits:
        order.add(edit)
    return order.people()


def in_turn(
    target: Target, helped: Indices, effort: Floats, outputs: tuple[Floats, Floats], places: Indices | None = None
) -> Indices:
    """The order in which a smaller budget would help these people, whose outputs are given before and after.

    If the budget says who comes first, by everybody's `places`. Else, for a threshold, where everybody who gets past it counts
    the same, who needs least comes first, and who does not get there (or was there) last; towards a shape as the search went.
    """
    if places is not None:
        return helped[np.argsort(places[helped], kind="stable")]
    if target.past is None:
        return helped
    before, after = (target.past.right(one[helped]) for one in outputs)
    return helped[np.lexsort((effort[helped], before | ~after))]


def tradeoff(target: Target, before: Floats, after: Floats, effort: Floats, order: Indices, beyond: bool = True) -> pd.DataFrame:
    """After each person of the order (or at evenly spread places, if they are very many), the people and the effort so far, OT(y)
    and the share past the threshold; NaN where the target has none. The first line is nobody. With `beyond`, as of the bounds,
    OT(y) counts only what scores fall short of a threshold's target."""
    most = min(POINTS, max(FEWEST, NUMBERS // max(len(before), 1)))
    counts = np.unique(np.rint(np.linspace(0, len(order), min(len(order), most) + 1)).astype(np.int64))
    mean, spread = target.rank_moments(len(before))
    spent = np.concatenate([[0.0], np.cumsum(effort[order])])
    outputs, done, far, share, side = before.copy(), 0, [], [], target.wanted(beyond)
    for count in counts.tolist():
        outputs[order[done:count]] = after[order[done:count]]
        done = count
        off = np.sort(outputs) - mean
        if side is not None:
            off = np.maximum(off if side == "below" else -off, 0)
        far.append(float(np.mean(off**2 + spread)))
        share.append(math.nan if target.past is None else target.past.reached(outputs))
    return pd.DataFrame({"people": counts, "effort": spent[counts], "ot_y": far, "share": share})
