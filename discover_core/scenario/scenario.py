"""The one serialised form of a problem and its settings: `scenario.json`."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Self

import pandas as pd

from ..errors import InputError, short
from ..models.model import Scorer
from ..problem.actionability import Actionability, Allowed
from ..problem.audit_plan import AuditPlan
from ..problem.bounds import Bounds, completed_bounds
from ..problem.budget import Budget, check_budget
from ..problem.column_rules import ColumnRules, rule_texts
from ..problem.problem import Problem
from ..problem.settings import Settings, completed
from ..problem.targets import TargetSpecification
from ..solver.strategies import strategy_named
from ..table.cohort import Cohort
from ..table.dataset import Dataset
from ..table.people import check_column
from ..table.schema import Schema
from .json_file import read_json, write_json
from .json_schema import build, check_names, plain
from .sources import FileSource, Folder, Marks, ModelSource, TableSource, model_source, source_to_dict, table_source
from .study import Study
from .target_specification import specification_from_dict, specification_to_dict

VERSION = 1
PARTS = ["version", "data", "schema", "cohort", "model", "actions", "target", "bounds", "settings"]
OPTIONAL = ["people", "name"]
LIMITS = ["budget", "rules", "audit"]


@dataclass(frozen=True)
class Scenario:
    """Everything needed to ask a question again. Files are named by their path from `folder`, the scenario file's own.

    `people` is the column that says what people are called; without one they go by their rows. `name` is what the user calls
    the scenario, which is no part of the question. `budget` is what may be spent, `rules` hold between columns,
    a line of text each; `audit` says how it is audited, if it is.
    """

    data: TableSource
    schema: Schema
    cohort: Cohort
    model: ModelSource
    actions: Actionability
    target: TargetSpecification
    bounds: Bounds
    settings: Settings
    folder: Path = field(default=Path(), compare=False)
    people: str | None = None
    name: str = field(default="", compare=False)
    budget: Budget = Budget()  # noqa: RUF009 - it never changes
    rules: tuple[str, ...] = ()
    audit: AuditPlan | None = None

    def __post_init__(self) -> None:
        strategy_named(self.settings.strategy)
        check_budget(self.budget)
        object.__setattr__(self, "rules", rule_texts(self.rules))
        ColumnRules.of(self.rules, self.schema)
        if self.budget.first is not None and self.budget.first not in self.schema:
            raise InputError(f"“{self.budget.first}”, by which people are helped first, is no column of the scenario's table.")
        if self.people is not None and self.people not in self.schema:
            raise InputError(
                f"People cannot be called by “{self.people}”, which is no column of the scenario's table: name another."
            )

    @classmethod
    def read(cls, path: str | Path) -> Self:
        path = Path(path)
        return replace(cls.from_dict(read_json(path)), folder=path.parent)

    def write(self, path: str | Path) -> None:
        """Write the scenario alone; the files it names must lie beside it for it to be run."""
        try:
            write_json(Path(path), self.to_dict())
        except OSError as error:
            raise InputError(f"“{Path(path).name}” cannot be written: {error.strerror or error}.") from error

    def to_dict(self) -> dict[str, Any]:
        """What is not said (what people are called, the scenario's name) has no part, as in the files of before."""
        parts = {
            "version": VERSION,
            "data": source_to_dict(self.data),
            "schema": self.schema.to_dict(),
            "cohort": self.cohort.to_dict(),
            "model": source_to_dict(self.model),
            "actions": self.actions.to_dict(),
            "target": specification_to_dict(self.target),
            "bounds": self.bounds.to_dict(),
            "settings": self.settings.to_dict(),
        }
        parts |= {} if self.people is None else {"people": self.people}
        parts |= {"name": self.name} if self.name else {}
        parts |= {} if self.budget.empty else {"budget": self.budget.to_dict()}
        parts |= {"rules": list(self.rules)} if self.rules else {}
        parts |= {} if self.audit is None else {"audit": self.audit.to_dict()}
        return {name: plain(part) for name, part in parts.items()}

    @classmethod
    def from_dict(cls, data: Any) -> Self:
        """Every part is checked; an unknown version or name, a missing part or a wrong type is an InputError."""
        if not isinstance(data, dict) or "version" not in data:
            raise InputError("This is not a scenario: a scenario says its “version”.")
        if type(data["version"]) is not int or data["version"] != VERSION:
            raise InputError(
                f"This scenario has the version {short(repr(data['version']))}, but this program reads version {VERSION} only."
            )
        check_names(data, [*PARTS, *OPTIONAL, *LIMITS], "scenario", PARTS)
        said = {part: data[part] for part in OPTIONAL if data.get(part) is not None}
        for part, text in said.items():
            if not isinstance(text, str):
                raise InputError(f"“{part}” of the scenario must be text.")
        schema = build(Schema, data["schema"], "schema")
        return cls(
            table_source(data["data"]),
            schema,
            build(Cohort, data["cohort"], "cohort"),
            model_source(data["model"]),
            actions_from_dict(data["actions"], schema),
            specification_from_dict(data["target"]),
            build(Bounds, completed_bounds(data["bounds"]), "bounds"),
            build(Settings, completed(data["settings"]), "settings"),
            **said,
            budget=build(Budget, data.get("budget", {}), "budget"),
            rules=_lines(data.get("rules", [])),
            audit=None if data.get("audit") is None else build(AuditPlan, data["audit"], "audit"),
        )

    def study(
        self,
        approved: Collection[str] = (),
        model_title: str | None = None,
        files: FileSource | None = None,
        around: Callable[[Scorer], Scorer] | None = None,
    ) -> Study:
        """Load the table, train or load the model, and score every row.

        `approved` are types of a model file that a person trusted; a scenario itself cannot say so. `model_title` is what
        people call the model, if its file has another name. `files` says where the scenario's files are, if not in its folder.
        `around` gives what is to be called in place of the model's scorer.
        """
        files = files or Folder(self.folder)
        raw = self.data.table(files)
        if self.people is not None:
            check_column(raw, self.people)
        model = self.model.model(files, raw, self.schema, approved)
        model = replace(model, title=model_title or model.title, scorer=around(model.scorer) if around else model.scorer)
        return Study.of(Dataset.bare(raw, self.schema), model, self.cohort)

    def learnt_from(self, table: pd.DataFrame) -> Marks | None:
        """Which rows of its table its model is fitted to; None where nobody can say."""
        return self.model.learnt_from(table, self.schema)

    def problem(self) -> Problem:
        """The question in numbers, from the files in its folder."""
        return self.study().problem(self.actions, self.target, self.bounds, self.budget, self.rules)


def _lines(data: Any) -> tuple[str, ...]:
    if not isinstance(data, list) or not all(isinstance(line, str) for line in data):
        raise InputError("“rules” of the scenario must be a list of texts.")
    return tuple(data)


def actions_from_dict(data: Any, schema: Schema) -> Actionability:
    check_names(data, schema.feature_names, "actions", [])
    known = [f.name for f in fields(Allowed) if f.name != "name"]
    for name, given in data.items():
        check_names(given, known, f"actions on “{name}”", [])
        build(Allowed, {"name": name, **given}, f"actions on “{name}”")
    return Actionability.from_dict(data, schema)
