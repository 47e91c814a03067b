"""How the target of a scenario is made: a few numbers instead of the outputs themselves, one specification per kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from ..errors import InputError
from ..models.model import Scores
from ..problem.target import Side, Target
from ..table.cohort import Cohort
from .json_schema import build, plain


@dataclass(frozen=True)
class TargetContext:
    """The scores of the group to be explained, and a way to the scores of any other group of the same table."""

    scores: Scores
    scores_of: Callable[[Cohort], Scores]


class TargetSpecification(Protocol):
    def target(self, given: TargetContext) -> Target: ...


@dataclass(frozen=True)
class Beta:
    """n draws from Beta(a, b), as many as the group has rows if n is None."""

    a: float
    b: float
    seed: int = 0
    n: int | None = None

    def target(self, given: TargetContext) -> Target:
        return Target.beta(self.a, self.b, len(given.scores) if self.n is None else self.n, self.seed)


@dataclass(frozen=True)
class Quantiles:
    probabilities: tuple[float, ...]
    values: tuple[float, ...]

    def target(self, given: TargetContext) -> Target:
        return Target.quantiles(self.probabilities, self.values)


@dataclass(frozen=True)
class Values:
    values: tuple[float, ...]

    def target(self, given: TargetContext) -> Target:
        return Target.values(self.values)


@dataclass(frozen=True)
class ReferenceGroup:
    cohort: Cohort

    def target(self, given: TargetContext) -> Target:
        return Target.reference_group(given.scores_of(self.cohort))


@dataclass(frozen=True)
class Shift:
    by: float = 0.0
    scale: float = 1.0
    clip: tuple[float, float] | None = None

    def target(self, given: TargetContext) -> Target:
        return Target.shift(given.scores, self.by, self.scale, self.clip)


@dataclass(frozen=True)
class Threshold:
    tau: float
    share: float
    side: Side = "above"
    margin: float = 0.0

    def target(self, given: TargetContext) -> Target:
        return Target.threshold(given.scores, self.tau, self.share, self.side, self.margin)


@dataclass(frozen=True)
class Decision:
    tau: float = 0.5
    side: Side = "below"
    clip: tuple[float, float] | None = (0.0, 1.0)

    def target(self, given: TargetContext) -> Target:
        return Target.decision(given.scores, self.tau, self.side, self.clip)


KINDS_BY_NAME: dict[str, type[Any]] = {
    "beta": Beta,
    "quantiles": Quantiles,
    "values": Values,
    "reference_group": ReferenceGroup,
    "shift": Shift,
    "threshold": Threshold,
    "decision": Decision,
}


def specification_to_dict(specification: Any) -> dict[str, Any]:
    kind = next(kind for kind, made in KINDS_BY_NAME.items() if type(specification) is made)
    return {"kind": kind, **plain(asdict(specification))}


def specification_from_dict(data: Any) -> TargetSpecification:
    if not isinstance(data, dict) or "kind" not in data:
        raise InputError(f"The target of the scenario needs a “kind”: use one of {', '.join(KINDS_BY_NAME)}.")
    kind = data["kind"]
    if not isinstance(kind, str) or kind not in KINDS_BY_NAME:
        raise InputError(f"There is no target of the kind “{kind}”: use one of {', '.join(KINDS_BY_NAME)}.")
    made: TargetSpecification = build(
        KINDS_BY_NAME[kind], {name: value for name, value in data.items() if name != "kind"}, f"{kind} target"
    )
    return made
