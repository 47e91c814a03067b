"""What an outcome amounts to, small enough to be kept with its run and to be shown in lists."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from typing import Any, Self

from ..certificate.details import certificate_details
from ..errors import InputError
from ..scenario.json_schema import plain
from ..solver.verdict import Verdict
from ..transport.metrics import Metrics
from .audit_digest import AuditDigest
from .outcome import Outcome
from .typical_moves import in_words


@dataclass(frozen=True)
class Summary:
    """`sentence` is the certificate's, with its numbers; `words` tell what happened. Summaries of before have no words.

    `audit` is what can be said of new people, if that was asked for, `details` what else the certificate says."""

    iteration: int
    verdict: Verdict
    certified: bool
    sentence: str
    achieved: float | None
    ucl_x: float
    ucl_y: float
    people_changed: int
    cells_changed: int
    metrics: Metrics
    words: tuple[str, ...] = ()
    audit: AuditDigest | None = None
    details: tuple[str, ...] = ()

    def to_json(self) -> str:
        """Infinite limits and what is unknown are null: JSON has no other word for them."""
        return json.dumps(plain(asdict(self)))

    @classmethod
    def from_json(cls, text: str | None) -> Self | None:
        """None where there is none, also for one that another version made, with other parts: it can be worked out again."""
        try:
            data = json.loads(text or "{}")
            limits = {name: math.inf if data[name] is None else data[name] for name in ("ucl_x", "ucl_y")}
            measured: dict[str, Any] = {name: math.nan if value is None else value for name, value in data["metrics"].items()}
            parts = {"verdict": Verdict.from_dict(data["verdict"]), "metrics": Metrics(**measured)}
            audit = AuditDigest.from_dict(data.get("audit"))
            said = {name: tuple(data.get(name, ())) for name in ("words", "details")}
            return cls(**{**data, **limits, **parts, **said, "audit": audit})
        except (AttributeError, InputError, LookupError, TypeError, ValueError):
            return None


def stored_verdict(text: str | None) -> Verdict | None:
    """The verdict of a stored summary alone: for lists, which must not work out anything, whatever version it is of."""
    try:
        return Verdict.from_dict(json.loads(text or "{}")["verdict"])
    except (AttributeError, LookupError, TypeError, ValueError):
        return None


def summary_of(outcome: Outcome, audit: AuditDigest | None = None) -> Summary:
    """Worked out from the answer alone. A worker does so when it ends; of a run that was cut off, whoever opens it."""
    certificate = outcome.certificate
    return Summary(
        outcome.iteration,
        outcome.verdict,
        certificate.certified,
        certificate.sentence,
        certificate.achieved,
        certificate.ucl_x,
        certificate.ucl_y,
        len(outcome.movers),
        int(outcome.changed.sum()),
        outcome.metrics,
        tuple(in_words(outcome)),
        audit,
        tuple(said for said in certificate_details(certificate) if said),
    )
