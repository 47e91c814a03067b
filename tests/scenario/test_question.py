"""What one question has in common with another: everything but names, everything but the seed."""

from dataclasses import replace

import pytest

from discover_core.scenario.question import Question
from discover_core.scenario.sources import TrainedModel

from ..workers.scenarios import german

CHANGES = {
    "people": {"people": "Age"},
    "cohort": {"cohort": replace(german().cohort, sample=81)},
    "model": {"model": TrainedModel("logistic")},
    "bounds": {"bounds": replace(german().bounds, u_x=0.61)},
    "actions": {"actions": german().actions.lock("Duration")},
}


def test_the_name_of_a_scenario_is_no_part_of_the_question():
    assert Question("one", german(), "data", "model", saved="id").asks(replace(german(), name="other"))


@pytest.mark.parametrize("part", CHANGES)
def test_every_part_of_a_scenario_is(part):
    assert not Question("one", german()).asks(replace(german(), **CHANGES[part]))
    assert not Question("one", german()).asks(german(seed=1))


def test_runs_of_one_question_with_other_seeds_belong_together():
    one, other = Question("one", german(seed=3)), Question("other", replace(german(seed=4), name="other", people="Age"))
    assert one.without_seed[0] == other.without_seed[0]
    assert (one.without_seed[1], other.without_seed[1]) == (3, 4)


@pytest.mark.parametrize("part", [part for part in CHANGES if part != "people"])
def test_runs_of_another_question_do_not(part):
    assert Question("", german()).without_seed != Question("", replace(german(), **CHANGES[part])).without_seed
