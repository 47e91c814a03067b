"""What a policy can promise of new people: three statements from people that nothing was learnt from."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..certificate.means import mean_limit
from ..certificate.outputs import output_limit
from ..certificate.shares import share_limit
from ..errors import InputError
from ..problem.amounts import amount, amount_above, percent, percent_above, percent_below
from ..problem.checks import number, whole
from ..problem.target import Target
from ..problem.wish import DUST, WAY, Wish
from .policy import Policy, Told
from .score_map import ScoreMap

Floats = NDArray[np.float64]
ORDER = 15_485_863  # seed of the order in which people are looked at, which must not depend on them
MAPPED = ("shift",)  # kinds of target, beside thresholds, that are a map of today's scores
FEWEST = 2
MOST = 24  # doublings of the number of people that are tried


@dataclass(frozen=True)
class Claim:
    """`estimate` is what the audit people show, `limit` what holds for such people with the confidence; `holds` says whether
    that is as good as was asked."""

    estimate: float
    limit: float
    holds: bool
    sentence: str


@dataclass(frozen=True)
class Audit:
    """Each statement alone is wrong with probability at most alpha/2, over the number of answers looked at.

    `share` is how many people have what was wished, at the least; `inputs` is how far people move, `outputs` how far their scores
    are from the wished ones, at the most, both squared as the bounds are; `people` is how many would have to change.
    """

    share: Claim
    inputs: Claim
    outputs: Claim
    people: Claim
    n: int
    alpha: float
    looks: int = 1

    @property
    def holds(self) -> bool:
        """Whether all three do."""
        return self.share.holds and self.inputs.holds and self.outputs.holds

    @property
    def sentence(self) -> str:
        """All of it, to be read aloud."""
        return " ".join(claim.sentence for claim in (self.share, self.people, self.inputs, self.outputs))


def audit(policy: Policy, audit_rows: pd.DataFrame, alpha: float = 0.05, looks: int = 1) -> Audit:
    """The three statements, from people who had no part in learning the policy.

    Whoever looks at several answers with the same people and keeps the best says so by `looks`: the risk is divided among them.
    """
    number("alpha", alpha, low=0, high=1, above=True, below=True)
    whole("looks", looks, 1)
    if len(audit_rows) < FEWEST:
        raise InputError("An audit needs at least two people whom nothing was learnt from.")
    return audit_told(policy, policy.told(audit_rows), alpha, looks)


def audit_told(policy: Policy, told: Told, alpha: float, looks: int = 1) -> Audit:
    """The same of people who have been told already."""
    level = alpha / (2 * looks)
    sure = f"With {_sure(level)} confidence"
    parts = (_share(policy, told, level, sure), _inputs(policy, told, level, sure), _outputs(policy, told, level, sure))
    return Audit(*parts, _people(told, level, sure), len(told.before), alpha, looks)


def _share(policy: Policy, told: Told, level: float, sure: str) -> Claim:
    n, past, target = len(told.before), policy.aim.wished.past, policy.ground.known.target
    before, after = _there(policy, told.scores, told.scores), _there(policy, told.scores, told.versions.scores)
    limit = share_limit(int(after.sum()), n, level)
    was = float(before.mean())
    asked = Wish.of(target, told.scores).asked if past is not None else was
    where = (
        f"score {past.words}" if past is not None else f"be within {amount(policy.aim.tolerance)} of the score wished for them"
    )
    said = f"{sure} at least {percent_below(limit)} of such people would {where} (before: {percent(was)})"
    if past is not None:
        said += f"; {percent(asked)} was asked, and {percent(float(after.mean()))} of the {n:,} audited people would"
    return Claim(float(after.mean()), limit, bool(limit >= wanted_share(was, asked)), said + ".")


def wanted_share(was: float, asked: float) -> float:
    """The share that has to be promised: nine tenths of the way, or what was asked where that is so today."""
    return min(asked, was + WAY * max(0.0, asked - was))


def _there(policy: Policy, before: Floats, scores: Floats) -> NDArray[np.bool_]:
    """Who has what was wished."""
    past = policy.aim.wished.past
    if past is not None:
        return past.right(scores)
    return np.asarray(np.abs(scores - policy.aim.wished(before)) <= policy.aim.tolerance + 1e-12)


def _inputs(policy: Policy, told: Told, level: float, sure: str) -> Claim:
    bound = policy.ground.known.bounds.u_x
    values = told.versions.effort**2 / policy.ground.efforts.width
    estimate, limit = float(values.mean()), mean_limit(_mixed(values), input_top(policy), level)
    fits = "within" if limit <= bound else "more than"
    typical, allowed = amount_above(policy.ground.typical_move(limit)), amount(policy.ground.typical_move(bound))
    moved = f"{sure} such people’s typical move per feature would be at most {typical} standard deviations (root mean square)"
    return Claim(estimate, limit, bool(limit <= bound), f"{moved}, {fits} the {allowed} allowed.")


def _outputs(policy: Policy, told: Told, level: float, sure: str) -> Claim:
    known = policy.ground.known
    bounds, target, after = known.bounds, known.target, told.versions.scores
    if target.past is not None or target.kind in MAPPED:
        values = policy.aim.wished.short(told.scores, after, bounds.beyond) ** 2
        top = policy.aim.wished.most_short(bounds.beyond) ** 2
        estimate = float(values.mean())
        limit = mean_limit(_mixed(values), top, level) if np.isfinite(top) else np.inf
    else:
        estimate = Wish.of(target, after).before ** 2
        limit = output_limit(after, target, level, known.interval, beyond=bounds.beyond)
    if not np.isfinite(limit):
        said = (
            "How far scores may be from the wished ones cannot be limited: the model does not say between which numbers they lie."
        )
        return Claim(estimate, limit, False, said)
    fits = "within" if limit <= bounds.u_y else "more than"
    near = f"{sure} their scores would be within {amount_above(limit)} of the wished ones (squared)"
    return Claim(estimate, limit, bool(limit <= bounds.u_y), f"{near}, {fits} the {amount(bounds.u_y)} allowed.")


def _people(told: Told, level: float, sure: str) -> Claim:
    n, count = len(told.before), int(told.changed.sum())
    limit = share_limit(count, n, level, "upper")
    most = f"at most {percent_above(limit)} {sure[0].lower()}{sure[1:]}"
    return Claim(count / n, limit, True, f"About {percent(count / n)} of such people would have to change, {most}.")


def input_top(policy: Policy) -> float:
    """The most that one person's move can be in the mean: the cap on effort, squared, over the dimension."""
    return (policy.ground.cap * (1 + 1e-9)) ** 2 / policy.ground.efforts.width


def _mixed(values: Floats) -> Floats:
    """In an order that has nothing to do with the people: a table may be sorted."""
    return values[np.random.default_rng(ORDER).permutation(len(values))]


def _sure(level: float) -> str:
    return f"{100 * (1 - level):.4f}".rstrip("0").rstrip(".") + "%"


def people_enough(reached: float, wanted: float, level: float) -> int | None:
    """How many audited people promise the wanted share if such a share of them reaches it; None if no number does."""
    if reached <= wanted:
        return 1 if wanted <= 0 else None

    def promised(n: int) -> bool:
        return share_limit(math.floor(reached * n + DUST), n, level) >= wanted

    most = next((n for n in (2**power for power in range(MOST)) if promised(n)), None)
    return None if most is None else bisect_left(range(most), True, lo=most // 2, key=promised)


def finest(n: int, top: float, level: float) -> float:
    """The least limit on a mean that n people can show, when nobody moves at all: what is smaller cannot be told from it."""
    return mean_limit(np.zeros(n), top, level)


def finest_outputs(
    n: int, scores: Floats, target: Target, interval: tuple[float, float] | None, level: float, beyond: bool = True
) -> float:
    """The least limit on the outputs that n people can show, when every score is as wished, where people score so today;
    infinite if scores have no ends."""
    if target.past is None and target.kind not in MAPPED:
        return output_limit(target.rank_moments(n)[0], target, level, interval, beyond=beyond)
    most = ScoreMap.of(scores, target, interval).most_short(beyond)
    return finest(n, most**2, level) if math.isfinite(most) else math.inf
