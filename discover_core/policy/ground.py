"""What a policy stands on: the question it answers, the people it knows, and how changes are measured."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..errors import InputError
from ..problem.budget import Budget
from ..problem.problem import Problem
from ..problem.settings import Settings
from ..problem.walls import Walls
from ..solver.allowance import Allowance
from ..solver.cells import Cells, Layout
from ..solver.efforts import Efforts
from ..solver.fence import Fence
from ..solver.likeness import MOST_UNUSUAL, Likeness
from ..solver.personal.donors import Donors
from ..solver.personal.options import Options
from ..solver.search import layout_of
from ..table.encoding import Encoding
from ..table.prepare import prepare
from ..table.schema import Schema
from ..table.values import on_grid
from ..transport.usual import Usual, reference_sample
from .gaps import Gaps, gaps_of

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
DONORS = 200  # of the known people, whose values may be taken
CAP = 2.0  # the most effort of a person where the budget does not say
DIGITS = 12  # decimals of a score: less tells nobody apart, in whatever company a model was asked about them


@dataclass(frozen=True, eq=False)
class Ground:
    """`known` is the question asked of people of the reference table, up to 2,000; `settings` say how a person is searched for.

    `centre` and `scale` of the features are those of the whole reference, `tried` the values of each feature that are tried. The
    budget is what one person may spend: `cap` is never None in it. Its schema says what stands for each missing number, so that
    nobody's depends on who else is there.
    """

    known: Problem
    settings: Settings
    centre: Floats
    scale: Floats
    tried: dict[int, Floats]

    def __post_init__(self) -> None:
        schema = _with_medians(self.known.schema, self.known.reference)
        if schema != self.known.schema:
            object.__setattr__(self, "known", replace(self.known, schema=schema))

    @classmethod
    def of(cls, problem: Problem, settings: Settings) -> Self:
        """From the design people's question; what a budget says of all people together is no part of it."""
        own = problem.budget
        nobody_by_name(own)
        some = problem.reference.iloc[reference_sample(len(problem.reference))]
        budget = Budget(features=own.features, effort=CAP if own.effort is None else own.effort)
        known = Problem(
            some, problem.schema, problem.model, problem.actions, problem.target, problem.bounds, some, budget, problem.rules
        )
        blocks = layout_of(problem, settings).encoding.blocks
        centre, scale = (np.array([getattr(block, name) for block in blocks]) for name in ("centre", "scale"))
        tried = Options.of(Fence.of(problem), problem.reference, problem.ranges()).values
        every = Options.of(Fence.of(known), problem.reference, problem.ranges()).values
        return cls(known, settings, centre, scale, {**every, **tried})

    def typical_move(self, squared: float) -> float:
        """A mean of |x - x'|^2/d as the root of the mean square over people and features: d counts a coordinate for each level of
        a category, of which a switch moves two."""
        return math.sqrt(squared * self.efforts.width / len(self.known.schema.features))

    @property
    def cap(self) -> float:
        """The most effort of a person."""
        assert self.known.budget.effort is not None
        return self.known.budget.effort

    @property
    def h(self) -> int:
        most = self.known.budget.features
        return self.settings.h if most is None else min(self.settings.h, most)

    @cached_property
    def layout(self) -> Layout:
        weights = {allowed.name: allowed.weight for allowed in self.known.actions}
        return Layout(self._encoding(weights))

    @cached_property
    def efforts(self) -> Efforts:
        return Efforts.of(self.layout)

    @cached_property
    def usual(self) -> Usual:
        encoding = Encoding.from_scales(self.known.schema, self.centre, self.scale, {}, "onehot")
        return Usual(encoding, encoding.encode(self.known.reference))

    @cached_property
    def donors(self) -> Donors:
        some = np.sort(np.random.default_rng(self.settings.seed).permutation(len(self.known.factual))[:DONORS])
        return Donors(self.layout.cells(self.known.factual.iloc[some]), np.round(self.known.outputs[some], DIGITS))

    def score(self, cells: Cells) -> Floats:
        return np.round(self.known.score(self.layout.table(cells)), DIGITS)

    def meet(self, rows: pd.DataFrame) -> People:
        """Some people, as the policy sees them."""
        known = self.known
        prepared = prepare(rows, known.schema)
        table = prepared.table[known.schema.feature_names].reset_index(drop=True)
        walls = Walls.build(table, known.schema, known.actions, known.ranges())
        scores = np.round(known.score(table), DIGITS)
        return People(self, Fence.around(walls, known.ranges()), scores, gaps_of(prepared, known.schema))

    def _encoding(self, weights: dict[str, float]) -> Encoding:
        return Encoding.from_scales(self.known.schema, self.centre, self.scale, weights, self.settings.encoding)


def nobody_by_name(budget: Budget) -> None:
    """An InputError if a budget speaks of certain people."""
    if budget.untouched or budget.first is not None:
        raise InputError(
            "A policy tells each person what to change and knows nobody by name, so nobody can be left alone or come first: "
            "take such people out of the group."
        )


@dataclass(frozen=True, eq=False)
class People:
    """Some people whom a policy is to tell what to change: their walls, the scores they have, and which values they lack."""

    ground: Ground
    fence: Fence
    scores: Floats
    gaps: Gaps

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def cells(self) -> Cells:
        return self.fence.walls.factual

    @cached_property
    def likeness(self) -> Likeness:
        wall = self.ground.settings.usual
        return Likeness(self.ground.usual, self.cells, MOST_UNUSUAL if wall is None else wall, wall is not None)

    @cached_property
    def allowance(self) -> Allowance:
        known = self.ground.known
        return Allowance(known.budget, known.column_rules, self.ground.efforts, self.cells, np.zeros(len(self), dtype=np.int64))

    def uniform(self, people: Indices, counts: Indices, width: int) -> Floats:
        """Random numbers of each person's own: they follow from what the person is like, and not from who else is there."""
        seed = self.ground.settings.seed
        drawn = [
            np.random.default_rng([seed, *_words(self.cells[i])]).random((int(count), width))
            for i, count in zip(people, counts, strict=True)
        ]
        return np.concatenate([np.empty((0, width)), *drawn])


def _with_medians(schema: Schema, reference: pd.DataFrame) -> Schema:
    """The schema with the median of the known people for missing numbers of which it does not say what they become."""
    for column in schema.features:
        if column.role == "numeric" and column.fill is None:
            middle = np.median(reference[column.name].to_numpy(dtype=np.float64))
            schema = schema.replace(column.name, fill=float(on_grid(np.array([middle]), column)[0]))
    return schema


def _words(cells: Floats) -> list[int]:
    """A person's content as numbers for a seed."""
    digest = hashlib.blake2b((cells + 0.0).tobytes(), digest_size=16).digest()
    return [int.from_bytes(digest[at : at + 4], "little") for at in range(0, 16, 4)]
