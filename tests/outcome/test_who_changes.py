"""What sets those who are left alone apart is told when it is there, with its numbers, and not when it is not."""

import re

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from discover_core.outcome.who_changes import _apart, _shortest, left_alone, why_these
from discover_core.table.schema import Column, Schema

from .made import outcome, random_cells


def split(n, stays, scores=None, before=None, seed=0):
    """A group of random people in which those of the mask stay and the others change their duration."""
    rng = np.random.default_rng(seed)
    before = random_cells(n, rng) if before is None else before
    before[:, 0] = np.clip(before[:, 0], 5, 71)
    after = before.copy()
    after[~stays, 0] += 1
    return outcome(before, after, scores=rng.random(n) if scores is None else scores)


def test_lower_scores_are_told_with_both_medians():
    scores = np.random.default_rng(1).random(101)
    stays = scores < 0.4
    low, high = (np.quantile(scores[part], 0.5, method="inverted_cdf") for part in (stays, ~stays))
    assert left_alone(split(101, stays, scores)) == (
        f"{stays.sum()} people were left alone; their scores before were lower as a rule: median {low:.3g} against {high:.3g}."
    )


def test_else_the_feature_that_differs_most():
    before = random_cells(200, np.random.default_rng(2))
    stays = before[:, 4] == 1
    assert left_alone(split(200, stays, before=before)) == (
        f"{stays.sum()} people were left alone; Housing was “own” for 100% of them against 0% of the others."
    )
    stays = before[:, 2] > 16_000
    days = [np.sort(before[part, 2])[(part.sum() + 1) // 2 - 1] for part in (stays, ~stays)]
    dates = [str(np.datetime64(int(day), "D")) for day in days]
    assert left_alone(split(200, stays, before=before)) == (
        f"{stays.sum()} people were left alone; their Since before was later as a rule: median {dates[0]} against {dates[1]}."
    )


def test_chance_is_hardly_ever_taken_for_a_difference():
    named = 0
    for seed in range(100):
        stays = np.random.default_rng(1000 + seed).random(60) < 0.5
        said = left_alone(split(60, stays, seed=seed))
        named += "neither their scores nor any one feature" not in said
    assert named <= 12  # 5% of 100, and three standard deviations


def test_few_people_are_not_compared():
    scores = np.linspace(0, 1, 30)
    assert left_alone(split(30, scores < 0.1, scores)) == "3 people were left alone."
    assert left_alone(split(30, scores < 0.02, scores)) == "1 person was left alone."
    assert left_alone(split(30, scores < 2, scores)) == "Everybody was left alone."
    assert left_alone(split(30, scores < 0, scores)) == "Nobody was left alone: everybody changes."


@pytest.mark.parametrize("seed", range(5))
def test_the_rank_sum_against_scipy(seed):
    rng = np.random.default_rng(seed)
    stays = rng.random(50) < 0.4
    values = rng.integers(0, 4, (50, 1)) + 1.5 * stays[:, None] * rng.random((50, 1))
    test = mannwhitneyu(values[stays, 0], values[~stays, 0], use_continuity=False, method="asymptotic")
    apart = test.statistic / (stays.sum() * (~stays).sum()) - 0.5
    assert _apart(values, stays)[0] == pytest.approx(apart if test.pvalue < 0.05 and abs(apart) >= 0.1 else 0)


WHY = re.compile(r"^([\d,]+) of the ([\d,]+) people with (.*) change, and ([\d,]+|none) of the other ([\d,]+)\.$")


def test_a_rule_of_two_limits_is_found_with_its_counts():
    scores = np.random.default_rng(3).random(300)
    stays = (scores < 0.3) | (scores > 0.8)
    yes, who, words, no, others = WHY.match(why_these(split(300, stays, scores))).groups()
    low, high = map(float, re.match(r"an initial score above ([\d.]+) and up to ([\d.]+)$", words).groups())
    inside = (scores > low) & (scores <= high)
    assert (int(yes), int(who)) == ((~stays & inside).sum(), inside.sum())
    assert (int(no.replace("none", "0")), int(others)) == ((~stays & ~inside).sum(), (~inside).sum())
    assert int(yes) >= 0.95 * (~stays).sum()


def test_a_rule_over_features_in_their_own_words():
    before = random_cells(400, np.random.default_rng(4))
    before[:, 0] = np.clip(before[:, 0], 5, 71)
    stays = ~((before[:, 4] == 1) & (before[:, 0] >= 24))
    said = why_these(split(400, stays, before=before))
    assert f"{(~stays).sum()} of the {(~stays).sum()} people with" in said
    assert "Housing “own”" in said
    assert "Duration from 24 months" in said
    assert said.endswith(f"change, and none of the other {stays.sum()}.")


def test_no_rule_is_made_up():
    told = 0
    for seed in range(8):
        stays = np.random.default_rng(2000 + seed).random(120) < 0.4
        told += bool(why_these(split(120, stays, seed=seed)))
    assert told <= 1
    assert why_these(split(120, np.arange(120) < 5)) == ""
    assert why_these(split(120, np.ones(120, dtype=bool))) == ""


def test_a_rule_that_only_fits_by_heart_is_not_told():
    schema = Schema(tuple(Column(f"x{j}", "numeric", low=0, high=2) for j in range(60)))
    for seed in range(5):
        rng = np.random.default_rng(3000 + seed)
        before = rng.random((60, 60))
        after = before.copy()
        after[rng.random(60) < 0.5, 0] = 2
        assert why_these(outcome(before, after, schema, scores=rng.random(60))) == ""


@pytest.mark.parametrize(
    ("below", "above", "words"),
    [
        (0.52, 0.55, "0.54"),
        (0.5, 0.6, "0.55"),
        (-3, 7, "0"),
        (1234.5, 1300, "1,270"),
        (0.3, 0.3000001, "0.3"),
        (-0.2, -0.1, "-0.2"),
    ],
)
def test_the_shortest_number_between(below, above, words):
    assert _shortest(below, above) == words
    assert below <= float(words.replace(",", "")) < above
