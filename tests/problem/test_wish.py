"""What a target asks for, in a unit people read, for every kind of target."""

import numpy as np
import ot
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from scipy.stats import wasserstein_distance

from discover_core.problem.target import Past, Target
from discover_core.problem.wish import WAY, Wish, typical_gap

SCORES = np.linspace(0.5, 0.9, 101)[1:]  # a hundred people, nobody at or below a half
SHAPES = {
    "beta": Target.beta(2, 5, 100),
    "quantiles": Target.quantiles([0, 1], [0.1, 0.4]),
    "values": Target.values([0.1, 0.2, 0.3]),
    "reference_group": Target.reference_group(np.linspace(0, 0.5, 37)),
    "shift": Target.shift(SCORES, -0.2),
}
scores = st.lists(st.floats(0, 1, allow_subnormal=False), min_size=1, max_size=60).map(np.array)
samples = st.lists(st.floats(-100, 100, allow_subnormal=False).map(lambda value: round(value, 3)), min_size=1, max_size=20)


def test_a_threshold_asks_for_its_share():
    wish = Wish.of(Target.threshold(SCORES, 0.5, 0.4, "below", 0.02), SCORES)
    assert (wish.asked, wish.before, wish.needed(SCORES)) == (0.4, 0.0, 40)
    some = SCORES.copy()
    some[:10] = 0.5  # at the threshold counts
    assert wish.reached(some) == 0.1
    assert wish.sentence(0.1) == "Score at or below 0.5: asked 40%, reached 10%, before 0%."
    assert (wish.part(0.1), wish.way(0.1)) == ("10 of the 40 points asked", pytest.approx(0.25))
    assert wish.shortfall(0.1) == pytest.approx(0.3)
    assert wish.shortfall(0.4) == wish.shortfall(0.7) == 0
    other = Wish.of(Target.threshold(SCORES, 0.8, 0.5, "above"), SCORES)
    assert other.sentence(other.before).startswith("Score at or above 0.8: asked 50%, reached 26%")


def test_a_decision_asks_for_everybody_and_on_the_line_is_a_yes():
    below = Wish.of(Target.decision(SCORES, 0.7, "below"), SCORES)
    assert (below.asked, below.reached(np.array([0.7, 0.6999])), below.needed(SCORES)) == (1.0, 0.5, 51)
    assert below.sentence(1.0).startswith("Score below 0.7: asked 100%, reached 100%, before 49%")
    above = Wish.of(Target.decision(SCORES, 0.7, "above"), SCORES)
    assert above.reached(np.array([0.7, 0.6999])) == 0.5
    assert above.sentence(0.6).startswith("Score at or above 0.7")


@pytest.mark.parametrize("kind", SHAPES)
def test_a_shape_asks_for_nine_tenths_of_the_way(kind):
    target = SHAPES[kind]
    wish = Wish.of(target, SCORES)
    assert wish.past is None
    assert wish.before == pytest.approx(typical_gap(SCORES, target))
    nearly = wish.nearly(SCORES)
    assert wish.reached(nearly) <= wish.asked * 1.1
    assert wish.asked == pytest.approx(wish.best + 0.1 * (wish.before - wish.best))
    assert wish.shortfall(wish.before) == pytest.approx(wish.before - wish.asked)
    assert wish.way(wish.asked) == pytest.approx(WAY)
    perfect = target.rank_moments(100)[0]
    assert wish.shortfall(wish.reached(perfect)) == 0
    assert wish.way(wish.reached(perfect)) == pytest.approx(1)
    assert wish.sentence(wish.asked).startswith("Typical gap to the target: asked at most ")
    assert wish.part((wish.before + wish.best) / 2) == "50% of the way, asked 90%"


def test_the_typical_gap_is_the_root_of_the_transport_cost():
    target = Target.values(np.random.default_rng(0).random(37))
    cost = ot.emd2_1d(SCORES, target.left, metric="sqeuclidean")
    assert typical_gap(SCORES, target) == pytest.approx(np.sqrt(cost))


@given(scores, st.floats(0.05, 0.95), st.floats(0, 1), st.sampled_from(["above", "below"]))
def test_nine_tenths_of_a_share_leave_a_tenth_of_the_crossings(values, tau, share, side):
    """At least nine tenths of those who have to cross have done so, and with one person fewer it would be less."""
    wish = Wish.of(Target.threshold(values, tau, share, side, 0.01), values)
    n, needed = len(values), wish.needed(values)
    crossed = round(n * (wish.reached(wish.nearly(values)) - wish.before))
    assert crossed == needed - int(np.ceil(0.1 * needed - 1e-9))
    if needed >= 10:
        assert 0.9 * needed - 1 <= crossed <= 0.9 * needed


@given(scores, st.floats(0, 1))
def test_a_wish_is_met_just_when_enough_people_are_there(values, share):
    wish = Wish.of(Target.threshold(values, 0.5, share, "below"), values)
    enough = np.ceil(share * len(values) - 1e-9 * len(values))
    assert (wish.shortfall(wish.before) == 0) == ((values <= 0.5).sum() >= enough)
    assert wish.needed(values) == max(0, enough - (values <= 0.5).sum())


@given(samples, samples, st.randoms(use_true_random=False))
def test_no_fewer_than_needed_can_meet_a_shape(values, wanted, random):
    """Whoever changes, the best that can be had is an assignment of the others to the target's values."""
    outputs = np.array(values)
    wish = Wish.of(Target.values(wanted), outputs)
    n, needed = len(outputs), wish.needed(outputs)
    mean, spread = wish.target.rank_moments(n)
    assert (needed == 0) == (wish.shortfall(wish.before) == 0)
    assert needed <= wish.to_help(outputs) <= n
    cost = (outputs[:, None] - mean) ** 2
    for _ in range(5 if needed else 0):
        some = np.zeros(n, dtype=bool)
        some[random.sample(range(n), needed - 1)] = True
        moved = np.where(some[:, None], 0.0, cost)
        best = np.sqrt((moved[linear_sum_assignment(moved)].sum() + spread.sum()) / n)
        assert wish.shortfall(best * (1 + 1e-9)) > 0


def test_few_who_are_far_off_are_all_that_a_shape_needs():
    """Those who are off by little may stay, and of a shifted group a part may take the places of all."""
    wanted = np.linspace(0.3, 0.5, 100)
    outputs = wanted + np.where(np.arange(100) < 80, 0.0215, 0.44)
    wish = Wish.of(Target.values(wanted), outputs)
    assert (wish.needed(outputs), wish.to_help(outputs)) == (20, 100)
    changed = np.where(np.arange(100) < 80, outputs, wanted)
    assert wish.shortfall(wish.reached(changed)) == 0
    wide = np.linspace(0.3, 0.9, 100)
    shift = Wish.of(Target.shift(wide, -0.2), wide)
    jumped = np.where(wide > 0.7, wide - 0.6, wide)
    assert shift.shortfall(shift.reached(jumped)) == 0
    assert shift.needed(wide) <= (wide > 0.7).sum()
    assert shift.needed(wide) > 25
    assert shift.to_help(wide) == 100


def test_a_miss_by_a_hair_never_reads_like_a_hit():
    wish = Wish.of(Target.threshold(SCORES, 0.5, 0.5, "below"), SCORES)
    assert wish.sentence(0.499) == "Score at or below 0.5: asked 50.0%, reached 49.9%, before 0.0%."
    assert wish.part(0.499) == "49.9 of the 50 points asked"
    shape = Wish.of(SHAPES["shift"], SCORES)
    assert "reached just above 0.02," in shape.sentence(0.020001)


def test_words_before_during_and_of_what_was_found():
    wish = Wish.of(Target.threshold(SCORES, 0.5, 0.4, "below"), SCORES)
    assert wish.today == "Score at or below 0.5: asked 40%, today 0%."
    assert wish.sentence(0.1, "so far") == "Score at or below 0.5: asked 40%, so far 10%, before 0%."
    assert wish.found(SCORES) == "no score nearer to 0.5 than 0.504"
    some = Wish.of(Target.threshold(SCORES, 0.7, 0.9, "below"), SCORES)
    assert some.found(SCORES) == "50% at or below 0.7"  # nobody more than before, but half of them are there
    shape = Wish.of(SHAPES["shift"], SCORES)
    assert shape.today == "Typical gap to the target: asked at most 0.02, today 0.2."


def test_a_stored_target_keeps_what_it_stands_for():
    target = Target.threshold(SCORES, 0.5, 0.4, "below")
    assert Target.from_dict(target.to_dict()) == target
    assert Target.from_dict(target.to_dict()).past == Past(0.5, 0.4, "below")
    assert Target.from_dict({"kind": "threshold", "values": [1.0]}).past is None


@given(samples, samples)
def test_the_gap_is_the_root_of_the_squared_distance(scores: list[float], wanted: list[float]):
    gap = typical_gap(np.array(scores), Target.values(wanted))
    every = np.sort(np.repeat(scores, len(wanted))) - np.sort(np.repeat(wanted, len(scores)))  # as many of both
    assert gap == pytest.approx(np.sqrt(np.mean(every**2)), abs=1e-6)
    assert gap >= wasserstein_distance(scores, wanted) - 1e-6
