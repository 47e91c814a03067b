"""Rules that nobody could keep within the ranges of the columns: alone, together, or together where a condition holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..table.schema import Column
from .rule_cases import Case, Clause, Work, clause_of, never, possible
from .rule_parts import Always, Comparison, Rule, Sums

Places = tuple[int, ...]


class Conflict(NamedTuple):
    """The places of rules that no values keep together, none of them to spare; `under` is the place of the rule whose condition
    must hold for that, None if nobody at all could keep them."""

    places: Places
    under: int | None = None


def impossible(rule: Rule, columns: Sequence[Column]) -> bool:
    """Whether no values within the columns' ranges keep it, looked at by itself and without any search."""
    return isinstance(rule, Always) and all(never(part, columns) for part in clause_of(rule))


def conflict(rules: Sequence[Rule], columns: Sequence[Column]) -> Conflict | None:
    """Rules that contradict each other; None if there are none, or in doubt."""
    every = {i: rule for i, rule in enumerate(rules) if isinstance(rule, Always)}
    work = Work()
    groups = [_Group({i: every[i] for i in places}, columns, work) for places in _apart(every)]
    for group in groups:
        if not group.possible(group.places):
            return Conflict(group.needed())
    for group in groups:
        for i, rule in group.rules.items():
            if rule.conditions and rule.conditions not in [every[j].conditions for j in group.places if j < i]:
                found = group.under(i)
                if found:
                    return Conflict(found, i)
    return None


class _Group:
    """Rules that have to do with each other by their columns."""

    def __init__(self, rules: dict[int, Always], columns: Sequence[Column], work: Work) -> None:
        self.rules, self.columns, self.work, self.places = rules, columns, work, tuple(rules)
        self._clauses = {i: clause_of(rule) for i, rule in rules.items()}

    def possible(self, places: Iterable[int], given: Sequence[Comparison] = ()) -> bool:
        clauses: list[Clause] = [(part,) for part in given]
        return possible([*clauses, *(self._clauses[i] for i in places)], self.columns, self.work)

    def needed(self, given: Sequence[Comparison] = ()) -> Places:
        """Of rules that nobody can keep together those that are left when all that can be spared are left out."""
        kept = list(self.places)
        size = len(kept) // 2
        while size:
            for start in reversed(range(0, len(kept), size)):
                others = kept[:start] + kept[start + size :]
                if not self.possible(others, given):
                    kept = others
            size //= 2
        return tuple(kept)

    def under(self, i: int) -> Places:
        """Rules that nobody can keep who meets the conditions of rule i, two of them because these conditions hold.

        That one rule alone, or others, never let the conditions hold is nothing to correct.
        """
        given = self.rules[i].conditions
        applying = self._applying(given)
        others = [j for j in self.places if j not in applying]
        if len(applying) < 2 or self.possible(self.places, given) or not self.possible(others, given):
            return ()
        found = self.needed(given)
        return found if len(set(found) & set(applying)) > 1 else ()

    def _applying(self, given: Sequence[Comparison]) -> Places:
        """The rules for some whose conditions hold wherever these do."""
        case: Case | None = Case()
        for part in given:
            if case is not None and not (isinstance(part, Sums) and part.operator == "!="):
                case = case.assume(part, self.columns)
        if case is None:
            return ()
        return tuple(
            i
            for i, rule in self.rules.items()
            if rule.conditions and all(part in given or case.always(part, self.columns) for part in rule.conditions)
        )


def _apart(rules: dict[int, Always]) -> list[Places]:
    """The places of rules, in groups that share no column."""
    groups: list[tuple[set[int], list[int]]] = []
    for i, rule in rules.items():
        columns, places = set(rule.columns), [i]
        for group in [group for group in groups if group[0] & columns]:
            groups.remove(group)
            columns, places = columns | group[0], places + group[1]
        groups.append((columns, places))
    return [tuple(sorted(places)) for _, places in groups]
