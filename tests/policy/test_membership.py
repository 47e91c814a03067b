"""For whom a policy is: who is not of its group is told so, and nobody is measured by people it was not learnt from."""

import numpy as np
import pandas as pd
import pytest

import discover_core as dc
from discover_core.policy import policy as policy_module
from discover_core.policy.doubts import FEWEST
from discover_core.problem.amounts import amount
from tests.policy.cases import Plain, bad_rows, question
from tests.solver.cases import MIXED

RULE = dc.Rule("Months", "<", 30.0)
COHORT = dc.Cohort((RULE,), score_side="above", score_value=0.5, sample=50, seed=3)


def short(n, seed=0, months=30):
    """People of the group: less than so many months, and a score above one half."""
    rows = bad_rows(6 * n, seed)
    return rows[rows["Months"] < months].iloc[:n].reset_index(drop=True)


@pytest.fixture(scope="module")
def made():
    """Learnt from the group's people alone; who they are is known by nothing else."""
    return dc.learn_policy(question(rows=short(80)), dc.Settings(seed=0))


@pytest.fixture(scope="module")
def grouped(made):
    return made.with_cohort(COHORT)


@pytest.fixture(scope="module")
def strangers():
    rows = bad_rows(300, 5)
    return rows[rows["Months"] > 45].iloc[:48].reset_index(drop=True)


def test_who_breaks_the_groups_rules_is_told_so_and_all_are_counted(grouped, strangers):
    told = grouped.told(strangers)
    said = told.everybody["warning"]
    for months, words in zip(strangers["Months"], said, strict=True):
        wanted = f"not of the group the guarantee speaks of: Months is {months}, the policy was made for Months below 30"
        assert words.split("; ")[0] == wanted
    assert (
        "48 of 48 people do not belong to the group (Months below 30 and score above 0.5): the guarantee does not speak of them."
        in (grouped.warnings(told))
    )
    assert set(told.plan["warning"]) <= set(said)


def test_nobody_of_the_group_is_called_a_stranger(grouped):
    people = short(60, 9)
    told = grouped.told(people)
    assert not told.everybody["warning"].str.contains("not of the group").any()
    assert not any("do not belong" in said for said in grouped.warnings(told))


def test_who_is_of_the_group_does_not_depend_on_how_many_are_told_at_a_time(grouped, strangers, monkeypatch):
    people = pd.concat([strangers, short(20, 8)], ignore_index=True)
    told = grouped.told(people)
    monkeypatch.setattr(policy_module, "CHUNK", 7)
    again = grouped.told(people)
    assert grouped.warnings(again) == grouped.warnings(told)
    assert again.everybody["warning"].tolist() == told.everybody["warning"].tolist()
    assert any(said.startswith("48 of 68 people do not belong") for said in grouped.warnings(told))


def test_the_score_may_be_what_keeps_somebody_out(made):
    rows = pd.DataFrame({"Income": [9.0], "Months": [50], "Saving": ["much"], "Job": ["a"], "Home": ["own"]})
    score = Plain()(MIXED.prepare(rows))[0]
    both = made.with_cohort(COHORT).told(rows).everybody["warning"][0]
    assert f"Months is 50 and score is {amount(score)}, the policy" in both
    assert "the policy was made for Months below 30 and score above 0.5" in both
    close = made.with_cohort(dc.Cohort(score_side="above", score_value=float(score) + 1e-6)).told(rows).everybody["warning"][0]
    assert f"score is {score:.12g}, the policy was made for" in close  # rounded to three digits it would be the limit itself


def test_any_rule_is_enough_where_the_group_says_so(made):
    rules = (RULE, dc.Rule("Home", "is", "rent"), dc.Rule("Home", "is", "own"))
    some = bad_rows(60, 5)
    told = made.with_cohort(dc.Cohort(rules[:2], match="any")).told(some)
    out = (some["Months"] >= 30) & (some["Home"] != "rent")
    assert 0 < out.sum() < 60
    said = told.everybody["warning"]
    assert said.str.contains("not of the group").tolist() == out.tolist()
    i = int(np.flatnonzero(out)[0])
    assert f"Months is {some['Months'][i]} and Home is own, the policy was made for Months below 30 or Home is rent" in said[i]
    assert not made.with_cohort(dc.Cohort(rules[1:], match="any")).told(some).membership.outside.any()


def test_an_unknown_value_is_said_to_be_one(made):
    people = short(5, 2)
    people["Months"] = np.nan
    told = made.with_cohort(dc.Cohort((dc.Rule("Months", ">", 55.0),))).told(people)
    fill = made.ground.known.schema["Months"].fill
    assert f"Months is unknown (taken as {fill:.0f}), the policy was made for Months above 55" in told.everybody["warning"][0]


def test_a_rule_about_the_outcome_cannot_be_judged():
    sample = dc.load_sample("german_credit_10")
    model = dc.train_model("xgboost", sample.table, sample.schema, seed=0, settings={"trees": 10})
    rows = sample.table[model(sample.table) > 0.5].iloc[:40]
    target = dc.Target.threshold(model(rows), 0.5, 0.5, "below")
    reference = sample.table.iloc[:120]
    problem = dc.Problem(rows, sample.schema, model, sample.actions, target, dc.Bounds(0.1, 0.1), reference=reference)
    made = dc.learn_policy(problem, dc.Settings(seed=0))
    outcome = dc.Rule(sample.schema.outcome, "is", sample.schema.positive)
    young = dc.Rule("Age", "<", 30)
    old, fresh = rows["Age"] >= 30, rows["Age"] < 30
    every = made.with_cohort(dc.Cohort((outcome, young))).told(rows)
    assert every.membership.outside.tolist() == old.tolist()
    assert every.membership.open.tolist() == fresh.tolist()
    assert any(said.startswith(f"Whether {fresh.sum()} of 40 people belong") for said in every.policy.warnings(every))
    any_ = made.with_cohort(dc.Cohort((outcome, young), match="any")).told(rows).membership
    assert not any_.outside.any()
    assert any_.open.tolist() == old.tolist()


def test_without_rules_the_people_it_was_learnt_from_are_the_measure(made):
    people = short(40, 2)
    people.loc[0, "Months"] = 58
    people.loc[1, "Months"] = np.nan
    rent = question(rows=short(80).assign(Home="rent"))
    alone = dc.learn_policy(rent, dc.Settings(seed=0))
    low, high = rent.rows["Months"].min(), rent.rows["Months"].max()
    said = alone.told(people).everybody["warning"]
    assert f"has what nobody it was learnt from has: Months 58 (theirs {low} to {high})" in said[0]
    owners = (people["Home"] == "own").to_numpy()
    assert 3 < owners.sum() < 37
    assert said.str.contains("Home own").tolist() == owners.tolist()
    assert "Months" not in said[1].split("missing")[0]  # what was taken in place of a value is nobody's
    count = int(alone.told(people).membership.beyond.sum())
    assert count >= owners.sum()
    assert any(
        text.startswith(f"{count} of 40 people have a value or a score that nobody has whom the policy was learnt from")
        for text in alone.warnings(alone.told(people))
    )
    assert not made.told(short(80)).membership.beyond.any()  # themselves


def test_few_people_with_other_scores_are_warned_of_one_by_one(grouped):
    poor = bad_rows(4_000, 7)
    high = poor[Plain()(MIXED.prepare(poor)) > grouped.design.scores[-1] + 0.001].iloc[:3]
    assert len(high) == 3
    told = grouped.with_cohort(dc.Cohort(score_side="above", score_value=0.5)).told(high)
    low, top = grouped.design.scores[0], grouped.design.scores[-1]
    assert told.everybody["warning"].str.contains(f"it was learnt from has: score 0.*theirs {amount(low)} to {amount(top)}").all()
    said = told.policy.warnings(told)
    assert (
        f"3 of 3 people have a score that nobody has whom the policy was learnt from (scores {low:.3f} to {top:.3f})"[:70]
        in said[0]
    )
    assert said[1] == (
        f"3 people are too few to test whether scores have drifted from those the policy was learnt from: that takes {FEWEST}."
    )
    assert not any("too few" in text for text in grouped.warnings(grouped.told(short(FEWEST, 4))))


def test_how_usual_somebody_is_is_among_those_it_was_learnt_from():
    narrow = short(120, months=12)
    made = dc.learn_policy(question(rows=narrow), dc.Settings(seed=0))
    rows = bad_rows(200, 5)
    other = rows[rows["Months"] > 55].reset_index(drop=True)
    told = made.told(other)
    encoding = made.ground.usual.encoding
    points = encoding.encode(MIXED.prepare(narrow)[MIXED.feature_names])
    asked = encoding.encode(MIXED.prepare(other)[MIXED.feature_names])
    nearest = np.sort(np.linalg.norm(asked[:, None] - points[None], axis=2), axis=1)[:, 9]
    own = np.sort(np.linalg.norm(points[:, None] - points[None], axis=2), axis=1)[:, 10]  # themselves left out
    assert told.usual_before.tolist() == pytest.approx((own[None, :] < nearest[:, None] - 1e-9).mean(axis=1), abs=1e-9)
    assert (told.usual_before > policy_module.FAR).mean() > 0.9
    assert (made.ground.usual.percentile(asked) > policy_module.FAR).mean() < 0.1  # the table knows many like them
    assert told.everybody["warning"].str.contains(policy_module.ALONE).mean() > 0.9
    assert np.median(made.told(narrow).usual_before) == pytest.approx(0.5, abs=0.05)


def test_it_says_who_such_people_are(made, grouped):
    assert grouped.whom == (
        "“Such people” are people of the group “Months below 30 and score above 0.5”, like the 80 people it was learnt from."
    )
    low, high = made.design.scores[0], made.design.scores[-1]
    assert f"like the 80 people it was learnt from, whose scores go from {amount(low)} to {amount(high)}" in made.whom
    assert made.with_cohort(dc.Cohort(sample=10)).whom == made.whom  # everybody in the table: no rule says who that is
