"""Shared actions: what they do, how they are said, and that few of them are well chosen."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

import discover_core as dc
from discover_core.errors import InputError
from discover_core.policy.actions import Action, Change
from discover_core.policy.candidates import Effects, single_changes
from discover_core.policy.ground import Ground
from discover_core.policy.programmes import candidates, choose, programme_versions
from discover_core.policy.score_map import ScoreMap
from discover_core.policy.versions import Aim, personal_versions
from discover_core.problem.wish import Wish
from tests.policy.cases import bad_rows, question
from tests.solver.cases import MIXED, mixed_rows

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
        (Change(INCOME, "at_least", 2.0), np.maximum(before[:, INCOME], 2.0)),
        (Change(MONTHS, "at_most", 20.0), np.minimum(before[:, MONTHS], 20.0)),
        (Change(SAVING, "at_least", 2.0), np.maximum(before[:, SAVING], 2.0)),
        (Change(HOME, "set", 0.0), np.zeros(len(who))),
    ):
        after, fine = Action((change,)).versions(people, who)
        assert fine.any()
        ends = [(0, 10), (0, 60), (0, 3), (0, 4), (0, 1)][change.feature]  # an action goes as far as it may
        off = np.abs(after[fine, change.feature] - np.clip(wished[fine], *ends))
        assert (off <= (0.5 if change.feature == MONTHS else 1e-9)).all()
        assert (np.delete(after, change.feature, axis=1) == np.delete(before, change.feature, axis=1)).all()
        assert (after[fine, change.feature] != before[fine, change.feature]).all()


def test_who_fulfils_one_part_already_needs_the_other_alone():
    people, _ = scene()
    both = Action((Change(MONTHS, "at_most", 20.0), Change(HOME, "set", 0.0)))
    after, fine = both.versions(people, np.arange(len(people)))
    few, owner = people.cells[:, MONTHS] <= 20, people.cells[:, HOME] == 0
    assert (few & ~owner).any()
    assert fine[few & ~owner].all()
    assert (after[few, MONTHS] == people.cells[few, MONTHS]).all()
    assert not fine[few & owner].any()  # nothing is left to be done
    more = Action((Change(INCOME, "add", 1.0), Change(HOME, "set", 0.0)))
    after, fine = more.versions(people, np.arange(len(people)))
    assert (after[fine, INCOME] > people.cells[fine, INCOME]).all()


def test_actions_are_said_and_read_back():
    action = Action((Change(MONTHS, "multiply", 0.75), Change(HOME, "set", 0.0)))
    assert action.words(MIXED) == "Months: 25% less; Home: becomes own"
    assert Action((Change(INCOME, "add", 1.5),)).words(MIXED) == "Income: 1.5 more"
    assert Action.from_list(action.to_list(MIXED), MIXED) == action
    floor = Action((Change(INCOME, "at_least", 2.0), Change(SAVING, "at_most", 1.0)))
    assert floor.words(MIXED) == f"Income: at least 2; Saving: at most {MIXED['Saving'].levels[1]}"
    assert Action.from_list(floor.to_list(MIXED), MIXED) == floor
    assert Action((Change(SAVING, "at_most", 0.0),)).words(MIXED) == f"Saving: becomes {MIXED['Saving'].levels[0]}"
    late = MIXED.with_column(replace(MIXED["Months"], unit="months late"))
    assert Action((Change(MONTHS, "add", -1.0),)).words(late) == "Months: 1 less (months late)"
    assert Action((Change(MONTHS, "at_most", 0.0),)).words(late) == "Months: becomes 0 months late"
    for bad in (
        [{"feature": "Home", "kind": "at_least", "value": "own"}],
        [],
        [{"feature": "Age", "kind": "set", "value": 1}],
        [{"feature": "Home", "kind": "add", "value": 1}],
        "x",
    ):
        with pytest.raises(InputError):
            Action.from_list(bad, MIXED)


def test_shared_numbers_are_such_as_one_could_say():
    people, aim = scene()
    changes = single_changes(people, personal_versions(people, aim))
    assert {change.kind for change in changes if change.feature == INCOME} >= {"at_least", "add"}
    for change in changes:
        unit = {INCOME: 1.0, MONTHS: 5.0}.get(change.feature, 1.0)  # the spreads are about 3 and 17
        unit = 0.05 if change.kind == "multiply" else unit
        assert change.value / unit == pytest.approx(round(change.value / unit))


def test_pairs_that_promise_most_come_first():
    people, aim = scene(share=0.9)
    changes = single_changes(people, personal_versions(people, aim))
    who = np.arange(len(people))
    effects = Effects.of(people, who, changes)

    def helped(scores, squared):
        return ((scores <= 0.5) & (squared <= 4)).sum(axis=1).astype(float)

    pairs = effects.pairs(helped, 10_000)
    reach = np.array([np.isfinite(programme_versions(people, aim, [pair])[0].merit).sum() for pair in pairs])
    assert reach[0] >= 0.95 * reach.max()
    assert reach[:10].mean() > 1.2 * reach.mean()
    assert effects.pairs(helped, 3) == pairs[:3]


@pytest.mark.parametrize("seed", range(4))
def test_few_actions_are_nearly_as_good_as_the_best_few(seed):
    people, aim = scene(40, seed)
    found = personal_versions(people, aim)
    actions = candidates(people, aim, found, len(people), 24)
    helped = {a: np.isfinite(programme_versions(people, aim, [a])[0].merit) for a in actions}
    best = max((helped[a] | helped[b]).sum() for a, b in combinations(actions, 2))
    some = choose(people, aim, found, 2, len(people))
    reach = np.isfinite(programme_versions(people, aim, some)[0].merit).sum()
    assert reach >= 0.95 * best


def test_everybody_gets_the_cheapest_programme_that_works():
    people, aim = scene()
    actions = candidates(people, aim, personal_versions(people, aim), len(people), 5)
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


def test_there_are_no_programmes_where_nobody_has_to_be_helped():
    made = dc.learn_policy(question(40, rows=mixed_rows(40, 1), share=0.01), dc.Settings(seed=0), kind="programmes")
    assert made.programmes == ()
    assert not made.told(bad_rows(20, 2)).changed.any()
