"""Rules between columns as people write them: `a + b <= c`, `if job = none then income <= 900`, `a and b change together`."""

from __future__ import annotations

import math
import operator as compare
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from difflib import get_close_matches
from typing import NoReturn, cast

from ..errors import InputError
from ..table.schema import Column, Level, Schema
from ..table.values import as_text
from .rule_names import NUMBER, Names, quoted, read_quoted, tidy
from .rule_parts import EPOCH, Always, Comparison, Levels, Operator, Rule, Sums, Term, Together

LONGEST = 500
SHOWN = 80  # characters of a rule that a sentence repeats
NAMED = 8  # columns or levels that a sentence names
LARGEST = 1e100
OPERATOR = re.compile(r"<=|>=|!=|<>|==|≤|≥|≠|<|>|=")
SAME: dict[str, Operator] = {"==": "=", "<>": "!=", "≤": "<=", "≥": ">=", "≠": "!="}
ORDER = {"<=": compare.le, "<": compare.lt, ">=": compare.ge, ">": compare.gt}
DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?!\d)")
SIGN = re.compile(r"[+\-−]")
TOGETHER = re.compile(r"\s+change\s+together\s*\.?\s*$", re.I)
AFTER_LEVEL = re.compile(r"\s*(?:$|[,)])|\s+(?:and|then)\s", re.I)
UNKNOWN = re.compile(r".+?(?=\s*(?:$|[<>=≤≥≠!+*,()])|\s+(?:-|and\s|then\s|in\s))", re.I | re.S)


def read_rule(text: str, schema: Schema) -> tuple[Rule, str]:
    """The rule that a line of text says, and its words in tidy form; an InputError quotes it and says what to do."""
    if not isinstance(text, str):
        raise InputError(f"A rule between columns must be a text such as “a <= b”, not {text!r}.")
    if not text.strip():
        raise InputError("A rule between columns is empty: write one such as “a <= b”, or take it out.")
    if len(text) > LONGEST:
        raise InputError(
            f"The rule {_quote(text)} has {len(text):,} characters, more than {LONGEST}: split it into several, or shorten it."
        )
    rule = _Reader(text.strip(), schema).rule()
    words = _words(rule, schema, always=False)
    try:
        unmistakable = _Reader(words, schema).rule() == rule
    except InputError:
        unmistakable = False
    return rule, words if unmistakable else _words(rule, schema, always=True)


def condition_words(rule: Rule, schema: Schema) -> str:
    """When a rule applies; empty if always."""
    parts = rule.conditions if isinstance(rule, Always) else ()
    return " and ".join(_words(Always(part), schema, always=False) for part in parts)


def _words(rule: Rule, schema: Schema, always: bool) -> str:
    names = tuple(quoted(column.name, always) for column in schema.features)
    used = {j: schema.features[j] for j in rule.columns if schema.features[j].categorical}
    levels = {j: tuple(quoted(as_text(level), always) for level in column.levels) for j, column in used.items()}
    return rule.words(names, levels)


def _quote(text: str) -> str:
    return f"“{text if len(text) <= SHOWN else text[: SHOWN - 1] + '…'}”"


@dataclass
class _Reader:
    """One pass over one text; `at` is how far it was read."""

    text: str
    schema: Schema
    at: int = 0
    whole: str = field(init=False)
    columns: tuple[Column, ...] = field(init=False)
    names: Names = field(init=False)

    def __post_init__(self) -> None:
        self.whole, self.columns = self.text, self.schema.features
        self.names = Names([column.name for column in self.schema])

    def rule(self) -> Rule:
        end = TOGETHER.search(self.text)
        if end is not None:
            return self._together(end.start())
        conditions = []
        if self._word("if"):
            conditions.append(self._comparison())
            while self._word("and"):
                conditions.append(self._comparison())
            if not self._word("then"):
                self._refuse("has no “then” after its condition: write it as “if a = x then b <= 5”")
        rule = Always(self._comparison(), tuple(conditions))
        if self._rest():
            self._refuse(
                f"cannot be read from “{self._rest()[:SHOWN]}” on: write one comparison per rule, and odd names in quotes"
            )
        return rule

    def _together(self, end: int) -> Together:
        self.text = self.text[:end]
        found = [self._name()]
        while self._match(re.compile(r",\s*and\b|,|and\b", re.I)):
            found.append(self._name())
        if self._rest():
            self._refuse(f"cannot be read from “{self._rest()[:SHOWN]}” on: write it as “a, b and c change together”")
        if len(set(found)) < max(2, len(found)):
            self._refuse("needs at least two different columns, each named once: name those that change together")
        return Together(tuple(found))

    def _comparison(self) -> Comparison:
        start = self.at
        place = self._known_name()
        if place is not None and self.columns[place].categorical:
            return self._levels(place)
        self.at = start
        left = self._sum()
        operator = self._operator()
        return Sums(left, operator, self._sum())

    def _operator(self) -> Operator:
        match = self._match(OPERATOR)
        if match is None:
            if self._word("in"):
                self._refuse("asks for a list where there is a number: compare numbers by <=, <, >=, >, = or !=")
            where = f"before “{self._rest()[:SHOWN]}”" if self._rest() else "at its end"
            self._refuse(f"lacks a comparison {where}: write <=, <, >=, >, = or != between two sides")
        return SAME.get(match[0], cast(Operator, match[0]))

    def _sum(self) -> tuple[Term, ...]:
        terms = [self._term(self._sign())]
        while (sign := self._match(SIGN)) is not None:
            terms.append(self._term(_sign(sign) * self._sign()))
        return tuple(terms)

    def _sign(self) -> int:
        return _sign(self._match(SIGN))

    def _term(self, sign: int) -> Term:
        place = self._known_name()
        if place is not None:
            number = self._number() if self._match(re.compile(r"[*×·]")) else 1.0
            if number is None:
                self._refuse(f"multiplies “{self.columns[place].name}” by no number: write it as “2 * a”")
            return Term(sign * number, self._numeric(place))
        day = self._match(DAY)
        if day is not None:
            return Term(sign, day=self._day(day[0]))
        number = self._number()
        if number is None:
            return Term(sign, self._numeric(self._name()))
        if self._match(re.compile(r"[*×·]")):
            return Term(sign * number, self._numeric(self._name()))
        place = self._known_name()
        return Term(sign * number, None if place is None else self._numeric(place))

    def _number(self) -> float | None:
        match = self._match(NUMBER)
        if match is None:
            return None
        number = float(match[0])
        if not (math.isfinite(number) and number <= LARGEST):
            self._refuse(f"has the number {match[0][:20]}, which is too large: write a smaller one")
        return number

    def _day(self, written: str) -> int:
        try:
            return (date.fromisoformat(written) - EPOCH).days
        except ValueError:
            self._refuse(f"has the date {written}, which does not exist: write one as 2024-12-31")

    def _numeric(self, place: int) -> int:
        column = self.columns[place]
        if column.categorical:
            self._refuse(f"calculates with “{column.name}”, a category: compare it alone with its levels, by =, != or in")
        return place

    def _levels(self, place: int) -> Levels:
        column = self.columns[place]
        if self._word("in"):
            if not self._match(re.compile(r"\(")):
                self._refuse("lacks a list after “in”: write it as “in (x, y)”")
            named = [self._level(column)]
            while self._match(re.compile(",")):
                named.append(self._level(column))
            if not self._match(re.compile(r"\)")):
                self._refuse(f"does not close its list of levels of “{column.name}”: write it as “in (x, y)”")
            return Levels(place, "in", tuple(named), tuple(i in named for i in range(len(column.levels))))
        if self._match(re.compile(r"[+*×·−-]")):
            self._numeric(place)
        operator = self._operator_of(column)
        level = self._level(column)
        if operator in ("=", "!="):
            return Levels(place, operator, (level,), tuple((i == level) == (operator == "=") for i in range(len(column.levels))))
        ranks = {column.levels.index(known): rank for rank, known in enumerate(column.ranking)}
        if level not in ranks:
            self._refuse(f"compares “{column.name}” with a level outside its order: use {_list(column.ranking)}")
        fits = tuple(i in ranks and ORDER[operator](ranks[i], ranks[level]) for i in range(len(column.levels)))
        return Levels(place, operator, (level,), fits)

    def _operator_of(self, column: Column) -> Operator:
        if not OPERATOR.match(self._rest()):
            self._refuse(f"says nothing of “{column.name}” that can be read: compare it by =, != or in with its levels")
        operator = self._operator()
        if operator not in ("=", "!=") and not column.ranking:
            self._refuse(f"compares “{column.name}” by {operator}, but its levels have no order: use =, != or in")
        return operator

    def _level(self, column: Column) -> int:
        self._skip()
        names = Names([as_text(level) for level in column.levels])
        given = read_quoted(self.text, self.at)
        found, end = names.read(self.text, self.at, AFTER_LEVEL)
        if given is not None and names.find(given[0]):
            found, end = names.find(given[0]), given[1]
        if not found:
            written = given[0] if given is not None else AFTER_LEVEL.split(self._rest(), maxsplit=1)[0]
            shown = f"no level “{written[:SHOWN]}”" if written.strip() else "no such level"
            near = get_close_matches(written, names.names, NAMED) or list(names.names)
            self._refuse(f"needs a level of “{column.name}”, which has {shown}: use {_list(near)}")
        if len(found) > 1:
            self._refuse(f"could mean several levels of “{column.name}”: write {_list(names.names[i] for i in found)} just so")
        self.at = end
        return found[0]

    def _known_name(self) -> int | None:
        """The place of the feature that is named here; None if nothing known is."""
        self._skip()
        given = read_quoted(self.text, self.at)
        found, end = self.names.read(self.text, self.at)
        if given is not None and self.names.find(given[0]):
            found, end = self.names.find(given[0]), given[1]
        if not found:
            return None
        every = self.schema.columns
        features = [i for i in found if every[i] in self.columns]
        if len(features) > 1:
            self._refuse(f"could mean several columns: write {_list(every[i].name for i in features)} just so")
        column = every[(features or found)[0]]
        if not features:
            what = "the outcome" if column.name == self.schema.outcome else "left out of the features"
            self._refuse(f"names “{column.name}”, which is {what}: use features only, or take the rule out")
        self.at = end
        return self.columns.index(column)

    def _name(self) -> int:
        place = self._known_name()
        if place is not None:
            return place
        given = read_quoted(self.text, self.at)
        match = UNKNOWN.match(self.text, self.at)
        written = given[0] if given is not None else match[0].strip() if match else self._rest()
        known = [tidy(column.name) for column in self.columns]
        near = get_close_matches(written, known, NAMED) or known
        if not written or OPERATOR.match(written):
            self._refuse("lacks a column or a number on one side: write it as “a <= b”")
        self._refuse(f"names “{written[:SHOWN]}”, which is no feature of the table: use {_list(near)}")

    def _word(self, word: str) -> bool:
        return self._match(re.compile(rf"{word}(?![\w.-])", re.I)) is not None

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        self._skip()
        match = pattern.match(self.text, self.at)
        if match is not None:
            self.at = match.end()
        return match

    def _skip(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def _rest(self) -> str:
        return self.text[self.at :].strip()

    def _refuse(self, why: str) -> NoReturn:
        raise InputError(f"The rule {_quote(self.whole)} {why}.")


def _list(names: Iterable[Level]) -> str:
    every = [f"“{as_text(name)}”" for name in names]
    if len(every) > NAMED:
        return f"{', '.join(every[:NAMED])} or one of {len(every) - NAMED:,} others"
    return " or ".join(filter(None, (", ".join(every[:-1]), every[-1])))


def _sign(match: re.Match[str] | None) -> int:
    return 1 if match is None or match[0] == "+" else -1
