"""A question as it travels: from the page to the store, from there to a worker, and back to whoever reads its answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ..models.model import Scorer
from ..problem.problem import Problem
from .scenario import Scenario
from .sources import NO_COPY, FileSource, ModelCopy
from .study import Study


@dataclass(frozen=True)
class Question:
    """A scenario with what people call it, its data and its model, the copy of its model, and the id of the saved scenario it
    comes from."""

    name: str
    scenario: Scenario
    data_title: str = ""
    model_title: str = ""
    model_copy: ModelCopy = NO_COPY
    saved: str | None = None

    def problem(self, files: FileSource, around: Callable[[Scorer], Scorer] | None = None) -> Problem:
        """What is asked, in numbers. `around` is that of `Scenario.study`."""
        return self.problem_of(self.study(files, around))

    def study(self, files: FileSource, around: Callable[[Scorer], Scorer] | None = None) -> Study:
        """Table, model and group: with the copy of its model, if there is one."""
        copy = self.model_copy
        source = replace(self.scenario, model=copy.model or self.scenario.model)
        return source.study(copy.approved, self.model_title, files, around)

    def problem_of(self, study: Study) -> Problem:
        scenario = self.scenario
        return study.problem(scenario.actions, scenario.target, scenario.bounds, scenario.budget, scenario.rules)

    def asks(self, scenario: Scenario) -> bool:
        """Whether it asks just what the scenario does, whatever both are called."""
        return _parts(self.scenario, "name") == _parts(scenario, "name")

    @property
    def without_seed(self) -> tuple[str, int]:
        """What it asks, whatever it and its people are called and but for the seed, and the seed."""
        asked = _parts(self.scenario, "name", "people")
        seed = int(asked["settings"].pop("seed"))
        return json.dumps(asked, sort_keys=True), seed


def _parts(scenario: Scenario, *left_out: str) -> dict[str, Any]:
    return {part: value for part, value in scenario.to_dict().items() if part not in left_out}
