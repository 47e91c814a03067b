"""The question being written: what the Scenario page edits and the Solve page asks."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Self

from discover_core.errors import InputError
from discover_core.problem.audit_plan import AuditPlan
from discover_core.problem.bounds import Bounds
from discover_core.problem.budget import Budget
from discover_core.problem.column_rules import ColumnRules
from discover_core.problem.presets import FITTED
from discover_core.problem.settings import Settings
from discover_core.problem.targets import TargetSpecification, Threshold
from discover_core.table.schema import Schema

from .text import plain

FIRST_TARGET = Threshold(0.5, 0.5, "below", 0.02)
RANKED = ("numeric", "ordinal")  # roles of a column that people can be lined up by


@dataclass(frozen=True)
class Draft:
    """Immutable: every edit makes a new one, and widgets are only views of it. Who may change what is kept beside it.

    While `suggested`, the two bounds follow what is advised for the group and the target; while `fitted` names a preset, the
    settings follow the group and the wish, but for their seed and encoding. `saved` is the id under which
    the scenario was last saved or opened, and `seen` when what was seen there had been saved. `rules` are kept as they were
    written: one that cannot be read is pointed out, and stops the question from being asked. `audit` says how an answer is
    audited, `audited` whether; None is what suits the size of the group.
    """

    name: str = ""
    target: TargetSpecification = FIRST_TARGET
    bounds: Bounds = field(default_factory=lambda: Bounds(u_x=0.5, u_y=0.05))
    settings: Settings = field(default_factory=Settings)
    suggested: bool = True
    fitted: str | None = FITTED
    saved: str | None = None
    seen: float = 0.0
    budget: Budget = Budget()  # noqa: RUF009 - it never changes
    rules: tuple[str, ...] = ()
    audit: AuditPlan = AuditPlan()  # noqa: RUF009 - it never changes
    audited: bool | None = None

    def carried(self, before: Schema, schema: Schema) -> tuple[Self, list[str]]:
        """The same question of other columns, without the rules that no longer fit, and a sentence for each loss."""
        lost = [rule for rule in self.rules if rule_problem(rule, before) is None and rule_problem(rule, schema) is not None]
        said = [f"The rule **{plain(rule)}** was removed, because it no longer fits the columns." for rule in lost]
        budget, first = self.budget, self.budget.first
        if first is not None and (first not in schema or not (schema[first].role in RANKED or schema[first].ranking)):
            budget = replace(budget, first=None)
            said.append(f"Nobody is helped first by **{plain(first)}** any more, because the column is used differently now.")
        return replace(self, budget=budget, rules=tuple(rule for rule in self.rules if rule not in lost)), said


def rule_problem(rule: str, schema: Schema) -> str | None:
    """The sentence if a rule between columns cannot be read."""
    try:
        ColumnRules.of((rule,), schema)
    except InputError as error:
        return str(error)
    return None
