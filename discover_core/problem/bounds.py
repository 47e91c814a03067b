"""How far inputs and outputs may end up from where they should be, and how surely."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, Self, get_args

from ..errors import InputError
from .checks import choice, known_fields, number, whole

MOST_SLICES = 10_000
MOST_NUMBERS = 20_000_000  # people times slices of what a page asks: whoever looks at the run holds several arrays of so many
Band = Literal["dkw", "bootstrap"]


@dataclass(frozen=True)
class Bounds:
    """The chance constraints: SW^2 of the inputs at most `u_x` and W^2 of the outputs at most `u_y`, both squared.

    `alpha` is the risk that a certificate is wrong, `delta` the share of mass trimmed at each end, `slices` the number
    of input projections, `band` how the confidence limits are made. With `beyond`, scores past the threshold of a target that
    has one are as good as on it: the output side then measures only how far the scores fall short.
    """

    u_x: float
    u_y: float
    alpha: float = 0.05
    delta: float = 0.15
    slices: int = 20
    band: Band = "dkw"
    beyond: bool = True

    def __post_init__(self) -> None:
        number("u_x", self.u_x, low=0, above=True)
        number("u_y", self.u_y, low=0, above=True)
        number("alpha", self.alpha, low=0, high=1, above=True, below=True)
        number("delta", self.delta, low=0, high=0.5, below=True)
        whole("slices", self.slices, 1, MOST_SLICES)
        choice("band", self.band, get_args(Band))
        if not isinstance(self.beyond, bool):
            raise InputError(f"“beyond” must be true or false, not {self.beyond!r}.")

    def to_dict(self) -> dict[str, Any]:
        """Both directions go without saying, as in files of before."""
        return {name: value for name, value in asdict(self).items() if name != "beyond" or value}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        return cls(**completed_bounds(known_fields(cls, data, "bounds", required=("u_x", "u_y"))))


def check_slices(bounds: Bounds, people: int) -> None:
    """An InputError if so many people on so many slices are more than a server of pages should hold."""
    if bounds.slices * people > MOST_NUMBERS:
        most = MOST_NUMBERS // people
        ways = f"ask for at most {most:,} slices or take a smaller sample" if most else "take a smaller sample"
        raise InputError(f"{bounds.slices:,} slices of {people:,} people are more than a page can hold: {ways}.")


def completed_bounds(data: Any) -> Any:
    """Bounds as they were stored; those of before do not say `beyond`, and measured distances in both directions."""
    return {"beyond": False, **data} if isinstance(data, dict) else data
