"""How an answer is to be audited: what share of the group nothing is learnt from, and what kind of policy is learnt."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from .budget import FAR
from .checks import choice, number, whole

PolicyKind = Literal["personal", "programmes"]


@dataclass(frozen=True)
class AuditPlan:
    """`share` of the group is left for the audit, `effort` is the most that one person may change, and `programmes` how many
    shared measures there are at the most, if the policy is made of those."""

    share: float = 0.5
    effort: float = 2.0
    kind: PolicyKind = "personal"
    programmes: int = 3

    def __post_init__(self) -> None:
        number("share", self.share, low=0.1, high=0.9)
        number("effort", self.effort, low=0, high=FAR, above=True)
        choice("kind", self.kind, get_args(PolicyKind))
        whole("programmes", self.programmes, 1)
        number("programmes", self.programmes, high=10)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)
