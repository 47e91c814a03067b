"""How the target of a scenario is made: a few numbers instead of the outputs themselves, one recipe per kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from ..errors import InputError
from ..models.model import Scores
from ..problem.target import Side, Target
from ..table.cohort import Cohort
from .stored import build, plain


@dataclass(frozen=True)
class Ingredients:
    """The scores of the group to be explained, and a way to the scores of any other group of the same table."""

    scores: Scores
    scores_of: Callable[[Cohort], Scores]


class Recipe(Protocol):
    def target(self, given: Ingredients) -> Target: ...


@dataclass(frozen=True)
class Beta:
    """n draws from Beta(a, b), as many as the group has rows if n is None."""

    a: float
    b: float
    seed: int = 0
    n: int | None = None

    def target(self, given: Ingredients) -> Target:
        return Target.beta(self.a, self.b, len(given.scores) if self.n is None else self.n, self.seed)


@dataclass(frozen=True)
class Quantiles:
    probabilities: tuple[float, ...]
    values: tuple[float, ...]

    def target(self, given: Ingredients) -> Target:
        return Target.quantiles(self.probabilities, self.values)


@dataclass(frozen=True)
class Values:
    values: tuple[float, ...]

    def target(self, given: Ingredients) -> Target:
        return Target.values(self.values)


@dataclass(frozen=True)
class ReferenceGroup:
    cohort: Cohort

    def target(self, given: Ingredients) -> Target:
        return Target.reference_group(given.scores_of(self.cohort))


@dataclass(frozen=True)
class Shift:
    by: float = 0.0
    scale: float = 1.0
    clip: tuple[float, float] | None = None

    def target(self, given: Ingredients) -> Target:
        return Target.shift(given.scores, self.by, self.scale, self.clip)


@dataclass(frozen=True)
class Threshold:
    tau: float
    share: float
    side: Side = "above"
    margin: float = 0.0

    def target(self, given: Ingredients) -> Target:
        return Target.threshold(given.scores, self.tau, self.share, self.side, self.margin)


@dataclass(frozen=True)
class Decision:
    tau: float = 0.5
    side: Side = "below"
    clip: tuple[float, float] | None = (0.0, 1.0)

    def target(self, given: Ingredients) -> Target:
        return Target.decision(given.scores, self.tau, self.side, self.clip)


RECIPES: dict[str, type[Any]] = {
    "beta": Beta,
    "quantiles": Quantiles,
    "values": Values,
    "reference_group": ReferenceGroup,
    "shift": Shift,
    "threshold": Threshold,
    "decision": Decision,
}


def recipe_to_dict(recipe: Any) -> dict[str, Any]:
    kind = next(kind for kind, made in RECIPES.items() if type(recipe) is made)
    return {"kind": kind, **plain(asdict(recipe))}


def recipe_from_dict(data: Any) -> Recipe:
    if not isinstance(data, dict) or "kind" not in data:
        raise InputError(f"The target of the scenario needs a “kind”: use one of {', '.join(RECIPES)}.")
    kind = data["kind"]
    if not isinstance(kind, str) or kind not in RECIPES:
        raise InputError(f"There is no target of the kind “{kind}”: use one of {', '.join(RECIPES)}.")
    made: Recipe = build(RECIPES[kind], {name: value for name, value in data.items() if name != "kind"}, f"{kind} target")
    return made
