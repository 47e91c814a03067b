"""For whom a policy was made: who of some people is not of its group, or unlike everybody it was learnt from, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..problem.amounts import amount
from ..problem.change_words import unit_text, value_text
from ..problem.cohort_words import cohort_words, rule_words, score_words
from ..solver.cells import Cells
from ..table.cohort import Cohort
from ..table.schema import Schema
from .design import Design, unseen
from .gaps import Gaps
from .ground import Ground

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Membership:
    """`outside` are those who break the group's rules, `beyond` those of the others with a score, or without such rules a
    value, that nobody has whom the policy was learnt from; of `open` nobody can say whether they keep the rules. `words` say
    why, by person, of the first two."""

    outside: Mask
    beyond: Mask
    open: Mask
    words: dict[int, str]

    @classmethod
    def of(cls, cohort: Cohort | None, design: Design, ground: Ground, cells: Cells, scores: Floats, gaps: Gaps) -> Self:
        schema, nobody = ground.known.schema, np.zeros(len(cells), dtype=bool)
        rules = None if cohort is None else Rules.of(cohort, schema, ground.layout.table(cells), scores)
        outside, undecided = (nobody, nobody) if rules is None else (rules.outside, rules.undecided)
        odd = np.zeros(cells.shape, dtype=bool)
        if cohort is None and design.seen is not None:
            odd = unseen(cells, design.seen, schema) & (gaps == 0)
        far = design.beyond(scores)
        beyond = (far | odd.any(axis=1)) & ~outside
        words: dict[int, str] = {}
        for i in np.flatnonzero(outside).tolist():
            assert rules is not None
            words[i] = rules.words(i, schema, cells[i], float(scores[i]), gaps[i])
        for i in np.flatnonzero(beyond).tolist():
            words[i] = _odd_words(schema, design, cells[i], odd[i], float(scores[i]) if far[i] else None)
        return cls(outside, beyond, undecided & ~beyond, words)


@dataclass(frozen=True, eq=False)
class Rules:
    """A group's rules, and who keeps each of those that can be judged; `kept` has None for one that is about the outcome."""

    cohort: Cohort
    kept: tuple[Mask | None, ...]
    scored: Mask

    @classmethod
    def of(cls, cohort: Cohort, schema: Schema, table: pd.DataFrame, scores: Floats) -> Self:
        kept = tuple(rule.mask(table, schema) if rule.column in schema.feature_names else None for rule in cohort.rules)
        bare = Cohort(score_side=cohort.score_side, score_value=cohort.score_value)
        return cls(cohort, kept, bare.mask(table, schema, scores))

    @property
    def _known(self) -> list[Mask]:
        return [mask for mask in self.kept if mask is not None]

    @property
    def outside(self) -> Mask:
        """Who surely is not of the group."""
        every, decided = self.cohort.match == "all", len(self._known) == len(self.kept)
        if every:
            return np.asarray(np.logical_or.reduce([~self.scored, *(~mask for mask in self._known)]))
        if not decided or not self.kept:
            return ~self.scored
        return np.asarray(~self.scored | np.logical_and.reduce([~mask for mask in self._known]))

    @property
    def undecided(self) -> Mask:
        """Of whom it depends on a rule that cannot be judged."""
        if len(self._known) == len(self.kept):
            return np.zeros(len(self.scored), dtype=bool)
        settled = self.outside
        return ~settled if self.cohort.match == "all" else np.asarray(~np.logical_or.reduce([settled, *self._known]))

    def words(self, person: int, schema: Schema, cells: Floats, score: float, gaps: Gaps) -> str:
        """What one of those outside is like, and what the rules are that they break."""
        cohort = self.cohort
        every = cohort.match == "all"
        broken = [rule for rule, kept in zip(cohort.rules, self.kept, strict=True) if kept is not None and not kept[person]]
        if not every and len(broken) < len(cohort.rules):
            broken = []
        said = dict.fromkeys(_value_words(schema, rule.column, cells, gaps) for rule in broken)
        made = (" and " if every else " or ").join(rule_words(rule) for rule in broken)
        if not self.scored[person]:
            said[f"score is {_precise(score, cohort.score_value)}"] = None
            made = f"({made})" if made and not every and len(broken) > 1 else made
            made = f"{made} and {score_words(cohort)}" if made else score_words(cohort)
        return f"not of the group the guarantee speaks of: {' and '.join(said)}, the policy was made for {made}"


def group_words(cohort: Cohort) -> str:
    """The group itself, of which a sample may have been taken."""
    return cohort_words(group_of(cohort))


def group_of(cohort: Cohort) -> Cohort:
    """The rules alone: whoever keeps them belongs to the group, drawn or not."""
    return Cohort(cohort.rules, cohort.match, cohort.score_side, cohort.score_value)


def _value_words(schema: Schema, name: str, cells: Floats, gaps: Gaps) -> str:
    place = schema.feature_names.index(name)
    text = _text(schema, place, cells[place])
    return f"{name} is unknown (taken as {text})" if gaps[place] else f"{name} is {text}"


def _odd_words(schema: Schema, design: Design, cells: Floats, odd: Mask, score: float | None) -> str:
    said = []
    for j in np.flatnonzero(odd).tolist():
        column, text = schema.features[j], _text(schema, j, cells[j])
        assert design.seen is not None
        ends = "" if column.categorical else " (theirs {} to {})".format(*(value_text(column, end) for end in design.seen[j]))
        said.append(f"{column.name} {text}{ends}")
    if score is not None:
        low, high = (float(end) for end in (design.scores[0], design.scores[-1]))
        said.append(f"score {_precise(score, low if score < low else high)} (theirs {amount(low)} to {amount(high)})")
    return f"has what nobody it was learnt from has: {', '.join(said)}"


def _text(schema: Schema, place: int, cell: float) -> str:
    column = schema.features[place]
    return f"{value_text(column, column.levels[int(cell)] if column.categorical else cell)}{unit_text(column)}"


def _precise(score: float, beside: float) -> str:
    """With as many digits as it takes to tell it from another number."""
    return amount(score) if score == beside or amount(score) != amount(beside) else f"{score:.12g}"
