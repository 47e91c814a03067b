"""How far inputs and outputs may end up from where they should be, and how surely."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, Self, get_args

from .checks import choice, known_fields, number, whole

Band = Literal["dkw", "bootstrap"]


@dataclass(frozen=True)
class Bounds:
    """The chance constraints: SW^2 of the inputs at most `u_x` and W^2 of the outputs at most `u_y`, both squared.

    `alpha` is the risk that a certificate is wrong, `delta` the share of mass trimmed at each end, `slices` the number
    of input projections, `band` how the confidence limits are made.
    """

    u_x: float
    u_y: float
    alpha: float = 0.05
    delta: float = 0.15
    slices: int = 20
    band: Band = "dkw"

    def __post_init__(self) -> None:
        number("u_x", self.u_x, low=0, above=True)
        number("u_y", self.u_y, low=0, above=True)
        number("alpha", self.alpha, low=0, high=1, above=True, below=True)
        number("delta", self.delta, low=0, high=0.5, below=True)
        whole("slices", self.slices, 1)
        choice("band", self.band, get_args(Band))

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        return cls(**known_fields(cls, data, "bounds", required=("u_x", "u_y")))
