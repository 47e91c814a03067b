"""A table, a model and whom it is about: the group, its scores, and what a target means for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..models.model import Model, Scores
from ..problem.actionability import Actionability
from ..problem.amounts import amount
from ..problem.bounds import Bounds
from ..problem.budget import Budget
from ..problem.presets import FITTED, PRESETS
from ..problem.problem import Problem
from ..problem.settings import Settings
from ..problem.target import Target
from ..problem.targets import TargetContext, TargetSpecification
from ..problem.wish import Wish
from ..table.cohort import Cohort
from ..table.dataset import Dataset

Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Study:
    """What a question is asked of. `model_scores` are the model's own, one for every row of the table.

    Before there is a model only the groups that no score decides can be had.
    """

    dataset: Dataset
    cohort: Cohort
    model: Model | None = None
    model_scores: Scores | None = None

    @classmethod
    def of(cls, dataset: Dataset, model: Model, cohort: Cohort) -> Self:
        """With every row scored, which may take a while."""
        return cls(dataset, cohort, model, model(dataset.raw))

    @property
    def interval(self) -> tuple[float, float] | None:
        """Where the model's scores can lie, if it says so."""
        return None if self.model is None else self.model.interval

    @cached_property
    def scores(self) -> Scores:
        """The score of every row of the table, inside the model's interval."""
        if self.model_scores is None:
            raise InputError("There is no model yet, so there are no scores: train one or bring one first.")
        return self.model_scores if self.interval is None else np.clip(self.model_scores, *self.interval)

    def rows(self, cohort: Cohort) -> Places:
        """The rows of a group of this table, maybe none."""
        return cohort.rows(self.dataset.ready, self.dataset.schema, None if self.model_scores is None else self.scores)

    @cached_property
    def group(self) -> Places:
        return self.rows(self.cohort)

    @cached_property
    def population(self) -> Places:
        """All rows that fulfil the group's rules, before sampling."""
        return self.rows(replace(self.cohort, sample=None))

    @cached_property
    def group_scores(self) -> Scores:
        scores = np.array(self.scores[self.group])
        scores.setflags(write=False)
        return scores

    def target(
        self, specification: TargetSpecification, people: Places | None = None, seen: Callable[[Places], Places] | None = None
    ) -> Target:
        """What a specification makes for this group, or for some rows; an InputError when it cannot. The last one is kept.

        `seen` says whose scores of another group may be looked at for these rows."""
        if people is not None:
            return self._target(specification, np.asarray(self.scores[people]), seen)
        kept: tuple[TargetSpecification, Target] | None = vars(self).get("_last")
        if kept is None or kept[0] != specification:
            kept = vars(self)["_last"] = (specification, self._target(specification, self.group_scores))
        return kept[1]

    def _target(
        self, specification: TargetSpecification, scores: Scores, seen: Callable[[Places], Places] | None = None
    ) -> Target:
        def scores_of(cohort: Cohort) -> Scores:
            rows = self.rows(cohort) if seen is None else seen(self.rows(cohort))
            if not len(rows):
                raise InputError("The reference group has no rows: loosen its rules.")
            return np.asarray(self.scores[rows])

        return specification.target(TargetContext(scores, scores_of))

    def wish(self, specification: TargetSpecification) -> Wish:
        """What a specification asks of the group's scores, in a unit people read."""
        return Wish.of(self.target(specification), self.group_scores)

    def to_help(self, specification: TargetSpecification) -> int:
        """How many people of the group a search has to help; all of them while nobody can say."""
        try:
            return self.wish(specification).to_help(self.group_scores)
        except InputError:
            return len(self.group)

    def beyond(self, specification: TargetSpecification) -> str | None:
        """A sentence if nobody in the whole table scores what is asked for."""
        past = self.wish(specification).past
        if past is None or past.right(self.scores).any():
            return None
        lowest = past.side == "below"
        end = f"the lowest is {amount(self.scores.min())}" if lowest else f"the highest is {amount(self.scores.max())}"
        return f"Nobody in the whole table scores {past.words}: {end}. It may not be possible at all."

    def fitted(self, actions: Actionability, specification: TargetSpecification, own: Settings, preset: str = FITTED) -> Settings:
        """The settings of a preset that suit the group and the wish; seed and encoding stay those of `own`."""
        made = PRESETS[preset].settings(len(self.group), len(actions.editable), self.to_help(specification))
        return replace(made, seed=own.seed, encoding=own.encoding)

    def problem(
        self,
        actions: Actionability,
        specification: TargetSpecification,
        bounds: Bounds,
        budget: Budget = Budget(),  # noqa: B008 - it never changes
        rules: Sequence[str] = (),
    ) -> Problem:
        """The question in numbers. The whole table is the reference."""
        if self.model is None:
            raise InputError("There is no model yet: train one or bring one first.")
        if not len(self.group):
            raise InputError("The group has no rows: loosen its rules.")
        raw, target = self.dataset.raw, self.target(specification)
        return Problem(raw.iloc[self.group], self.dataset.schema, self.model, actions, target, bounds, raw, budget, rules)
