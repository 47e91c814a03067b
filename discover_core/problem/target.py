"""The outputs one wishes for: a distribution given by its quantile function."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from .amounts import amount
from .checks import finite_values, known_fields, whole

Values = NDArray[np.float64]
Indices = NDArray[np.int64]
Side = Literal["above", "below"]
SIDES = ("above", "below")


@dataclass(frozen=True)
class Past:
    """A share of the group on one side of a threshold: at tau counts, unless `strict`.

    Those who have to move should end `margin` past it.
    """

    tau: float
    share: float
    side: Side
    strict: bool = False
    margin: float = 0.0

    def right(self, outputs: ArrayLike) -> NDArray[np.bool_]:
        """Which of these outputs are on the right side."""
        values = np.asarray(outputs, dtype=np.float64)
        beyond = values > self.tau if self.side == "above" else values < self.tau
        return beyond if self.strict else beyond | (values == self.tau)

    @property
    def goal(self) -> float:
        """The nearest score that somebody who moves should have."""
        past = self.tau + self.margin if self.side == "above" else self.tau - self.margin
        return float(np.nextafter(past, np.inf if self.side == "above" else -np.inf)) if self.strict else past

    def reached(self, outputs: ArrayLike) -> float:
        """The share of these outputs on the right side."""
        return float(self.right(outputs).mean())

    @property
    def words(self) -> str:
        """To follow "score": at or below .5."""
        return f"{'' if self.strict else 'at or '}{self.side} {amount(self.tau)}"


@dataclass(frozen=True, eq=False)
class Target:
    """A quantile function in K pieces, linear from `left[i]` at `knots[i]` to `right[i]` at `knots[i + 1]`.

    A list of m values is m flat pieces of mass 1/m; `size` is then m. A wish is `exact`: its distribution is what is asked
    for, and needs no confidence band. Only values that were `sampled`, those of another group, have a sampling error. A target
    that stands for a share past a threshold says so in `past`.
    """

    kind: str
    knots: Values
    left: Values
    right: Values
    size: int | None = None
    past: Past | None = None
    sampled: bool = False

    def __post_init__(self) -> None:
        for name in ("knots", "left", "right"):
            values = finite_values(getattr(self, name), f"The {name} of the target")
            values.setflags(write=False)
            object.__setattr__(self, name, values)
        pieces = len(self.left)
        if len(self.right) != pieces or len(self.knots) != pieces + 1 or (self.size is not None and self.size != pieces):
            raise InputError("The target's pieces do not fit together: each needs a left value, a right value and a knot.")
        if self.sampled and self.size is None:
            raise InputError("Only a list of values can be a sample of others: a target of pieces is exact.")
        if self.knots[0] != 0 or self.knots[-1] != 1 or not (np.diff(self.knots) > 0).all():
            raise InputError("The target's knots must rise from 0 to 1.")
        if (self.right < self.left).any() or (self.left[1:] < self.right[:-1]).any():
            raise InputError("The target's quantiles must not fall: give them in ascending order.")

    # what one may wish for: each kind is made in its own file in targets/, which imports this one

    @classmethod
    def values(cls, values: ArrayLike) -> Target:
        """A list of outputs of any length, all of the same mass: the distribution of just these."""
        from .targets.values import values_target

        return values_target(values)

    @classmethod
    def beta(cls, a: float, b: float, n: int, seed: int = 0) -> Target:
        """n seeded draws from Beta(a, b); the paper's target is Beta(.1, .9)."""
        from .targets.beta import beta_target

        return beta_target(a, b, n, seed)

    @classmethod
    def quantiles(cls, probabilities: ArrayLike, values: ArrayLike) -> Target:
        """The exact distribution with these quantiles, linear between them and flat beyond the first and the last.

        The same probability twice makes a jump.
        """
        from .targets.quantiles import quantiles_target

        return quantiles_target(probabilities, values)

    @classmethod
    def reference_group(cls, scores: ArrayLike) -> Target:
        """The outputs that another group has: a sample of what such people have, so that it has a sampling error."""
        from .targets.reference_group import reference_group_target

        return reference_group_target(scores)

    @classmethod
    def shift(cls, scores: ArrayLike, by: float = 0.0, scale: float = 1.0, clip: tuple[float, float] | None = None) -> Target:
        """The factual outputs, spread `scale` times as far about their mean, moved by `by`, kept inside `clip`."""
        from .targets.shift import shift_target

        return shift_target(scores, by, scale, clip)

    @classmethod
    def threshold(cls, scores: ArrayLike, tau: float, share: float, side: Side = "above", margin: float = 0.0) -> Target:
        """A score of at least tau ("below": at most tau) for a share of the group, with the least movement in W^2.

        Of the scores on the wrong side the nearest move, onto tau, as many as the share lacks; the rest stay. A group that is
        only near such a target may miss tau by a hair: with a `margin` they move so far past it.
        """
        from .targets.threshold import threshold_target

        return threshold_target(scores, tau, share, side, margin)

    @classmethod
    def decision(
        cls, scores: ArrayLike, tau: float = 0.5, side: Side = "below", clip: tuple[float, float] | None = (0.0, 1.0)
    ) -> Target:
        """Everybody on the desired side of a classifier's decision threshold, the paper's construction (tau .5).

        A score of tau or more counts as "yes". Scores on the desired side stay; each of the others is mirrored at tau,
        so that a clear decision stays as clear, then kept inside `clip`.
        """
        from .targets.decision import decision_target

        return decision_target(scores, tau, side, clip)

    @classmethod
    def sample(cls, kind: str, values: Values, past: Past | None = None, sampled: bool = False) -> Self:
        """Values of the same mass each, for the files of the kinds; `sampled` if they stand for more people than these."""
        ordered = np.sort(values)
        return cls(kind, np.arange(len(ordered) + 1) / len(ordered), ordered, ordered, len(ordered), past, sampled)

    # what one may ask of it

    @property
    def exact(self) -> bool:
        """Whether the distribution is known without sampling error."""
        return not self.sampled

    @property
    def lowest(self) -> float:
        return float(self.left[0])

    @property
    def highest(self) -> float:
        return float(self.right[-1])

    def quantile(self, u: ArrayLike) -> Values:
        """Q(u) for 0 <= u <= 1, the smallest value that a share u does not exceed (left-continuous at jumps)."""
        at = np.asarray(u, dtype=np.float64)
        if not ((at >= 0) & (at <= 1)).all():
            raise InputError("A quantile is asked for at a probability between 0 and 1.")
        return self._along(np.maximum(np.searchsorted(self.knots, at, side="left") - 1, 0), at)

    def rank_moments(self, n: int) -> tuple[Values, Values]:
        """Mean and variance of Q over each of the n intervals [r/n, (r+1)/n], in closed form.

        For x sorted, W^2(x, target) = mean of (x_r - mean_r)^2 + variance_r. A sample of n values gives itself and 0. Those of
        the last n are kept, so they are not to be written to.
        """
        whole("n", n, 1)
        kept: tuple[int, tuple[Values, Values]] | None = vars(self).get("_moments")
        if kept is None or kept[0] != n:
            made = self._moments_of(int(n))
            for values in made:
                values.setflags(write=False)
            kept = vars(self)["_moments"] = (int(n), made)
        return kept[1]

    def _moments_of(self, n: int) -> tuple[Values, Values]:
        if self.size == n:
            return self.left, np.zeros(n)
        rank, weight, begin, end = self._segments(n)
        starts = np.searchsorted(rank, np.arange(n))
        first, last = begin[starts], end[np.append(starts[1:], len(rank)) - 1]
        middle = (begin - first[rank]) / 2 + (end - first[rank]) / 2
        mean = np.clip(first + np.add.reduceat(weight * middle, starts), first, last)
        a, b = begin - mean[rank], end - mean[rank]
        return mean, np.add.reduceat(weight * (a * a + a * b + b * b) / 3, starts)

    def share_past(self, tau: float, side: Side) -> float:
        """The share of the target at or above tau, or at or below it."""
        left, right, mass = self.left, self.right, np.diff(self.knots)
        rise = np.where(right > left, right - left, 1.0)
        partly = np.clip((tau - left) / rise, 0.0, 1.0)
        flat = left <= tau if side == "below" else left < tau
        below = np.where(right > left, partly, flat)
        share = float(mass @ below)
        return share if side == "below" else 1.0 - share

    def wanted(self, beyond: bool) -> Side | None:
        """The side of it that scores are wanted on, where going `beyond` is as good; None where the target itself is wanted."""
        return self.past.side if beyond and self.past is not None else None

    def success(self, before: ArrayLike, after: ArrayLike) -> NDArray[np.bool_]:
        """Who is past the threshold after; without one, who is closer to (or at) the target's value for their rank."""
        old, new = np.asarray(before, dtype=np.float64), np.asarray(after, dtype=np.float64)
        if self.past is not None:
            return self.past.right(new)
        wished = np.empty(len(old))
        wished[np.argsort(old, kind="stable")] = self.rank_moments(len(old))[0]
        gap = np.abs(new - wished)
        return np.asarray((gap < np.abs(old - wished)) | (gap <= 1e-12 * (1 + np.abs(wished))))

    def _segments(self, n: int) -> tuple[Indices, Values, Values, Values]:
        """The common refinement of the pieces and the n intervals: rank, weight within the rank, Q at both ends."""
        if self.size is not None:  # in units of 1/(n m), so that no rounding decides which piece meets which rank
            ends = np.union1d(np.arange(1, n + 1) * self.size, np.arange(1, self.size + 1) * n)
            begins = np.append(0, ends[:-1])
            values = self.left[begins // n]
            return begins // self.size, (ends - begins) / self.size, values, values
        grid = np.arange(n + 1) / n
        cuts = np.union1d(grid, self.knots)
        begins, stops = cuts[:-1], cuts[1:]
        rank = np.searchsorted(grid, begins, side="right") - 1
        piece = np.searchsorted(self.knots, begins, side="right") - 1
        width = stops - begins
        weight = width / np.bincount(rank, weights=width, minlength=n)[rank]
        return rank, weight, self._along(piece, begins), self._along(piece, stops)

    def _along(self, piece: Indices, u: Values) -> Values:
        low, high = self.left[piece], self.right[piece]
        t = (u - self.knots[piece]) / (self.knots[piece + 1] - self.knots[piece])
        return np.where(t == 1, high, np.clip(low + (high - low) * t, low, high))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Target) or self._said != other._said:
            return False
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in ("knots", "left", "right"))

    def __hash__(self) -> int:
        return hash((*self._said, self.knots.tobytes(), self.left.tobytes(), self.right.tobytes()))

    @property
    def _said(self) -> tuple[str, int | None, Past | None, bool]:
        return self.kind, self.size, self.past, self.sampled

    def to_dict(self) -> dict[str, Any]:
        """Values of the same mass as a sorted list, any other distribution as its pieces."""
        said = {"kind": self.kind} | ({} if self.past is None else {"past": asdict(self.past)})
        if self.size is not None:
            return {**said, "values": self.left.tolist(), "sampled": self.sampled}
        return said | {name: getattr(self, name).tolist() for name in ("knots", "left", "right")}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """One that does not say whether its values were sampled was stored when all values counted as such."""
        kind = str(data["kind"]) if "kind" in data else "values"
        if "values" in data:
            past = Past(**known_fields(Past, data["past"], "past of the target")) if data.get("past") else None
            return cls.sample(kind, finite_values(data["values"], "The target values"), past, bool(data.get("sampled", True)))
        if not {"knots", "left", "right"} <= set(data):
            raise InputError("A stored target needs its values, or its knots with their left and right values.")
        return cls(kind, data["knots"], data["left"], data["right"])
