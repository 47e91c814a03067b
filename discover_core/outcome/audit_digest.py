"""What an audited policy amounts to, small enough to be kept with its run."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, Self

from ..policy.audit import Audit, people_enough, wanted_share
from ..policy.audit_data import audit_from_dict
from ..policy.audited_answer import LOOKS, AuditedAnswer
from ..policy.reach import Reach
from ..scenario.json_schema import build


@dataclass(frozen=True)
class ProgrammeCard:
    """A shared measure in words, with the shares it reaches among the design people."""

    words: str
    reach: float
    given: float
    effort: float
    together: float


@dataclass(frozen=True)
class AuditDigest:
    """`audits[i]` is the statement when i + 1 answers are audited with the same group (`family`); `changed` of `people` are told
    to change, `reached` is the whole group's share or gap in a sentence, `met` whether that is the wish. `trouble` says why
    there is no audit, `words` are what it tells everybody of the group. `reach` is that of shared measures, and of a personal
    policy beside them. The model was fitted to `known` of the audited people; None if nobody can say. `wanted` is the share that
    has to be promised, `enough` how many audited people would promise it if a share of `likely` gets there; None where no number
    would."""

    audits: tuple[Audit, ...] = ()
    programmes: tuple[ProgrammeCard, ...] = ()
    kind: str = "personal"
    people: int = 0
    design: int = 0
    changed: int = 0
    reached: str = ""
    met: bool = False
    family: str = ""
    trouble: str = ""
    words: tuple[str, ...] = ()
    reach: tuple[Reach, Reach] | None = None
    wanted: float | None = None
    enough: int | None = None
    known: int | None = None
    likely: float | None = None

    @classmethod
    def of(cls, answer: AuditedAnswer) -> Self:
        policy, told = answer.policy, answer.told
        cards = (ProgrammeCard(one.words, one.reach, one.given, one.effort, one.together) for one in policy.programmes)
        reached = answer.wish.reached(told.versions.scores)
        return cls(
            answer.audits,
            tuple(cards),
            policy.kind,
            len(told.before),
            answer.design,
            int(told.changed.sum()),
            answer.wish.sentence(reached),
            not answer.wish.shortfall(reached),
            answer.family,
            reach=answer.reach,
            known=answer.known,
            **_promise(answer),
        )

    def audit(self, looks: int) -> Audit | None:
        """The statement for so many answers; with more than were worked out there is none."""
        return self.audits[looks - 1] if 1 <= looks <= min(LOOKS, len(self.audits)) else None

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Any) -> Self | None:
        """None where there is none."""
        if not isinstance(data, dict):
            return None
        audits = tuple(map(audit_from_dict, data.get("audits", ())))
        cards = tuple(build(ProgrammeCard, one, "programme") for one in data.get("programmes", ()))
        words, reach = tuple(data.get("words", ())), data.get("reach")
        reach = None if reach is None else tuple(build(Reach, one, "reach") for one in reach)
        family = data.get("family") or data.get("half", "")  # as the audited half was called before
        known = {one.name for one in fields(cls)} - (set() if "family" in data else {"enough"})  # a share, before
        data = {name: value for name, value in data.items() if name in known}
        return cls(**{**data, "family": family, "audits": audits, "programmes": cards, "words": words, "reach": reach})


def _promise(answer: AuditedAnswer) -> dict[str, Any]:
    past, one = answer.wish.past, answer.audits[0]
    if past is None:
        return {}
    wanted = wanted_share(answer.wish.before, past.share)
    likely = min(one.share.estimate, past.share) if past.share > wanted else one.share.estimate  # a policy aims no higher
    return {"wanted": wanted, "enough": people_enough(likely, wanted, one.alpha / 2), "likely": likely}
