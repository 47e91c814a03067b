"""A budget in words: what it limits, and what so few people can reach at best."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import discover_core as dc
from discover_core.problem.budget_words import budget_words, falls_short
from discover_core.problem.wish import Wish

SCORES = np.linspace(0.51, 0.99, 200)
NOBODY = np.zeros(200, dtype=bool)


def wish(share: float, scores=SCORES) -> Wish:
    return Wish.of(dc.Target.threshold(scores, tau=0.5, share=share, side="below"), scores)


def test_no_limit_no_words():
    assert budget_words(dc.Budget()) == []
    assert budget_words(dc.Budget(people=1, features=3)) == ["at most 1 person", "at most 3 features each"]
    assert budget_words(dc.Budget(effort=0.25, total_effort=1e-9)) == [
        "effort of at most 0.25 each",
        "effort of less than 0.000001 in all",
    ]


def test_what_so_few_people_reach_at_best():
    said = falls_short(dc.Budget(people=10), wish(0.5), SCORES, NOBODY)
    assert said == (
        "About 100 people have to change for this outcome, but at most 10 may: "
        "at best 5% of the group score at or below 0.5, where 50% are asked."
    )
    assert "at best 49.5% of the group score at or below 0.5, where 50.0%" in str(
        falls_short(dc.Budget(people=99), wish(0.5), SCORES, NOBODY)
    )
    assert "but nobody may" in str(falls_short(dc.Budget(), wish(0.5), SCORES, ~NOBODY))


def test_a_shape_is_missed_as_well():
    shape = Wish.of(dc.Target.values(np.zeros(200)), SCORES)
    said = falls_short(dc.Budget(people=1), shape, SCORES, NOBODY)
    assert said is not None
    assert said.startswith("At least 1")
    assert said.endswith("at most 1 may: the scores will stay further from the target than asked.")
    assert falls_short(dc.Budget(), shape, SCORES, NOBODY) is None


def test_nothing_is_said_of_a_shape_that_so_few_can_reach():
    wanted = np.linspace(0.3, 0.5, 100)
    scores = wanted + np.where(np.arange(100) < 80, 0.0215, 0.44)
    shape = Wish.of(dc.Target.values(wanted), scores)
    assert falls_short(dc.Budget(people=20), shape, scores, np.zeros(100, dtype=bool)) is None
    said = falls_short(dc.Budget(people=19), shape, scores, np.zeros(100, dtype=bool))
    assert said == (
        "At least 20 people have to change for this outcome, but at most 19 may: "
        "the scores will stay further from the target than asked."
    )


@given(
    st.integers(1, 60),
    st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=40),
    st.floats(0.01, 1),
)
def test_it_speaks_exactly_when_moving_all_who_may_is_not_enough(people, group, share):
    scores, untouched = np.array([score for score, _ in group]), np.array([left for _, left in group])
    asked = wish(share, scores)
    assert asked.past is not None
    moved = scores.copy()
    moved[np.flatnonzero(~untouched & ~asked.past.right(scores))[:people]] = 0.0
    short = asked.shortfall(asked.reached(moved)) > 0
    assert (falls_short(dc.Budget(people=people), asked, scores, untouched) is not None) == short
