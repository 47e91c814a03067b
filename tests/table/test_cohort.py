"""The group to be explained."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discover_core.errors import InputError
from discover_core.table import Cohort, Rule, Schema, profile

RNG = np.random.default_rng(1)
TABLE = pd.DataFrame(
    {
        "age": RNG.integers(18, 80, 500),
        "job": RNG.choice(["a", "b", "c"], 500),
        "saving": RNG.choice(["low", "medium", "high"], 500),
    }
)
SCHEMA = Schema.infer(TABLE)
READY = SCHEMA.prepare(TABLE)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (Rule("age", ">", 40), TABLE["age"] > 40),
        (Rule("age", "between", (30, 40)), TABLE["age"].between(30, 40)),
        (Rule("age", "is", 33), TABLE["age"] == 33),
        (Rule("job", "is", ("a", "b")), TABLE["job"].isin(["a", "b"])),
        (Rule("job", "is not", "a"), TABLE["job"] != "a"),
        (Rule("saving", ">=", "medium"), TABLE["saving"].isin(["medium", "high"])),
    ],
)
def test_a_rule_selects_what_it_says(rule, expected):
    np.testing.assert_array_equal(rule.mask(READY, SCHEMA), expected)


def test_all_and_any_and_the_score():
    rules = (Rule("age", ">", 40), Rule("job", "is", "a"))
    both = (TABLE["age"] > 40) & (TABLE["job"] == "a")
    either = (TABLE["age"] > 40) | (TABLE["job"] == "a")
    scores = np.linspace(0, 1, 500)
    np.testing.assert_array_equal(Cohort(rules).mask(READY, SCHEMA), both)
    np.testing.assert_array_equal(Cohort(rules, "any").mask(READY, SCHEMA), either)
    np.testing.assert_array_equal(Cohort(rules, "any", "above", 0.7).mask(READY, SCHEMA, scores), either & (scores > 0.7))
    assert len(Cohort().rows(READY, SCHEMA)) == 500


def test_the_same_seed_takes_the_same_sample():
    cohort = Cohort((Rule("job", "is", "a"),), sample=20, seed=3)
    rows = cohort.rows(READY, SCHEMA)
    assert len(rows) == 20
    assert (TABLE["job"].iloc[rows] == "a").all()
    assert (np.diff(rows) > 0).all()
    np.testing.assert_array_equal(rows, cohort.rows(READY, SCHEMA))
    assert not np.array_equal(rows, Cohort((Rule("job", "is", "a"),), sample=20, seed=4).rows(READY, SCHEMA))
    assert Cohort.from_dict(cohort.to_dict()) == cohort


@pytest.mark.parametrize(
    "ask",
    [
        lambda: Rule("job", "like", "a"),
        lambda: Rule("age", "between", 3),
        lambda: Rule("job", "<", "a").mask(READY, SCHEMA),
        lambda: Rule("saving", "<", "huge").mask(READY, SCHEMA),
        lambda: Rule("age", "<", "old").mask(READY, SCHEMA),
        lambda: Rule("height", "<", 3).mask(READY, SCHEMA),
        lambda: Cohort(score_side="above").mask(READY, SCHEMA),
        lambda: Cohort(sample=0),
        lambda: Cohort(match="some"),
    ],
)
def test_impossible_groups_get_a_sentence(ask):
    with pytest.raises(InputError):
        ask()


def test_the_profile_counts_what_is_there():
    table = TABLE.assign(gaps=np.where(np.arange(500) < 50, np.nan, 1.5 * np.arange(500)), name=[f"n{i}" for i in range(500)])
    profiles = {p.column.name: p for p in profile(table, Schema.infer(table))}
    assert profiles["gaps"].missing == 50
    assert sum(profiles["age"].bars) == pytest.approx(100, abs=0.2)
    assert profiles["age"].summary.startswith(f"{TABLE['age'].min()} to {TABLE['age'].max()}")
    shares = TABLE["saving"].value_counts(normalize=True) * 100
    assert profiles["saving"].bars == pytest.approx([shares["low"], shares["medium"], shares["high"]], abs=0.01)
    assert profiles["name"].summary == "e.g. n0"


complete_rules = st.one_of(
    st.builds(Rule, st.just("age"), st.sampled_from(["<", "<=", ">", ">="]), st.integers(17, 81)),
    st.builds(lambda a, b: Rule("age", "between", (min(a, b), max(a, b))), st.integers(17, 81), st.integers(17, 81)),
    st.builds(
        lambda how, v: Rule("job", how, tuple(v)),
        st.sampled_from(["is", "is not"]),
        st.sets(st.sampled_from("abc"), min_size=1),
    ),
)


@given(
    st.lists(complete_rules, max_size=3),
    st.sampled_from(["all", "any"]),
    st.sampled_from([None, "above", "below"]),
    st.integers(0, 10),
)
def test_the_others_are_exactly_those_the_rules_leave_out(made: list[Rule], match, side, tenths: int):
    cohort = Cohort(tuple(made), match, side, tenths / 10, sample=3)
    others = cohort.complement()
    if others is None:
        assert not made or side is not None or (match == "any" and any(rule.comparison == "between" for rule in made))
        return
    scores = np.arange(500) * 7 % 11 / 10
    assert (others.mask(READY, SCHEMA, scores) == ~cohort.mask(READY, SCHEMA, scores)).all()
