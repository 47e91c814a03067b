"""What else a certificate's numbers say: of these very rows, and of how sure each side is by itself."""

from __future__ import annotations

import math

from ..problem.amounts import amount
from .statement import Certificate, percent_below


def certificate_details(certificate: Certificate) -> tuple[str, ...]:
    """A sentence on how far the rows as proposed are from the population, and one on P of each side."""
    return (_population(certificate), _each_side(certificate))


def _population(certificate: Certificate) -> str:
    bounds = certificate.bounds
    if bounds.band == "bootstrap" or math.isinf(certificate.ucl_population):
        return ""
    middle = f", in the middle {100 * (1 - 2 * bounds.delta):.0f}%" if bounds.delta else ""
    return (
        f"These rows, as proposed and however they were found, are within {amount(certificate.ucl_population)} of the people the "
        f"group was drawn from{middle} (with {100 * (1 - bounds.alpha / 2):.4g}% confidence; squared, as the input bound is)."
    )


def _each_side(certificate: Certificate) -> str:
    sides = (("inputs", certificate.achieved_x), ("outputs", certificate.achieved_y))
    said = [f"for the {name} {percent_below(sure)}" for name, sure in sides if sure is not None]
    if not said:
        return ""
    only = (
        " That is only where the bands of so few people become infinite: it tells how large the group is, not how good the "
        "answer."
    )
    return f"The most confidence at which each limit still holds: {' and '.join(said)}.{only if certificate.size_limited else ''}"
