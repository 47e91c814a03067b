"""A kind that only its own class and the registry know works from the scenario file to the result folder."""

import json
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

import discover_core as dc
from discover_core.errors import InputError
from discover_core.outcome.group_differences import per_person
from discover_core.problem.targets import KINDS, TargetContext, TargetSpecification
from discover_core.report.folder import write_folder
from discover_core.scenario.question_words import question_lines, question_sentence
from tests.outcome.made import solved


@dataclass(frozen=True)
class NoWorse(TargetSpecification):
    """Nobody above a cap; success is not to be above it, and not to be worse off."""

    kind: ClassVar[str] = "no_worse"

    cap: float
    share: float = 1.0

    def target(self, given: TargetContext) -> dc.Target:
        return dc.Target.sample(self.kind, np.minimum(given.scores, self.cap))

    @property
    def words(self) -> str:
        return f"nobody scores above {self.cap:g}"

    def success(self, target: dc.Target, before: np.ndarray, after: np.ndarray) -> np.ndarray:
        return (after <= self.cap) & (after <= before)

    @property
    def success_words(self) -> str:
        return f"a score of at most {self.cap:g} and no worse than before"


@pytest.fixture
def scenario(german, monkeypatch) -> dc.Scenario:
    monkeypatch.setitem(KINDS, NoWorse.kind, NoWorse)
    return replace(german, target=NoWorse(0.55))


def test_it_is_written_and_read(scenario, tmp_path):
    scenario.write(tmp_path / "scenario.json")
    assert json.loads((tmp_path / "scenario.json").read_text())["target"] == {"kind": "no_worse", "cap": 0.55, "share": 1.0}
    assert dc.Scenario.read(tmp_path / "scenario.json") == scenario
    with pytest.raises(InputError, match="“cap” is missing from the no_worse target"):
        dc.Scenario.from_dict({**scenario.to_dict(), "target": {"kind": "no_worse"}})
    with pytest.raises(InputError, match="decision, no_worse"):
        dc.Scenario.from_dict({**scenario.to_dict(), "target": {"kind": "unheard of"}})


def test_it_is_said_in_words(scenario):
    assert question_sentence(scenario.target, 40) == "Change the group of 40 people so that nobody scores above 0.55."
    assert dict(question_lines(dc.Question("", scenario, model_title="a model")))["Outcome"] == "nobody scores above 0.55"


def test_it_makes_a_problem_a_result_and_a_folder(scenario, tmp_path):
    problem = scenario.problem()
    assert problem.target.kind == "no_worse"
    np.testing.assert_array_equal(problem.target.left, np.minimum(np.sort(problem.outputs), 0.55))
    result = dc.run(problem, scenario.settings)
    assert "Typical gap to the target" in result.verdict.sentence
    write_folder(tmp_path, scenario, result)
    written = json.loads((tmp_path / "result.json").read_text())
    assert written["metrics"]["share_before"] == np.mean(problem.outputs >= 0.5)


def test_it_says_who_succeeded(scenario):
    found = solved(scenario)
    assert found.group.target.kind == "no_worse"
    before, after = found.group.outputs, found.outputs
    success = per_person(found)["success"].to_numpy()
    np.testing.assert_array_equal(success, [float(y <= 0.55 and y <= x) for x, y in zip(before, after, strict=True)])
    assert found.group.specification.success_words == "a score of at most 0.55 and no worse than before"
