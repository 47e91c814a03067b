"""How the search goes about it. The defaults are the paper's where it is not plainly worse."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, Self, get_args

from ..errors import InputError
from .checks import choice, known_fields, number, whole

Selection = Literal["personal", "rowwise", "joint"]
Variant = Literal["improved", "paper"]
Origin = Literal["reference", "factual", "current"]
Guidance = Literal["both", "numeric", "categorical", "none"]
EncodingName = Literal["onehot", "label"]

# what settings of before there was a variant meant where they said nothing
BEFORE = {"variant": "paper", "selection": "joint", "origin": "factual", "guidance": "both", "r": 1.0}


# the largest numbers: as many people and columns as a table may have, and searches beyond any that end
LARGEST = {"k": 1_000_000, "h": 2_000, "candidates": 100_000, "iterations": 1_000_000, "patience": 1_000_000, "seed": 2**53 - 1}
STEEPEST = 1e6  # step and temperature of categories: all alike long before


@dataclass(frozen=True)
class Settings:
    """Budgets and knobs of one run.

    `strategy` is the name of one of the solver's strategies, which come later in the house: the solver and a scenario file
    refuse a name that nobody answers to.
    `variant`: "paper" is Algorithm 1 as published; "improved" lets rows make room that find nothing, looks along slices of its
    own, and tries every admissible value now and then.
    k: rows edited per iteration; h: features edited per row; candidates: proposals per iteration. `origin`: steps start
    from the same feature of a random row of the reference table or of the group, or from the row's current value.
    `angle`: half-angle of the cone in degrees; `numeric_step`: longest step as a share of a feature's range;
    `categorical_step`: longest step in embedding space; `temperature`: how freely a category is drawn. `l`, `r`, `kappa`:
    the interval of eta and how fast it narrows. `patience`: stop after so many iterations without progress (None: never).
    `usual`: nobody who changes may be more unusual than this share of people (None: no such wall, but of two changes that cost
    about the same the more usual one is taken). `crossover`, `swap` and the mutations belong to the genetic strategy.
    """

    strategy: str = "monte_carlo"
    selection: Selection = "personal"
    k: int = 3
    h: int = 3
    candidates: int = 20
    iterations: int = 20
    seed: int = 0
    origin: Origin = "reference"
    guidance: Guidance = "both"
    angle: float = 45.0
    numeric_step: float = 0.1
    categorical_step: float = 1.2
    temperature: float = 2.0
    l: float = 0.2  # noqa: E741 - the paper's name
    r: float = 0.999
    kappa: float = 0.05
    stop_when_certified: bool = False
    patience: int | None = None
    encoding: EncodingName = "onehot"
    usual: float | None = None
    crossover: float = 0.8
    swap: float = 0.5
    mutate_categorical: float = 0.3
    mutate_numeric: float = 0.8
    variant: Variant = "improved"

    def __post_init__(self) -> None:
        if not isinstance(self.strategy, str):
            raise InputError(f"“strategy” must be the name of one, not {self.strategy!r}.")
        for name, words in (
            ("selection", Selection),
            ("variant", Variant),
            ("origin", Origin),
            ("guidance", Guidance),
            ("encoding", EncodingName),
        ):
            choice(name, getattr(self, name), get_args(words))
        for name in ("k", "h", "candidates", "iterations"):
            whole(name, getattr(self, name), 1, LARGEST[name])
        whole("seed", self.seed, 0, LARGEST["seed"])
        if self.patience is not None:
            whole("patience", self.patience, 1, LARGEST["patience"])
        if self.usual is not None:
            number("usual", self.usual, low=0, high=1, above=True)
        number("angle", self.angle, low=0, high=180, above=True)
        number("numeric_step", self.numeric_step, low=0, high=1, above=True)
        number("categorical_step", self.categorical_step, low=0, high=STEEPEST, above=True)
        number("temperature", self.temperature, low=0, high=STEEPEST, above=True)
        for name in ("l", "r", "crossover", "swap", "mutate_categorical", "mutate_numeric"):
            number(name, getattr(self, name), low=0, high=1)
        if self.l > self.r:
            raise InputError(f"“l” must not be above “r”, but {self.l:g} is above {self.r:g}.")
        number("kappa", self.kappa, low=0, high=1, above=True, below=True)
        if not isinstance(self.stop_when_certified, bool):
            raise InputError(f"“stop_when_certified” must be true or false, not {self.stop_when_certified!r}.")

    def to_dict(self) -> dict[str, Any]:
        """The paper's variant goes without saying, and then no wall does: so files of before say the same."""
        said = asdict(self)
        if self.variant == BEFORE["variant"]:
            del said["variant"]
            if self.usual is None:
                del said["usual"]
        return said

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        return cls(**completed(known_fields(cls, data, "settings")))


def completed(data: Any) -> Any:
    """Settings as they were stored; those that name no variant are of before, and mean what they meant then."""
    return data if not isinstance(data, dict) or "variant" in data else {**BEFORE, **data}
