"""What the limits mean, in numbers and in one sentence."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..problem.amounts import amount
from ..problem.bounds import Bounds
from .bands import half_width, rows_needed
from .confidence import confidence
from .limits import Limiter

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Certificate:
    """Both limits against both bounds. `achieved` is the largest confidence P at which both hold, None if there is none.

    `sentence` has the numbers, `plain` says it to people who never heard of them. `never` is why no change at all could have
    been certified: too few people, or bounds below what even the best answer shows. It is empty when one could.

    `achieved_x` and `achieved_y` are P of each side alone. With `size_limited`, P is only where a band leaves the sample.
    `ucl_population` limits, with confidence 1 - alpha/2, how far the rows as proposed, however they were found, are from
    the population the group was drawn from: trimmed, and along the slices.
    """

    certified: bool
    ucl_x: float
    ucl_y: float
    bounds: Bounds
    achieved: float | None
    sentence: str
    plain: str = ""
    never: str = ""
    ucl_population: float = math.inf
    achieved_x: float | None = None
    achieved_y: float | None = None
    size_limited: bool = False

    @property
    def guaranteed(self) -> bool:
        """Certified by a band that holds at every group size."""
        return self.certified and self.bounds.band != "bootstrap"


def certify(limiter: Limiter, inputs: Floats, outputs: Floats) -> Certificate:
    """The certificate of sorted projections `inputs[slice, rank]` and sorted `outputs`."""
    bounds = limiter.bounds
    ucl_x, ucl_y = limiter.limits(inputs, outputs)
    certified = ucl_x <= bounds.u_x and ucl_y <= bounds.u_y
    sure = confidence(limiter, inputs, outputs)
    never = "" if certified else _never(limiter, ucl_x, ucl_y)
    said = (_sentence(limiter, ucl_x, ucl_y, sure.both), _plain(bounds, ucl_x, ucl_y), never)
    population = limiter.factual_limit(inputs, bounds.alpha)
    alone = (sure.inputs, sure.outputs, sure.size_limited)
    return Certificate(certified, ucl_x, ucl_y, bounds, sure.both, *said, population, *alone)


def _plain(bounds: Bounds, ucl_x: float, ucl_y: float) -> str:
    ends = f"; the highest and lowest {100 * bounds.delta:.4g}% are not covered" if bounds.delta else ""
    sure = f"{100 * (1 - bounds.alpha):.4g}%"
    if ucl_x <= bounds.u_x and ucl_y <= bounds.u_y:
        what = "the group still looks like itself and its scores are as close to the target as you allowed"
        if bounds.band == "bootstrap":
            return f"By an approximation that is no guarantee, {what}{ends}."
        return f"We are {sure} sure that {what.replace(' and its', ' and that its')}{ends}."
    missed = [
        words
        for words, over in (
            ("the group may differ from itself by more than you allowed", ucl_x > bounds.u_x),
            ("its scores may be further from the target than you allowed", ucl_y > bounds.u_y),
        )
        if over
    ]
    return f"Not certified: at {sure} confidence {' and '.join(missed)}."


def _never(limiter: Limiter, ucl_x: float, ucl_y: float) -> str:
    """Why no answer could have been certified; empty when one could."""
    bounds, n = limiter.bounds, limiter.factual.shape[1]
    if math.isinf(ucl_x) or math.isinf(ucl_y):
        parts = 4 * bounds.slices if math.isinf(ucl_x) else 2 if limiter.target.exact else 4
        beta = bounds.alpha / parts
        more = f" (now {100 * bounds.delta:.4g}%)" if bounds.delta else ""
        wide = half_width(n, beta)
        ways = [f"at least {rows_needed(bounds.delta, beta):,} people"] if bounds.delta else []
        ways += [f"leaving out more than {100 * wide:.0f}% at each end{more}"] if wide < 0.45 else []
        return f"{n:,} people are too few to be sure. It takes {' or '.join(ways) or 'more people'}."
    floor_x, floor_y = limiter.limits(limiter.factual, limiter.target.rank_moments(n)[0])
    if ucl_x > bounds.u_x and floor_x > bounds.u_x:
        return f"even if nobody changed, the input limit would be {amount(floor_x)}, above the {amount(bounds.u_x)} allowed."
    if ucl_y > bounds.u_y and floor_y > bounds.u_y:
        allowed = amount(bounds.u_y)
        return f"even if every score were on target, the output limit would be {amount(floor_y)}, above the {allowed} allowed."
    return ""


def _sentence(limiter: Limiter, ucl_x: float, ucl_y: float, achieved: float | None) -> str:
    bounds = limiter.bounds
    middle = f"for the middle {100 * (1 - 2 * bounds.delta):.0f}% of the group" if bounds.delta else "for the whole group"
    if bounds.band == "bootstrap":
        how, kind = "by bootstrap, which is an approximation and no guarantee", "Holds"
    else:
        how, kind = "by a band that holds at every group size", "Certified"
    if ucl_x <= bounds.u_x and ucl_y <= bounds.u_y:
        sure = "" if achieved is None else f", and would still hold with confidence {percent_below(achieved)}"
        return (
            f"{kind} {middle} with confidence {100 * (1 - bounds.alpha / 2):.4g}% on each side {how}: "
            f"inputs within {amount(ucl_x)} (allowed {amount(bounds.u_x)}), outputs within {amount(ucl_y)} "
            f"(allowed {amount(bounds.u_y)}){sure}."
        )
    if math.isinf(ucl_x):
        return f"Not certified: {impossible(bounds, limiter.factual.shape[1])}"
    if math.isinf(ucl_y):
        return f"Not certified: {_impossible_output(limiter)}"
    missed = [
        f"the {side} limit {amount(ucl)} is above the {amount(allowed)} allowed by {amount(ucl - allowed)}"
        for side, ucl, allowed in (("input", ucl_x, bounds.u_x), ("output", ucl_y, bounds.u_y))
        if ucl > allowed
    ]
    return f"Not certified {middle}: {' and '.join(missed)}."


def percent_below(confidence: float) -> str:
    """Rounded down, and never certainty itself."""
    return "above 99.99%" if confidence >= 0.9999 else f"{math.floor(10_000 * confidence) / 100:.2f}%"


def impossible(bounds: Bounds, n: int) -> str:
    """Why the input limit is infinite, and the least group, trimming or number of slices that would make it finite."""
    beta = bounds.alpha / (4 * bounds.slices)
    wide = half_width(n, beta)
    ways = []
    if bounds.delta > 0:
        ways.append(f"at least {rows_needed(bounds.delta, beta):,} rows")
    if wide < 0.49:
        ways.append(f"a trimming above {wide:.3f}")
    most = math.floor(bounds.alpha / 8 * math.exp(2 * n * bounds.delta**2) - 1e-9) if n * bounds.delta**2 < 300 else bounds.slices
    if 1 <= most < bounds.slices:
        ways.append(f"at most {most:,} slices")
    return (
        f"with {n:,} rows, {bounds.slices:,} slices and a trimming of {bounds.delta:g} the input limit is infinite; "
        f"it needs {' or '.join(ways) or 'a looser confidence'}."
    )


def _impossible_output(limiter: Limiter) -> str:
    """The same for the output side, which has no slices but may have a short target, and is finite for bounded scores."""
    bounds, exact = limiter.bounds, limiter.target.exact
    least = (
        f"at least {rows_needed(bounds.delta, bounds.alpha / (2 if exact else 4)):,} " if bounds.delta > 0 else "a trimming for "
    )
    target = "an exact target" if exact else f"{limiter.target.size:,} target values"
    return (
        f"with {limiter.factual.shape[1]:,} rows, {target} and a trimming of {bounds.delta:g} the output limit is infinite; "
        f"it needs {least}"
        f"{'rows' if exact else 'rows and as many target values'}, or a model that says where its scores lie."
    )
