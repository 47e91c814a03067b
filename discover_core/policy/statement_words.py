"""An audit's statement for whoever applies the policy: distances as the typical move of a feature or a score, not squared."""

from __future__ import annotations

import math

from ..problem.amounts import amount, amount_above
from .audit import Audit, Claim
from .ground import Ground


def statement_words(audit: Audit, ground: Ground) -> str:
    """All of it, to be read aloud."""
    bounds = ground.known.bounds
    allowed = amount(ground.typical_move(bounds.u_x))
    weighed = ", times the features’ weights" if any(rule.weight != 1 for rule in ground.known.actions) else ""
    moves = (
        f"With the same confidence such people’s typical move per feature would be at most {_typical(ground, audit.inputs)} "
        f"standard deviations{weighed}, {_fits(audit.inputs, bounds.u_x)} the {allowed} allowed."
    )
    gaps = audit.outputs.sentence
    if math.isfinite(audit.outputs.limit):
        gaps = (
            f"With the same confidence their scores would typically be at most {amount_above(math.sqrt(audit.outputs.limit))} "
            f"from the wished ones, {_fits(audit.outputs, bounds.u_y)} the {amount(math.sqrt(bounds.u_y))} allowed."
        )
    return f"{audit.share.sentence} {audit.people.sentence} {moves} {gaps} Typical means the root of the mean square."


def _typical(ground: Ground, claim: Claim) -> str:
    return amount_above(ground.typical_move(claim.limit))


def _fits(claim: Claim, bound: float) -> str:
    return "within" if claim.limit <= bound else "more than"
