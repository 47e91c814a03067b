"""Shared actions: what they do, how they are said, and that few of them are well chosen."""

from itertools import combinations

import numpy as np
import pytest

import discover_core as dc
from discover_core.errors import InputError
from discover_core.policy.actions import Action, Change, useful_actions
from discover_core.policy.ground import Ground
from discover_core.policy.programmes import choose, programme_versions
from discover_core.policy.score_map import ScoreMap
from discover_core.policy.versions import Aim, personal_versions
from discover_core.problem.wish import Wish
from tests.policy.cases import question
from tests.solver.cases import MIXED

INCOME, MONTHS, SAVING, JOB, HOME = range(5)


def scene(n=60, seed=0, share=1.0):
    problem = question(n, seed, share)
    ground = Ground.of(problem, dc.Settings(seed=seed))
    people = ground.meet(problem.rows)
    wish = Wish.of(problem.target, people.scores)
    aim = Aim.of(wish, ScoreMap.of(people.scores, problem.target, problem.interval), 0)
    return people, aim


def test_actions_set_add_and_multiply_within_the_walls():
    people, _ = scene()
    who = np.arange(len(people))
    before = people.cells
    for change, wished in (
        (Change(INCOME, "add", 1.0), before[:, INCOME] + 1.0),
        (Change(INCOME, "multiply", 1.25), before[:, INCOME] * 1.25),
        (Change(MONTHS, "multiply", 0.75), before[:, MONTHS] * 0.75),
        (Change(HOME, "set", 0.0), np.zeros(len(who))),
    ):
        after, fine = Action((change,)).versions(people, who)
        assert fine.any()
        ends = [(0, 10), (0, 60), (0, 3), (0, 4), (0, 1)][change.feature]  # an action goes as far as it may
        off = np.abs(after[fine, change.feature] - np.clip(wished[fine], *ends))
        assert (off <= (0.5 if change.feature == MONTHS else 1e-9)).all()
        assert (np.delete(after, change.feature, axis=1) == np.delete(before, change.feature, axis=1)).all()
        assert (after[fine, change.feature] != before[fine, change.feature]).all()


def test_actions_are_said_and_read_back():
    action = Action((Change(MONTHS, "multiply", 0.75), Change(HOME, "set", 0.0)))
    assert action.words(MIXED) == "Months: 25% less; Home: becomes own"
    assert Action((Change(INCOME, "add", 1.5),)).words(MIXED) == "Income: 1.5 more"
    assert Action.from_list(action.to_list(MIXED), MIXED) == action
    for bad in ([], [{"feature": "Age", "kind": "set", "value": 1}], [{"feature": "Home", "kind": "add", "value": 1}], "x"):
        with pytest.raises(InputError):
            Action.from_list(bad, MIXED)


@pytest.mark.parametrize("seed", range(4))
def test_few_actions_are_nearly_as_good_as_the_best_few(seed):
    people, aim = scene(40, seed)
    found = personal_versions(people, aim)
    actions = useful_actions(people, found, 24)
    helped = {a: np.isfinite(programme_versions(people, aim, [a])[0].merit) for a in actions}
    best = max((helped[a] | helped[b]).sum() for a, b in combinations(actions, 2))
    some = choose(people, aim, found, 2, len(people))
    reach = np.isfinite(programme_versions(people, aim, some)[0].merit).sum()
    assert reach >= 0.95 * best


def test_everybody_gets_the_cheapest_programme_that_works():
    people, aim = scene()
    actions = useful_actions(people, personal_versions(people, aim), 5)
    best, given = programme_versions(people, aim, actions)
    alone = np.array([-programme_versions(people, aim, [action])[0].merit for action in actions])
    helped = np.isfinite(best.merit)
    assert helped.any()
    assert np.allclose(best.effort[helped], alone.min(axis=0)[helped])
    assert (given[~helped] == -1).all()
    assert np.isinf(alone.min(axis=0)[~helped]).all()


def test_cards_say_what_each_programme_adds():
    made = dc.learn_policy(question(80, share=0.9), dc.Settings(seed=0), kind="programmes", programmes=3)
    assert 1 <= len(made.programmes) <= 3
    together = [one.together for one in made.programmes]
    assert together == sorted(together)
    assert together[-1] == pytest.approx(made.design.reached)
    assert sum(one.given for one in made.programmes) == pytest.approx(made.design.changed / 80)
    assert together[0] == pytest.approx(made.programmes[0].reach, abs=0.02)
