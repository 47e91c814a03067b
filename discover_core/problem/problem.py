"""The whole question: these rows, this model, what may change, the outputs wished for, and how close is close enough."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..errors import InputError
from ..models.model import Model, Scorer, Scores, score
from ..table.schema import Column, Schema
from .actionability import Actionability, Allowed, reach
from .bounds import Bounds
from .budget import Budget, check_budget
from .column_rules import ColumnRules, RuleReport, rule_texts, rules_report
from .help_order import places
from .target import Target
from .walls import Walls
from .wish import Wish

ROUNDING = 1e-6  # how far, relative to its width, single precision may carry a score out of its interval


@dataclass(frozen=True, eq=False)
class Problem:
    """Validated once, here; everything behind trusts it.

    `rows` stay as they were given. `factual` are their features prepared by the schema with a fresh index, `outputs`
    their scores, `reference` the prepared table that sets scales and ranges (the rows themselves if none is given),
    `interval` where the model's scores lie if it says so, `walls` what each cell may become, `column_rules` what holds between
    the cells of a row. `budget` is what may be spent, `places` say who comes first, `rules` are the lines of text that became
    the column rules.
    """

    rows: pd.DataFrame
    schema: Schema
    model: Scorer
    actions: Actionability
    target: Target
    bounds: Bounds
    reference: pd.DataFrame = None  # type: ignore[assignment]  # None becomes the rows
    budget: Budget = Budget()  # noqa: RUF009 - it never changes
    rules: Sequence[str] = ()
    factual: pd.DataFrame = field(init=False, repr=False)
    outputs: Scores = field(init=False, repr=False)
    interval: tuple[float, float] | None = field(init=False)
    walls: Walls = field(init=False, repr=False)
    column_rules: ColumnRules = field(init=False, repr=False)
    places: NDArray[np.int64] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not len(self.rows):
            raise InputError("There are no rows to explain: choose a group with at least one row.")
        if self.reference is not None and not len(self.reference):
            raise InputError("The reference table has no rows: leave it out, or give one with rows.")
        if not self.schema.features:
            raise InputError("The table has no feature: give at least one column a role other than excluded or outcome.")
        self._check_actions()
        self._set("interval", _interval(self.model))
        check_budget(self.budget)
        self._set("rules", rule_texts(self.rules))
        self._set("column_rules", ColumnRules.of(self.rules, self.schema))
        self._check_target()
        self._set("places", places(self.rows, self.schema, self.budget.first))
        self._set("factual", self._prepared(self.rows))
        self._set("reference", self.factual if self.reference is None else self._prepared(self.reference))
        walls = Walls.build(self.factual, self.schema, self.actions, self.ranges())
        self._set("walls", walls.without(self.budget.left_alone(self.rows.index)))
        if not walls.open.any():
            raise InputError("No value of these rows may change within the limits: widen them or admit more categories.")
        if not self.walls.open.any():
            raise InputError("All people who could change must not be touched: take at least one of them out of the budget.")
        outputs = self.score(self.factual)
        outputs.setflags(write=False)
        self._set("outputs", outputs)

    @cached_property
    def wish(self) -> Wish:
        """What the target asks for, in a unit people read."""
        return Wish.of(self.target, self.outputs)

    @property
    def rule_report(self) -> list[RuleReport]:
        """How many of the rows break each rule between columns as they are: that is told, not repaired."""
        return rules_report(self.column_rules, self.walls.factual)

    @property
    def rule_words(self) -> list[str]:
        """Of each rule that rows break, how many do, in a sentence."""
        return [f"“{report.words}”: {report.sentence}" for report in self.rule_report if report.broken]

    def with_target(self, target: Target) -> Problem:
        """The same question with another target; nothing is scored again."""
        other = copy(self)
        other.__dict__.pop("wish", None)
        other._set("target", target)
        other._check_target()
        return other

    def score(self, table: pd.DataFrame) -> Scores:
        """One finite score per row of a prepared table, inside the model's interval; anything else is an InputError."""
        name = getattr(self.model, "title", "The model")
        # a model of ours for this very schema need not prepare the table again
        scorer = self.model.scorer if isinstance(self.model, Model) and self.model.schema == self.schema else self.model
        scores = score(scorer, table, name)
        if self.interval is None:
            return np.array(scores)
        low, high = self.interval
        inside = np.clip(scores, low, high)
        far = np.abs(inside - scores) > ROUNDING * (high - low)
        if far.any():
            raise InputError(f"{name} returned {scores[far][0]:g}, but says that its scores lie from {low:g} to {high:g}.")
        return inside

    def ranges(self) -> dict[str, tuple[float, float]]:
        """How far new values of each numeric feature may go."""
        return ranges(self.schema, self.actions)

    def _check_actions(self) -> None:
        ours, theirs = ([(c.name, c.role, c.levels, c.integer) for c in s.features] for s in (self.schema, self.actions.schema))
        if ours != theirs:
            odd = next((a for a, b in zip(ours, theirs, strict=False) if a != b), (ours + theirs)[min(len(ours), len(theirs))])
            raise InputError(f"What may change was said of another table: column “{odd[0]}” differs. Say it again for this one.")
        if not self.actions.editable:
            raise InputError("Every feature is locked, so nothing can change: unlock at least one.")

    def _check_target(self) -> None:
        if self.interval is None:
            return
        low, high = self.interval
        for value in (self.target.lowest, self.target.highest):
            if not low <= value <= high:
                raise InputError(
                    f"The target asks for an output of {value:g}, but this model's outputs lie from {low:g} to {high:g}: "
                    "choose a target inside."
                )

    def _prepared(self, table: pd.DataFrame) -> pd.DataFrame:
        return self.schema.prepare(table)[self.schema.feature_names].reset_index(drop=True)

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)


def _interval(model: Scorer) -> tuple[float, float] | None:
    given = getattr(model, "interval", None)
    return None if given is None else (float(given[0]), float(given[1]))


def ranges(schema: Schema, actions: Actionability) -> dict[str, tuple[float, float]]:
    """How far new values of each numeric feature may go: to the user's limits, else within the column's usual range."""
    return {column.name: _range(column, actions[column.name]) for column in schema.features if column.role == "numeric"}


def whole_ranges(schema: Schema, actions: Actionability) -> dict[str, tuple[float, float]]:
    """What a change of each numeric feature is measured by: the user's limits, else the column's whole range."""
    return {
        column.name: _range(replace(column, usual=None), actions[column.name])
        for column in schema.features
        if column.role == "numeric"
    }


def _range(column: Column, rule: Allowed) -> tuple[float, float]:
    low, high = reach(column, rule.low, rule.high)
    if low <= high:
        return low, high
    if rule.mode == "locked":
        return column.offered
    if rule.high is None:
        raise InputError(
            f"Column “{column.name}”: its lower limit {low:g} is above the highest value of the column, {high:g}; "
            "give an upper limit, too."
        )
    raise InputError(
        f"Column “{column.name}”: its upper limit {high:g} is below the lowest value of the column, {low:g}; "
        "give a lower limit, too."
    )
