"""Presets: valid for every group, the paper's to the number, recognised again, and their cost as the solver counts it."""

from dataclasses import fields, replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discover_core.problem import settings as names
from discover_core.problem.actionability import Actionability
from discover_core.problem.presets import (
    AT_ONCE,
    FITTED,
    PRESETS,
    QUICK,
    STEPS,
    TURNS,
    beyond,
    enough_for,
    in_words,
    preset_of,
    rows_to_score,
)
from discover_core.problem.settings import Settings
from discover_core.solver import solve
from discover_core.solver.selection import SELECTIONS
from discover_core.solver.strategies import STRATEGIES

from ..solver.cases import MIXED, mixed

PERSONAL = [name for name in PRESETS if name != "Paper"]
PEOPLE, FEATURES = st.integers(1, 100_000), st.integers(1, 200)
PAPER = {
    "strategy": "monte_carlo",
    "selection": "joint",
    "k": 3,
    "h": 3,
    "candidates": 200,
    "iterations": 100,
    "angle": 45,
    "numeric_step": 0.1,
    "categorical_step": 1.2,
    "temperature": 2,
    "l": 0.2,
    "r": 1,
    "kappa": 0.05,
}


@given(n=PEOPLE, f=FEATURES, name=st.sampled_from(list(PRESETS)), seed=st.integers(0, 2**53 - 1))
def test_a_preset_is_recognised_for_every_group_whatever_the_seed(n, f, name, seed):
    settings = PRESETS[name].settings(n, f)
    assert Settings.from_dict(settings.to_dict()) == settings
    assert preset_of(replace(settings, seed=seed), n, f) == name


@given(n=PEOPLE, f=FEATURES, share=st.floats(0, 1))
def test_no_preset_asks_for_more_than_there_is_or_than_a_round_can_hold(n, f, share):
    for name in PERSONAL:
        settings = PRESETS[name].settings(n, f, int(share * n))
        assert settings.selection == "personal"
        assert settings.k <= min(n, AT_ONCE)
        assert settings.h <= f
        assert beyond(settings, n, f) == []


@given(n=PEOPLE, f=FEATURES, share=st.floats(0, 1))
def test_a_personal_preset_helps_everybody_who_has_to_change_in_steps_that_one_can_watch(n, f, share):
    needed = int(share * n)
    for name in PERSONAL:
        settings = PRESETS[name].settings(n, f, needed)
        assert preset_of(settings, n, f, needed) == name
        assert enough_for(settings, n) == n  # if those nearest cannot be helped, everybody else gets a turn
        assert settings.k * STEPS >= needed  # those who have to change take no more iterations, if all goes well
        assert (settings.k - 1) * STEPS < needed or (settings.k - 1) * TURNS < n  # and no fewer than it takes


@given(n=PEOPLE, f=FEATURES)
def test_when_nobody_knows_how_many_have_to_change_it_is_everybody(n, f):
    for preset in PRESETS.values():
        assert preset.settings(n, f) == preset.settings(n, f, n)


def test_what_was_the_default_was_not_enough_for_a_large_group():
    """Six people in each of a hundred iterations, for a group of which 970 have to change."""
    before = Settings(selection="rowwise", k=6, candidates=40, iterations=100)
    assert enough_for(before, 2_210) == 300
    assert enough_for(replace(before, selection="personal"), 2_210) == 600  # a turn is enough where nothing is left to chance
    assert enough_for(PRESETS[FITTED].settings(2_210, 20, 970), 2_210) == 2_210
    assert enough_for(PRESETS[FITTED].settings(70_000, 11, 70_000), 70_000) == 70_000


@given(n=PEOPLE, f=FEATURES)
def test_thorough_does_more_than_a_fitted_search_and_that_more_than_a_quick_look(n, f):
    quick, fitted, thorough = (PRESETS[name].settings(n, f) for name in (QUICK, FITTED, "Thorough"))
    assert quick.candidates < fitted.candidates < thorough.candidates
    assert (quick.h, fitted.h, thorough.h) == (min(3, f), min(4, f), min(6, f))
    assert quick.k == fitted.k == thorough.k
    assert rows_to_score(quick, n) is rows_to_score(thorough, n) is None  # nobody can say


@pytest.mark.parametrize(
    ("n", "needed", "k"),
    [
        (1, 0, 1),
        (1, 1, 1),
        (50, 50, 2),
        (200, 100, 4),
        (200, 0, 2),  # a hundred and fiftieth of the group at the least
        (1_000, 500, 20),
        (1_000, 100, 7),
        (2_210, 970, 39),
        (100_000, 100_000, 4_000),
        (400_000, 400_000, AT_ONCE),
    ],
)
@pytest.mark.parametrize("name", ["Fitted", "Quick look", "Thorough"])
def test_a_batch_is_a_twenty_fifth_of_those_who_have_to_change(name, n, needed, k):
    assert PRESETS[name].settings(n, 10, needed).k == k


@given(n=PEOPLE, f=FEATURES)
def test_paper_is_the_papers_settings_for_every_group(n, f):
    settings = PRESETS["Paper"].settings(n, f)
    assert {name: getattr(settings, name) for name in PAPER} == PAPER
    assert (settings.origin, settings.variant, settings.r) == ("factual", "paper", 1.0)


@pytest.mark.parametrize("name", [field.name for field in fields(Settings) if field.name != "seed"])
def test_any_change_by_hand_makes_it_ones_own(name):
    paper = PRESETS["Paper"].settings(50, 10)
    now = getattr(paper, name)
    words = {"selection": names.Selection, "origin": names.Origin, "guidance": names.Guidance, "encoding": names.EncodingName}
    words["variant"] = names.Variant
    if name in words:
        other = next(word for word in get_args(words[name]) if word != now)
    elif name == "strategy":
        other = next(word for word in STRATEGIES if word != now)
    else:
        other = 1 if now is None else not now if isinstance(now, bool) else now + 1 if isinstance(now, int) else now * 0.9
    assert preset_of(replace(paper, **{name: other}), 50, 10) is None


@pytest.mark.parametrize(("n", "k"), [(24, 1), (24, 5), (24, 24), (7, 30)])
@pytest.mark.parametrize("selection", SELECTIONS)
def test_the_cost_is_what_a_run_counts(n, k, selection):
    settings = Settings(selection=selection, k=k, candidates=4, iterations=3)
    *_, last = solve(mixed(n), settings)
    assert rows_to_score(settings, n) == last.model_rows - n


def test_what_a_personal_search_costs_nobody_can_say():
    assert rows_to_score(Settings(selection="personal", k=4, candidates=4, iterations=3), 24) is None


def test_the_cost_is_never_less_than_a_run_counts():
    settings = Settings(selection="joint", k=24, candidates=4, iterations=6, patience=1)
    actions = Actionability.free(MIXED).lock("Income", "Months", "Job", "Home").only_increase("Saving")
    *_, last = solve(mixed(24, actions=actions), settings)  # those with most savings cannot change
    assert 0 < last.model_rows - 24 < rows_to_score(settings, 24)


@pytest.mark.parametrize(
    ("settings", "n", "f", "words"),
    [
        (
            Settings(selection="rowwise", k=10, h=3, candidates=30, iterations=60),
            200,
            15,
            "Each of 60 iterations tries 30 new versions of each of the 10 people who add most to the distance left, "
            "changing up to 3 features at a time. The model has to score up to 18,000 rows.",
        ),
        (
            Settings(selection="rowwise", k=1, h=1, candidates=2_000, iterations=1),
            200,
            15,
            "One iteration tries 2,000 new versions of the person who adds most to the distance left, "
            "changing one feature at a time. The model has to score up to 2,000 rows.",
        ),
        (
            Settings(selection="rowwise", k=500, h=9, candidates=1, iterations=2),
            50,
            4,
            "Each of 2 iterations tries one new version of each of all 50 people, "
            "changing up to 4 features at a time. The model has to score up to 100 rows.",
        ),
        (
            Settings(selection="rowwise", k=3, h=3, candidates=1, iterations=1),
            1,
            1,
            "One iteration tries one new version of the only person, changing one feature at a time. "
            "The model has to score one row.",
        ),
        (
            Settings(selection="joint", k=50, candidates=1, iterations=2, patience=1),
            50,
            4,
            "Each of 2 iterations tries one new version of each of all 50 people, changing up to 3 features at a time. "
            "The model has to score up to 100 rows. It ends earlier when nothing moves any more.",
        ),
        (
            Settings(selection="personal", k=10, h=3, iterations=1_000),
            200,
            15,
            "Each iteration finds the least change for the 10 people who miss most of their goal. "
            "Up to 3 features of a person may change. "
            "Once a threshold is reached, others who need less take "
            "the place of those who need most. It ends by itself, after 1,000 iterations at the latest.",
        ),
        (
            Settings(selection="personal", k=500, h=9, iterations=20, usual=0.95),
            50,
            4,
            "Each iteration finds the least change for the 50 people who miss most of their goal. "
            "Up to 4 features of a person may change. "
            "Once a threshold is reached, others who need less take "
            "the place of those who need most. It ends by itself, after 20 iterations at the latest. "
            "Nobody ends up more unusual than 95% of all people.",
        ),
        (
            Settings(selection="personal", k=3, h=3, iterations=1),
            1,
            1,
            "Each iteration finds the least change for the person who misses most of their goal. "
            "One feature of a person may change. "
            "Once a threshold is reached, others who need less take "
            "the place of those who need most. It ends by itself, after one iteration at the latest.",
        ),
        (Settings(), 50, 0, "No feature may change, so there is nothing to try."),
    ],
)
def test_what_settings_mean_in_words(settings, n, f, words):
    assert in_words(settings, n, f) == words


def test_numbers_beyond_the_group_are_said():
    assert beyond(Settings(k=50, h=4), 50, 4) == []
    assert beyond(Settings(k=51, h=4), 50, 4) == ["The group has 50 people, so 51 per iteration means everybody."]
    assert beyond(Settings(k=3, h=3), 1, 2) == [
        "The group has 1 person, so 3 per iteration means everybody.",
        "2 features may change, so 3 per person means all of them.",
    ]
    assert beyond(Settings(k=3, h=3), 3, 0) == []
