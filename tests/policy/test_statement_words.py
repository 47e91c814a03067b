"""What an audit says to whoever applies the policy: typical distances, in units that people know."""

from dataclasses import replace

import numpy as np
import pytest

import discover_core as dc
from discover_core.policy.statement_words import statement_words
from tests.policy.cases import bad_rows, question
from tests.solver.cases import MIXED


@pytest.fixture(scope="module")
def made():
    return dc.learn_policy(question(60), dc.Settings(seed=0))


def test_a_typical_move_is_the_root_of_the_mean_square_over_people_and_features():
    made = dc.learn_policy(question(60, actions=dc.Actionability.default(MIXED).lock("Income")), dc.Settings(seed=0))
    people = bad_rows(60, 4)
    told, audit = made.told(people), dc.audit(made, people)
    moves = np.zeros((60, 5))
    for j, name in enumerate(MIXED.feature_names):
        scale = 1 if MIXED[name].role == "nominal" else made.ground.scale[j]
        difference = told.after[:, j] - told.before[:, j]
        moves[:, j] = difference != 0 if MIXED[name].role == "nominal" else difference / scale
    assert moves[:, 4].any()  # a category switched is one
    assert moves[:, :3].any()
    assert made.ground.typical_move(audit.inputs.estimate) == pytest.approx(np.sqrt(np.mean(moves**2)))


def test_it_is_said_in_roots_and_rounded_to_the_safe_side(made):
    audit = dc.audit(made, bad_rows(60, 4))
    numbers = replace(audit, inputs=replace(audit.inputs, limit=0.01), outputs=replace(audit.outputs, limit=0.0401))
    said = statement_words(numbers, made.ground)
    assert said.startswith(f"{audit.share.sentence} {audit.people.sentence} ")
    move = np.sqrt(0.01 * 10 / 5)  # 10 coordinates: 3 numbers and ranks, 5 jobs, 2 homes
    assert f"typical move per feature would be at most {np.ceil(move * 1000) / 1000} standard deviations, within the" in said
    assert "their scores would typically be at most 0.201 from the wished ones, within the 0.316 allowed." in said
    beyond = replace(numbers, outputs=replace(audit.outputs, limit=0.11))
    assert "at most 0.332 from the wished ones, more than the 0.316 allowed." in statement_words(beyond, made.ground)


def test_weights_are_part_of_a_move(made):
    weighed = dc.learn_policy(question(60, actions=dc.Actionability.default(MIXED).weight("Income", 2)), dc.Settings(seed=0))
    audit = dc.audit(weighed, bad_rows(40, 4))
    assert "standard deviations, times the features’ weights, " in statement_words(audit, weighed.ground)
    assert "weights" not in statement_words(audit, made.ground)
