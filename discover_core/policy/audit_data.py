"""An audit's statement as plain values, in policies' files and in stored summaries."""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from typing import Any

from ..scenario.json_schema import build, plain
from .audit import Audit

ENDLESS = ("inputs", "outputs")  # distances, whose limits may be infinite, and are null then; the other limits are shares


def audit_to_dict(audit: Audit) -> dict[str, Any]:
    data: dict[str, Any] = plain(asdict(audit))
    return data


def audit_from_dict(data: Any) -> Audit:
    """Every part is checked."""
    endless = [name for name in ENDLESS if isinstance(data, dict) and _endless(data.get(name))]
    finite = {**data, **{name: {**data[name], "limit": 0} for name in endless}} if endless else data
    audit = build(Audit, finite, "audit")
    return replace(audit, **{name: replace(getattr(audit, name), limit=math.inf) for name in endless})


def _endless(claim: Any) -> bool:
    return isinstance(claim, dict) and claim.get("limit", 0) is None
