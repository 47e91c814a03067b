"""Algorithm 1 as a generator: one `Step` per iteration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..certificate.eta import balance, narrow
from ..certificate.limits import Limiter
from ..problem.bounds import Bounds
from ..problem.problem import Problem
from ..problem.settings import Settings
from ..table.encoding import Encoding
from ..transport.lines import Lines
from ..transport.slices import random_slices
from .cells import Layout
from .cone import Cone
from .fence import Fence
from .place import Edit, Place
from .selection import SELECTIONS
from .step import Step
from .strategies import STRATEGIES, View

Floats = NDArray[np.float64]
SLICES, PROPOSALS = 1, 2  # independent streams of one seed
MOVED = 1e-5  # of the first output distance: an iteration that lowers Q by less has not moved anything


def layout_of(problem: Problem, settings: Settings) -> Layout:
    """The geometry of a problem: scales from its reference table, weights from its actionability."""
    weights = {allowed.name: allowed.weight for allowed in problem.actions}
    return Layout(Encoding.fit(problem.reference, problem.schema, weights, settings.encoding))


def solve(problem: Problem, settings: Settings, place: Place | None = None, levels: Sequence[float] = ()) -> Iterator[Step]:
    """Yield the factual group, then one step per iteration until the budget, the stall rule or the wish to stop ends it.

    A `place` is gone on from: the steps after it are those that an uninterrupted run makes, to the bit. At each of the
    `levels` (values of alpha) the limits are reported, too. A model that fails raises InputError out of the generator;
    every step yielded before stays valid.
    """
    bounds = problem.bounds
    rng = np.random.default_rng([settings.seed, PROPOSALS])
    layout = layout_of(problem, settings)
    slices = random_slices(layout.encoding.width, bounds.slices, np.random.default_rng([settings.seed, SLICES]))
    factual = layout.cells(problem.factual)
    projected = slices @ layout.encode(factual).T
    goal = np.sort(projected, axis=1)
    mean, spread = problem.target.rank_moments(len(factual))
    inputs = Lines.of(projected, goal)
    outputs = Lines.of(problem.outputs[None], mean[None], spread[None])
    limiter = Limiter(bounds, goal, problem.target, problem.interval, settings.seed)
    cone = Cone.of(layout, Fence.of(problem), settings)
    strategy, select = STRATEGIES[settings.strategy](), SELECTIONS[settings.selection]

    current, interval = factual, (settings.l, settings.r)
    least = MOVED * float(outputs.impact.sum())
    editable = np.asarray(problem.walls.open.any(axis=1))  # a row that cannot change would hold its place among the k for ever
    scored, still, done = len(factual), 0, 0
    edit: Edit | None = None
    if place is None:
        ucl, others = _limits(limiter, levels, inputs, outputs)
        seen = {"iteration": 0, "interval": interval, "selected": np.empty(0, dtype=np.int64), "model_rows": scored}
        again = {"cells": current, "levels": others, "edit": edit, "still": still, "random": rng.bit_generator.state}
        step = _step(inputs, outputs, bounds, ucl, _weigh(bounds, ucl, inputs, outputs, interval), **seen, **again)
        yield step
        if _enough(settings, step.feasible, still):
            return
    else:
        done, scored, still, interval, ucl = place.iteration, place.model_rows, place.still, place.interval, place.ucl
        rng.bit_generator.state = dict(place.random)
        current = factual.copy()
        for edit in place.edits:
            current[edit.rows] = edit.cells
            inputs = inputs.edited(edit.rows, edit.projections.T)
            outputs = outputs.edited(edit.rows, edit.scores[None])
        others = _limits(limiter, levels, inputs, outputs)[1]
        if _enough(settings, ucl[0] <= bounds.u_x and ucl[1] <= bounds.u_y, still):
            return

    for iteration in range(done + 1, settings.iterations + 1):
        eta = _weigh(bounds, ucl, inputs, outputs, interval)
        interval = narrow(eta, interval, settings.kappa)
        impact = (1 - eta) * inputs.impact + eta * outputs.impact
        before = float(impact.sum())
        ranked = np.argsort(-impact, kind="stable")
        rows = ranked[editable[ranked]][: settings.k]
        pull = inputs.pull(rows).T @ slices
        view = View(current, factual, rows, pull, iteration / settings.iterations, cone, settings)
        block = strategy.propose(view, rng)
        scores = problem.score(layout.table(block.reshape(-1, layout.width))).reshape(block.shape[:2])
        scored += scores.size
        # the current iterate is candidate 0
        block = np.concatenate([current[rows][None], block])
        scores = np.concatenate([outputs.values[:, rows], scores])
        projections = layout.encode(block) @ slices.T
        best = select(inputs, outputs, rows, projections, scores, eta)
        edit = None
        if best.any():
            taken = np.arange(len(rows))
            edit = Edit(rows, block[best, taken], projections[best, taken], scores[best, taken])
            current = current.copy()
            current[rows] = edit.cells
            inputs = inputs.edited(rows, edit.projections.T)
            outputs = outputs.edited(rows, edit.scores[None])
            ucl, others = _limits(limiter, levels, inputs, outputs)
        after = (1 - eta) * float(inputs.impact.sum()) + eta * float(outputs.impact.sum())
        still = 0 if edit is not None and before - after > least else still + 1
        seen = {"iteration": iteration, "interval": interval, "selected": rows, "model_rows": scored}
        again = {"cells": current, "levels": others, "edit": edit, "still": still, "random": rng.bit_generator.state}
        step = _step(inputs, outputs, bounds, ucl, eta, q_before=before, **seen, **again)
        yield step
        if _enough(settings, step.feasible, still):
            return


def _limits(limiter: Limiter, levels: Sequence[float], inputs: Lines, outputs: Lines) -> tuple[tuple[float, float], Floats]:
    """Both limits at the bounds' own level, and at the others asked for."""
    found = limiter.at((limiter.bounds.alpha, *levels), inputs.ranked, outputs.ranked[0])
    return (float(found[0, 0]), float(found[0, 1])), found[1:]


def _enough(settings: Settings, feasible: bool, still: int) -> bool:
    """Whether a run ends before its budget does."""
    return (feasible and settings.stop_when_certified) or (settings.patience is not None and still >= settings.patience)


def _weigh(bounds: Bounds, ucl: tuple[float, float], inputs: Lines, outputs: Lines, interval: tuple[float, float]) -> float:
    """eta = l + p (r - l), with p from the gaps between bounds and limits.

    An infinite limit is so at every iterate, whatever the search does: there the distance itself is weighed.
    """
    far_x = ucl[0] if np.isfinite(ucl[0]) else float(inputs.impact.sum())
    far_y = ucl[1] if np.isfinite(ucl[1]) else float(outputs.impact.sum())
    share = balance(bounds.u_x - far_x, bounds.u_y - far_y)
    return interval[0] + share * (interval[1] - interval[0])


def _step(inputs: Lines, outputs: Lines, bounds: Bounds, ucl: tuple[float, float], eta: float, **seen: Any) -> Step:
    """What the sorted lines say about the iterate, beside what the loop has `seen`."""
    impact_x, impact_y = inputs.impact, outputs.impact
    impact = (1 - eta) * impact_x + eta * impact_y
    q = float(impact.sum())
    return Step(
        q=q,
        q_x=float(impact_x.sum()),
        q_y=float(impact_y.sum()),
        ucl_x=ucl[0],
        ucl_y=ucl[1],
        eta=eta,
        feasible=ucl[0] <= bounds.u_x and ucl[1] <= bounds.u_y,
        impact=impact,
        outputs=outputs.values[0],
        **{"q_before": q, **seen},
    )
