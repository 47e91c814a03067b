"""A run that is interrupted and goes on makes the same steps, to the bit."""

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest

import discover_core as dc
from discover_core.problem.bounds import Bounds
from discover_core.problem.problem import Problem
from discover_core.problem.settings import Selection
from discover_core.problem.target import Target
from discover_core.solver.place import Place, Round
from discover_core.solver.selection import SELECTIONS
from discover_core.solver.strategies import STRATEGIES

from .cases import mixed

ITERATIONS = 12


def same(a: dc.Step, b: dc.Step) -> bool:
    arrays = ("impact", "selected", "outputs", "cells", "levels", "unhelped")
    numbers = ("iteration", "q", "q_x", "q_y", "q_before", "ucl_x", "ucl_y", "eta", "interval", "feasible", "model_rows", "still")
    return (
        all(np.array_equal(getattr(a, name), getattr(b, name)) for name in arrays)
        and all(getattr(a, name) == getattr(b, name) for name in numbers)
        and a.random == b.random
    )


def place_after(steps: list[dc.Step]) -> Place:
    last = steps[-1]
    rounds = tuple(Round(step.selected, step.unhelped, step.edit) for step in steps)
    return Place(last.iteration, last.interval, (last.ucl_x, last.ucl_y), last.model_rows, last.still, last.random, rounds)


@pytest.mark.parametrize("variant", ["improved", "paper"])
@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("band", ["dkw", "bootstrap"])
def test_going_on_from_any_place_gives_the_same_bits(strategy: str, selection: str, band: str, variant: str):
    problem = mixed(60, bounds=Bounds(0.5, 0.1, delta=0.1, slices=8, band=band))
    search = {"strategy": strategy, "selection": selection, "variant": variant}
    settings = dc.Settings(**search, k=5, candidates=6, iterations=ITERATIONS, seed=3)
    whole = list(dc.solve(problem, settings, levels=(0.1, 0.3)))
    assert sum(step.edit is not None for step in whole) > 3
    for cut in (0, 1, 5, ITERATIONS - 1):
        rest = list(dc.solve(problem, settings, place_after(whole[: cut + 1]), levels=(0.1, 0.3)))
        assert [step.iteration for step in rest] == list(range(cut + 1, ITERATIONS + 1))
        assert all(same(a, b) for a, b in zip(whole[cut + 1 :], rest, strict=True))


HARD = Target.threshold(mixed(60).outputs, 0.85, 0.9, "above", 0.02)  # more than can be had: some cannot be helped


@pytest.mark.parametrize(
    ("strategy", "band", "wall"), [*((name, "dkw", None) for name in STRATEGIES), ("monte_carlo", "bootstrap", 0.9)]
)
def test_a_personal_search_goes_on_to_the_same_bits_while_it_helps_others_instead(strategy: str, band: str, wall: float | None):
    problem = mixed(60, HARD, Bounds(0.5, 0.1, delta=0.1, slices=8, band=band))
    settings = dc.Settings(strategy, "personal", k=5, h=2, candidates=6, iterations=40, seed=3, usual=wall)
    whole = check_every_cut(problem, settings, (0, 1, 4, 9))
    assert len(whole) < 40
    assert sum(len(step.unhelped) for step in whole) > 3
    assert sum(step.edit is not None for step in whole) > 8


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_personal_search_goes_on_to_the_same_bits_towards_a_shape_and_back_from_what_is_needless(strategy: str):
    settings = dc.Settings(strategy, "personal", k=6, h=2, candidates=6, iterations=60, seed=3)
    whole = check_every_cut(mixed(24), settings, (0, 1, 5, 12, 18))
    assert len(whole) < 60
    assert sum(len(step.unhelped) for step in whole) > 3
    assert len({step.eta for step in whole}) > 1  # what is missing weighs more when nobody is left to help


def check_every_cut(problem: Problem, settings: dc.Settings, cuts: tuple[int, ...]) -> list[dc.Step]:
    """The steps of the whole run, which whoever goes on from a place makes too."""
    whole = list(dc.solve(problem, settings, levels=(0.1, 0.3)))
    for cut in (*cuts, len(whole) - 2, len(whole) - 1):
        rest = list(dc.solve(problem, settings, place_after(whole[: cut + 1]), levels=(0.1, 0.3)))
        assert all(same(a, b) for a, b in zip(whole[cut + 1 :], rest, strict=True))
    return whole


@pytest.mark.parametrize("selection", get_args(Selection))
def test_going_on_for_longer_is_a_longer_run(selection: str):
    problem = mixed(60)
    short = dc.Settings(selection=selection, k=5, iterations=4, seed=1)
    long = replace(short, iterations=9)
    begun = list(dc.solve(problem, short))
    rest = list(dc.solve(problem, long, place_after(begun)))
    assert all(same(a, b) for a, b in zip(list(dc.solve(problem, long)), begun + rest, strict=True))


def test_nothing_is_left_to_do_at_the_end():
    problem = mixed(40)
    settings = dc.Settings(selection="joint", iterations=3)
    assert list(dc.solve(problem, settings, place_after(list(dc.solve(problem, settings))))) == []


def test_limits_at_other_levels_are_those_of_a_problem_with_that_level():
    settings = dc.Settings(selection="joint", iterations=3)
    tight, loose = (mixed(200, bounds=Bounds(0.5, 0.1, alpha, 0.2, 4)) for alpha in (0.05, 0.2))
    step, other = (next(dc.solve(problem, settings, levels=(0.2,))) for problem in (tight, loose))
    assert np.inf > step.ucl_x > other.ucl_x
    assert tuple(step.levels[0]) == (other.ucl_x, other.ucl_y)


@pytest.mark.parametrize("rule", [{"stop_when_certified": True}, {"patience": 2}])
def test_what_has_ended_by_its_own_rule_does_not_go_on(rule):
    problem = mixed(60, bounds=Bounds(5.0, 5.0, delta=0.1, slices=8, band="bootstrap"))
    settings = dc.Settings(selection="joint", k=1, candidates=1, h=1, iterations=60, seed=1, **rule)
    steps = list(dc.solve(problem, settings))
    assert len(steps) < 61
    assert list(dc.solve(problem, settings, place_after(steps))) == []
