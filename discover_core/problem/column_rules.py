"""Rules between the columns of a person, such as `a <= b`: read from lines of text, checked on cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from ..errors import InputError
from ..table.known import KnownTable
from ..table.schema import Schema
from .rule_conflicts import Conflict, conflict, impossible
from .rule_parts import Cells, Mask, Rule
from .rule_text import condition_words, read_rule

MOST = 50
NOBODY = "Nobody can keep the rule “{}” within the ranges of its columns: correct it, or take it out."


class RuleReport(NamedTuple):
    """A rule in words, and how many of so many people break it as they are."""

    words: str
    broken: int
    people: int

    @property
    def sentence(self) -> str:
        """What there is to say of those who break it; empty if nobody does."""
        if not self.broken:
            return ""
        if self.broken < self.people:
            return f"{self.broken:,} of the {self.people:,} break it today, and may stay so."
        whom = f"All {self.people:,} people break" if self.people > 1 else "The one person breaks"
        return f"{whom} it today, as if it meant others: check it. Whoever changes one of its columns must keep it."


@dataclass(frozen=True)
class ColumnRules:
    """Cells are `[..., feature]` in the schema's order: numbers as they are, categories as the places of their levels.

    `texts` are the rules as they were written, `tidy` the same in one way of writing, `rules` what they mean.
    """

    texts: tuple[str, ...] = ()
    tidy: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()

    @classmethod
    def of(cls, texts: Sequence[str], schema: Schema) -> Self:
        """InputError for a rule that cannot be read, that nobody could keep, or that contradicts others."""
        texts = rule_texts(texts)
        if len(texts) > MOST:
            raise InputError(
                f"There are {len(texts):,} rules between columns, more than {MOST}: keep the {MOST} that matter most."
            )
        read = [read_rule(text, schema) for text in texts]
        rules, tidy = tuple(rule for rule, _ in read), tuple(words for _, words in read)
        for rule, words in zip(rules, tidy, strict=True):
            if impossible(rule, schema.features):
                raise InputError(NOBODY.format(words))
        clash = conflict(rules, schema.features)
        if clash is not None:
            raise InputError(_contradiction(clash, rules, tidy, schema))
        return cls(texts, tidy, rules)

    def __len__(self) -> int:
        return len(self.texts)

    def columns(self, i: int) -> tuple[int, ...]:
        """The places of the features that rule i looks at."""
        return self.rules[i].columns

    def words(self, i: int) -> str:
        """Rule i in tidy form; it reads as the same rule."""
        return self.tidy[i]

    def broken(self, cells: Cells) -> Mask:
        """`[..., rule]`: which rules these rows break as they stand; one about changes is broken by nobody."""
        out = np.zeros((*cells.shape[:-1], len(self)), dtype=bool)
        for i, rule in enumerate(self.rules):
            out[..., i] = rule.broken(cells)
        return out

    def violated(self, before: Cells, after: Cells) -> Mask:
        """`[..., rule]`: which rules a change breaks. One binds whoever changes a column of it, and whoever kept it before."""
        out = np.zeros((*np.broadcast_shapes(before.shape, after.shape)[:-1], len(self)), dtype=bool)
        for i, rule in enumerate(self.rules):
            out[..., i] = rule.violated(before, after)
        return out

    def allowed(self, before: Cells, after: Cells) -> Mask:
        """Which changes violate no rule."""
        out = np.ones(np.broadcast_shapes(before.shape, after.shape)[:-1], dtype=bool)
        for rule in self.rules:
            out &= ~rule.violated(before, after)
        return out


def rule_texts(rules: Any) -> tuple[str, ...]:
    """The lines of text that somebody gave as rules; an InputError if it is no list of such."""
    if isinstance(rules, str | bytes) or not isinstance(rules, Iterable):
        raise InputError("Rules between columns must be a list of texts, one for each rule; an empty list for none.")
    return tuple(rules)


def _contradiction(clash: Conflict, rules: Sequence[Rule], tidy: Sequence[str], schema: Schema) -> str:
    if len(clash.places) == 1:
        return NOBODY.format(tidy[clash.places[0]])
    *first, last = (f"“{tidy[i]}”" for i in clash.places)
    where = (
        "within the ranges of their columns"
        if clash.under is None
        else f"for whoever has {condition_words(rules[clash.under], schema)}"
    )
    return f"The rules {', '.join(first)} and {last} contradict each other {where}: correct one of them, or take it out."


def rules_report(rules: ColumnRules, cells: Cells) -> list[RuleReport]:
    """Of each rule, how many of these people break it as they are: reported, not repaired."""
    counts = rules.broken(cells).sum(axis=0).tolist()
    return [RuleReport(words, count, len(cells)) for words, count in zip(rules.tidy, counts, strict=True)]


def known_rules(known: KnownTable, schema: Schema) -> tuple[str, ...]:
    """The rules that come with a known table, without those that this schema has no columns or values for."""
    kept: tuple[str, ...] = ()
    for text in known.rules:
        try:
            ColumnRules.of((*kept, text), schema)
        except InputError:
            continue
        kept += (text,)
    return kept
