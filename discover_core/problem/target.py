"""The outputs one wishes for: a distribution given by its quantile function."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from .amounts import amount
from .checks import choice, finite_values, known_fields, number, whole

Values = NDArray[np.float64]
Indices = NDArray[np.int64]
Side = Literal["above", "below"]
SIDES = ("above", "below")


@dataclass(frozen=True)
class Past:
    """A share of the group on one side of a threshold: at tau counts, unless `strict`."""

    tau: float
    share: float
    side: Side
    strict: bool = False

    def right(self, outputs: ArrayLike) -> NDArray[np.bool_]:
        """Which of these outputs are on the right side."""
        values = np.asarray(outputs, dtype=np.float64)
        beyond = values > self.tau if self.side == "above" else values < self.tau
        return beyond if self.strict else beyond | (values == self.tau)

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

    A sample of m values is m flat pieces of mass 1/m; `size` is then m. An `exact` distribution has no sampling error,
    so no confidence band is needed for it, and no size. A target that stands for a share past a threshold says so in `past`.
    """

    kind: str
    knots: Values
    left: Values
    right: Values
    size: int | None = None
    past: Past | None = None

    def __post_init__(self) -> None:
        for name in ("knots", "left", "right"):
            values = finite_values(getattr(self, name), f"The {name} of the target")
            values.setflags(write=False)
            object.__setattr__(self, name, values)
        pieces = len(self.left)
        if len(self.right) != pieces or len(self.knots) != pieces + 1 or (self.size is not None and self.size != pieces):
            raise InputError("The target's pieces do not fit together: each needs a left value, a right value and a knot.")
        if self.knots[0] != 0 or self.knots[-1] != 1 or not (np.diff(self.knots) > 0).all():
            raise InputError("The target's knots must rise from 0 to 1.")
        if (self.right < self.left).any() or (self.left[1:] < self.right[:-1]).any():
            raise InputError("The target's quantiles must not fall: give them in ascending order.")

    # what one may wish for

    @classmethod
    def values(cls, values: ArrayLike) -> Self:
        """A list of outputs of any length, as a sample. "All ones" without sampling error is `quantiles([0, 1], [1, 1])`."""
        return cls._sample("values", finite_values(values, "The target values"))

    @classmethod
    def beta(cls, a: float, b: float, n: int, seed: int = 0) -> Self:
        """n seeded draws from Beta(a, b); the paper's target is Beta(.1, .9)."""
        number("a", a, low=0, above=True)
        number("b", b, low=0, above=True)
        whole("n", n, 1)
        whole("seed", seed, 0)
        return cls._sample("beta", np.random.default_rng(seed).beta(a, b, n))

    @classmethod
    def quantiles(cls, probabilities: ArrayLike, values: ArrayLike) -> Self:
        """The exact distribution with these quantiles, linear between them and flat beyond the first and the last.

        The same probability twice makes a jump.
        """
        p, q = finite_values(probabilities, "The probabilities"), finite_values(values, "The quantiles")
        if len(p) != len(q):
            raise InputError(f"There are {len(p):,} probabilities but {len(q):,} quantiles: give one quantile per probability.")
        if p.min() < 0 or p.max() > 1:
            raise InputError("The probabilities of the quantiles must lie between 0 and 1.")
        if (np.diff(p) < 0).any():
            raise InputError("The probabilities of the quantiles must be in ascending order.")
        if (np.diff(q) < 0).any():
            at = int(np.flatnonzero(np.diff(q) < 0)[0])
            raise InputError(
                f"The quantiles must not fall, but {q[at + 1]:g} comes after {q[at]:g}: put them in ascending order."
            )
        p, q = np.concatenate([[0.0], p, [1.0]]), np.concatenate([q[:1], q, q[-1:]])
        wide = np.diff(p) > 0
        return cls("quantiles", np.append(p[:-1][wide], 1.0), q[:-1][wide], q[1:][wide])

    @classmethod
    def reference_group(cls, scores: ArrayLike) -> Self:
        """The outputs that another group has."""
        return cls._sample("reference_group", finite_values(scores, "The scores of the reference group"))

    @classmethod
    def shift(cls, scores: ArrayLike, by: float = 0.0, scale: float = 1.0, clip: tuple[float, float] | None = None) -> Self:
        """The factual outputs, spread `scale` times as far about their mean, moved by `by`, kept inside `clip`."""
        moved = finite_values(scores, "The scores")
        number("by", by)
        number("scale", scale, low=0)
        if scale != 1:
            mean = moved.mean()
            moved = mean + scale * (moved - mean)
        return cls._sample("shift", _clipped(moved + by, clip))

    @classmethod
    def threshold(cls, scores: ArrayLike, tau: float, share: float, side: Side = "above", margin: float = 0.0) -> Self:
        """A score of at least tau ("below": at most tau) for a share of the group, with the least movement in W^2.

        Of the scores on the wrong side the nearest move, onto tau, as many as the share lacks; the rest stay. A group that is
        only near such a target may miss tau by a hair: with a `margin` they move so far past it.
        """
        moved = np.sort(finite_values(scores, "The scores"))
        number("tau", tau)
        number("share", share, low=0, high=1)
        number("margin", margin, low=0)
        choice("side", side, SIDES)
        n = len(moved)
        count = int(np.ceil(share * n - 1e-9 * n))
        if side == "above":
            part = moved[n - count :]
            part[part < tau] = tau + margin
        else:
            part = moved[:count]
            part[part > tau] = tau - margin
        return cls._sample("threshold", moved, Past(float(tau), float(share), side))

    @classmethod
    def decision(
        cls, scores: ArrayLike, tau: float = 0.5, side: Side = "below", clip: tuple[float, float] | None = (0.0, 1.0)
    ) -> Self:
        """Everybody on the desired side of a classifier's decision threshold, the paper's construction (tau .5).

        A score of tau or more counts as "yes". Scores on the desired side stay; each of the others is mirrored at tau,
        so that a clear decision stays as clear, then kept inside `clip`.
        """
        moved = finite_values(scores, "The scores")
        number("tau", tau)
        choice("side", side, SIDES)
        if clip is not None and not (clip[0] < tau <= clip[1]):
            raise InputError(f"A tau of {tau:g} leaves one side empty: choose it above {clip[0]:g} and at most {clip[1]:g}.")
        if side == "above":
            mirrored = np.where(moved >= tau, moved, np.maximum(2 * tau - moved, tau))
        else:
            mirrored = np.where(moved < tau, moved, np.minimum(2 * tau - moved, np.nextafter(tau, -np.inf)))
        return cls._sample("decision", _clipped(mirrored, clip), Past(float(tau), 1.0, side, strict=side == "below"))

    @classmethod
    def _sample(cls, kind: str, values: Values, past: Past | None = None) -> Self:
        ordered = np.sort(values)
        return cls(kind, np.arange(len(ordered) + 1) / len(ordered), ordered, ordered, len(ordered), past)

    # what one may ask of it

    @property
    def exact(self) -> bool:
        """Whether the distribution is known without sampling error."""
        return self.size is None

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

        For x sorted, W^2(x, target) = mean of (x_r - mean_r)^2 + variance_r. A sample of n values gives itself and 0.
        """
        whole("n", n, 1)
        if self.size == n:
            return self.left.copy(), np.zeros(n)
        rank, weight, begin, end = self._segments(int(n))
        starts = np.searchsorted(rank, np.arange(n))
        first, last = begin[starts], end[np.append(starts[1:], len(rank)) - 1]
        middle = (begin - first[rank]) / 2 + (end - first[rank]) / 2
        mean = np.clip(first + np.add.reduceat(weight * middle, starts), first, last)
        a, b = begin - mean[rank], end - mean[rank]
        return mean, np.add.reduceat(weight * (a * a + a * b + b * b) / 3, starts)

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
        if not isinstance(other, Target) or (self.kind, self.size, self.past) != (other.kind, other.size, other.past):
            return False
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in ("knots", "left", "right"))

    def __hash__(self) -> int:
        return hash((self.kind, self.size, self.past, self.knots.tobytes(), self.left.tobytes(), self.right.tobytes()))

    def to_dict(self) -> dict[str, Any]:
        """A sample as its sorted values, an exact distribution as its pieces."""
        said = {"kind": self.kind} | ({} if self.past is None else {"past": asdict(self.past)})
        if self.size is not None:
            return {**said, "values": self.left.tolist()}
        return said | {name: getattr(self, name).tolist() for name in ("knots", "left", "right")}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        kind = str(data["kind"]) if "kind" in data else "values"
        if "values" in data:
            past = Past(**known_fields(Past, data["past"], "past of the target")) if data.get("past") else None
            return cls._sample(kind, finite_values(data["values"], "The target values"), past)
        if not {"knots", "left", "right"} <= set(data):
            raise InputError("A stored target needs its values, or its knots with their left and right values.")
        return cls(kind, data["knots"], data["left"], data["right"])


def _clipped(values: Values, clip: tuple[float, float] | None) -> Values:
    if clip is None:
        return values
    low, high = clip
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise InputError(f"The interval from {low:g} to {high:g} that outputs are kept in is empty: its first end must be lower.")
    return np.clip(values, low, high)
