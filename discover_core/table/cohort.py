"""The group to be explained: rules over columns, a rule over the model's score, and a seeded sample."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Self, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..errors import InputError
from .schema import Level, Schema

Comparison = Literal["is", "is not", "<", "<=", ">", ">=", "between"]
Match = Literal["all", "any"]
Side = Literal["above", "below"]
MOST = 2**53 - 1  # the largest whole number that every file and every browser can hold
FAR = 1e300
COMPARISONS: tuple[Comparison, ...] = get_args(Comparison)
Mask = NDArray[np.bool_]
Values = Level | tuple[Level, ...]

ORDER: dict[str, Callable[[Any, Any], Any]] = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}
OPPOSITE: dict[Comparison, Comparison] = {"is": "is not", "is not": "is", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


@dataclass(frozen=True)
class Rule:
    """One condition. `is` and `is not` take one value or several; `between` takes two and includes both ends."""

    column: str
    comparison: Comparison
    value: Values

    def __post_init__(self) -> None:
        if self.comparison not in COMPARISONS:
            raise InputError(f"There is no comparison “{self.comparison}”: use one of {', '.join(COMPARISONS)}.")
        if self.comparison == "between" and (not isinstance(self.value, tuple) or len(self.value) != 2):
            raise InputError(f"The rule on “{self.column}” needs a lower and an upper value.")

    def mask(self, table: pd.DataFrame, schema: Schema) -> Mask:
        """Which rows of a prepared table fulfil it."""
        column = schema[self.column]
        if column.name not in table.columns:
            raise InputError(f"The rule on “{column.name}” cannot be used: the column is left out.")
        if self.comparison in ("is", "is not"):
            wanted = self.value if isinstance(self.value, tuple) else (self.value,)
            unknown = [value for value in wanted if column.categorical and value not in column.levels]
            if unknown:
                raise InputError(f"“{column.name}” has no level “{unknown[0]}”.")
            hit = table[column.name].isin(list(wanted)).to_numpy(dtype=bool)
            return ~hit if self.comparison == "is not" else hit
        if column.role == "nominal":
            raise InputError(f"“{column.name}” has no order: compare it with “is” or “is not”.")
        if column.categorical:
            values: Any = table[column.name].cat.codes.to_numpy()
            place = {level: code for code, level in enumerate(column.levels)}
            given = self.value if isinstance(self.value, tuple) else (self.value,)
            if any(level not in place for level in given):
                raise InputError(f"“{column.name}” has no level “{next(v for v in given if v not in place)}”.")
            bounds: list[Any] = [place[level] for level in given]
        else:
            values = table[column.name].to_numpy(dtype=np.float64)
            try:
                bounds = [float(v) for v in (self.value if isinstance(self.value, tuple) else (self.value,))]
            except (TypeError, ValueError) as error:
                raise InputError(f"The rule on “{column.name}” needs a number.") from error
        if self.comparison == "between":
            if bounds[0] > bounds[1]:
                raise InputError(f"The rule on “{column.name}” has its lower value above its upper one.")
            return np.asarray((values >= bounds[0]) & (values <= bounds[1]))
        return np.asarray(ORDER[self.comparison](values, bounds[0]))


@dataclass(frozen=True)
class Cohort:
    """All rows that fulfil the rules (all of them, or any), whose score lies on the given side, at most `sample` of them."""

    rules: tuple[Rule, ...] = ()
    match: Match = "all"
    score_side: Side | None = None
    score_value: float = 0.5
    sample: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.match not in ("all", "any"):
            raise InputError("A cohort matches “all” of its rules or “any” of them.")
        if self.score_side not in (None, "above", "below"):
            raise InputError("The model's score can be “above” or “below” a value.")
        if self.sample is not None and not (isinstance(self.sample, int) and 1 <= self.sample <= MOST):
            raise InputError(f"A sample needs a whole number of rows, at least one and at most {MOST:,}.")
        if not (isinstance(self.seed, int) and 0 <= self.seed <= MOST):
            raise InputError(f"The seed of a sample is a whole number from 0 to {MOST:,}.")
        if not isinstance(self.score_value, int | float) or not abs(self.score_value) <= FAR:
            raise InputError(f"The model's score is compared with a number, at most {FAR:g} away from 0.")

    def mask(self, table: pd.DataFrame, schema: Schema, scores: NDArray[np.float64] | None = None) -> Mask:
        """Which rows match, before sampling."""
        masks = [rule.mask(table, schema) for rule in self.rules]
        join = np.logical_and if self.match == "all" else np.logical_or
        hit: Mask = join.reduce(masks) if masks else np.ones(len(table), dtype=bool)
        if self.score_side is not None:
            if scores is None:
                raise InputError("The rule on the model's score needs a model: train or load one first.")
            hit = hit & (scores > self.score_value if self.score_side == "above" else scores < self.score_value)
        return hit

    def rows(self, table: pd.DataFrame, schema: Schema, scores: NDArray[np.float64] | None = None) -> NDArray[np.int64]:
        """The positions of the group's rows, in the table's order. The same seed takes the same sample."""
        found = np.flatnonzero(self.mask(table, schema, scores))
        if self.sample is None or self.sample >= len(found):
            return found
        return np.sort(np.random.default_rng(self.seed).choice(found, self.sample, replace=False))

    def complement(self) -> Cohort | None:
        """The rows that the rules leave out, sampled or not; None when rules cannot say it."""
        if not self.rules and self.score_side is not None:
            above = self.score_side == "above"  # “above” leaves out the value itself, which the others must include
            value = float(np.nextafter(self.score_value, np.inf if above else -np.inf))
            return Cohort(score_side="below" if above else "above", score_value=value)
        if not self.rules or self.score_side is not None:
            return None
        rules: list[Rule] = []
        for rule in self.rules:
            if rule.comparison != "between":
                rules.append(Rule(rule.column, OPPOSITE[rule.comparison], rule.value))
            elif self.match == "all" and isinstance(rule.value, tuple):
                rules += [Rule(rule.column, "<", rule.value[0]), Rule(rule.column, ">", rule.value[1])]
            else:
                return None
        return Cohort(tuple(rules), "any" if self.match == "all" else "all")

    def to_dict(self) -> dict[str, Any]:
        rules = [
            {"column": r.column, "comparison": r.comparison, "value": list(r.value) if isinstance(r.value, tuple) else r.value}
            for r in self.rules
        ]
        return {
            "rules": rules,
            "match": self.match,
            "score_side": self.score_side,
            "score_value": self.score_value,
            "sample": self.sample,
            "seed": self.seed,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        rules = tuple(
            Rule(r["column"], r["comparison"], tuple(r["value"]) if isinstance(r["value"], list) else r["value"])
            for r in data["rules"]
        )
        return cls(rules, data["match"], data["score_side"], data["score_value"], data["sample"], data["seed"])
