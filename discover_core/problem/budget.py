"""What may be spent on a plan: how many people, how much of each, whom never, whom first."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..errors import InputError
from .checks import brief, known_fields, number, whole

Mask = NDArray[np.bool_]
Label = str | int
FAR = 1e9  # no effort is larger: a limit beyond it would limit nothing
MOST = 2**53 - 1  # the largest whole number that every file and every browser can hold


@dataclass(frozen=True)
class Budget:
    """None means: as many or as much as it takes. All of it is a wall, at every iterate.

    At most `people` change in all, at most `features` of each, by at most `effort` each and `total_effort` together. Those whose
    label in the index of the rows is in `untouched` stay as they are. `first` is a column of the rows, a number or an
    ordered scale: those with the highest values are helped first, and those without a value last.
    """

    people: int | None = None
    features: int | None = None
    effort: float | None = None
    total_effort: float | None = None
    untouched: tuple[Label, ...] = ()
    first: str | None = None

    def __post_init__(self) -> None:
        for name in ("people", "features"):
            if (value := getattr(self, name)) is not None:
                whole(name, value, 1)
                number(name, value, high=MOST)
                object.__setattr__(self, name, int(value))
        for name in ("effort", "total_effort"):
            if (value := getattr(self, name)) is not None:
                number(name, value, low=0, high=FAR, above=True)
                object.__setattr__(self, name, float(value))
        if isinstance(self.untouched, str | bytes):
            raise InputError("“untouched” must be a list of rows, not a text.")
        try:
            labels = tuple(label.item() if isinstance(label, np.generic) else label for label in self.untouched)
        except TypeError as error:
            raise InputError(f"“untouched” must be a list of rows, not {brief(self.untouched)}.") from error
        for label in labels:
            if isinstance(label, bool) or not isinstance(label, str | int) or (isinstance(label, int) and abs(label) > MOST):
                raise InputError(f"“untouched” must name rows by whole numbers or texts, not by {brief(label)}.")
        object.__setattr__(self, "untouched", labels)
        if self.first is not None and not isinstance(self.first, str):
            raise InputError(f"“first” must be the name of a column, not {brief(self.first)}.")

    @property
    def empty(self) -> bool:
        """Whether it limits nothing."""
        return self == Budget()

    def left_alone(self, index: pd.Index[Any]) -> Mask:
        """Who of these rows must not be touched; an InputError names a label that none of them has."""
        if not self.untouched:
            return np.zeros(len(index), dtype=bool)
        known = pd.Index(self.untouched)
        unknown = known[~known.isin(index)]
        if len(unknown):
            raise InputError(
                f"Nobody in the group has the row “{unknown[0]}” that must not be touched: take it out of the budget."
            )
        return np.asarray(index.isin(known), dtype=bool)

    def to_dict(self) -> dict[str, Any]:
        """Only what is limited."""
        return {name: value for name, value in asdict(self).items() if value not in (None, ())}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        return cls(**known_fields(cls, data, "budget"))


def check_budget(budget: Any) -> None:
    """InputError unless it is a budget."""
    if not isinstance(budget, Budget):
        raise InputError(f"“budget” must be a Budget, such as Budget(people=40), or Budget() for no limit, not {budget!r}.")
