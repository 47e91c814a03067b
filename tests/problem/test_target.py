"""Targets: every way to wish, exact rank moments, and a sentence for every impossible wish."""

import json
from dataclasses import replace

import numpy as np
import ot
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discover_core.errors import InputError
from discover_core.problem.target import Target

SCORES = np.array([0.9, 0.2, 0.6, 0.4, 0.5])
finite = st.floats(-100, 100, allow_subnormal=False)
samples = st.lists(finite, min_size=1, max_size=25)
rounded = finite.map(lambda value: round(value, 3))


@st.composite
def exact_targets(draw):
    size = draw(st.integers(1, 6))
    probabilities = sorted(draw(st.lists(st.floats(0, 1), min_size=size, max_size=size)))
    values = sorted(draw(st.lists(finite, min_size=size, max_size=size)))
    return Target.quantiles(probabilities, values)


ALL = [
    Target.beta(0.1, 0.9, n=7, seed=3),
    Target.quantiles([0.1, 0.5, 0.5, 0.9], [0.1, 0.2, 1 / 3, 0.7]),
    Target.reference_group(SCORES),
    Target.shift(SCORES, by=-0.1, scale=0.5, clip=(0, 1)),
    Target.threshold(SCORES, 0.7, 0.5),
    Target.decision(SCORES),
    Target.values([1.0]),
]


@pytest.mark.parametrize("target", ALL, ids=lambda t: t.kind)
def test_a_target_survives_being_stored(target):
    again = Target.from_dict(json.loads(json.dumps(target.to_dict())))
    assert again == target
    assert hash(again) == hash(target)
    assert (again.sampled, again.size, again.kind) == (target.sampled, target.size, target.kind)
    assert [again == other for other in ALL].count(True) == 1


def test_only_the_scores_of_others_are_a_sample():
    assert [target.kind for target in ALL if target.sampled] == ["reference_group"]
    assert [target.kind for target in ALL if not target.exact] == ["reference_group"]
    with pytest.raises(InputError, match="Only a list of values"):
        Target("pieces", [0, 1], [0], [1], sampled=True)


@pytest.mark.parametrize("target", ALL, ids=lambda t: t.kind)
def test_values_that_were_stored_without_a_word_about_it_were_sampled(target):
    """So they were when there was no such word."""
    said = target.to_dict()
    said.pop("sampled", None)
    assert Target.from_dict(said).sampled == (target.size is not None)


@given(samples)
def test_a_sample_of_n_values_gives_itself_to_the_bit(values):
    mean, spread = Target.values(values).rank_moments(len(values))
    assert mean.tobytes() == (np.sort(values) + 0.0).tobytes()
    assert spread.tobytes() == np.zeros(len(values)).tobytes()


@given(samples, samples)
def test_rank_moments_give_the_wasserstein_distance_of_pot(x, y):
    mean, spread = Target.values(y).rank_moments(len(x))
    ours = float(np.mean((np.sort(x) - mean) ** 2 + spread))
    assert ours == pytest.approx(float(ot.emd2_1d(np.array(x), np.array(y), metric="sqeuclidean")), rel=1e-9, abs=1e-9)


@given(st.one_of(samples.map(Target.values), exact_targets()), st.lists(st.integers(1, 9), max_size=4))
def test_rank_moments_are_those_of_a_target_that_was_never_asked(target, sizes):
    for n in sizes:
        for known, new in zip(target.rank_moments(n), replace(target).rank_moments(n), strict=True):
            assert known.tobytes() == new.tobytes()
            assert not known.flags.writeable


@settings(max_examples=60)
@given(st.one_of(samples.map(Target.values), exact_targets()), st.integers(1, 9))
def test_rank_moments_agree_with_a_fine_grid(target, n):
    fine = 2000
    u = (np.arange(n * fine) + 0.5) / (n * fine)
    q = target.quantile(u).reshape(n, fine)
    mean, spread = target.rank_moments(n)
    width = 1e-9 + target.highest - target.lowest
    pieces = len(target.left) + 1
    assert np.abs(mean - q.mean(axis=1)).max() <= 2 * pieces * width / fine
    assert np.abs(spread - ((q - mean[:, None]) ** 2).mean(axis=1)).max() <= 4 * pieces * width**2 / fine
    assert (spread >= 0).all()
    assert (np.diff(mean) >= 0).all()
    assert mean[0] >= target.lowest
    assert mean[-1] <= target.highest


def test_a_linear_quantile_function_has_the_moments_of_a_uniform():
    mean, spread = Target.quantiles([0, 1], [0, 4]).rank_moments(4)
    assert mean == pytest.approx([0.5, 1.5, 2.5, 3.5], rel=1e-14)
    assert spread == pytest.approx([1 / 12] * 4, rel=1e-14)


def test_equal_values_have_no_spread_at_any_n():
    for target in (Target.values([0.1] * 7), Target.quantiles([0.3, 0.7], [0.1, 0.1])):
        for n in (1, 3, 7, 10, 49):
            mean, spread = target.rank_moments(n)
            assert (mean == 0.1).all()
            assert (spread == 0).all()


def test_quantiles_are_left_continuous_and_start_at_the_lowest():
    target = Target.values([3, 1, 2, 4])
    assert target.quantile([0, 0.25, 0.2500001, 0.5, 1]).tolist() == [1, 1, 2, 2, 4]
    assert (target.lowest, target.highest, target.size, target.exact) == (1, 4, 4, True)
    jump = Target.quantiles([0, 0.5, 0.5, 1], [0, 1, 3, 5])
    assert jump.quantile([0, 0.25, 0.5, 0.75, 1]).tolist() == [0, 0.5, 1, 4, 5]
    assert jump.exact
    assert jump.size is None


def test_quantiles_reach_flat_beyond_the_given_ones():
    target = Target.quantiles([0.25, 0.75], [1, 3])
    assert target.quantile([0, 0.1, 0.25, 0.5, 0.75, 0.9, 1]).tolist() == [1, 1, 1, 2, 3, 3, 3]
    assert Target.quantiles([0.5], [2]).quantile([0, 0.7, 1]).tolist() == [2, 2, 2]


def test_beta_is_seeded_and_inside_its_interval():
    target = Target.beta(0.1, 0.9, n=500, seed=1)
    assert target == Target.beta(0.1, 0.9, n=500, seed=1)
    assert target != Target.beta(0.1, 0.9, n=500, seed=2)
    assert target.size == 500
    assert 0 <= target.lowest <= target.highest <= 1
    assert target.left.mean() == pytest.approx(0.1, abs=0.05)


def test_shift_moves_and_spreads_about_the_mean():
    assert Target.shift(SCORES).left.tolist() == sorted(SCORES)
    assert Target.shift(SCORES, by=-0.1).left == pytest.approx(np.sort(SCORES) - 0.1)
    narrow = Target.shift(SCORES, scale=0.5).left
    assert narrow.mean() == pytest.approx(SCORES.mean())
    assert narrow.std() == pytest.approx(SCORES.std() / 2)
    assert Target.shift(SCORES, by=0.3, clip=(0, 1)).highest == 1


def test_threshold_moves_only_the_nearest_and_only_as_many_as_needed():
    assert Target.threshold(SCORES, 0.55, 0.6).left.tolist() == [0.2, 0.4, 0.55, 0.6, 0.9]
    assert Target.threshold(SCORES, 0.45, 0.6, side="below").left.tolist() == [0.2, 0.4, 0.45, 0.6, 0.9]
    assert Target.threshold(SCORES, 0.5, 0.2).left.tolist() == sorted(SCORES), "the share is there already"
    assert Target.threshold(SCORES, 1, 0).left.tolist() == sorted(SCORES)
    assert Target.threshold(SCORES, 0.55, 0.6, margin=0.1).left.tolist() == [0.2, 0.4, 0.6, 0.65, 0.9], "past it, and no further"
    assert Target.threshold(SCORES, 0.45, 0.6, "below", 0.1).left.tolist() == [0.2, 0.35, 0.4, 0.6, 0.9]
    assert Target.threshold(SCORES, 1, 1).left.tolist() == [1] * 5


@given(samples, finite, st.floats(0, 1), st.sampled_from(["above", "below"]))
def test_threshold_reaches_its_share(values, tau, share, side):
    left = Target.threshold(values, tau, share, side).left
    there = left >= tau if side == "above" else left <= tau
    assert there.mean() >= share - 1e-8
    moved = int((left != np.sort(values)).sum())
    already = int((np.array(values) >= tau).sum() if side == "above" else (np.array(values) <= tau).sum())
    assert moved <= max(0, int(np.ceil(share * len(values))) - already)


def test_decision_mirrors_the_wrong_side_at_tau():
    assert Target.decision(SCORES).left == pytest.approx([0.1, 0.2, 0.4, 0.4, 0.5])
    assert Target.decision(SCORES).highest < 0.5, "tau itself counts as yes, so it moves just below"
    assert Target.decision(SCORES, side="above").left == pytest.approx([0.5, 0.6, 0.6, 0.8, 0.9])
    assert Target.decision([0.9], tau=0.3).left.tolist() == [0], "kept inside the interval"


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        (lambda: Target.values([]), "The target values are missing"),
        (lambda: Target.values([1, float("nan")]), "number 2 is nan"),
        (lambda: Target.values(["a"]), "must be numbers"),
        (lambda: Target.values([[1, 2]]), "plain list of numbers"),
        (lambda: Target.values(3), "plain list of numbers"),
        (lambda: Target.beta(0, 0.9, 5), "“a” must be above 0, not 0"),
        (lambda: Target.beta(0.1, float("inf"), 5), "“b” must be a finite number"),
        (lambda: Target.beta(0.1, 0.9, 0), "“n” must be a whole number of at least 1"),
        (lambda: Target.beta(0.1, 0.9, 5, seed=-1), "“seed” must be a whole number"),
        (lambda: Target.quantiles([0, 1], [1]), "2 probabilities but 1 quantiles"),
        (lambda: Target.quantiles([0, 1.2], [1, 2]), "between 0 and 1"),
        (lambda: Target.quantiles([0.5, 0.2], [1, 2]), "probabilities of the quantiles must be in ascending order"),
        (lambda: Target.quantiles([0, 1], [2, 1]), "must not fall, but 1 comes after 2"),
        (lambda: Target.reference_group([]), "The scores of the reference group are missing"),
        (lambda: Target.shift(SCORES, scale=-1), "“scale” must be at least 0, not -1"),
        (lambda: Target.shift(SCORES, by=float("nan")), "“by” must be a finite number"),
        (lambda: Target.shift(SCORES, clip=(1, 0)), "interval from 1 to 0"),
        (lambda: Target.threshold(SCORES, 0.5, 1.5), "“share” must be at least 0 and at most 1, not 1.5"),
        (lambda: Target.threshold(SCORES, 0.5, 0.5, side="up"), "“side” cannot be 'up': use one of above, below"),
        (lambda: Target.threshold(SCORES, float("inf"), 0.5), "“tau” must be a finite number"),
        (lambda: Target.decision(SCORES, tau=1.7), "A tau of 1.7 leaves one side empty"),
        (lambda: Target.decision(SCORES, side="left"), "“side” cannot be 'left'"),
        (lambda: Target.values([1]).quantile([1.1]), "between 0 and 1"),
        (lambda: Target.values([1]).rank_moments(0), "“n” must be a whole number"),
        (lambda: Target.from_dict({"kind": "quantiles", "knots": [0, 1]}), "needs its values, or its knots"),
        (lambda: Target.from_dict({"knots": [0, 1], "left": [1, 2], "right": [2, 2]}), "do not fit together"),
        (lambda: Target.from_dict({"knots": [0, 0.5], "left": [1], "right": [2]}), "rise from 0 to 1"),
        (lambda: Target.from_dict({"knots": [0, 1], "left": [2], "right": [1]}), "must not fall"),
    ],
)
def test_an_impossible_wish_gets_a_sentence(wish, says):
    with pytest.raises(InputError) as caught:
        wish()
    assert says in str(caught.value)
    assert str(caught.value).endswith(".")


@given(st.lists(rounded, min_size=1, max_size=20), rounded, st.sampled_from(["above", "below"]))
def test_the_share_of_a_sample_is_counted(values: list[float], tau: float, side):
    hit = np.array(values) <= tau if side == "below" else np.array(values) >= tau
    assert Target.values(values).share_past(tau, side) == pytest.approx(hit.mean())


@given(st.lists(rounded, min_size=7, max_size=7).map(sorted), rounded)
def test_the_share_of_a_drawn_target_agrees_with_many_of_its_quantiles(values: list[float], tau: float):
    target = Target.quantiles([0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95], values)
    many = target.quantile((np.arange(20_000) + 0.5) / 20_000)
    assert target.share_past(tau, "below") == pytest.approx(np.mean(many <= tau), abs=1e-3)
    assert target.share_past(tau, "above") == pytest.approx(np.mean(many >= tau), abs=1e-3)
