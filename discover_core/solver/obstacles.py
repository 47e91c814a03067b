"""What stands in the way of a certificate before any search has begun, and the least that would help."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ..certificate.bands import Pieces, half_width, rows_needed
from ..certificate.exact import exact_limit
from ..certificate.statement import impossible
from ..problem.amounts import amount
from ..problem.bounds import Bounds
from ..problem.target import Target
from .advice import Advice, Ground, round_up, thinned

RANKS, LINES = 500, 500  # quantiles that stand for a large group, and slices for very many, while other sizes are tried
WIDEST = 0.45  # more trimming than this leaves nothing to speak of
Floor = Callable[[float, float], float]


def obstacles(ground: Ground, advice: Advice, target: Target, bounds: Bounds, interval: tuple[float, float] | None) -> list[str]:
    """Sentences, none if a certificate can be had as far as the size of the group goes.

    Other sizes are judged as if a larger group had the same quantiles.
    """
    found = []
    if math.isinf(advice.floor_x):
        said = impossible(bounds, advice.n)
        found.append(f"{said[0].upper()}{said[1:-1]}. The bootstrap band has a limit at every size, but is no guarantee.")
    elif bounds.u_x < advice.floor_x:
        found.append(_input_sentence(ground, advice, bounds))
    if math.isinf(advice.floor_y):
        least = f"at least {rows_needed(bounds.delta, _beta(target, bounds)):,} people" if bounds.delta else "some trimming"
        found.append(f"With {advice.n:,} people the output limit is infinite; it needs {least}.")
    elif bounds.u_y < advice.floor_y:
        found.append(_output_sentence(advice, target, bounds, interval))
    return found


def _input_sentence(ground: Ground, advice: Advice, bounds: Bounds) -> str:
    n, u_x = advice.n, bounds.u_x
    ways = [f"a U_x of {amount(round_up(advice.floor_x))}"]
    if bounds.band == "bootstrap":
        ways.append(f"about {math.ceil(n * advice.floor_x / u_x):,} people")
    else:
        lines = thinned(ground.factual[:LINES], RANKS)
        rows = lines.shape[1]

        def floor(eps: float, delta: float) -> float:
            return float(np.mean(Pieces.cut(rows, eps, rows, eps, delta).limit(lines, lines)))

        eps = _widest(floor, bounds.delta, u_x, half_width(n, bounds.alpha / (4 * bounds.slices)))
        ways += _people(eps, bounds.alpha / (4 * bounds.slices))
        most = math.floor(bounds.alpha / 8 * math.exp(min(2 * n * eps * eps, 50.0)))
        ways += [f"at most {most:,} {'slice' if most == 1 else 'slices'}"] if 1 <= most < bounds.slices else []
        ways += _trimming(floor, half_width(n, bounds.alpha / (4 * bounds.slices)), bounds.delta, u_x)
    least = f"Even if nobody changes, the input limit is {amount(advice.floor_x)}, above your U_x of {amount(u_x)}."
    return f"{least} It takes {_either(ways)}."


def _output_sentence(advice: Advice, target: Target, bounds: Bounds, interval: tuple[float, float] | None) -> str:
    n, u_y = advice.n, bounds.u_y
    ways = [f"a U_y of {amount(round_up(advice.floor_y))}"]
    if bounds.band == "bootstrap":
        ways.append(f"about {math.ceil(n * advice.floor_y / u_y):,} people")
    else:
        outputs = thinned(target.rank_moments(n)[0], RANKS)[None]
        goal = thinned(target.left, RANKS)[None]

        def floor(eps: float, delta: float) -> float:
            if target.size is None:
                return float(exact_limit(outputs, eps, target.knots, target.left, target.right, delta, interval)[0])
            pieces = Pieces.cut(outputs.shape[1], eps, goal.shape[1], 0.0 if target.exact else eps, delta)
            return float(pieces.limit(outputs, goal, interval, target.wanted(bounds.beyond))[0])

        beta = _beta(target, bounds)
        ways += _people(_widest(floor, bounds.delta, u_y, half_width(n, beta)), beta)
        ways += _trimming(floor, half_width(n, beta), bounds.delta, u_y)
    return (
        f"Even if the outputs matched the target as well as {n:,} people can, the output limit would be "
        f"{amount(advice.floor_y)}, above your U_y of {amount(u_y)}. It takes {_either(ways)}."
    )


def _beta(target: Target, bounds: Bounds) -> float:
    return bounds.alpha / (2 if target.exact else 4)


def _widest(floor: Floor, delta: float, bound: float, eps: float) -> float:
    """The widest band, narrower than eps, whose floor keeps the bound: by bisection, since wider bands have higher floors."""
    low, high = 0.0, eps
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (middle, high) if floor(middle, delta) <= bound else (low, middle)
    return low


def _people(eps: float, beta: float) -> list[str]:
    """How many rows have so narrow a band; none that anybody could gather if it is all but a line."""
    return [f"about {rows_needed(eps, beta):,} people"] if eps > 1e-4 else []


def _trimming(floor: Floor, eps: float, delta: float, bound: float) -> list[str]:
    """The least trimming, in whole percent, whose floor keeps the bound."""
    tried = (percent / 100 for percent in range(math.floor(100 * delta + 1), round(100 * WIDEST) + 1))
    enough = next((trim for trim in tried if floor(eps, trim) <= bound), None)
    return [] if enough is None else [f"a trimming of {100 * enough:.0f}%"]


def _either(ways: list[str]) -> str:
    return f"{', '.join(ways[:-1])} or {ways[-1]}" if len(ways) > 1 else ways[0]
