"""Who bears it: tables against brute force, intervals against SciPy, and sentences that claim no more than they may."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from discover_core.errors import InputError
from discover_core.figures.group_differences import caption, difference_words, differences_figure
from discover_core.outcome.group_differences import (
    MEASURES,
    Difference,
    group_differences,
    grouped,
    largest_difference,
    per_person,
    wilson,
)
from discover_core.outcome.run_outcome import RunOutcome
from discover_core.problem.target import Target
from discover_core.problem.targets import Decision, Shift, Threshold
from discover_core.scenario.question import Question
from discover_core.store.files import data_files
from discover_core.store.store import Store
from discover_core.table.schema import Column, Schema
from discover_core.workers.processes import Processes
from discover_core.workers.runner import Runner

from ..workers.scenarios import german, until
from .made import outcome

SEX = Column("sex", "nominal", levels=("female", "male"))


def a_result(changed, effort=None, before=None, after=None, specification=None, target=None):
    """An outcome in which these people move so far, in the one feature there is."""
    moves = np.asarray(changed, dtype=bool)
    n = len(moves)
    far = np.where(moves, np.ones(n) if effort is None else effort, 0.0)
    scores = np.ones(n) if before is None else before, np.zeros(n) if after is None else after
    asked = Threshold(0.5, 1.0, "below") if specification is None else specification
    more = {"scores": scores[0], "scores_after": scores[1], "target": target, "specification": asked}
    return outcome(np.zeros((n, 1)), far[:, None], Schema((Column("x", "numeric", low=0, high=100),)), **more)


def random_result(n: int, seed: int):
    rng = np.random.default_rng(seed)
    groups = pd.Series(rng.choice(["a", "b", "c"], n), name="g")
    return a_result(rng.random(n) < 0.6, rng.gamma(2, 1, n), after=rng.random(n)), groups


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
@pytest.mark.parametrize(("k", "n"), [(0, 1), (1, 1), (0, 20), (7, 20), (20, 20), (499, 1000)])
def test_wilson_is_scipys(k, n, level):
    expected = stats.binomtest(k, n).proportion_ci(level, method="wilson")
    assert wilson(k, n, level) == pytest.approx((expected.low, expected.high), abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_the_table_by_hand(seed):
    found, groups = random_result(60, seed)
    table = group_differences(found, groups)
    assert list(table.index) == ["a", "b", "c"]
    assert table.index.name == "g"
    moves = found.changed.any(axis=1)
    for name, row in table.iterrows():
        here = (groups == name).to_numpy()
        values = {
            "changed": moves[here],
            "effort": found.effort[here],
            "movers_effort": found.effort[here & moves],
            "success": found.outputs[here] <= 0.5,
        }
        assert (row["people"], row["movers"]) == (here.sum(), (here & moves).sum())
        for measure, part in values.items():
            assert row[measure] == pytest.approx(part.mean())
            if measure in ("changed", "success"):
                low, high = stats.binomtest(int(part.sum()), len(part)).proportion_ci(0.95, method="wilson")
            else:
                low, high = stats.t.interval(0.95, len(part) - 1, part.mean(), stats.sem(part))
            assert row[f"{measure}_low"] == pytest.approx(max(low, 0))
            assert row[f"{measure}_high"] == pytest.approx(high)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("seed", range(3))
def test_the_largest_difference_by_hand(measure, seed):
    found, groups = random_result(90, seed)
    people = per_person(found)[measure]
    means = people.groupby(groups).mean()
    difference = largest_difference(found, groups, measure)
    assert difference.values == pytest.approx((means[difference.more], means[difference.less]))
    assert difference.low < difference.size < difference.high
    assert difference.pairs == 3
    if not difference.clear:
        assert difference.size == pytest.approx(means.max() - means.min())
    if "effort" in measure:
        first, second = (people[groups == name].dropna() for name in (difference.more, difference.less))
        expected = stats.ttest_ind(first, second, equal_var=False).confidence_interval(1 - 0.05 / 3)
        assert (difference.low, difference.high) == pytest.approx((expected.low, expected.high))


def test_a_clear_difference_goes_before_a_larger_one_that_may_be_chance():
    changed = [1] * 80 + [0] * 20 + [1] * 50 + [0] * 50 + [1, 1, 0, 0, 0] + [0]
    groups = pd.Series(["often"] * 100 + ["seldom"] * 100 + ["tiny"] * 5 + ["single"], name="g")
    difference = largest_difference(a_result(changed), groups, "changed")
    assert (difference.more, difference.less, difference.clear, difference.pairs) == ("often", "seldom", True, 3)


@pytest.mark.slow
def test_equal_groups_are_rarely_called_different():
    """Of four groups without any difference, at most about one run in twenty may claim one."""
    rng = np.random.default_rng(0)
    groups = pd.Series(np.repeat(list("abcd"), 30), name="g")
    claims = {"changed": 0, "effort": 0}
    for _ in range(300):
        found = a_result(rng.random(120) < 0.5, rng.gamma(3, 1, 120))
        for measure in claims:
            claims[measure] += largest_difference(found, groups, measure).clear
    assert max(claims.values()) <= 0.08 * 300


def test_success_is_the_wished_for_side_or_the_way_to_it():
    scores = [0.2, 0.5, 0.8]
    for specification, expected in (
        (Threshold(0.5, 1, "above"), [0, 1, 1]),
        (Threshold(0.5, 1, "below"), [1, 1, 0]),
        (Decision(0.5, "above"), [0, 1, 1]),
        (Decision(0.5, "below"), [1, 0, 0]),
    ):
        assert list(per_person(a_result([1, 1, 1], after=scores, specification=specification))["success"]) == expected
    target = Target.values([0.1, 0.3, 0.4])  # for 0.5, 0.9, 0.4 by rank: 0.3, 0.4, 0.1
    found = a_result([1, 1, 1], before=[0.5, 0.9, 0.4], after=[0.4, 0.9, 0.45], specification=Shift(-0.1), target=target)
    assert list(per_person(found)["success"]) == [1, 0, 0]
    there = a_result([0, 0, 0], before=[0.3, 0.4, 0.1], after=[0.3, 0.4, 0.1], specification=Shift(0), target=target)
    assert list(per_person(there)["success"]) == [1, 1, 1]


def test_too_few_or_too_equal_values_have_no_interval():
    found = a_result([1] * 12, [1.0, 2, 3, 4] + [2.0] * 8)
    groups = pd.Series(["few"] * 4 + ["equal"] * 8, name="g")
    table = group_differences(found, groups)
    assert table[["effort_low", "effort_high"]].isna().all(axis=None)
    assert largest_difference(found, groups, "effort") is None
    assert "A dot without a bar has too few or too equal values" in caption(table, "effort", None)
    pair = pd.Series(["a"] * 6 + ["b"] * 6, name="g")
    equal = largest_difference(a_result([1] * 12, [1.0] * 6 + [2.0] * 6), pair, "effort")
    assert not equal.clear
    assert "cannot be computed" in difference_words(equal)
    uneven = a_result([1] * 12, [1.0] * 6 + [1.5, 2, 2.5, 3, 3.5, 4])  # six equal values are no proof of certainty
    wide = largest_difference(uneven, pair, "effort")
    spread = np.var([1.5, 2, 2.5, 3, 3.5, 4], ddof=1)
    assert wide.high - wide.size == pytest.approx(stats.t.ppf(0.975, 10) * np.sqrt(2 * spread / 6))
    nobody = group_differences(a_result([0] * 12), pair)
    assert nobody["movers_effort"].isna().all()
    assert len(differences_figure(nobody, "movers_effort").data) == 3
    with pytest.raises(InputError, match="groups for 3 people, but 12"):
        group_differences(found, pd.Series(["a"] * 3))


def test_the_sentence_claims_no_more_than_the_interval():
    clear = Difference("changed", "Sex", "female", "male", (0.61, 0.48), 0.02, 0.24, 1)
    assert difference_words(clear) == (
        "People with Sex “female” change more often than those with “male”: 61% against 48%, "
        "a difference of 13 points (95% interval 2 to 24)."
    )
    chance = Difference("effort", "Age", "19 to 25 years", "60 to 75 years", (1.5, 1.25), -0.1, 0.6, 6)
    assert difference_words(chance) == (
        "People with Age “19 to 25 years” have more effort on average than those with “60 to 75 years”: 1.50 against 1.25, "
        "but the difference of 0.25 may be chance (95% interval -0.10 to 0.60, allowing for 6 comparisons)."
    )
    close = Difference("success", "Sex", "female", "male", (0.2727, 0.2694), -0.14, 0.18, 1)
    assert "27.3% against 26.9%, but the difference of 0.4 points" in difference_words(close)
    none = Difference("success", "Sex", "female", "male", (0.5, 0.5), -0.2, 0.2, 1)
    assert difference_words(none) == "No two groups by Sex differ here: 50% in each (95% interval -20 to 20)."
    assert caption(group_differences(*random_result(60, 0)), "changed", clear).endswith("it does not say why they differ.")


@pytest.mark.parametrize("seed", range(4))
def test_numbers_are_cut_into_quantile_groups_named_by_their_ends(seed):
    rng = np.random.default_rng(seed)
    column = Column("Age", "numeric", low=0, high=100, step=1, unit="years")
    ages = pd.Series(rng.integers(18, 80, 200).astype(float)).mask(rng.random(200) < 0.05)
    groups = grouped(ages, column)
    assert list(groups.cat.categories)[-1] == "(missing)"
    assert len(groups.cat.categories) == 5
    for age, name in zip(ages, groups, strict=True):
        if np.isnan(age):
            assert name == "(missing)"
        else:
            low, high = map(int, re.fullmatch(r"(\d+) to (\d+) years", name).groups())
            assert low <= age <= high
    assert groups.value_counts().iloc[:4].min() > 30


def test_awkward_numbers():
    column = Column("x", "numeric", low=0, high=1e9, unit="DM")
    heaped = grouped(pd.Series([0.0] * 60 + list(range(1, 41))), column)
    assert list(heaped.cat.categories) == ["0 DM", "1 to 15 DM", "16 to 40 DM"]
    half = grouped(pd.Series([0.0] * 50 + list(range(1, 51))), column)
    assert list(half.cat.categories) == ["0 DM", "1 to 25 DM", "26 to 50 DM"]  # no group without anybody
    assert list(grouped(pd.Series([3.0, 1, 3, 2]), column)) == ["3 DM", "1 DM", "3 DM", "2 DM"]
    close = grouped(pd.Series(1 + np.arange(40) * 1e-6 + 5e-8), column)
    assert len(set(close.cat.categories)) == 4
    days = Column("d", "numeric", low=0, high=1e5, date=True)
    assert grouped(pd.Series([0.0, 1, 2, 3, 4]), days).iloc[4] == "1970-01-05"
    assert list(grouped(pd.Series([np.nan, np.nan]), column)) == ["(missing)"] * 2


def test_categories_are_the_largest_and_the_rest():
    values = pd.Series(np.repeat([f"t{i:02}" for i in range(12)], np.arange(12, 0, -1)))
    column = Column("town", "nominal", levels=tuple(sorted(set(values))))
    groups = grouped(values, column)
    assert list(groups.cat.categories) == [f"t{i:02}" for i in range(8)] + ["other 4"]
    assert (groups == "other 4").sum() == 4 + 3 + 2 + 1
    assert len(grouped(values[values < "t09"], column).cat.categories) == 9  # "other 1" would say less
    order = Column("size", "ordinal", levels=("small", "medium", "large"))
    assert list(grouped(pd.Series(["large", "small", "large"]), order).cat.categories) == ["small", "large"]
    assert list(grouped(pd.Series([True, False, None]), Column("b", "excluded"))) == ["True", "False", "(missing)"]


@pytest.mark.parametrize("measure", MEASURES)
def test_the_figure_shows_the_table(measure):
    table = group_differences(*random_result(90, 1))
    figure = differences_figure(table, measure)
    dots, everybody, rings = figure.data
    np.testing.assert_allclose(dots.x, table[measure])
    np.testing.assert_allclose(dots.x + dots.error_x.array, table[f"{measure}_high"])
    np.testing.assert_allclose(dots.x - dots.error_x.arrayminus, table[f"{measure}_low"])
    assert everybody.x[0] == pytest.approx(per_person(random_result(90, 1)[0])[measure].mean())
    assert (np.isnan(rings.x).all(), rings.showlegend) == (True, False)
    people = table["movers" if measure == "movers_effort" else "people"]
    assert list(figure.layout.yaxis.ticktext) == [f"{name} ({n})" for name, n in people.items()]


def test_hostile_names_are_text():
    bad = "<script>alert(1)</script>"
    found, groups = random_result(30, 0)
    table = group_differences(found, groups.replace("a", bad).rename(bad))
    text = str(differences_figure(table, "changed").to_dict())
    assert "<script" not in text
    assert "&lt;script" in text


def test_thousands_of_people_stay_small():
    found, _ = random_result(5_000, 0)
    groups = grouped(pd.Series(np.random.default_rng(0).normal(size=5_000)), Column("x", "numeric", low=-9, high=9))
    assert len(differences_figure(group_differences(found, groups), "effort").to_json()) < 10_000


@pytest.mark.slow
def test_a_real_run(tmp_path, monkeypatch):
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path))
    runner = Runner(Store(), Processes(1))
    run_id = runner.start(Question("burden", german(12)))
    until(runner.store, run_id, lambda run: run.over)
    found = RunOutcome.open(runner.store, run_id)
    raw = found.raw(data_files())
    runner.close()
    for name in ("Age", "Personal status", "Risk"):
        groups = grouped(raw[name], found.schema[name])
        table = group_differences(found, groups)
        assert table["people"].sum() == len(found.outputs)
        assert table["movers"].sum() == found.summary.people_changed == len(found.movers) > 0
        assert (table["effort"] * table["people"]).sum() == pytest.approx(found.effort.sum())
        assert (table["success"] * table["people"]).sum() == pytest.approx((found.outputs <= 0.5).sum())
        if len(table) > 1:
            assert isinstance(largest_difference(found, groups, "changed"), Difference)
